#include "reprieve/mutants/registry.h"

#include <algorithm>
#include <array>

namespace reprieve::mutants {
namespace {

using enum Kind;

constexpr std::string_view kSelection = "engine/selection.h";
constexpr std::string_view kVictims = "engine/victims.cpp";
constexpr std::string_view kSummaries = "engine/bounded/summaries.cpp";
constexpr std::string_view kBoundedSearch = "engine/bounded/search.cpp";
constexpr std::string_view kBoundedSearchHeader = "engine/bounded/search.h";
constexpr std::string_view kAnswer = "engine/bounded/answer.cpp";
constexpr std::string_view kBehind = "engine/bounded/behind.h";
constexpr std::string_view kDecide = "engine/decide.cpp";
constexpr std::string_view kStory = "engine/story.cpp";
constexpr std::string_view kRank = "engine/rank.cpp";
constexpr std::string_view kSolver = "engine/exact/solver_levels.h";
constexpr std::string_view kBranch = "engine/exact/branch_search.h";
constexpr std::string_view kProblem = "engine/exact/problem.cpp";
constexpr std::string_view kProblemHeader = "engine/exact/problem.h";
constexpr std::string_view kBounds = "engine/exact/bounds.h";
constexpr std::string_view kRootBounds = "engine/exact/root_bounds.h";
constexpr std::string_view kCoverProof = "engine/exact/cover_proof.h";
constexpr std::string_view kNodeBounds = "engine/exact/node_bounds.cpp";
constexpr std::string_view kLevelWalk = "engine/exact/level_walk.h";
constexpr std::string_view kSampling = "engine/sampling.h";
constexpr std::string_view kExtenders = "engine/extenders.cpp";
constexpr std::string_view kNominated = "engine/nominated.cpp";
constexpr std::string_view kEligibility = "engine/eligibility.cpp";
constexpr std::string_view kRequests = "engine/requests.cpp";
constexpr std::string_view kPodReader = "engine/pod_reader.cpp";
constexpr std::string_view kSelectors = "engine/selectors.cpp";
constexpr std::string_view kPorts = "engine/filters/node_ports.cpp";
constexpr std::string_view kFit = "engine/filters/node_resources_fit.cpp";
constexpr std::string_view kProperties = "engine/filters/node_properties.cpp";
constexpr std::string_view kRestrictions = "engine/filters/volume_restrictions.cpp";
constexpr std::string_view kLimits = "engine/filters/node_volume_limits.cpp";
constexpr std::string_view kBinding = "engine/filters/volume_binding.cpp";
constexpr std::string_view kZone = "engine/filters/volume_zone.cpp";
constexpr std::string_view kSpread = "engine/filters/pod_topology_spread.cpp";
constexpr std::string_view kMatches = "engine/filters/group_matches.cpp";
constexpr std::string_view kAffinity = "engine/filters/inter_pod_affinity.cpp";
constexpr std::string_view kBudgets = "engine/snapshot_budgets.cpp";
constexpr std::string_view kNodes = "engine/snapshot_nodes.cpp";
constexpr std::string_view kPods = "engine/snapshot_pods.cpp";

// Order: historic faults, then the steps of docs/SEMANTICS.md, filters, snapshot, manifests.
constexpr Mutant kMutants[] = {
    // Faults that upstream releases had.
    {"budget-counted-per-pod", kSelection, "Each pod is charged as if it were the only one of its budget.",
     kHistoric, "two potential victims under a budget that allows one"},
    {"disrupted-pods-charged-twice", kSelection, "Pods in disruptedPods are charged once more.", kHistoric,
     "a potential victim that its budget lists as disrupted"},
    {"victims-unsorted", kSelection,
     "Victims stay in the order in which they were taken, violating ones first, and level 2 reads the first.",
     kHistoric, "a violating victim less important than another victim"},
    {"empty-victims-accepted", kExtenders, "A node that an extender left without victims stays a candidate.",
     kHistoric, "an extender whose answer has a node without victims"},
    {"extender-loses-violations", kExtenders, "The violations that an extender reports are read as 0.",
     kHistoric, "an extender between candidates with and without violations"},
    {"offset-changes-full-scan", kSampling,
     "The walk over the potential nodes ends at the last instead of coming round.", kHistoric,
     "sampling with an offset and more wanted than there are nodes"},

    // Eligibility.
    {"never-ignored", kEligibility, "preemptionPolicy Never preempts.", kOperator,
     "a preemptor that never preempts"},
    {"terminating-victim-not-waited-for", kEligibility,
     "A preemptor does not wait for the terminating pods on its nominated node.", kOperator,
     "a nominated preemptor and a pod there that terminates by preemption"},
    {"equal-terminating-pod-waited-for", kEligibility,
     "A terminating pod of the preemptor's own priority is waited for.", kOperator,
     "a nominated preemptor and an equal pod there that terminates by preemption"},
    {"unresolvable-nomination-holds", kEligibility,
     "A nominated node that became unresolvable still makes the preemptor wait.", kOperator,
     "a nominated node with an untolerated taint and a terminating pod"},
    {"any-disruption-waited-for", kPodReader,
     "A pod that terminates for any DisruptionTarget reason is taken for a victim of preemption.", kOperator,
     "a nominated preemptor and a pod there that terminates by eviction"},

    {"own-nomination-cleared-while-waiting", kDecide,
     "A preemptor that is not eligible loses its nomination.", kOperator,
     "a nominated preemptor that waits or never preempts"},

    // Would eviction help?
    {"unresolvable-nodes-tried", kDecide, "Nodes that eviction cannot help are tried.", kOperator,
     "a node with an untolerated taint and a potential victim"},

    {"potential-nodes-by-place", kDecide, "The first nodes are tried, as many as eviction might help.",
     kOperator, "a node that eviction cannot help before one that it can"},

    // Potential victims and their order.
    {"equal-priority-is-victim", kVictims, "Pods of the preemptor's own priority are potential victims.",
     kOperator, "a running pod of the preemptor's priority"},
    {"least-important-first", kVictims, "The walk goes from the least to the most important pod.", kOperator,
     "two potential victims of different priority, one to be spared"},
    {"importance-priority-reversed", kSelection, "The pod of lower priority is the more important.",
     kOperator, "two potential victims of different priority, one to be spared"},
    {"importance-start-reversed", kSelection, "Of equal priorities the later start is the more important.",
     kOperator, "two potential victims of one priority, one to be spared"},
    {"importance-missing-start-first", kSelection, "A missing start time is the earliest, not now.",
     kOperator, "two potential victims of one priority, one without a start"},
    {"clock-read-once", kSelection, "1.36 orders pods without a start as 1.37 does.", kOperator,
     "1.36, two potential victims of one priority without a start"},

    {"start-times-in-31-bits", kPods, "Start times lose all but 31 bits of their microseconds.", kOperator,
     "two potential victims of one priority, an hour apart"},
    {"ties-go-by-name", kVictims, "By other criteria than the usual, pods that tie go by name.", kOperator,
     "importance by one criterion, and two pods that tie"},
    {"crowded-nodes-passed-over", kVictims, "A node with more than two potential victims is passed over.",
     kOperator, "a node with three potential victims"},
    {"victims-sorted-once", kSelection,
     "Victims are not sorted a second time, so those that tie stay in the first order.", kOperator,
     "victims that tie, of both groups"},

    // Charging.
    {"budget-violated-at-zero", kSelection, "A budget that reaches 0 counts as violated.", kOperator,
     "a potential victim under a budget that allows one"},
    {"budget-allows-one-more", kSelection, "A budget is violated only below -1.", kOperator,
     "a potential victim under an exhausted budget"},
    {"charging-never-stops", kSelection, "1.37 charges the budgets behind a violated one too.", kOperator,
     "1.37, two potential victims under two budgets, the first exhausted"},
    {"charging-stops-in-every-release", kSelection, "1.36 stops charging at the first violated budget.",
     kOperator, "1.36, two potential victims under two budgets, the first exhausted"},
    {"first-budget-only", kSelection, "Of the budgets over a pod only the first is looked at.", kOperator,
     "a potential victim under two budgets, the second exhausted"},
    {"charged-once-per-pod", kSelection, "A pod is charged to one budget, and to no other behind it.",
     kOperator, "a potential victim under two budgets, the second exhausted"},
    {"pods-without-labels-charged", kBudgets, "A pod without labels is charged to a budget that matches it.",
     kOperator, "a pod without labels and a budget with DoesNotExist"},
    {"empty-selector-selects", kBudgets, "A budget with an empty selector selects every pod.", kOperator,
     "a budget with an empty selector"},

    // Reprieve and counting.
    {"violating-reprieved-last", kSelection, "Violating pods are reprieved after the others.", kOperator,
     "a violating and another potential victim, one to be spared"},
    {"walk-misses-the-last", kSelection, "The least important pod is neither put back nor evicted.",
     kOperator, "any node whose least important pod has to go"},
    {"classed-counted-for-victims", kSelection,
     "Violations count all pods classed violating, victims or not.", kOperator,
     "a violating pod that is spared"},
    {"fit-leaves-one-free", kSelection, "A request that is just free does not fit.", kOperator,
     "a preemptor that takes all that is free after eviction"},

    // Knobs that upstream does not have.
    {"guarantee-ignored", kVictims, "A guaranteed budget is violated like any other.", kOperator,
     "guaranteed budgets and a violating pod that has to go"},
    {"guarantee-whatever-the-priority", kVictims, "belowPriority is not looked at.", kOperator,
     "guaranteed budgets below some priority, and a preemptor at it"},
    {"guarantee-counts-the-spared", kVictims,
     "A guarantee refuses a node for a violating pod that is spared.", kOperator,
     "guaranteed budgets and a violating pod that is spared"},
    {"guarantees-reason-not-told", kDecide, "It is not told that a guarantee is why there is no candidate.",
     kOperator, "guaranteed budgets that refuse the only candidate"},
    {"actual-violations-not-counted", kVictims, "violations: actual counts none.", kOperator,
     "violations: actual and a victim that violates"},
    {"actual-counts-the-spared", kVictims, "violations: actual charges the pods that are spared too.",
     kOperator, "violations: actual and a pod that is spared under an exhausted budget"},

    // The exact search.
    {"exact-takes-the-first-set", kSolver, "The first set of victims that makes room is taken.", kOperator,
     "victims: exact and two sets that make room"},
    {"exact-replaces-by-a-dearer-pod", kBranch, "A pod stands for one of lower priority too.", kOperator,
     "victims: exact and two pods, of which the more important frees less",
     "A pod stands only for one before it, and only where importance goes by priority first: it is never "
     "dearer."},
    {"exact-replaces-across-budgets", kBranch, "A pod stands for one whose budget is not exhausted.",
     kOperator, "victims: exact and two pods under two budgets"},
    {"exact-violates-beyond-the-limit", kBranch, "A set with more violations than the best is not cut off.",
     kOperator, "victims: exact and two sets, one of which violates a budget"},
    {"exact-charges-the-disrupted", kProblem, "The search charges pods in disruptedPods.", kOperator,
     "victims: exact and a potential victim that its budget lists as disrupted"},
    {"exact-rounds-needs-down", kProblemHeader, "The search rounds what is missing down to its unit.",
     kOperator, "victims: exact and pods that do not divide what is missing"},
    {"exact-freed-by-the-free-alone", kBounds, "What violating pods can free is not counted.", kOperator,
     "victims: exact and a node that has room only with a violation"},
    {"exact-one-victim-less-for-the-sum", kBounds,
     "A sum of n times the least priority is taken to allow n - 1 victims.", kOperator,
     "victims: exact and two nodes with as many victims of one priority"},
    {"exact-root-violations-one-more", kRootBounds,
     "One violation more than the least is where the search begins.", kOperator,
     "victims: exact and a large and two small pods of an exhausted budget"},
    {"exact-root-count-one-more", kRootBounds, "One victim more than the least is where the search begins.",
     kOperator, "victims: exact and one large pod beside two less important small ones"},
    {"exact-replaces-short-of-the-last-row", kBranch,
     "A pod stands for one that frees more of the last resource.", kOperator,
     "victims: exact and two resources, and pods that differ in one"},
    {"exact-fine-not-paid", kBranch, "The fine for what may still be spent is not taken off the need.",
     kOperator, "victims: exact and a long search for the least sum"},
    {"exact-forced-as-many-as-allowed", kBranch,
     "A set with as many victims as are allowed is cut off when they are certain.", kOperator,
     "victims: exact and two equal pods that must both go"},
    {"exact-prices-forget-violations", kCoverProof, "The violations that are allowed cost nothing.",
     kOperator, "victims: exact and two nodes with violations, the better one tried last"},
    {"exact-prices-forget-victims", kCoverProof, "The victims that are allowed cost nothing.", kOperator,
     "victims: exact and two nodes, the one with fewer victims tried last"},
    {"exact-prices-forget-what-is-free", kNodeBounds, "A node is taken to be full.", kOperator,
     "victims: exact and two nodes, the better one with free room"},
    {"exact-lower-priority-not-asked", kLevelWalk, "A node is not asked for victims of lower priority.",
     kOperator, "victims: exact and two nodes, the one with less important victims tried last"},
    {"exact-nearly-exhausted-is-exhausted", kBudgets,
     "A budget that allows one disruption is taken to allow none.", kOperator,
     "victims: exact and a pod under a budget that allows one"},

    // Nominated pods.
    {"nominated-load-dropped", kSelection, "Pods nominated to the node are not counted in.", kOperator,
     "a more important pod nominated to the node"},
    {"second-pass-dropped", kSelection, "With nominated pods counted in, the pass without them is left out.",
     kOperator, "affinity to a nominated pod"},
    {"own-nomination-counted", kNominated, "The preemptor's own nomination is counted against it.", kOperator,
     "a preemptor nominated to the node"},
    {"equal-nominations-not-counted", kNominated, "Nominated pods of equal priority are not counted in.",
     kOperator, "a pod of the preemptor's priority nominated to the node"},
    {"gated-nomination-counts", kNominated, "In 1.36 the nomination of a gated pod counts.", kOperator,
     "1.36, a nominated pod with scheduling gates"},
    {"any-schedulers-nomination", kNominated, "Nominations of other schedulers' pods count.", kOperator,
     "a nominated pod of another scheduler"},

    // Extenders.
    {"uninterested-extender-asked", kExtenders, "Extenders are asked whatever resources they manage.",
     kOperator, "an extender whose resource nobody asks for"},
    {"extenders-error-passed-over", kExtenders, "Every extender is ignorable.", kOperator,
     "an extender that fails and may not be ignored"},
    {"no-extender-is-ignorable", kExtenders, "The failure of an ignorable extender ends the attempt.",
     kOperator, "an ignorable extender that fails"},
    {"extenders-first-victim-not-read", kExtenders,
     "Level 2 reads the highest victim of an extender's answer, not the first.", kOperator,
     "an extender that lists victims out of order"},

    // Sampling.
    {"sample-of-the-smaller-number", kSampling, "The smaller of percentage and number is sampled.", kOperator,
     "sampling on several candidates"},
    {"sample-ends-without-a-clean-one", kSampling,
     "The sample may end without a candidate that violates nothing.", kOperator,
     "sampling where the first candidates violate budgets"},
    {"samples-order-kept", kDecide, "Candidates stay in the order of the walk, so a tie falls to the offset.",
     kOperator, "sampling with an offset and a tie"},

    // Ranking.
    {"level-1-reversed", kSelection, "More violations are better.", kOperator,
     "candidates that differ in violations"},
    {"level-1-skipped", kSelection, "Violations are not looked at.", kOperator,
     "candidates that differ in violations"},
    {"level-2-reversed", kSelection, "A higher highest priority is better.", kOperator,
     "candidates that differ in the highest priority"},
    {"level-2-skipped", kSelection, "The highest priority is not looked at.", kOperator,
     "candidates that differ in the highest priority and in the sum the other way"},
    {"level-3-reversed", kSelection, "A larger sum of priorities is better.", kOperator,
     "candidates that differ in the sum alone"},
    {"level-3-skipped", kSelection, "The sum of priorities is not looked at.", kOperator,
     "candidates that differ in the sum alone"},
    {"level-4-reversed", kSelection, "More victims are better.", kOperator,
     "candidates with equal sums, one with a pod of the lowest priority more"},
    {"level-4-skipped", kSelection, "The number of victims is not looked at.", kOperator,
     "candidates with equal sums, one with a pod of the lowest priority more"},
    {"level-5-reversed", kSelection, "An earlier start is better.", kOperator,
     "candidates that differ in start times alone"},
    {"level-5-skipped", kSelection, "Start times are not looked at.", kOperator,
     "candidates that differ in start times alone"},
    {"sum-not-shifted", kSelection,
     "Sums are compared of priorities as they are, so negative ones lower them.", kOperator,
     "candidates with different numbers of victims of negative priority"},
    {"lowest-for-highest-priority", kSelection, "Levels 2 and 5 read the victims of the lowest priority.",
     kOperator, "victims of different priority"},
    {"start-of-any-victim", kSelection, "Level 5 reads the earliest start of less important victims too.",
     kOperator, "a less important victim that started earlier"},
    {"latest-start-of-the-highest", kSelection, "A node's start is the latest of its highest victims.",
     kOperator, "two victims of the highest priority"},
    {"tie-of-one", kRank, "Of a tie only the first node is told.", kOperator,
     "candidates that are alike at every level"},

    {"runner-up-is-the-last", kRank, "What decided is told against the last candidate, not the best other.",
     kOperator, "three candidates that differ at different levels"},
    {"terminating-victims-cost-nothing", kVictims, "Victims that already terminate do not count.", kOperator,
     "a victim that terminates"},
    {"tie-of-one-every-second-time", kRank, "Every second attempt tells only the first node of a tie.",
     kOperator, "a tie, decided twice"},
    {"tie-order-by-thread", kRank, "Every second thread tells a tie backwards.", kOperator,
     "a tie, decided by two threads"},

    // The story that is told.
    {"last-node-not-told", kDecide, "The last node is not told.", kOperator, "any case"},
    {"candidates-told-as-refused", kStory, "Candidates are told as unschedulable.", kOperator,
     "any candidate"},
    {"refusals-without-reasons", kStory, "A node where evicting everybody does not help has no reasons.",
     kOperator, "a node where evicting everybody does not help"},
    {"reasons-of-the-first-filter", kStory,
     "A node where evicting everybody does not help has the reasons of before.", kOperator,
     "a node that fails for one reason, and with everybody gone for another"},
    {"victims-named-one-off", kStory, "Victims are named after the pods beside them.", kOperator,
     "any victim"},
    {"first-victim-told-twice", kStory, "The first victim is told twice.", kOperator, "any victim"},
    {"eviction-not-told", kVictims, "Of no potential victim it is told that it is evicted.", kOperator,
     "any victim"},
    {"shortfalls-without-the-load", kFit, "Of a resource that is short it is told that none is used.",
     kOperator, "a node with too little left of a resource"},
    {"matches-kept-between-cycles", kMatches, "A workspace keeps whom the last preemptor's terms match.",
     kOperator, "two preemptors with affinity or spread, decided in one workspace"},

    // Clearing.
    {"nominations-never-cleared", kDecide, "Less important nominations on the chosen node are kept.",
     kOperator, "a less important pod nominated to the chosen node"},
    {"cleared-though-all-terminate", kDecide, "Nominations are cleared though every victim is terminating.",
     kOperator, "a nominated pod, and victims that all terminate"},
    {"equal-nominations-cleared", kNominated, "Nominations of equal priority are cleared too.", kOperator,
     "a pod of the preemptor's priority nominated to the chosen node"},
    {"own-nomination-kept", kDecide, "Without a candidate the preemptor's own nomination is kept.", kOperator,
     "a nominated preemptor without a candidate"},

    // The bounds of depth answer.
    {"bound-beaten-by-an-equal", kSelection,
     "Depth answer abandons a node that is only as good as the best so far.", kOperator,
     "candidates that tie, or differ in start times alone"},
    {"bound-of-the-highest", kVictims,
     "Depth answer bounds a node by its most important pod instead of its least.", kOperator,
     "a node whose more important pods are spared, behind another candidate"},
    {"summary-without-nominated", kSummaries,
     "Depth answer leaves the pods nominated to a node out of what is taken there.", kOperator,
     "a nominated pod at or above the preemptor whose request makes the difference"},
    {"summary-without-budgets", kSummaries, "Depth answer sees no potential victim as violating.", kOperator,
     "an exhausted budget over pods of a node that would otherwise be chosen"},
    {"line-skips-a-pod", kSummaries, "Depth answer bounds the highest victim by the next more important pod.",
     kOperator, "two candidates that differ in one pod's priority"},
    {"bound-limit-below-the-best", kBoundedSearch,
     "Depth answer skips nodes whose bound is as good as the best so far.", kOperator,
     "candidates without violations that tie in the highest priority"},
    {"more-victims-always-lose", kBehind,
     "Depth answer skips a node that needs more victims even if their sum may be smaller.", kOperator,
     "candidates alike in the highest priority, one with more victims of lower priority in all"},
    {"one-more-must-be-spared", kBoundedSearch, "Depth answer skips a node where a violating pod just fits.",
     kOperator, "two candidates with violations, the better one because a violating pod fits exactly"},
    {"smallest-of-a-later-part", kBoundedSearch,
     "Depth answer skips a node for pods that cannot be spared, and forgets one that can.", kOperator,
     "two candidates with violations, the better one because the pod after the first to go is spared"},
    {"nodes-put-off-are-forgotten", kBoundedSearchHeader,
     "Depth answer forgets the last nodes that it meant to try later.", kOperator,
     "a candidate with violations that is not behind by what its smallest pods request"},
    {"codes-taken-for-amounts", kBoundedSearch,
     "Depth answer takes two amounts that are alike up to rounding for equal.", kOperator,
     "a node that lacks a little less than its rounded numbers tell"},
    {"start-decides-first", kBehind, "Depth answer skips a node for its start though its sum may be smaller.",
     kOperator,
     "candidates alike in the highest priority and in number, the better sum with the earlier start"},

    // Filters, and what they read.
    {"cordon-ignored", kProperties, "Cordoned nodes are taken.", kFilter, "a cordoned node"},
    {"taint-effect-ignored", kProperties, "A toleration of one effect tolerates the others.", kFilter,
     "a NoExecute taint and a toleration of NoSchedule"},
    {"taint-value-ignored", kProperties, "A toleration tolerates every value.", kFilter,
     "a toleration of another value"},
    {"no-execute-taint-ignored", kNodes, "NoExecute taints keep nobody away.", kFilter, "a NoExecute taint"},
    {"node-selector-ignored", kProperties, "spec.nodeSelector is not looked at.", kFilter,
     "a node selector that a node does not match"},
    {"names-of-a-term-not-intersected", kProperties,
     "Of two name fields of one term the last alone restricts.", kFilter,
     "a node affinity term with two metadata.name fields"},
    {"declared-features-searched", kProperties, "A declared feature is found wherever it stands.", kFilter,
     "a node whose list of features is not sorted"},
    {"greater-than-or-equal", kSelectors, "Gt matches the bound itself.", kFilter,
     "node affinity with Gt on its bound"},
    {"in-takes-later-values", kSelectors, "In takes every value from its first on.", kFilter,
     "a selector with In and a label of another value"},
    {"selectors-bear-no-other-label", kSelectors, "A selector matches only objects with no label beside.",
     kFilter, "a selector and an object with a label more"},
    {"not-in-needs-the-label", kSelectors, "NotIn matches only where the label is there.", kFilter,
     "a selector with NotIn and an object without the label"},
    {"ports-ignore-protocol", kPorts, "Host ports conflict across protocols.", kFilter,
     "one port under TCP and UDP"},
    {"ports-any-address-is-one", kPorts, "0.0.0.0 conflicts with itself alone.", kFilter,
     "one port on an address and on all"},
    {"ports-never-freed", kPorts, "The host ports of an evicted pod stay in use.", kFilter,
     "a potential victim that holds a wanted port"},
    {"sidecar-ports-not-read", kPodReader, "The host ports of sidecars are not read.", kFilter,
     "a sidecar with a host port"},
    {"one-pod-too-many", kFit, "A node takes one pod more than it allows.", kFilter,
     "a node whose pod count is reached"},
    {"only-one-resource-fits", kFit, "Only the first resource that is asked for is looked at.", kFilter,
     "a preemptor that asks for two resources"},
    {"request-above-allocatable-tried", kFit, "A request above allocatable is not unresolvable.", kFilter,
     "a preemptor larger than a node"},
    {"short-is-never-enough", kFit, "A node that is short of a resource is unresolvable.", kFilter,
     "a node with enough allocatable and too little left"},
    {"everything-is-asked-for", kFit, "Of a resource that is not asked for a unit has to be free.", kFilter,
     "a node that has nothing left of a resource that is not asked for"},
    {"first-container-alone", kRequests, "Only the first container requests anything.", kFilter,
     "a pod with two containers"},
    {"nothing-counts-as-one", kFit, "A pod that requests nothing of a resource frees and takes one unit.",
     kFilter, "a potential victim that requests nothing of what is asked"},
    {"requests-rounded-down", kRequests, "Requests are rounded down to whole units.", kFilter,
     "requests of fractions of a byte"},
    {"overhead-ignored", kRequests, "Pod overhead is not counted.", kFilter, "a pod with overhead"},
    {"init-container-without-sidecars", kRequests,
     "An init container's needs are counted without the sidecars before it.", kFilter,
     "a sidecar before a large init container"},
    {"infeasible-resize-counts", kRequests, "In 1.37 an infeasible resize still counts as asked.", kFilter,
     "1.37, a running pod whose resize is infeasible"},
    {"read-only-disks-conflict", kRestrictions, "Two read-only mounts of one disk conflict.", kFilter,
     "a disk that two pods mount read-only"},
    {"claim-user-not-freed", kRestrictions, "Evicting the user of a ReadWriteOncePod claim does not free it.",
     kFilter, "a potential victim that uses a ReadWriteOncePod claim"},
    {"one-volume-too-many", kLimits, "A node takes one volume more than its driver allows.", kFilter,
     "a node whose attach limit is reached"},
    {"attachments-not-counted", kLimits, "VolumeAttachments without a pod hold no place.", kFilter,
     "an attached volume that no pod on the node uses"},
    {"missing-driver-not-seen", kLimits, "1.37 does not ask whether the driver is on the node.", kFilter,
     "1.37, a driver that prevents scheduling where it is missing"},
    {"first-driver-for-all", kLimits, "What the first CSIDriver says holds for every driver.", kFilter,
     "1.37, two drivers, of which one prevents scheduling where it is missing"},
    {"shared-volume-counted-twice", kLimits, "A volume that is already on the node counts as another.",
     kFilter, "a claim that a running pod on the node uses too"},
    {"largest-volume-bound", kBinding, "An unbound claim takes the largest volume instead of the smallest.",
     kFilter, "two unbound claims and volumes of different size"},
    {"volume-affinity-ignored", kBinding, "The node affinity of bound volumes is not looked at.", kFilter,
     "a bound volume that another node has"},
    {"volume-bound-twice", kBinding, "Two claims of a pod may take the same volume.", kFilter,
     "two unbound claims and one volume"},
    {"beta-zone-label-alone", kZone,
     "A volume's beta zone label is held against the node's beta label alone.", kFilter,
     "a volume with a beta zone label"},
    {"volume-zone-ignored", kZone, "The zone of a bound volume may be any.", kFilter,
     "a volume of another zone"},
    {"spread-skew-off-by-one", kSpread, "The skew may be one less than maxSkew allows.", kFilter,
     "a spread constraint at its maxSkew"},
    {"spread-always-selects-itself", kSpread,
     "The preemptor is counted though the constraint does not select it.", kFilter,
     "a spread constraint that does not select the preemptor"},
    {"spread-min-domains-ignored", kSpread, "minDomains is not looked at.", kFilter,
     "fewer domains than minDomains"},
    {"spread-former-least-forgotten", kSpread,
     "What was the least before a lesser one is found is not kept as the second least.", kFilter,
     "pods nominated to a node of the least domain, which comes after another"},
    {"spread-second-least-too-high", kSpread,
     "The second least domain counts one more pod, unless it ties with the least.", kFilter,
     "two pods nominated to a node of the least domain, and a second least with one pod more"},
    {"spread-counts-terminating", kSpread, "Terminating pods count in PreFilter.", kFilter,
     "a terminating pod that a spread constraint selects"},
    {"spread-affinity-policy-ignored", kSpread, "Nodes that the preemptor may not use count as domains.",
     kFilter, "a spread constraint and a node selector"},
    {"affinity-of-any-term", kMatches, "A pod that matches one of several affinity terms satisfies all.",
     kFilter, "two affinity terms"},
    {"namespace-selectors-read-the-first", kMatches,
     "Namespace selectors read the labels of the first namespace.", kFilter,
     "a namespace selector and namespaces with different labels"},
    {"affinity-in-the-default-namespace", kPodReader, "Terms without namespaces look into `default`.",
     kFilter, "affinity without namespaces of a pod elsewhere"},
    {"affinity-of-running-pods-repels", kPodReader, "What a running pod wants to be near to it repels.",
     kFilter, "a running pod with affinity"},
    {"namespace-selector-kept", kMatches, "1.36 resolves namespace selectors as 1.37 does.", kFilter,
     "1.36, a namespace selector with DoesNotExist"},
    {"affinity-to-itself-always", kAffinity,
     "A preemptor that matches its own affinity needs no other pod, though there is one.", kFilter,
     "a preemptor that matches its own affinity, and a match elsewhere"},
    {"anti-affinity-bears-one", kAffinity, "One pod that the preemptor repels does not matter.", kFilter,
     "a preemptor with anti-affinity to one pod"},
    {"existing-anti-affinity-not-freed", kAffinity,
     "Evicting a pod with anti-affinity to the preemptor does not make room.", kFilter,
     "a potential victim with anti-affinity to the preemptor"},

    // Updates of the snapshot.
    {"removed-pod-keeps-its-load", kNodes, "The requests of a removed pod stay in the node's sums.",
     kSnapshot, "a pod that is removed"},
    {"removed-pod-keeps-its-claim", kNodes, "A removed pod stays a user of its claims.", kSnapshot,
     "a pod with a ReadWriteOncePod claim that is removed"},
    {"removed-node-loses-its-pods", kNodes, "The pods of a node that is removed and set again are lost.",
     kSnapshot, "a node that is removed and set again"},
    {"node-label-change-not-seen", kNodes, "A node keeps its first labels.", kSnapshot,
     "a node whose labels change"},
    {"moved-node-counts-where-it-was", kNodes,
     "A node whose labels change in value only, as when it moves to another zone, keeps the old ones.",
     kSnapshot, "a node with another zone"},
    {"removed-node-counts-with-its-pods", kNodes, "A node that holds pods is not removed.", kSnapshot,
     "a node with pods that is removed"},
    {"swept-nodes-get-anothers-room", kNodes,
     "When gaps are closed, nodes get the allocatable amounts of those that stood there.", kSnapshot,
     "nodes that come and go more than 32 times"},
    {"swept-nodes-get-anothers-load", kNodes,
     "When gaps are closed, nodes get the sums of requests of those that stood there.", kSnapshot,
     "nodes that come and go more than 32 times"},
    {"removed-budget-keeps-its-pods", kBudgets, "A budget that is removed goes on selecting its pods.",
     kSnapshot, "a budget that is removed"},
    {"swept-budgets-allow-nothing", kBudgets, "When gaps are closed, budgets lose what they allow.",
     kSnapshot, "budgets that come and go more than 32 times"},
    {"budget-change-not-seen", kBudgets, "A budget keeps what it allowed first.", kSnapshot,
     "a budget whose status changes"},
    {"changed-budget-keeps-its-pods", kBudgets, "A budget whose selector changes still selects its old pods.",
     kSnapshot, "a budget whose selector changes"},
    {"label-change-forgets-budgets", kPods, "A pod whose labels change is under no budget.", kSnapshot,
     "a pod whose labels change"},
    {"changed-pod-moves-to-the-end", kPods, "A changed pod loses its place in the input order.", kSnapshot,
     "two pods of equal importance, the first changed"},

    // Reading manifests.
    {"quantity-rounded-down", "manifest/quantity.cpp", "What is finer than a thousandth is cut off.",
     kManifest, "a request in micro- or nanounits"},
    {"binary-suffix-one-power-less", "manifest/quantity.cpp", "1Ki is 1, 1Mi is 1Ki, ...", kManifest,
     "a quantity with a binary suffix"},
    {"default-priority-class-ignored", "manifest/loader_finish.cpp",
     "The global default class is not applied.", kManifest,
     "a pod without priority and class, and a global default class"},
    {"policy-of-the-class-ignored", "manifest/loader_finish.cpp",
     "The preemptionPolicy of a pod's class is not applied.", kManifest, "a class that never preempts"},
    {"limits-are-no-requests", "manifest/default_pod.cpp", "A limit does not stand for an absent request.",
     kManifest, "a container with limits alone"},
    {"host-network-ports-not-defaulted", "manifest/default_pod.cpp",
     "With hostNetwork a container port is no host port.", kManifest, "a pod with hostNetwork and ports"},
    {"disrupted-pods-not-read", "manifest/decode_objects.cpp", "status.disruptedPods is not read.", kManifest,
     "a budget with disruptedPods"},
    {"negative-allowance-read-as-none", "manifest/decode_objects.cpp",
     "A negative disruptionsAllowed is read as 0.", kManifest, "a budget that allows less than nothing",
     "The API server refuses a negative disruptionsAllowed, and one that allows nothing is violated by the "
     "same "
     "pods."},
    {"percentage-read-as-permille", "manifest/decode_policy.cpp",
     "sampling.minPercentage is read as a tenth.", kManifest, "a policy with sampling"},

    // The process does not outlive these.
    {"violating-victims-listed-as-others", kAnswer,
     "Victims are read off the summary though some violate: out of bounds.", kFatal,
     "a potential victim under an exhausted budget"},
    {"slash-is-not-removed", kLimits, "Slashes in front of a volume's name are removed for ever.", kFatal,
     "an in-tree volume aws://ZONE/vol-ID"},
};

}  // namespace

std::string_view to_string(Kind kind) {
  static constexpr std::array<std::string_view, 7> kNames = {"historic", "operator", "filter",   "snapshot",
                                                             "manifest", "fatal",    "scheduler"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::span<const Mutant> all_mutants() { return kMutants; }

const Mutant* find_mutant(std::string_view name) {
  const auto found = std::ranges::find(kMutants, name, &Mutant::name);
  return found == std::end(kMutants) ? nullptr : found;
}

}  // namespace reprieve::mutants
