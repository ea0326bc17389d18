// Which of two pods on a node is more important by the policy: written a third time, beside engine and
// reference, because a judge should not ask the judged. docs/SEMANTICS.md, step 3 and "Criteria".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reprieve/model/decision.h"
#include "reprieve/model/node.h"
#include "reprieve/model/pod.h"
#include "reprieve/model/policy.h"

namespace reprieve::laws {

/// The largest part of the node's allocatable that the pods hold together, over the resources of which
/// they hold any. In lowest terms.
Share share_of(std::span<const Pod* const> pods, const Node& node, Release release);

/// Negative when `a` is the smaller share, positive when it is the larger one.
int compare_shares(const Share& a, const Share& b);

/// A pod, its place in the node's list of pods, and its share when the policy asks for it.
struct Listed {
  const Pod* pod = nullptr;
  std::size_t place = 0;
  Share share;
};

/// Pods as the node lists them, with their places.
std::vector<Listed> listed(const Policy& policy, const Node& node, std::span<const Pod* const> pods);

/// Negative: `a` is more important; positive: `b` is; 0: by the criteria alone one cannot say, as between
/// two missing start times.
int compare_importance(const Policy& policy, const Listed& a, const Listed& b);

/// Sorts by importance, the most important first, as Go's insertion sort does.
void sort_by_importance(const Policy& policy, std::vector<Listed>& pods);

}  // namespace reprieve::laws
