// Pods by name, for clusters in which a scan for each look-up would be felt.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "reprieve/model/cluster.h"

namespace reprieve::cli {

/// Knows the pods of a cluster by "namespace/name". Refers to the cluster, which must outlive it and
/// keep its pods in their places.
class PodIndex {
 public:
  explicit PodIndex(const Cluster& cluster) : cluster_(&cluster) {
    places_.reserve(cluster.pods.size());
    for (std::size_t i = 0; i < cluster.pods.size(); ++i) places_.emplace(full_name(cluster.pods[i]), i);
  }

  /// Its index in cluster.pods.
  std::optional<std::size_t> place(const std::string& name) const {
    const auto at = places_.find(name);
    return at == places_.end() ? std::nullopt : std::optional(at->second);
  }
  /// Null: there is no such pod.
  const Pod* find(const std::string& name) const {
    const auto at = place(name);
    return at ? &cluster_->pods[*at] : nullptr;
  }

 private:
  const Cluster* cluster_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace reprieve::cli
