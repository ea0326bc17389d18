// A law that cannot be broken is a defect: for each law of one decision, a decision that was right until
// somebody changed one thing in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reprieve/properties/laws/testing.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

using testing::node;
using testing::running;

// n1 and n2 are candidates, n3 is cordoned, n4 has nobody to evict. On n1 `guarded` is the more important
// and under an exhausted budget, `plain` goes, `idle` holds nothing; on n2 `early` or `late` goes.
Case base() {
  Case question = testing::question(
      {node("n1", 2), node("n2", 2), node("n3", 2), node("n4", 1)},
      {running("guarded", "n1", 1, 5), running("plain", "n1", 1, 1), running("idle", "n1", 0, 1),
       running("early", "n2", 1, 2), running("late", "n2", 1, 2), running("cordoned", "n3", 2, 1),
       running("great", "n4", 1, 200)});
  question.cluster.nodes[2].unschedulable = true;
  question.cluster.budgets = {testing::budget("web", "guarded", 0)};
  question.cluster.pods[4].start_time_us = testing::kNoon + testing::kMinute;
  Pod waiting = testing::pending("waiting", 1, 3);
  waiting.nominated_node_name = "n1";
  question.cluster.pods.insert(question.cluster.pods.begin(), waiting);
  return question;
}

// The case and the decision, to be wrecked.
struct Answer {
  Case question = base();
  Decision decision = subjects::ReferenceSubject().decide(question);

  NodeDecision& n(int number) { return decision.nodes[static_cast<std::size_t>(number - 1)]; }
  Pod& preemptor() { return question.cluster.pods.back(); }
  void under(const std::function<void(Policy&)>& change) {
    change(question.policy);
    decision = subjects::ReferenceSubject().decide(question);
  }
};

struct Wreck {
  std::string_view law;
  std::function<void(Answer&)> change;
};

void make_exact(Policy& policy) {
  policy.victims = VictimSearch::kExact;
  policy.violations = ViolationCount::kActual;
}

void reject(NodeDecision& node, NodeStatus status, std::string reason) {
  node.status = status;
  node.victims.clear();
  node.reasons = {std::move(reason)};
}

