// NodeResourcesFit: the pod count and every resource that the preemptor asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/verdict.h"
#include "reprieve/model/decision.h"

namespace reprieve::engine {

class NodeResourcesFit {
 public:
  void begin(const Cycle& cycle);
  void enter(NodeId node);
  void add_nominated(PodId pod);
  void patch(PodId pod, std::int64_t sign);
  Verdict check(bool nominated) const;

  /// What must be freed for the preemptor to fit, the nominated pods counted in: `visit(column, amount)`
  /// for each resource (or kPodCount) of which there is not enough. The nominated pods request nothing
  /// negative, so what does for both passes is what does for the first.
  static constexpr std::size_t kPodCount = static_cast<std::size_t>(-1);
  template <class Visit>
  void for_each_shortage(Visit visit) const {
    const std::int64_t pods = with_nominated_.pods + 1 - pod_limit_;
    if (pods > 0) visit(kPodCount, pods);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::int64_t amount = request_[i] - (allocatable_[i] - with_nominated_.used[i]);
      if (amount > 0) visit(columns_[i], amount);
    }
  }

  /// The columns of which something is asked, and how much.
  std::span<const std::size_t> columns() const { return columns_; }
  std::span<const std::int64_t> request() const { return request_; }

  /// All its own reasons, in the kube-scheduler's order: pods, cpu, memory, ephemeral-storage, the
  /// others by name (upstream walks a map).
  void explain(bool nominated, FilterFailure& failure) const;

 private:
  struct Load {
    std::int64_t pods = 0;
    std::vector<std::int64_t> used;
  };
  void add(Load& load, PodId pod, std::int64_t sign) const;

  Cycle cycle_;
  std::vector<std::size_t> columns_;  // those asked for; the arrays below have one place for each
  std::vector<std::int64_t> request_;
  std::vector<std::int64_t> allocatable_;
  std::int64_t pod_limit_ = 0;
  Load plain_;           // the node's pods
  Load with_nominated_;  // and the nominated ones
};

}  // namespace reprieve::engine
