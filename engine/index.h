// What a Snapshot holds: the cluster as arrays and interned ids, with everything resolved that does
// not depend on the preemptor. Read by the filters and the dry run; written by Snapshot alone.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reprieve/engine/changes.h"
#include "reprieve/engine/huge_pages.h"
#include "reprieve/engine/intern.h"
#include "reprieve/engine/name_table.h"
#include "reprieve/engine/requests.h"
#include "reprieve/engine/selection.h"
#include "reprieve/engine/selectors.h"
#include "reprieve/engine/storage.h"
#include "reprieve/model/cluster.h"
#include "reprieve/model/policy.h"

namespace reprieve::engine {

using NodeId = std::uint32_t;    // a slot; slots are in input order
using PodId = std::uint32_t;     // a slot, reused
using BudgetId = std::uint32_t;  // a slot; slots are in input order
using GroupId = std::uint32_t;
using NamespaceId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffU;

/// A host port in use: (IP, protocol, port), sanitized as HostPortInfo does.
struct HostPort {
  StringId ip = kNoString;
  StringId protocol = kNoString;
  std::int32_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};

/// One required term of pod affinity or anti-affinity (kube-scheduler framework/types.go,
/// newAffinityTerm): an own namespace stands for "none named".
struct AffinityTerm {
  Selector selector;
  std::vector<StringId> namespaces;
  Selector namespace_selector;
  StringId topology_key = kNoString;
};

struct SpreadConstraint {
  std::int32_t max_skew = 1;
  std::int32_t min_domains = 1;
  StringId topology_key = kNoString;
  Selector selector;
  bool honor_affinity = true;
  bool honor_taints = false;
};

/// What is needed of a pod only when it is the preemptor; kept for pending pods.
struct Preemptor {
  PreemptionPolicy preemption_policy = PreemptionPolicy::kPreemptLowerPriority;
  std::vector<std::int64_t> request;  // from spec alone
  LabelSet node_selector;
  std::optional<NodeSelector> node_affinity_source;  // the pre-filter reads matchFields unparsed
  std::optional<CompiledNodeSelector> node_affinity;
  std::vector<Toleration> tolerations;
  std::vector<SpreadConstraint> spread;
  std::string spread_error;
  std::vector<AffinityTerm> affinity_terms;
  std::vector<AffinityTerm> anti_affinity_terms;
  std::string affinity_error;
  std::vector<std::string> needed_features;
  std::vector<std::string> container_resources;  // names in containers' requests, for extenders
};

/// The rarely read part of a pod. The hot part stands in Index's arrays. What every pod's coming and
/// going looks at fills one cache line; the flags tell whether the rest has to be looked at.
struct alignas(64) PodRecord {
  std::string full_name;                // "namespace/name"
  std::uint64_t sequence = 0;           // input order
  std::uint32_t name_at = 0;            // where the name begins in it
  std::uint32_t group_position = 0;     // in its group's pods
  std::uint32_t anti_position = kNone;  // in Index::anti_affinity_pods
  StringId node_name = kNoString;       // spec.nodeName
  StringId nominated_node = kNoString;  // status.nominatedNodeName, of a pending pod
  StringId scheduler = kNoString;

  bool gated = false;
  std::int64_t termination_grace_period_s = 30;
  std::vector<HostPort> ports;
  std::vector<AffinityTerm> anti_affinity_terms;  // required ones; none when any is invalid
  std::unique_ptr<PodStorage> storage;            // absent: no volume that a filter reads
  std::unique_ptr<Preemptor> preemptor;           // of a pending pod

