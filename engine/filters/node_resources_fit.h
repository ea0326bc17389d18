// NodeResourcesFit: the pod count and every resource that the preemptor asks for.
#pragma once

#include <cstdint>
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
