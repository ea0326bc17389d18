// Big clusters of a realistic make: deployments with a few request sizes, spread over nearly full
// nodes, some of them under budgets, and pending pods that need room. For `gen`, for large inputs
// and for benchmarks; the small, odd clusters that find mistakes come from generate.h.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "reprieve/model/cluster.h"

namespace reprieve::generators {

struct BigSettings {
  std::uint64_t seed = 1;
  std::int32_t nodes = 100;
  std::int32_t pods_per_node = 30;
  std::int32_t budgets = 0;  // the first so many deployments get one; at most as many as deployments
  std::int32_t pending =
      1;  // preemptors "default/pending-K" of the highest priority, a tenth to a third of a node
};

/// A cluster whose nodes hold pods_per_node pods each and have at most a twentieth of their CPU free.
/// The same settings make the same cluster everywhere. Cost: O(pods log nodes).
Cluster big_cluster(const BigSettings& settings);

/// Writes the cluster as `kubectl get nodes,pods,pdb,... -A -o json` prints a real one: a v1 List
/// indented by 4, each pod with managed fields, volumes, probes, conditions and container statuses
/// (about 10 KB). Streams: memory does not grow with the cluster.
void write_kubectl_dump(const Cluster& cluster, std::ostream& out);

}  // namespace reprieve::generators
