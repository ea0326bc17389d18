#include "reprieve/engine/filters/pod_topology_spread.h"

#include <algorithm>
#include <limits>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

constexpr std::uint8_t kSkew = 0;
constexpr std::uint8_t kMissingLabel = 1;
constexpr std::int64_t kNoCount = std::numeric_limits<std::int32_t>::max();  // newCriticalPaths

}  // namespace

void PodTopologySpread::begin(const Cycle& cycle, GroupMatches& matches) {
  cycle_ = cycle;
  matches_ = &matches;
  const std::size_t constraints = cycle.preemptor().spread.size();
  skipped_ = constraints == 0;
  if (skipped_) return;
  if (globals_.size() < constraints) globals_.resize(constraints);
  locals_.assign(constraints, Local{});
  for (std::size_t i = 0; i < constraints; ++i) count(i);
}

// A node that lacks any of the keys counts for none of the constraints.
bool PodTopologySpread::has_every_key(const NodeRecord& node) const {
  return std::ranges::all_of(cycle_.preemptor().spread, [&](const SpreadConstraint& constraint) {
    return label_value(node.labels, constraint.topology_key) != kNoString;
  });
}

// matchNodeInclusionPolicies.
bool PodTopologySpread::included(const SpreadConstraint& constraint, NodeId node) const {
  if (REPRIEVE_MUTANT("spread-affinity-policy-ignored", constraint.honor_affinity, false) &&
      !matches_node_affinity(cycle_, node)) {
    REPRIEVE_MARK("engine/spread/node-left-out-by-affinity");
    return false;
  }
  if (constraint.honor_taints && !tolerates_taints(cycle_, node)) {
    REPRIEVE_MARK("engine/spread/node-left-out-by-taints");
    return false;
  }
  return true;
}

// calPreFilterState, for one constraint.
void PodTopologySpread::count(std::size_t i) {
  const Index& index = *cycle_.index;
  const SpreadConstraint& constraint = cycle_.preemptor().spread[i];
  Global& global = globals_[i];
  global.counts.clear();
  // The domain of each node that counts: one without pods counts as well.
  domains_.assign(index.nodes.size(), kNoString);
  for (NodeId node = 0; node < index.nodes.size(); ++node) {
    const NodeRecord& record = index.nodes[node];
    if (!record.live) continue;
    if (!has_every_key(record)) {
      REPRIEVE_MARK("engine/spread/node-without-every-key");
      continue;
    }
    if (!included(constraint, node)) continue;
    domains_[node] = label_value(record.labels, constraint.topology_key);
    (void)global.counts[domains_[node]];
    if (constraint.selector.empty() && !record.pods.empty()) {  // countPodsMatchSelector
      REPRIEVE_MARK("engine/spread/empty-selector-counts-nobody");
    }
  }
  // By groups of labels, so that pods that do not match are not even looked at.
  for (GroupId group = 0; !constraint.selector.empty() && group < index.groups.size(); ++group) {
    const std::vector<PodId>& pods = index.groups[group].pods;
    if (pods.empty() || !matches_->spread(group, i)) continue;
    for (const PodId pod : pods) {
      const NodeId node = index.pod_node[pod];
      if (node == kNone || domains_[node] == kNoString) continue;
      if (REPRIEVE_MUTANT("spread-counts-terminating", index.has(pod, kTerminating), false)) {
        REPRIEVE_MARK("engine/spread/terminating-pod-is-not-counted");
        continue;
      }
      ++global.counts[domains_[node]];
    }
  }
  global.least_domain = kNoString;
  global.least = kNoCount;
  global.second = kNoCount;
  global.counts.for_each([&](std::uint64_t domain, std::int64_t pods) {
    if (pods < global.least || global.least_domain == kNoString) {
      global.second = REPRIEVE_MUTANT("spread-former-least-forgotten", global.least, global.second);
      global.least = pods;
      global.least_domain = static_cast<StringId>(domain);
    } else {
      global.second = std::min(global.second, pods);
    }
  });
}

void PodTopologySpread::enter(NodeId node) {
  const NodeRecord& record = cycle_.node(node);
  const bool every_key = has_every_key(record);
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    const SpreadConstraint& constraint = cycle_.preemptor().spread[i];
    const Global& global = globals_[i];
    Local& local = locals_[i];
    local = Local{};
    const StringId domain = label_value(record.labels, constraint.topology_key);
    local.has_key = domain != kNoString;
    if (!local.has_key) continue;
    local.counts_node = every_key && included(constraint, node);
    const std::int64_t* count = global.counts.get(domain);
    local.known_domain = count != nullptr;
    local.count = count ? *count : 0;
    // Beside the least of all domains counts the second least, once pods are nominated to the former.
    const std::int64_t second = REPRIEVE_MUTANT("spread-second-least-too-high", global.second,
                                                global.second + (global.second > global.least ? 1 : 0));
    local.least_elsewhere = domain == global.least_domain ? second : global.least;
  }
}

// updateWithPod: terminating pods and pods under an empty selector are patched like any other.
void PodTopologySpread::patch_counts(PodId pod, int sign, std::int64_t Local::* what) {
  const GroupId group = cycle_.index->pod_group[pod];
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    if (!locals_[i].counts_node || !matches_->spread(group, i)) continue;
    if (cycle_.preemptor().spread[i].selector.empty())
      REPRIEVE_MARK("engine/spread/empty-selector-is-patched");
    if (cycle_.index->has(pod, kTerminating)) REPRIEVE_MARK("engine/spread/terminating-pod-is-patched");
    locals_[i].*what += sign;
  }
}

// The first constraint that fails decides, be it by a missing label or by skew.
Verdict PodTopologySpread::check(bool nominated) const {
  const GroupId own_group = cycle_.index->pod_group[cycle_.pod];
  for (std::size_t i = 0; i < locals_.size(); ++i) {
    const SpreadConstraint& constraint = cycle_.preemptor().spread[i];
    const Local& local = locals_[i];
    if (!local.has_key) {
      REPRIEVE_MARK("engine/spread/missing-label");
      return {Code::kUnresolvable, Plugin::kPodTopologySpread, kMissingLabel};
    }
    const std::int64_t count = local.count + local.patched + (nominated ? local.nominated : 0);
    std::int64_t least = local.known_domain ? std::min(local.least_elsewhere, count) : local.least_elsewhere;
    // Fewer domains than minDomains: the least is 0 (minMatchNum).
    const auto domains = static_cast<std::int64_t>(globals_[i].counts.size());
    if (REPRIEVE_MUTANT("spread-min-domains-ignored", domains < constraint.min_domains, false)) {
      REPRIEVE_MARK("engine/spread/fewer-than-min-domains");
      least = 0;
    }
    const std::int64_t self =
        REPRIEVE_MUTANT("spread-always-selects-itself", matches_->spread(own_group, i), true) ? 1 : 0;
    if (self == 0) REPRIEVE_MARK("engine/spread/does-not-select-itself");
    const std::int64_t skew = count + self - least;
    if (REPRIEVE_MUTANT("spread-skew-off-by-one", skew > constraint.max_skew, skew >= constraint.max_skew)) {
      REPRIEVE_MARK("engine/spread/skew");
      return {Code::kUnschedulable, Plugin::kPodTopologySpread, kSkew};
    }
  }
  return {};
}

std::string_view PodTopologySpread::reason(std::uint8_t detail) {
  return detail == kSkew ? "node(s) didn't match pod topology spread constraints"
                         : "node(s) didn't match pod topology spread constraints (missing required label)";
}

}  // namespace reprieve::engine
