#include "reprieve/cli/check/coverage.h"

#include <algorithm>

namespace reprieve::cli {

namespace {

std::string level_of(const Decision& decision) {
  if (decision.decided_by) return std::string(to_string(*decision.decided_by));
  return decision.nominated.size() > 1 ? "total tie" : "single candidate";
}

void add(Coverage::Counts& into, const Coverage::Counts& from) {
  for (const auto& [name, count] : from) into[name] += count;
}

}  // namespace

void Coverage::count(const Case& question, const Decision& decision) {
  ++outcomes[std::string(to_string(decision.outcome))];
  ++policies[question.policy.name];
  if (decision.outcome == Outcome::kNominated) ++levels[level_of(decision)];
  bool violations = false;
  bool several = false;
  for (const NodeDecision& node : decision.nodes) {
    ++statuses[std::string(to_string(node.status))];
    if (node.filter_failure) ++plugins[node.filter_failure->plugin];
    violations |= node.violations > 0;
    several |= node.victims.size() > 1;
  }
  if (violations) ++traits["violations"];
  if (several) ++traits["several victims"];
  if (!decision.cleared.empty()) ++traits["cleared nominations"];
  if (question.cluster.budgets.size() > 1) ++traits["several budgets"];
  if (!question.extenders.empty()) ++traits["extenders"];
  if (question.policy.sampling) ++traits["sampling"];
  if (std::ranges::any_of(question.cluster.pods, [&](const Pod& pod) {
        return !pod.nominated_node_name.empty() && full_name(pod) != question.preemptor;
      })) {
    ++traits["nominated pods"];
  }
}

void Coverage::merge(const Coverage& other) {
  add(outcomes, other.outcomes);
  add(levels, other.levels);
  add(statuses, other.statuses);
  add(plugins, other.plugins);
  add(policies, other.policies);
  add(traits, other.traits);
}

}  // namespace reprieve::cli
