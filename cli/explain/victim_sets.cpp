#include "reprieve/cli/explain/victim_sets.h"

#include <algorithm>
#include <limits>

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kExhaustiveVictims = 10;  // 1,024 subsets
constexpr std::size_t kVictimsTried = 8;        // of a node with more potential victims

using Chosen = std::vector<const PotentialVictim*>;

VictimSet make_set(const Chosen& victims, const BudgetBook& book) {
  VictimSet set;
  for (const PotentialVictim* victim : victims) set.pods.push_back(victim->pod);
  set.key = key_of(victims, book.violations(set.pods));
  return set;
}

bool fits_without(const NodeDecision& node, const Chosen& victims, WhatIf& what_if) {
  PodSet gone;
  for (const PotentialVictim* victim : victims) gone.insert(victim->pod);
  return what_if.fits_without(node.node, gone);
}

Search every_subset(const NodeDecision& node, WhatIf& what_if, const BudgetBook& book) {
  Search result{.exhaustive = true, .potential_victims = node.potential_victims.size()};
  for (std::uint32_t bits = 1; bits < (1U << node.potential_victims.size()); ++bits) {
    Chosen victims;
    for (std::size_t i = 0; i < node.potential_victims.size(); ++i) {
      if ((bits >> i & 1U) != 0) victims.push_back(&node.potential_victims[i]);
    }
    ++result.subsets;
    if (fits_without(node, victims, what_if)) result.sets.push_back(make_set(victims, book));
  }
  if (what_if.exhausted()) result.exhaustive = false;
  return result;
}

// Puts back whatever can be, the most important first, as the algorithm's own walk would with no
// budgets to mind.
Chosen without_needless(const NodeDecision& node, Chosen victims, WhatIf& what_if, std::size_t& subsets) {
  for (std::size_t i = 0; i < victims.size();) {
    Chosen fewer = victims;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    ++subsets;
    if (!fewer.empty() && fits_without(node, fewer, what_if))
      victims = std::move(fewer);
    else
      ++i;
  }
  return victims;
}

Search around_each_victim(const NodeDecision& node, WhatIf& what_if, const BudgetBook& book) {
  Search result{.potential_victims = node.potential_victims.size()};
  std::size_t tried = 0;
  for (const PotentialVictim& spared : node.potential_victims) {
    if (!spared.evicted || ++tried > kVictimsTried) continue;
    for (const bool only_less_important : {true, false}) {
      Chosen victims;
      for (const PotentialVictim& other : node.potential_victims) {
        const bool may_go = other.evicted || !only_less_important || more_important(spared, other);
        if (&other != &spared && may_go) victims.push_back(&other);
      }
      ++result.subsets;
      if (victims.empty() || !fits_without(node, victims, what_if)) continue;
      result.sets.push_back(make_set(without_needless(node, victims, what_if, result.subsets), book));
      break;
    }
  }
  return result;
}

}  // namespace

BudgetBook::BudgetBook(WhatIf& what_if) {
  for (const DisruptionBudget& budget : what_if.question().cluster.budgets) {
    allowed_[budget.namespace_ + "/" + budget.name] = budget.disruptions_allowed;
  }
  std::optional<Decision> again;
  if (what_if.question().policy.charging != Charging::kEveryBudget &&
      what_if.question().cluster.budgets.size() > 1) {
    again = what_if.after([](Case& question) { question.policy.charging = Charging::kEveryBudget; });
    complete_ = again.has_value();
  }
  // Nodes that the second decision left out keep what the first one says.
  for (const Decision* decision :
       std::initializer_list<const Decision*>{&what_if.decision(), again ? &*again : nullptr}) {
    if (decision == nullptr) continue;
    for (const NodeDecision& node : decision->nodes) {
      for (const PotentialVictim& victim : node.potential_victims) {
        std::vector<std::string>& budgets = budgets_by_pod_[victim.pod];
        budgets.clear();
        for (const Charge& charge : victim.charges) {
          if (!charge.disrupted) budgets.push_back(charge.budget);
        }
      }
    }
  }
}

const std::vector<std::string>& BudgetBook::budgets_of(const std::string& pod) const {
  static const std::vector<std::string> kNone;
  const auto at = budgets_by_pod_.find(pod);
  return at == budgets_by_pod_.end() ? kNone : at->second;
}

std::int64_t BudgetBook::violations(const std::vector<std::string>& pods) const {
  std::map<std::string_view, std::int64_t> left;
  std::int64_t violations = 0;
  for (const std::string& pod : pods) {
    bool violating = false;
    for (const std::string& budget : budgets_of(pod)) {
      const auto allowed = allowed_.find(budget);
      const auto at = left.try_emplace(budget, allowed == allowed_.end() ? 0 : allowed->second).first;
      if (--at->second < 0) violating = true;
    }
    if (violating) ++violations;
  }
  return violations;
}

CandidateKey key_of(const std::vector<const PotentialVictim*>& victims, std::int64_t violations) {
  CandidateKey key;
  key.violations = violations;
  key.victim_count = static_cast<std::int64_t>(victims.size());
  bool any = false;
  for (const PotentialVictim* victim : victims) {
    key.priority_sum += std::int64_t{victim->priority} + (std::int64_t{1} << 31);
    if (!any || victim->priority > key.highest_priority) {
      key.highest_priority = victim->priority;
      key.earliest_start_us = victim->start_time_us;
      any = true;
    } else if (victim->priority == key.highest_priority && victim->start_time_us) {
      key.earliest_start_us =
          std::min(key.earliest_start_us.value_or(*victim->start_time_us), *victim->start_time_us);
    }
  }
  return key;
}

int compare(const CandidateKey& a, const CandidateKey& b, const std::vector<NodeCriterion>& order) {
  const auto fewer = [](auto x, auto y) { return x < y ? -1 : (y < x ? 1 : 0); };
  const auto start = [](const CandidateKey& key) {
    return key.earliest_start_us.value_or(std::numeric_limits<TimeUs>::max());
  };
  for (const NodeCriterion criterion : order) {
    int result = 0;
    switch (criterion) {
      case NodeCriterion::kPdbViolations: result = fewer(a.violations, b.violations); break;
      case NodeCriterion::kHighestPriority: result = fewer(a.highest_priority, b.highest_priority); break;
      case NodeCriterion::kPrioritySum: result = fewer(a.priority_sum, b.priority_sum); break;
      case NodeCriterion::kVictimCount: result = fewer(a.victim_count, b.victim_count); break;
      case NodeCriterion::kLatestStart: result = fewer(start(b), start(a)); break;
      case NodeCriterion::kRequestedShare:
      case NodeCriterion::kBudgetsTouched: break;
    }
    if (result != 0) return result;
  }
  return 0;
}

bool more_important(const PotentialVictim& a, const PotentialVictim& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  constexpr TimeUs kNow = std::numeric_limits<TimeUs>::max();
  return a.start_time_us.value_or(kNow) < b.start_time_us.value_or(kNow);
}

Search search(const NodeDecision& node, WhatIf& what_if, const BudgetBook& book) {
  const std::size_t victims = node.potential_victims.size();
  const bool few = victims <= kExhaustiveVictims && what_if.affords(node.node, std::int64_t{1} << victims);
  Search result = few ? every_subset(node, what_if, book) : around_each_victim(node, what_if, book);
  const auto& order = what_if.question().policy.node_order;
  std::ranges::stable_sort(
      result.sets, [&](const VictimSet& a, const VictimSet& b) { return compare(a.key, b.key, order) < 0; });
  return result;
}

}  // namespace reprieve::cli::explain
