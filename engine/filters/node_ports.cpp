#include "reprieve/engine/filters/node_ports.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

void NodePorts::begin(const Cycle& cycle) {
  cycle_ = cycle;
  skipped_ = cycle.record().ports.empty();
  any_ip_ = cycle.index->strings.find("0.0.0.0");
}

// HostPortInfo.CheckConflict: the wildcard address conflicts with every other.
bool NodePorts::conflicts(const HostPort& used) const {
  return std::ranges::any_of(cycle_.record().ports, [&](const HostPort& want) {
    const bool same_protocol = REPRIEVE_MUTANT("ports-ignore-protocol", want.protocol == used.protocol, true);
    if (want.port != used.port || !same_protocol) return false;
    if (want.ip == used.ip) return true;
    if (!REPRIEVE_MUTANT("ports-any-address-is-one", want.ip == any_ip_ || used.ip == any_ip_, false)) {
      REPRIEVE_MARK("engine/ports/other-address");
      return false;
    }
    REPRIEVE_MARK("engine/ports/all-addresses");
    return true;
  });
}

void NodePorts::enter(NodeId node) {
  held_.clear();
  in_use_.clear();
  nominated_conflict_ = false;
  for (const PodId pod : cycle_.node(node).pods) {
    if (!cycle_.index->has(pod, kHasPorts)) continue;
    for (const HostPort& port : cycle_.index->pods[pod].ports) {
      if (!conflicts(port) || std::ranges::find(held_, port) != held_.end()) continue;
      held_.push_back(port);
      in_use_.push_back(1);
    }
  }
}

void NodePorts::add_nominated(PodId pod) {
  if (std::ranges::any_of(cycle_.index->pods[pod].ports,
                          [&](const HostPort& port) { return conflicts(port); })) {
    nominated_conflict_ = true;
  }
}

void NodePorts::patch(PodId pod, int sign) {
  if (!cycle_.index->has(pod, kHasPorts)) return;
  for (const HostPort& port : cycle_.index->pods[pod].ports) {
    const auto at = std::ranges::find(held_, port);
    const bool stays = REPRIEVE_MUTANT("ports-never-freed", sign > 0, true);
    if (at != held_.end()) in_use_[static_cast<std::size_t>(at - held_.begin())] = stays ? 1 : 0;
  }
}

Verdict NodePorts::check(bool nominated) const {
  if ((nominated && nominated_conflict_) || std::ranges::find(in_use_, 1) != in_use_.end()) {
    return {Code::kUnschedulable, Plugin::kNodePorts};
  }
  return {};
}

}  // namespace reprieve::engine
