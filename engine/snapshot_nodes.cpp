// Nodes, and which pods stand on them.
#include <algorithm>
#include <utility>

#include "reprieve/engine/snapshot.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

// Adding without undefined behaviour: the model keeps sums in range, and what breaks that rule must
// still not break the program.
std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

constexpr ImportanceCriterion kUsual[] = {ImportanceCriterion::kPriority, ImportanceCriterion::kStartTime};

}  // namespace

void Snapshot::set_node(const Node& node) {
  const StringId name_id = index_.strings.intern(node.name);
  NodeId id = index_.find_node(name_id);
  const bool added = id == kNone;
  if (added) {
    id = static_cast<NodeId>(index_.nodes.size());
    index_.nodes.emplace_back();
    index_.allocatable.resize(index_.nodes.size() * index_.stride);
    index_.requested.resize(index_.nodes.size() * index_.stride);
    if (index_.node_by_name.size() <= name_id) index_.node_by_name.resize(name_id + 1, kNone);
    index_.node_by_name[name_id] = id;
    ++index_.live_nodes;
  }
  NodeRecord& record = index_.nodes[id];
  __builtin_prefetch(&record.pods);  // its last line, and its row: asked for before the first is waited for
  __builtin_prefetch(&index_.allocatable[id * index_.stride], 1);
  record.name = node.name;
  record.name_id = name_id;
  record.live = true;
  record.unschedulable = node.unschedulable;
  if (REPRIEVE_MUTANT("node-label-change-not-seen", true, added) &&
      REPRIEVE_MUTANT("moved-node-counts-where-it-was", true,
                      added || record.labels.size() != node.labels.size())) {
    intern_labels(node.labels, index_.strings, record.labels);
  }
  record.declared_features = node.declared_features;
  record.taints.clear();
  for (const Taint& taint : node.taints) {
    if (taint.effect == TaintEffect::kNoSchedule ||
        REPRIEVE_MUTANT("no-execute-taint-ignored", taint.effect == TaintEffect::kNoExecute, false)) {
      record.taints.push_back(taint);
    }
  }
  const auto row = requests_.read_allocatable(node.allocatable, index_.columns, record.pod_limit);
  widen();
  const auto to = index_.allocatable.begin() + static_cast<std::ptrdiff_t>(id * index_.stride);
  std::fill_n(to, index_.stride, 0);
  std::ranges::copy(row, to);
  index_.changes.touch(id);
  if (!added) return;
  const auto orphans = index_.orphans.find(name_id);
  if (orphans == index_.orphans.end()) return;
  const std::vector<PodId> pods = std::move(orphans->second);
  index_.orphans.erase(orphans);
  for (const PodId pod : pods) attach(pod, id);
}

void Snapshot::remove_node(std::string_view name) {
  const NodeId id = index_.find_node(index_.strings.find(name));
  if (id == kNone ||
      REPRIEVE_MUTANT("removed-node-counts-with-its-pods", false, !index_.nodes[id].pods.empty()))
    return;
  const std::vector<PodId> pods = index_.nodes[id].pods;
  for (const PodId pod : pods) {
    detach(pod);
    if (REPRIEVE_MUTANT("removed-node-loses-its-pods", true, false))
      index_.orphans[index_.nodes[id].name_id].push_back(pod);
  }
  index_.node_by_name[index_.nodes[id].name_id] = kNone;
  index_.nodes[id] = NodeRecord{};
  index_.changes.touch(id);
  --index_.live_nodes;
  if (index_.nodes.size() > 32 && index_.nodes.size() > 2 * index_.live_nodes) sweep_nodes();
}

