// Budgets, and which label groups each selects.
#include <algorithm>

#include "reprieve/engine/snapshot.h"
#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

namespace {

bool selects(const BudgetRecord& budget, const LabelGroup& group, const Interner& strings) {
  // A pod without labels is charged to no budget, whatever the selector says of it
  // (FilterVictimsWithPDBViolation).
  if (!budget.live || !budget.selector || !budget.selector->matches(group.labels, strings)) return false;
  if (REPRIEVE_MUTANT("pods-without-labels-charged", group.labels.empty(), false)) {
    REPRIEVE_MARK("engine/budget/pod-without-labels");
    return false;
  }
  return true;
}

}  // namespace

void Snapshot::set_budget(const DisruptionBudget& budget) {
  const std::string name = budget.namespace_ + "/" + budget.name;
  const auto [it, added] =
      index_.budget_by_name.try_emplace(name, static_cast<BudgetId>(index_.budgets.size()));
  const BudgetId id = it->second;
  if (added) {
    index_.budgets.emplace_back();
  } else if (REPRIEVE_MUTANT("changed-budget-keeps-its-pods", true, false)) {
    withdraw_budget(id);
  }
  BudgetRecord& record = index_.budgets[id];
  record.full_name = name;
  record.live = true;
  if (REPRIEVE_MUTANT("budget-change-not-seen", true, added)) record.allowed = budget.disruptions_allowed;
  record.disrupted_pods = budget.disrupted_pods;
  record.selector.reset();
  // An absent, empty or invalid selector selects nothing.
  auto selector = compile(budget.selector, index_.strings);
  if (!selector) {
    REPRIEVE_MARK("engine/budget/invalid-selector");
  } else if (selector->nothing) {
    REPRIEVE_MARK("engine/budget/without-a-selector");
  } else if (REPRIEVE_MUTANT("empty-selector-selects", selector->empty(), false)) {
    REPRIEVE_MARK("engine/budget/empty-selector");
  } else {
    record.selector = std::move(*selector);
  }
  record.namespace_id = namespace_id(budget.namespace_);
  NamespaceRecord& name_space = index_.namespaces[record.namespace_id];
  name_space.budgets.insert(std::ranges::upper_bound(name_space.budgets, id), id);
  for (const GroupId group : name_space.groups) {
    LabelGroup& of = index_.groups[group];
    if (selects(record, of, index_.strings)) of.budgets.insert(std::ranges::upper_bound(of.budgets, id), id);
    judge_group(group);
  }
  touch_nodes_of(id);
}

// Only nodes that hold more of its pods than it allows: on the others it never falls below zero, by
// either rule of charging, so that their pods are classed as if it did not exist.
void Snapshot::touch_nodes_of(BudgetId id) {
  const BudgetRecord& budget = index_.budgets[id];
  const std::int64_t allowed = std::max<std::int64_t>(budget.allowed, 0);
  if (pods_on_node_.size() < index_.nodes.size()) pods_on_node_.resize(index_.nodes.size(), 0);
  const auto for_each_node = [&](auto&& visit) {
    for (const GroupId group : index_.namespaces[budget.namespace_id].groups) {
      const LabelGroup& of = index_.groups[group];
      if (!std::ranges::binary_search(of.budgets, id)) continue;
      for (const PodId pod : of.pods) {
        if (index_.pod_node[pod] != kNone) visit(index_.pod_node[pod]);
      }
    }
  };
  for_each_node([&](NodeId node) {
    if (++pods_on_node_[node] == allowed + 1) index_.changes.touch(node);
  });
  for_each_node([&](NodeId node) { pods_on_node_[node] = 0; });
}

// A budget with disrupted pods may pass over some of the group's: then nothing is sure.
void Snapshot::judge_group(GroupId group) {
  if (index_.group_exhausted.size() < index_.groups.size())
    index_.group_exhausted.resize(index_.groups.size());
  index_.group_exhausted[group] = std::ranges::any_of(index_.groups[group].budgets, [&](BudgetId id) {
    const std::int64_t allowed = index_.budgets[id].allowed;
    return REPRIEVE_MUTANT("exact-nearly-exhausted-is-exhausted", allowed <= 0, allowed <= 1) &&
           index_.budgets[id].disrupted_pods.empty();
  });
}

void Snapshot::remove_budget(std::string_view full_name) {
  const auto it = index_.budget_by_name.find(std::string(full_name));
  if (it == index_.budget_by_name.end() || REPRIEVE_MUTANT("removed-budget-keeps-its-pods", false, true))
    return;
  withdraw_budget(it->second);
  index_.budgets[it->second] = BudgetRecord{};
  index_.budget_by_name.erase(it);
  if (index_.budgets.size() > 32 && index_.budgets.size() > 2 * index_.budget_by_name.size()) sweep_budgets();
}

void Snapshot::withdraw_budget(BudgetId id) {
  touch_nodes_of(id);
  NamespaceRecord& name_space = index_.namespaces[index_.budgets[id].namespace_id];
  std::erase(name_space.budgets, id);
  for (const GroupId group : name_space.groups) {
    std::erase(index_.groups[group].budgets, id);
    judge_group(group);
  }
}

void Snapshot::resolve_budgets(LabelGroup& group) const {
  group.budgets.clear();
  for (const BudgetId id : index_.namespaces[group.namespace_id].budgets) {
    if (selects(index_.budgets[id], group, index_.strings)) group.budgets.push_back(id);
  }
}

// Closes the gaps that removed budgets left, keeping the order.
void Snapshot::sweep_budgets() {
  std::vector<BudgetId> moved(index_.budgets.size(), kNone);
  BudgetId to = 0;
  for (BudgetId from = 0; from < index_.budgets.size(); ++from) {
    if (!index_.budgets[from].live) continue;
    moved[from] = to;
    if (REPRIEVE_MUTANT("swept-budgets-allow-nothing", false, true)) index_.budgets[from].allowed = 0;
    if (to != from) index_.budgets[to] = std::move(index_.budgets[from]);
    index_.budget_by_name[index_.budgets[to].full_name] = to;
    ++to;
  }
  index_.budgets.resize(to);
  const auto rename = [&](std::vector<BudgetId>& ids) {
    for (BudgetId& id : ids) id = moved[id];
  };
  for (NamespaceRecord& name_space : index_.namespaces) rename(name_space.budgets);
  for (LabelGroup& group : index_.groups) rename(group.budgets);
}

}  // namespace reprieve::engine
