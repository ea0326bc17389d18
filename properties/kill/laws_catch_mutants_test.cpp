// Every law catches a wrong engine: beside each stands a mutant that it finds, on a case of the default mix.
//
// A law without an entry fails the test. For a new one, or when a generator has changed and an entry is no
// longer found from its seed on:
//
//   mutant_matrix --mutant NAME --stage "law LAW" --cases 10000
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "reprieve/properties/kill/hunt.h"
#include "reprieve/properties/kill/stage.h"
#include "reprieve/properties/laws/law.h"

namespace reprieve::kill {
namespace {

struct Caught {
  std::string_view law;
  std::string_view mutant;
  std::uint64_t seed;  // of the case on which the law finds it
};
void PrintTo(const Caught& caught, std::ostream* out) { *out << caught.law; }

constexpr std::uint64_t kCases = 3000;  // from the seed on

constexpr Caught kCaught[] = {
    {"every-node-is-told-once", "last-node-not-told", 2},
    {"outcome-agrees-with-the-nodes", "candidates-told-as-refused", 1},
    {"nominated-nodes-are-candidates", "candidates-told-as-refused", 1},
    {"refusals-have-reasons", "refusals-without-reasons", 20},
    {"only-the-ineligible-wait", "never-ignored", 26},
    {"never-evicts-nothing", "never-ignored", 26},
    {"nothing-happens-without-preemption", "own-nomination-cleared-while-waiting", 81},
    {"a-fitting-cluster-is-left-alone", "only-one-resource-fits", 17},
    {"nodes-are-filtered-as-they-stand", "unresolvable-nodes-tried", 21},
    {"the-preemptor-fits-without-the-victims", "only-one-resource-fits", 27},
    {"no-victim-can-be-spared", "fit-leaves-one-free", 9},
    {"a-node-is-rejected-only-in-vain", "crowded-nodes-passed-over", 4},
    {"a-node-is-unresolvable-only-in-vain", "short-is-never-enough", 1},
    {"a-pod-that-frees-nothing-is-spared", "victims-named-one-off", 15},
    {"victims-run-on-the-node", "victims-named-one-off", 1},
    {"victims-have-lower-priority", "equal-priority-is-victim", 27},
    {"victims-are-listed-once", "first-victim-told-twice", 1},
    {"victims-by-importance", "victims-unsorted", 59},
    {"charges-add-up", "budget-counted-per-pod", 4},
    {"violations-are-the-violating-victims", "classed-counted-for-victims", 20},
    {"reported-violations-are-at-least-the-real-ones", "budget-allows-one-more", 51},
    {"no-more-violations-than-victims", "classed-counted-for-victims", 50},
    {"zero-violations-are-found", "violating-reprieved-last", 23},
    {"a-guarantee-is-kept", "guarantee-ignored", 4},
    {"budgets-refuse-only-what-would-violate-them", "guarantee-counts-the-spared", 343},
    {"no-candidate-says-when-budgets-are-why", "guarantees-reason-not-told", 4},
    {"exact-victims-are-optimal", "exact-takes-the-first-set", 225},
    {"the-nominated-node-is-unbeaten", "level-2-reversed", 22},
    {"the-tie-is-complete", "tie-of-one", 1},
    {"a-tie-falls-to-the-first-node", "samples-order-kept", 75},
    {"the-key-is-that-of-the-victims", "lowest-for-highest-priority", 5},
    {"decided-by-separates-winner-and-runner-up", "runner-up-is-the-last", 123},
    {"lower-nominations-are-cleared", "nominations-never-cleared", 95},
    {"own-nomination-is-cleared-without-candidate", "own-nomination-kept", 47},
    {"potential-victims-are-the-less-important-pods", "equal-priority-is-victim", 3},
    {"the-evicted-are-the-victims", "eviction-not-told", 1},
    {"a-story-does-not-contradict-itself", "reasons-of-the-first-filter", 20},
    {"every-node-where-eviction-might-help-is-tried", "offset-changes-full-scan", 75},
    {"shortfalls-add-up", "shortfalls-without-the-load", 1},
    {"node-order", "tie-of-one", 6},
    {"pod-order", "victims-named-one-off", 1},
    {"budget-order", "first-budget-only", 298},
    {"list-order", "names-of-a-term-not-intersected", 92},
    {"node-names", "unresolvable-nodes-tried", 47},
    {"pod-names", "ties-go-by-name", 4},
    {"namespace-names", "affinity-in-the-default-namespace", 70},
    {"label-names", "in-takes-later-values", 1},
    {"bystander-node", "last-node-not-told", 7},
    {"bystander-namespace", "namespace-selectors-read-the-first", 619},
    {"bystander-budget", "empty-selector-selects", 4},
    {"bystander-label", "selectors-bear-no-other-label", 4},
    {"bystander-pod", "victims-named-one-off", 1},
    {"bystander-storage", "first-driver-for-all", 66},
    {"bystander-resource", "everything-is-asked-for", 1},
    {"unread-fields", "affinity-of-running-pods-repels", 4310},
    {"resources-scaled", "nothing-counts-as-one", 11},
    {"priorities-shifted", "sum-not-shifted", 1},
    {"times-shifted", "start-times-in-31-bits", 4},
    {"priorities-above-alike", "equal-priority-is-victim", 3},
    {"containers-split", "first-container-alone", 1},
    {"roomy-budget-is-none", "first-budget-only", 5},
    {"disrupted-is-unselected", "disrupted-pods-charged-twice", 44},
    {"losing-node-cordoned", "potential-nodes-by-place", 6},
    {"losing-node-removed", "potential-nodes-by-place", 821},
    {"winner-duplicated", "tie-of-one", 1},
    {"more-room-keeps-candidates", "unresolvable-nodes-tried", 24},
    {"higher-priority-keeps-candidates", "crowded-nodes-passed-over", 27},
    {"identity-extender", "extender-loses-violations", 59},
    {"unasked-extender", "uninterested-extender-asked", 10},
    {"failing-ignorable-extender", "no-extender-is-ignorable", 1},
    {"sampling-all-is-no-sampling", "offset-changes-full-scan", 1},
    {"sampled-as-in-full", "sample-of-the-smaller-number", 75},
    {"evicted-then-fits", "unresolvable-nodes-tried", 21},
    {"terminating-then-waits", "terminating-victim-not-waited-for", 1},
    {"termination-unseen", "terminating-victims-cost-nothing", 1},
    {"unseen-nominations", "any-schedulers-nomination", 48},
    {"own-nomination-unseen", "own-nomination-counted", 10},
    {"asked-twice", "tie-of-one-every-second-time", 1},
    {"shorter-order-ties-more", "level-3-reversed", 40},
    {"charging-rules-agree", "empty-selector-selects", 112},
    {"idle-guarantee", "guarantee-whatever-the-priority", 59},
    {"guarantee-narrows", "guarantee-counts-the-spared", 20},
    {"actual-at-most-classified", "actual-counts-the-spared", 23},
    {"exact-no-worse-than-greedy", "exact-takes-the-first-set", 298},
    {"depths-agree", "bound-beaten-by-an-equal", 27},
    {"threads-agree", "tie-order-by-thread", 10},
    {"workspace-forgets", "matches-kept-between-cycles", 223},
    {"updates-like-rebuilding", "removed-pod-keeps-its-load", 1},
};

class Laws : public ::testing::TestWithParam<Caught> {};

TEST_P(Laws, CatchesItsMutantAndHoldsForTheEngineThatIsRight) {
  const Caught& caught = GetParam();
  const mutants::Mutant* mutant = mutants::find_mutant(caught.mutant);
  ASSERT_NE(mutant, nullptr) << "no mutant " << caught.mutant;
  const auto stage = make_stage("law " + std::string(caught.law));
  ASSERT_NE(stage, nullptr) << "no law " << caught.law;
  // What the law finds without the mutant counts for nothing there.
  const auto kill = hunt(*mutant, *stage, caught.seed, kCases);
  EXPECT_TRUE(kill) << caught.law << " does not find " << caught.mutant << " in " << kCases
                    << " cases from seed " << caught.seed;
}

std::string test_name(const ::testing::TestParamInfo<Caught>& info) {
  std::string name(info.param.law);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Laws, ::testing::ValuesIn(kCaught), test_name);

TEST(LawRegistry, HasForEachLawAMutantThatItCatches) {
  for (const laws::Law* law : laws::all_laws()) {
    EXPECT_EQ(std::ranges::count(kCaught, law->name, &Caught::law), 1) << law->name;
  }
}

}  // namespace
}  // namespace reprieve::kill
