#include "reprieve/cli/compare/witness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reprieve/cli/output/time.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/write.h"
#include "reprieve/model/share.h"
#include "reprieve/properties/shrink/shrink.h"

namespace reprieve::cli::comparison {

namespace {

constexpr int kCalls = 4000;
constexpr std::size_t kLarge = 2000;  // nodes and pods: each decision takes its time
constexpr int kCallsWhenLarge = 600;

std::string value_of(NodeCriterion level, const CandidateKey& key) {
  switch (level) {
    case NodeCriterion::kPdbViolations: return fmt::format("{}", key.violations);
    case NodeCriterion::kHighestPriority: return fmt::format("{}", key.highest_priority);
    case NodeCriterion::kPrioritySum: {
      const std::int64_t shift = key.victim_count << 31;
      return fmt::format("{} + {} x 2^31", key.priority_sum - shift, key.victim_count);
    }
    case NodeCriterion::kVictimCount: return fmt::format("{}", key.victim_count);
    case NodeCriterion::kLatestStart:
      return key.earliest_start_us ? format_time(*key.earliest_start_us) : "now";
    case NodeCriterion::kRequestedShare: return to_string(key.requested_share.value_or(Share{}));
    case NodeCriterion::kBudgetsTouched: return fmt::format("{}", key.budgets_touched.value_or(0));
  }
  return "";
}

manifest::Expectation expectation(const Decision& decision) {
  manifest::Expectation expected{.outcome = decision.outcome};
  if (decision.outcome == Outcome::kNominated) expected.nominated = decision.nominated;
  for (const NodeDecision& node : decision.nodes) {
    if (std::ranges::count(decision.nominated, node.node) == 0) continue;
    expected.candidates[node.node] = {.victims = node.victims, .violations = node.violations};
  }
  if (decision.outcome == Outcome::kNoCandidate && !decision.reason.empty())
    expected.reason = decision.reason;
  return expected;
}

bool is_built_in(const Policy& policy) {
  const std::vector<std::string> names = manifest::builtin_policy_names();
  if (std::ranges::count(names, policy.name) == 0) return false;
  const auto built_in = manifest::find_policy(policy.name);
  return built_in && *built_in == policy;
}

std::string case_yaml(const Case& question, const Policy& old_policy, const Policy& new_policy,
                      const Pairing& pairing) {
  Case written = question;
  written.policy = old_policy;
  manifest::CaseSpec spec{.name = question.name,
                          .description = {},
                          .preemptor = question.preemptor,
                          .policy = old_policy,
                          .extenders = question.extenders,
                          .expect = {},
                          .expect_for = {}};
  if (is_built_in(old_policy)) spec.expect_for[old_policy.name] = expectation(pairing.old_decision);
  if (is_built_in(new_policy)) spec.expect_for[new_policy.name] = expectation(pairing.new_decision);
  return manifest::write_case_yaml(written, spec.expect_for.empty() ? nullptr : &spec);
}

}  // namespace

std::string in_words(const std::string& policy, const Decision& decision,
                     const std::optional<Choice>& choice) {
  if (!choice) {
    return fmt::format("{} says {}{}{}.", policy, to_string(decision.outcome),
                       decision.reason.empty() ? "" : ": ", decision.reason);
  }
  const std::int64_t real = choice->key.violations;
  std::string text = fmt::format("{} nominates {} and evicts {}: {} {} a budget", policy, choice->node,
                                 fmt::join(choice->victims, ", "), real == 0 ? "none" : fmt::to_string(real),
                                 real < 2 ? "violates" : "violate");
  if (choice->reported != real) text += fmt::format(", though it counts {}", choice->reported);
  return text + ".";
}

Witness witness(subjects::Subject& subject, const Case& question, const Policy& old_policy,
                const Policy& new_policy, bool broken) {
  const Policy judge = judge_of(old_policy, new_policy);
  const auto claim = never_worse(old_policy, new_policy);
  const auto ask = [&](Case asked) { return pair(subject, asked, old_policy, new_policy, judge); };
  Witness result{.kind = ask(question).difference(), .words = {}, .case_yaml = {}};

  const std::size_t size = question.cluster.nodes.size() + question.cluster.pods.size();
  // The policies are what is compared: the shrinker may not make them simpler.
  const auto still = [&](const Case& smaller) {
    if (smaller.policy != question.policy) return false;
    const Pairing pairing = ask(smaller);
    return broken ? breaks(pairing, claim) : pairing.difference() == result.kind;
  };
  Case smallest =
      shrink::shrink(question, still, {.max_calls = size > kLarge ? kCallsWhenLarge : kCalls}).smallest;
  smallest.name = question.name;
  const Pairing pairing = ask(smallest);
  result.words.push_back(in_words(old_policy.name, pairing.old_decision, pairing.old_choice));
  result.words.push_back(in_words(new_policy.name, pairing.new_decision, pairing.new_choice));
  if (pairing.by) {
    const bool new_wins = pairing.better < 0;
    const Choice& winner = new_wins ? *pairing.new_choice : *pairing.old_choice;
    const Choice& loser = new_wins ? *pairing.old_choice : *pairing.new_choice;
    result.words.push_back(fmt::format("{} is better by {}: {} against {}.",
                                       new_wins ? new_policy.name : old_policy.name, to_string(*pairing.by),
                                       value_of(*pairing.by, winner.key), value_of(*pairing.by, loser.key)));
  } else if (pairing.better != 0) {
    result.words.push_back(fmt::format("{} is better: it finds a candidate.",
                                       pairing.better < 0 ? new_policy.name : old_policy.name));
  }
  result.case_yaml = case_yaml(smallest, old_policy, new_policy, pairing);
  return result;
}

}  // namespace reprieve::cli::comparison
