// NodePorts: host ports of the preemptor against those in use on the node.
//
// The kube-scheduler keeps the ports of a node as a *set*: taking off one of two pods that hold the
// same port frees it for all (kube-scheduler framework/types.go, HostPortInfo).
#pragma once

#include <cstdint>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/verdict.h"

namespace reprieve::engine {

class NodePorts {
 public:
  void begin(const Cycle& cycle);
  bool skipped() const { return skipped_; }
  void enter(NodeId node);
  void add_nominated(PodId pod);
  void patch(PodId pod, int sign);
  Verdict check(bool nominated) const;

 private:
  bool conflicts(const HostPort& used) const;

  Cycle cycle_;
  bool skipped_ = true;
  StringId any_ip_ = kNoString;
  std::vector<HostPort> held_;        // on this node, of those that conflict with the preemptor's
  std::vector<std::uint8_t> in_use_;  // whether the set has it now
  bool nominated_conflict_ = false;
};

}  // namespace reprieve::engine
