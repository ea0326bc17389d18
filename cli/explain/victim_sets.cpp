#include "reprieve/cli/explain/victim_sets.h"

#include <algorithm>

#include "reprieve/properties/laws/keys.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kExhaustiveVictims = 10;  // 1,024 subsets
constexpr std::size_t kVictimsTried = 8;        // of a node with more potential victims

using Chosen = std::vector<const PotentialVictim*>;

VictimSet make_set(const NodeDecision& node, const Chosen& victims, const BudgetBook& book) {
  VictimSet set;
  for (const PotentialVictim* victim : victims) set.pods.push_back(victim->pod);
  set.key = book.key_of(node.node, set.pods);
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
    if (fits_without(node, victims, what_if)) result.sets.push_back(make_set(node, victims, book));
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
        const bool may_go =
            other.evicted || !only_less_important || what_if.more_important(node, spared, other);
        if (&other != &spared && may_go) victims.push_back(&other);
      }
      ++result.subsets;
      if (victims.empty() || !fits_without(node, victims, what_if)) continue;
      result.sets.push_back(make_set(node, without_needless(node, victims, what_if, result.subsets), book));
      break;
    }
  }
  return result;
}

}  // namespace

BudgetBook::BudgetBook(const WhatIf& what_if) : facts_(what_if.question(), what_if.decision()) {}

const std::vector<std::string>& BudgetBook::budgets_of(const std::string& pod) const {
  const auto [at, is_new] = budgets_by_pod_.try_emplace(pod);
  const Pod* found = is_new ? facts_.find_pod(pod) : nullptr;
  if (found == nullptr) return at->second;
  for (const DisruptionBudget& budget : facts_.question().cluster.budgets) {
    if (laws::selects(budget, *found) && !budget.disrupted_pods.contains(found->name)) {
      at->second.push_back(budget.namespace_ + "/" + budget.name);
    }
  }
  return at->second;
}

std::int64_t BudgetBook::violations(const std::vector<std::string>& pods) const {
  const Policy& policy = facts_.question().policy;
  const bool by_policy = policy.violations == ViolationCount::kActual;
  laws::Pods evicted;
  for (const std::string& name : pods) {
    if (const Pod* pod = facts_.find_pod(name)) evicted.push_back(pod);
  }
  return laws::count_violating(
      laws::charge(facts_.question().cluster, by_policy ? policy.charging : Charging::kEveryBudget, evicted));
}

CandidateKey BudgetBook::key_of(const std::string& node, const std::vector<std::string>& pods) const {
  const NodeDecision candidate{.node = node, .victims = pods, .violations = violations(pods)};
  return laws::key_of(facts_, candidate).value_or(CandidateKey{});
}

int compare(const CandidateKey& a, const CandidateKey& b, const std::vector<NodeCriterion>& order) {
  return laws::compare_keys(order, a, b).order;
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
