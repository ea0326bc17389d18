// The mistakes that can be switched on in subjects/kube-scheduler: in the real scheduler (planted/*.patch)
// and in what feeds it. They are in a build of that program alone (planted/run.py).
#include "reprieve/mutants/registry.h"

namespace reprieve::mutants {
namespace {

using enum Kind;

constexpr std::string_view kDecide = "subjects/kube-scheduler/decide.go";
constexpr std::string_view kRecorder = "subjects/kube-scheduler/recorder.go";
constexpr std::string_view kFeeder = "subjects/kube-scheduler/scheduler.go";

constexpr Mutant kMutants[] = {
    {"disrupted-pod-charged-again", "subjects/kube-scheduler/planted/disrupted-pod-charged-again.patch",
     "kube-scheduler charges a pod that its budget already counts as disrupted.", kScheduler,
     "a potential victim that its budget lists as disrupted"},
    {"nominated-pods-ignored", "subjects/kube-scheduler/planted/nominated-pods-ignored.patch",
     "kube-scheduler takes the room of nominated pods for free.", kScheduler,
     "a nominated pod whose request makes the difference"},
    {"recount-instead-of-patch", "subjects/kube-scheduler/planted/recount-instead-of-patch.patch",
     "kube-scheduler changes spread counts as a recount would: terminating pods and empty selectors count "
     "nothing.",
     kScheduler, "a terminating pod that a spread constraint selects"},
    {"shared-budget-counted-per-pod", "subjects/kube-scheduler/planted/shared-budget-counted-per-pod.patch",
     "kube-scheduler holds each pod to what the budget allows by itself.", kScheduler,
     "two potential victims under a budget that allows one"},
    {"start-time-tie-reversed", "subjects/kube-scheduler/planted/start-time-tie-reversed.patch",
     "kube-scheduler spares the later start of two equal priorities.", kScheduler,
     "two potential victims of one priority, one to be spared"},
    {"victims-not-re-sorted", "subjects/kube-scheduler/planted/victims-not-re-sorted.patch",
     "kube-scheduler lists violating victims before more important ones.", kScheduler,
     "a violating victim less important than another victim"},
    {"tie-not-asked-for", kDecide, "The Go program tells one node of a tie.", kScheduler,
     "candidates that tie"},
    {"clearings-not-told", kDecide, "The Go program tells of no nomination that was cleared.", kScheduler,
     "a less important pod nominated to the chosen node"},
    {"violations-not-told", kDecide, "The Go program tells of no violation.", kScheduler,
     "a victim under an exhausted budget"},
    {"nominated-node-not-looked-at", kDecide,
     "The Go program does not look at the nominated node when PreFilter leaves it out.", kScheduler,
     "a preemptor nominated to a node that its affinity by name leaves out"},
    {"offset-not-taken", kRecorder, "The Go program begins at the first node whatever the offset.",
     kScheduler, "sampling with an offset"},
    {"foreign-nominations-queued", kFeeder, "The Go program queues pending pods of other schedulers.",
     kScheduler, "a pod of another scheduler nominated to a node"},
};

}  // namespace

std::span<const Mutant> scheduler_mutants() { return kMutants; }

}  // namespace reprieve::mutants
