// What the budgets still allow while pods are charged to them, in the order in which they are charged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reprieve/engine/index.h"

namespace reprieve::engine {

/// Holds a place for every budget, filled when a pod is first charged to it: starting anew touches none.
class Ledger {
 public:
  void begin(const Index& index, Charging charging) {
    index_ = &index;
    charging_ = charging;
    if (allowed_.size() < index.budgets.size()) {
      allowed_.resize(index.budgets.size());
      stamps_.resize(index.budgets.size());
    }
  }

  /// Every budget allows again what the cluster says.
  void reset() {
    if (++stamp_ == 0) {
      std::ranges::fill(stamps_, 0);
      stamp_ = 1;
    }
  }

  /// Charges a pod to the budgets that select it: whether one of them goes below zero.
  /// `charged(budget, left, disrupted)` is called for each.
  template <class Charged>
  bool charge_pod(PodId pod, Charged&& charged) {
    memberships_.clear();
    for (const BudgetId budget : index_->group_of(pod).budgets) {
      const BudgetRecord& record = index_->budgets[budget];
      if (stamps_[budget] != stamp_) {
        stamps_[budget] = stamp_;
        allowed_[budget] = record.allowed;
      }
      memberships_.push_back({budget, !record.disrupted_pods.empty() &&
                                          record.disrupted_pods.contains(index_->pods[pod].name())});
    }
    if (memberships_.empty()) return false;
    return charge<std::int64_t>(memberships_, allowed_, charging_, [&](const Membership& membership) {
      charged(membership.budget, allowed_[membership.budget], membership.disrupted);
    });
  }
  bool charge_pod(PodId pod) {
    return charge_pod(pod, [](BudgetId, std::int64_t, bool) {});
  }

 private:
  const Index* index_ = nullptr;
  Charging charging_ = Charging::kEveryBudget;
  std::vector<std::int64_t> allowed_;  // by budget, valid when stamped
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
  std::vector<Membership> memberships_;
};

}  // namespace reprieve::engine