const std::vector<Wreck>& wrecks() {
  static const std::vector<Wreck> all = {
      {"every-node-is-told-once", [](Answer& a) { std::swap(a.n(3), a.n(4)); }},
      {"outcome-agrees-with-the-nodes", [](Answer& a) { a.n(4).status = NodeStatus::kFits; }},
      {"nominated-nodes-are-candidates", [](Answer& a) { a.decision.nominated.push_back("n4"); }},
      {"refusals-have-reasons", [](Answer& a) { a.n(4).reasons.clear(); }},
      {"only-the-ineligible-wait", [](Answer& a) { a.decision.outcome = Outcome::kIneligible; }},
      {"never-evicts-nothing", [](Answer& a) { a.preemptor().preemption_policy = PreemptionPolicy::kNever; }},
      {"nothing-happens-without-preemption", [](Answer& a) { a.decision.outcome = Outcome::kFits; }},
      {"a-fitting-cluster-is-left-alone", [](Answer& a) { a.decision.outcome = Outcome::kFits; }},
      {"nodes-are-filtered-as-they-stand", [](Answer& a) { a.n(4).status = NodeStatus::kUnresolvable; }},
      {"the-preemptor-fits-without-the-victims", [](Answer& a) { a.n(1).victims = {"default/idle"}; }},
      {"no-victim-can-be-spared", [](Answer& a) { a.n(2).victims = {"default/early", "default/late"}; }},
      {"a-node-is-rejected-only-in-vain",
       [](Answer& a) { reject(a.n(1), NodeStatus::kUnschedulable, "Insufficient cpu"); }},
      {"a-node-is-unresolvable-only-in-vain",
       [](Answer& a) { reject(a.n(1), NodeStatus::kUnresolvable, "Insufficient cpu"); }},
      {"a-pod-that-frees-nothing-is-spared", [](Answer& a) { a.n(1).victims.push_back("default/idle"); }},
      {"victims-run-on-the-node", [](Answer& a) { a.n(1).victims = {"default/late"}; }},
      {"victims-have-lower-priority", [](Answer& a) { a.n(4).victims = {"default/great"}; }},
      {"victims-are-listed-once", [](Answer& a) { a.n(2).victims = {"default/late", "default/late"}; }},
      {"victims-by-importance", [](Answer& a) { a.n(2).victims = {"default/late", "default/early"}; }},
      {"charges-add-up", [](Answer& a) { a.n(1).potential_victims[0].charges.clear(); }},
      {"violations-are-the-violating-victims", [](Answer& a) { a.n(2).violations = 1; }},
      {"reported-violations-are-at-least-the-real-ones",
       [](Answer& a) { a.n(1).victims = {"default/guarded"}; }},
      {"no-more-violations-than-victims", [](Answer& a) { a.n(2).violations = 2; }},
      {"zero-violations-are-found", [](Answer& a) { a.n(1).violations = 1; }},
      {"a-guarantee-is-kept",
       [](Answer& a) {
         a.under([](Policy& policy) { policy.budgets.guaranteed = true; });
         a.n(1).victims = {"default/guarded"};
       }},
      {"budgets-refuse-only-what-would-violate-them",
       [](Answer& a) {
         reject(a.n(1), NodeStatus::kUnschedulable, "evicting would violate a PodDisruptionBudget");
       }},
      {"no-candidate-says-when-budgets-are-why",
       [](Answer& a) {
         a.decision.outcome = Outcome::kNoCandidate;
         a.decision.reason = "no candidate without violating a PodDisruptionBudget";
       }},
      {"exact-victims-are-optimal",
       [](Answer& a) {
         a.under(make_exact);
         a.n(1).victims = {"default/guarded"};
       }},
      {"the-nominated-node-is-unbeaten", [](Answer& a) { a.decision.nominated = {"n2"}; }},
      {"the-tie-is-complete", [](Answer& a) { a.decision.nominated = {"n1", "n2"}; }},
      {"a-tie-falls-to-the-first-node", [](Answer& a) { a.decision.nominated = {"n2", "n1"}; }},
      {"the-key-is-that-of-the-victims", [](Answer& a) { ++a.n(2).key->priority_sum; }},
      {"decided-by-separates-winner-and-runner-up",
       [](Answer& a) { a.decision.decided_by = NodeCriterion::kLatestStart; }},
      {"lower-nominations-are-cleared", [](Answer& a) { a.decision.cleared.clear(); }},
      {"own-nomination-is-cleared-without-candidate",
       [](Answer& a) {
         a.preemptor().nominated_node_name = "n4";
         a.decision.outcome = Outcome::kNoCandidate;
       }},
      {"potential-victims-are-the-less-important-pods",
       [](Answer& a) { std::swap(a.n(2).potential_victims[0], a.n(2).potential_victims[1]); }},
      {"the-evicted-are-the-victims", [](Answer& a) { a.n(2).victims = {"default/early"}; }},
      {"a-story-does-not-contradict-itself",
       [](Answer& a) { a.n(1).potential_victims[0].not_reprieved = FilterFailure{.reasons = {"?"}}; }},
      {"every-node-where-eviction-might-help-is-tried", [](Answer& a) { a.n(4).tried = false; }},
      {"shortfalls-add-up", [](Answer& a) { ++a.n(4).filter_failure->shortfalls[0].requested; }},
  };
  return all;
}

class Breaches : public ::testing::TestWithParam<Wreck> {};

TEST_P(Breaches, TheLawIsBrokenOnlyOnceTheDecisionIsWrecked) {
  const Law* law = find_law(GetParam().law);
  ASSERT_NE(law, nullptr) << GetParam().law;
  subjects::ReferenceSubject reference;
  Answer answer;
  ASSERT_EQ(answer.decision.outcome, Outcome::kNominated) << answer.decision.reason;
  const Judgement right = testing::hold_against(*law, answer.question, answer.decision, reference);
  EXPECT_NE(right.verdict, Verdict::kBroken) << right.why();

  GetParam().change(answer);
  const Judgement wrong = testing::hold_against(*law, answer.question, answer.decision, reference);
  ASSERT_EQ(wrong.verdict, Verdict::kBroken);
  EXPECT_GT(wrong.why().size(), 10U);
}

std::string wreck_name(const ::testing::TestParamInfo<Wreck>& info) {
  std::string name(info.param.law);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(OneDecision, Breaches, ::testing::ValuesIn(wrecks()), wreck_name);

TEST(BreachesAsAWhole, EveryLawOfOneDecisionCanBeBroken) {
  for (const Law* law : one_decision_laws()) {
    EXPECT_EQ(std::ranges::count(wrecks(), law->name, &Wreck::law), 1) << law->name;
  }
}

}  // namespace
}  // namespace reprieve::laws
