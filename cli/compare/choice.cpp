#include "reprieve/cli/compare/choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/properties/laws/facts.h"
#include "reprieve/properties/laws/keys.h"

namespace reprieve::cli::comparison {

namespace {

const NodeDecision* find_node(const Decision& decision, const std::string& name) {
  const auto at = std::ranges::find(decision.nodes, name, &NodeDecision::node);
  return at == decision.nodes.end() ? nullptr : &*at;
}

/// The victims in the judge's order of importance; those that are no potential victims, which only an
/// extender names, as they are listed.
std::vector<std::string> in_order(laws::Facts& facts, const NodeDecision& node) {
  std::vector<std::string> ordered;
  const auto place = facts.find_node(node.node);
  if (!place) return node.victims;
  for (const Pod* pod : facts.by_importance(*place)) {
    const std::string name = full_name(*pod);
    if (std::ranges::find(node.victims, name) != node.victims.end()) ordered.push_back(name);
  }
  return ordered.size() == node.victims.size() ? ordered : node.victims;
}

/// `question` is under the judge's policy.
std::optional<Choice> judged(const Case& question, const Decision& decision, const std::string& node_name) {
  const NodeDecision* node = find_node(decision, node_name);
  if (node == nullptr) return std::nullopt;
  laws::Facts facts(question, decision);
  NodeDecision candidate{.node = node_name, .victims = in_order(facts, *node)};
  const auto pods = facts.find_pods(candidate.victims);
  if (!pods) return std::nullopt;
  candidate.violations =
      laws::count_violating(laws::charge(question.cluster, question.policy.charging, *pods));
  const auto key = laws::key_of(facts, candidate);
  if (!key) return std::nullopt;
  return Choice{.node = node_name, .victims = candidate.victims, .reported = node->violations, .key = *key};
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

/// Nominating is better than finding nobody to nominate for.
int better_outcome(const Decision& old_decision, const Decision& new_decision) {
  const bool old_nominates = old_decision.outcome == Outcome::kNominated;
  const bool new_nominates = new_decision.outcome == Outcome::kNominated;
  if (new_nominates && old_decision.outcome == Outcome::kNoCandidate) return -1;
  return old_nominates && new_decision.outcome == Outcome::kNoCandidate ? 1 : 0;
}

}  // namespace

Policy judge_of(const Policy& old_policy, const Policy& new_policy) {
  const bool old_is_exact = old_policy.victims == VictimSearch::kExact;
  const bool new_is_exact = new_policy.victims == VictimSearch::kExact;
  Policy judge = old_is_exact && !new_is_exact ? old_policy : new_policy;
  judge.violations = ViolationCount::kActual;
  if (!old_is_exact && !new_is_exact) judge.charging = Charging::kEveryBudget;
  judge.sampling.reset();
  return judge;
}

std::optional<Side> never_worse(const Policy& old_policy, const Policy& new_policy) {
  const auto covers = [](const Policy& exact, const Policy& other) {
    return exact.victims == VictimSearch::kExact && exact.release == other.release && !exact.sampling &&
           (!exact.budgets.guaranteed || exact.budgets == other.budgets);
  };
  // Two optima by different levels, or counts, are each judged by the new one's.
  if (covers(new_policy, old_policy)) return Side::kNew;
  const bool new_is_exact = new_policy.victims == VictimSearch::kExact;
  if (!new_is_exact && covers(old_policy, new_policy)) return Side::kOld;
  return std::nullopt;
}

Pairing pair(subjects::Subject& subject, Case& question, const Policy& old_policy, const Policy& new_policy,
             const Policy& judge) {
  Pairing pairing;
  question.policy = old_policy;
  pairing.old_decision = subject.decide(question);
  question.policy = new_policy;
  pairing.new_decision = subject.decide(question);
  question.policy = judge;
  pairing.proved = pairing.old_decision.bounded.empty() && pairing.new_decision.bounded.empty();
  pairing.has_extenders = !question.extenders.empty();
  pairing.better = better_outcome(pairing.old_decision, pairing.new_decision);
  if (pairing.old_decision.outcome != Outcome::kNominated ||
      pairing.new_decision.outcome != Outcome::kNominated) {
    return pairing;
  }
  const std::vector<std::string>& old_tie = pairing.old_decision.nominated;
  const std::vector<std::string>& new_tie = pairing.new_decision.nominated;
  const auto common = std::ranges::find_if(
      old_tie, [&](const std::string& node) { return std::ranges::find(new_tie, node) != new_tie.end(); });
  pairing.same_node = common != old_tie.end();
  const auto old_choice =
      judged(question, pairing.old_decision, pairing.same_node ? *common : old_tie.front());
  const auto new_choice =
      judged(question, pairing.new_decision, pairing.same_node ? *common : new_tie.front());
  if (!old_choice || !new_choice) return pairing;
  pairing.old_choice = old_choice;
  pairing.new_choice = new_choice;
  pairing.same_victims = pairing.same_node && sorted(old_choice->victims) == sorted(new_choice->victims);
  const laws::Comparison order = laws::compare_keys(judge.node_order, new_choice->key, old_choice->key);
  pairing.better = order.order;
  pairing.by = order.by;
  return pairing;
}

std::string Pairing::difference() const {
  if (old_decision.outcome != new_decision.outcome) {
    return fmt::format("outcome {}, {}", to_string(old_decision.outcome), to_string(new_decision.outcome));
  }
  if (!both_nominate()) return {};
  if (better != 0) return fmt::format("{} better by {}", better < 0 ? "new" : "old", to_string(*by));
  if (!same_node) return "other node";
  if (!same_victims) return "other victims";
  return old_choice->reported == new_choice->reported ? "" : "other count";
}

bool breaks(const Pairing& pairing, std::optional<Side> never_worse) {
  if (!never_worse || pairing.has_extenders) return false;
  const Decision& claimed = *never_worse == Side::kNew ? pairing.new_decision : pairing.old_decision;
  if (!claimed.bounded.empty()) return false;  // nothing was proved of it
  return *never_worse == Side::kNew ? pairing.better > 0 : pairing.better < 0;
}

std::optional<std::int64_t> gain(NodeCriterion level, const CandidateKey& old_key,
                                 const CandidateKey& new_key) {
  switch (level) {
    case NodeCriterion::kPdbViolations: return old_key.violations - new_key.violations;
    case NodeCriterion::kHighestPriority:
      return std::int64_t{old_key.highest_priority} - new_key.highest_priority;
    case NodeCriterion::kPrioritySum: {
      // The shift of 2^31 for each victim would drown what is told here.
      const auto plain = [](const CandidateKey& key) { return key.priority_sum - (key.victim_count << 31); };
      return plain(old_key) - plain(new_key);
    }
    case NodeCriterion::kVictimCount: return old_key.victim_count - new_key.victim_count;
    case NodeCriterion::kLatestStart:
      if (!old_key.earliest_start_us || !new_key.earliest_start_us) return std::nullopt;
      return (*new_key.earliest_start_us - *old_key.earliest_start_us) / 1'000'000;
    case NodeCriterion::kRequestedShare: {
      const Share old_share = old_key.requested_share.value_or(Share{});
      const Share new_share = new_key.requested_share.value_or(Share{});
      if (old_share.allocatable == 0 || new_share.allocatable == 0) return std::nullopt;
      const auto part = [](const Share& share) {
        return static_cast<double>(share.requested) / static_cast<double>(share.allocatable);
      };
      const double ppm = (part(old_share) - part(new_share)) * 1e6;
      if (!(ppm > -9e18 && ppm < 9e18)) return std::nullopt;
      return static_cast<std::int64_t>(ppm);
    }
    case NodeCriterion::kBudgetsTouched:
      return old_key.budgets_touched.value_or(0) - new_key.budgets_touched.value_or(0);
  }
  return std::nullopt;
}

std::string_view unit_of(NodeCriterion level) {
  switch (level) {
    case NodeCriterion::kPdbViolations: return "violations";
    case NodeCriterion::kHighestPriority:
    case NodeCriterion::kPrioritySum: return "priority";
    case NodeCriterion::kVictimCount: return "victims";
    case NodeCriterion::kLatestStart: return "seconds";
    case NodeCriterion::kRequestedShare: return "ppm of the node";
    case NodeCriterion::kBudgetsTouched: return "budgets";
  }
  return "";
}

}  // namespace reprieve::cli::comparison
