// The node as the search for victims changes it: pods go and come back on the NodeInfo and, by patches,
// in the counts of the plugins. Both are copies.
#pragma once

#include <algorithm>
#include <vector>

#include "reprieve/reference/filtering.h"
#include "reprieve/reference/importance.h"

namespace reprieve::reference {

/// Pods are named by their position in `pods`, all of which are on the node at the start. Refers to
/// what it is given; a copy goes its own way.
class NodeUnderTest {
 public:
  NodeUnderTest(const Situation& situation, const CycleState& state, const NodeInfo& node,
                const std::vector<Listed>& pods)
      : situation_(situation),
        state_(state),
        node_(node),
        emptied_(without(node.pods, pods)),
        pods_(pods),
        refusals_(pods.size()) {}

  // After a put_back that did not fit: the filter that failed is why this pod was not reprieved.
  void take_off(std::size_t pod) {
    refusals_[pod] = last_.failure;
    std::erase(back_, pods_[pod].pod);
    node_.remove(*pods_[pod].pod, situation_.held_by(*pods_[pod].pod));
    state_.remove_pod(*pods_[pod].pod, *node_.node);
  }

  void put_back(std::size_t pod) {
    back_.push_back(pods_[pod].pod);
    node_.add(*pods_[pod].pod, situation_.held_by(*pods_[pod].pod));
    state_.add_pod(*pods_[pod].pod, *node_.node);
  }

  bool fits() {
    node_.pods = listed();
    last_ = run_filter_plugins_with_nominated_pods(situation_, state_, node_);
    return last_.ok();
  }

  /// What the filters said when `fits` was asked last.
  const Status& last() const { return last_; }
  const FilterFailure& refusal(std::size_t pod) const { return refusals_[pod]; }

 private:
  // All potential victims are taken off as they are listed, and the last pod steps into the gap
  // (framework/types.go, removeFromSlice).
  static std::vector<const Pod*> without(std::vector<const Pod*> list, std::vector<Listed> gone) {
    std::ranges::sort(gone, {}, &Listed::place);
    for (const Listed& pod : gone) {
      *std::ranges::find(list, pod.pod) = list.back();
      list.pop_back();
    }
    return list;
  }

  // NodeInfo.Pods as upstream leaves it, so that of several pods that a plugin fails over it names the same
  // one: those put back follow at the end.
  std::vector<const Pod*> listed() const {
    std::vector<const Pod*> list = emptied_;
    list.insert(list.end(), back_.begin(), back_.end());
    return list;
  }

  const Situation& situation_;
  CycleState state_;
  NodeInfo node_;
  std::vector<const Pod*> emptied_;  // on the node without any of `pods`
  std::vector<const Pod*> back_;     // put back, in that order
  const std::vector<Listed>& pods_;
  Status last_;
  std::vector<FilterFailure> refusals_;
};

}  // namespace reprieve::reference
