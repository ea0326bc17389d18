#include "reprieve/cli/queue.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace reprieve::cli {

std::vector<std::size_t> scheduling_queue(const Cluster& cluster) {
  std::vector<std::size_t> queue;
  for (std::size_t i = 0; i < cluster.pods.size(); ++i) {
    const Pod& pod = cluster.pods[i];
    // A pod that runs, or has run, is not pending even where the manifest lacks its node.
    if (pod.node_name.empty() && pod.phase == PodPhase::kPending && pod.scheduling_gates.empty() &&
        !pod.deletion_time_us && pod.scheduler_name == "default-scheduler") {
      queue.push_back(i);
    }
  }
  std::ranges::sort(queue, [&](std::size_t a, std::size_t b) {
    const auto key = [&](const Pod& pod) {
      return std::tuple(-std::int64_t{pod.priority},
                        pod.creation_time_us.value_or(std::numeric_limits<TimeUs>::max()),
                        std::tie(pod.namespace_, pod.name));
    };
    return key(cluster.pods[a]) < key(cluster.pods[b]);
  });
  return queue;
}

}  // namespace reprieve::cli
