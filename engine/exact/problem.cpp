#include "reprieve/engine/exact/problem.h"

#include <algorithm>
#include <numeric>

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {
namespace {

// A row in its coarsest unit: the weights divided by what divides them all.
void reduce(std::span<std::int64_t> weights, std::int64_t& need) {
  std::int64_t unit = 0;
  for (const std::int64_t weight : weights) unit = std::gcd(unit, weight);
  if (unit <= 1) return;
  for (std::int64_t& weight : weights) weight /= unit;
  need = need_in_units(need, unit);
}

}  // namespace

void ProblemReader::read(const Index& index, const FilterChain& chain, const Policy& policy,
                         std::span<const PodId> potential, Problem& problem) {
  const std::size_t size = potential.size();
  problem.size = size;
  problem.charging = policy.charging;
  problem.checked = !chain.only_resources();
  problem.priority.resize(size);
  problem.start_us.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    problem.priority[i] = index.pod_priority[potential[i]];
    problem.start_us[i] = index.has(potential[i], kHasStart) ? index.pod_start[potential[i]] : kNow;
  }

  problem.need.clear();
  problem.weight.clear();
  chain.resources().for_each_shortage([&](std::size_t column, std::int64_t need) {
    problem.need.push_back(need);
    const std::size_t begin = problem.weight.size();
    for (const PodId pod : potential) {
      problem.weight.push_back(column == NodeResourcesFit::kPodCount ? 1 : index.requests_of(pod)[column]);
    }
    reduce(std::span(problem.weight).subspan(begin), problem.need.back());
  });
  problem.rows = problem.need.size();

  problem.allocatable.clear();
  problem.requested.clear();
  if (std::ranges::find(policy.node_order, NodeCriterion::kRequestedShare) != policy.node_order.end()) {
    const auto allocatable = index.allocatable_of(index.pod_node[potential.front()]);
    problem.allocatable.assign(allocatable.begin(), allocatable.end());
    for (std::size_t column = 0; column < allocatable.size(); ++column) {
      for (const PodId pod : potential) problem.requested.push_back(index.requests_of(pod)[column]);
    }
  }

  if (++stamp_ == 0) {
    std::ranges::fill(stamps_, 0);
    stamp_ = 1;
  }
  problem.allowed.clear();
  problem.begin_budgets();
  for (std::size_t i = 0; i < size; ++i) {
    for (const BudgetId budget : index.group_of(potential[i]).budgets) {
      const BudgetRecord& record = index.budgets[budget];
      if (REPRIEVE_MUTANT("exact-charges-the-disrupted", !record.disrupted_pods.empty(), false) &&
          record.disrupted_pods.contains(index.pods[potential[i]].name())) {
        continue;
      }
      problem.charge_to(i, number_of(index, budget, problem));
    }
    problem.end_budgets_of(i);
  }
}

std::uint32_t ProblemReader::number_of(const Index& index, BudgetId budget, Problem& problem) {
  if (stamps_.size() < index.budgets.size()) {
    stamps_.resize(index.budgets.size());
    numbers_.resize(index.budgets.size());
  }
  if (stamps_[budget] != stamp_) {
    stamps_[budget] = stamp_;
    numbers_[budget] = static_cast<std::uint32_t>(problem.allowed.size());
    problem.allowed.push_back(index.budgets[budget].allowed);
  }
  return numbers_[budget];
}

}  // namespace reprieve::engine::exact