  std::string_view name() const { return std::string_view(full_name).substr(name_at); }
  std::string_view namespace_name() const { return std::string_view(full_name).substr(0, name_at - 1); }
};

enum PodFlag : std::uint8_t {
  kTerminating = 1,              // deletionTimestamp is set
  kTerminatingByPreemption = 2,  // and its first DisruptionTarget condition says so
  kHasStart = 4,
  kHasPorts = 8,
  kHasAntiAffinity = 16,
  kHasStorage = 32,
};

struct NodeRecord {
  std::string name;
  StringId name_id = kNoString;
  bool live = false;
  bool unschedulable = false;
  LabelSet labels;
  std::vector<Taint> taints;  // those that keep pods away: NoSchedule and NoExecute
  std::int64_t pod_limit = 0;
  std::vector<std::string> declared_features;
  std::vector<PodId> pods;  // most important first, by priority and start time
};

struct BudgetRecord {
  std::string full_name;
  bool live = false;
  NamespaceId namespace_id = kNone;
  std::int64_t allowed = 0;
  std::optional<Selector> selector;  // absent: selects nothing (none, empty or invalid)
  std::set<std::string, std::less<>> disrupted_pods;
};

/// The pods of one namespace with one set of labels. Selectors are matched once for a group, not
/// for each of its pods.
struct LabelGroup {
  NamespaceId namespace_id = kNone;
  LabelSet labels;
  std::uint64_t hash = 0;
  GroupId next_of_hash = kNone;
  std::uint32_t namespace_position = 0;
  std::vector<BudgetId> budgets;  // those that select it, in input order
  std::vector<PodId> pods;
};

struct NamespaceRecord {
  StringId name_id = kNoString;
  bool exists = false;  // a Namespace object says so
  LabelSet labels;
  std::vector<BudgetId> budgets;
  std::vector<GroupId> groups;
};

struct Index {
  Release release = Release::k1_37;
  Interner strings;
  ResourceColumns columns;
  std::size_t stride = 0;  // length of a row of resources; at least columns.size()

  // Nodes, one place for each slot.
  Array<NodeRecord> nodes;
  Array<std::int64_t> allocatable;   // rows
  Array<std::int64_t> requested;     // rows: the sums over the node's pods
  std::vector<NodeId> node_by_name;  // by StringId; kNone or out of range: no such node
  std::size_t live_nodes = 0;
  ChangeLog changes;

  // Pods, one place for each slot. The hot part:
  Array<std::int32_t> pod_priority;
  Array<std::int64_t> pod_start;  // microseconds, with kHasStart
  Array<GroupId> pod_group;
  Array<NodeId> pod_node;  // kNone: pending, or on a node that is absent
  Array<std::uint8_t> pod_flags;
  Array<std::int64_t> pod_requests;  // rows
  Array<PodRecord> pods;
  NameTable pod_by_name;
  std::unordered_map<StringId, std::vector<PodId>> orphans;    // by the name of the absent node
  std::unordered_map<StringId, std::vector<PodId>> nominated;  // pending pods, in input order
  std::vector<PodId> anti_affinity_pods;                       // on a node, with required terms

  std::vector<BudgetRecord> budgets;
  std::unordered_map<std::string, BudgetId> budget_by_name;
  std::deque<LabelGroup> groups;
  /// Of each group: whether a budget that selects it allows nothing and counts none of its pods as
  /// disrupted already, so that evicting any of them violates a budget for sure.
  std::vector<std::uint8_t> group_exhausted;
  std::unordered_map<std::uint64_t, GroupId> group_by_hash;
  std::vector<NamespaceRecord> namespaces;
  std::unordered_map<StringId, NamespaceId> namespace_by_name;
  Storage storage;

  std::span<const std::int64_t> allocatable_of(NodeId node) const {
    return {allocatable.data() + node * stride, stride};
  }
  std::span<const std::int64_t> requested_of(NodeId node) const {
    return {requested.data() + node * stride, stride};
  }
  std::span<const std::int64_t> requests_of(PodId pod) const {
    return {pod_requests.data() + pod * stride, stride};
  }
  bool has(PodId pod, PodFlag flag) const { return (pod_flags[pod] & flag) != 0; }
  Importance<std::int64_t> importance_of(PodId pod) const {
    return {pod_priority[pod], {has(pod, kHasStart), pod_start[pod]}};
  }
  NodeId find_node(StringId name) const { return name < node_by_name.size() ? node_by_name[name] : kNone; }
  /// kNone: there is no such pod. `full_name` is "namespace/name".
  PodId find_pod(std::string_view full_name) const {
    return find_pod(full_name, NameTable::hash_of(full_name));
  }
  PodId find_pod(std::string_view full_name, std::uint32_t hash) const {
    return pod_by_name.find(full_name, hash,
                            [this](PodId pod) -> const std::string& { return pods[pod].full_name; });
  }
  const LabelGroup& group_of(PodId pod) const { return groups[pod_group[pod]]; }
};

}  // namespace reprieve::engine