// Closes the gaps that removed nodes left, keeping the order.
void Snapshot::sweep_nodes() {
  const std::size_t stride = index_.stride;
  NodeId to = 0;
  for (NodeId from = 0; from < index_.nodes.size(); ++from) {
    if (!index_.nodes[from].live) continue;
    if (to != from) {
      index_.nodes[to] = std::move(index_.nodes[from]);
      std::copy_n(index_.allocatable.begin() + static_cast<std::ptrdiff_t>(from * stride),
                  REPRIEVE_MUTANT("swept-nodes-get-anothers-room", stride, std::size_t{0}),
                  index_.allocatable.begin() + static_cast<std::ptrdiff_t>(to * stride));
      std::copy_n(index_.requested.begin() + static_cast<std::ptrdiff_t>(from * stride),
                  REPRIEVE_MUTANT("swept-nodes-get-anothers-load", stride, std::size_t{0}),
                  index_.requested.begin() + static_cast<std::ptrdiff_t>(to * stride));
      index_.node_by_name[index_.nodes[to].name_id] = to;
      for (const PodId pod : index_.nodes[to].pods) index_.pod_node[pod] = to;
    }
    ++to;
  }
  index_.nodes.resize(to);
  index_.allocatable.resize(to * stride);
  index_.requested.resize(to * stride);
  index_.changes.renumber();
}

void Snapshot::attach(PodId pod, NodeId node) {
  index_.pod_node[pod] = node;
  index_.changes.touch(node);
  const auto before = [this](PodId a, PodId b) {
    auto [first, second] = std::pair(index_.importance_of(a), index_.importance_of(b));
    // Only where the rest is equal do the places in the input order count, and only then are they read.
    const bool differ = first.priority != second.priority || first.start.given != second.start.given ||
                        (first.start.given && first.start.time != second.start.time);
    const bool in_order = differ || index_.pods[a].sequence < index_.pods[b].sequence;
    if (!in_order) std::swap(first, second);
    const bool first_is_before =
        compare_importance<std::int64_t>(first, second, kUsual, index_.release) != Order::kAfter;
    return first_is_before == in_order;
  };
  std::vector<PodId>& pods = index_.nodes[node].pods;
  pods.insert(std::ranges::upper_bound(pods, pod, before), pod);
  add_to_sums(pod, node, 1);
  PodRecord& record = index_.pods[pod];
  if (index_.has(pod, kHasAntiAffinity)) {
    record.anti_position = static_cast<std::uint32_t>(index_.anti_affinity_pods.size());
    index_.anti_affinity_pods.push_back(pod);
  }
  if (index_.has(pod, kHasStorage)) {
    for (const PodVolume& volume : record.storage->volumes) {
      if (volume.kind != VolumeKind::kClaim) continue;
      ++index_.storage.claim_users[std::string(record.namespace_name()) + "/" + volume.source];
    }
  }
}

void Snapshot::detach(PodId pod) {
  const NodeId node = index_.pod_node[pod];
  std::erase(index_.nodes[node].pods, pod);
  index_.changes.touch(node);
  if (REPRIEVE_MUTANT("removed-pod-keeps-its-load", true, false)) add_to_sums(pod, node, -1);
  index_.pod_node[pod] = kNone;
  PodRecord& record = index_.pods[pod];
  if (record.anti_position != kNone) {
    const PodId last = index_.anti_affinity_pods.back();
    index_.anti_affinity_pods[record.anti_position] = last;
    index_.pods[last].anti_position = record.anti_position;
    index_.anti_affinity_pods.pop_back();
    record.anti_position = kNone;
  }
  if (index_.has(pod, kHasStorage)) {
    for (const PodVolume& volume : record.storage->volumes) {
      if (volume.kind != VolumeKind::kClaim) continue;
      const auto users =
          index_.storage.claim_users.find(std::string(record.namespace_name()) + "/" + volume.source);
      if (REPRIEVE_MUTANT("removed-pod-keeps-its-claim", --users->second == 0, false))
        index_.storage.claim_users.erase(users);
    }
  }
}

void Snapshot::add_to_sums(PodId pod, NodeId node, std::int64_t sign) {
  std::int64_t* sums = index_.requested.data() + node * index_.stride;
  const auto request = index_.requests_of(pod);
  for (std::size_t i = 0; i < index_.stride; ++i) sums[i] = wrapping_add(sums[i], sign * request[i]);
}

}  // namespace reprieve::engine
