// Pods: their parts that do not depend on the preemptor, resolved when they are set.
#include <algorithm>

#include "reprieve/engine/pod_reader.h"
#include "reprieve/engine/snapshot.h"
#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

void Snapshot::set_pod(const Pod& pod) {
  name_.assign(pod.namespace_);
  name_ += '/';
  name_ += pod.name;
  const std::uint32_t hash = NameTable::hash_of(name_);
  PodId id = index_.find_pod(name_, hash);
  if (id == kNone) {
    id = new_pod_slot();
    PodRecord& record = index_.pods[id];
    record.full_name = name_;
    record.name_at = static_cast<std::uint32_t>(pod.namespace_.size() + 1);
    record.sequence = next_sequence_++;
    index_.pod_by_name.insert(hash, id);
  } else {
    // In its place: the same slot, and the same place in the input order.
    unlink_pod(id);
    if (REPRIEVE_MUTANT("changed-pod-moves-to-the-end", false, true))
      index_.pods[id].sequence = next_sequence_++;
  }
  fill_pod(id, pod);
}

void Snapshot::remove_pod(std::string_view full_name) {
  const std::uint32_t hash = NameTable::hash_of(full_name);
  if (const PodId id = index_.find_pod(full_name, hash); id != kNone) remove(id, hash);
}

// Each pod leads to places that nothing else has looked at for long. All are asked for before the first is
// waited for.
void Snapshot::remove_pods(std::span<const std::string> full_names) {
  leaving_.clear();
  for (const std::string& name : full_names) {
    leaving_.push_back({.pod = kNone, .hash = NameTable::hash_of(name)});
    index_.pod_by_name.prefetch(leaving_.back().hash);
  }
  for (std::size_t i = 0; i < full_names.size(); ++i) {
    const PodId id = index_.find_pod(full_names[i], leaving_[i].hash);
    if (id == kNone) continue;
    leaving_[i].pod = id;
    const std::vector<PodId>& group = index_.group_of(id).pods;
    __builtin_prefetch(&group[index_.pods[id].group_position]);
    __builtin_prefetch(&index_.pods[group[group.size() - std::min(i + 1, group.size())]]);
    __builtin_prefetch(index_.requests_of(id).data());
  }
  for (const auto& [id, hash] : leaving_) {
    if (id != kNone && !index_.pods[id].full_name.empty()) remove(id, hash);  // named once only
  }
}

void Snapshot::remove(PodId id, std::uint32_t hash) {
  unlink_pod(id);
  leave_group(id);
  // The slot keeps its memory for the next pod.
  PodRecord& record = index_.pods[id];
  index_.pod_by_name.erase(hash, id);
  record.full_name.clear();
  if (record.node_name == kNoString) record.preemptor.reset();
  if (index_.has(id, kHasStorage)) record.storage.reset();
  free_pods_.push_back(id);
}

PodId Snapshot::new_pod_slot() {
  if (!free_pods_.empty()) {
    const PodId id = free_pods_.back();
    free_pods_.pop_back();
    return id;
  }
  const auto id = static_cast<PodId>(index_.pods.size());
  index_.pods.emplace_back();
  index_.pod_priority.push_back(0);
  index_.pod_start.push_back(0);
  index_.pod_group.push_back(kNone);
  index_.pod_node.push_back(kNone);
  index_.pod_flags.push_back(0);
  index_.pod_requests.resize(index_.pods.size() * index_.stride);
  return id;
}

void Snapshot::fill_pod(PodId id, const Pod& pod) {
  auto row = requests_.read(pod, index_.release, true, index_.columns);
  widen();
  const auto to = index_.pod_requests.begin() + static_cast<std::ptrdiff_t>(id * index_.stride);
  std::fill(std::ranges::copy(row, to).out, to + static_cast<std::ptrdiff_t>(index_.stride), 0);

  PodRecord& record = index_.pods[id];
  read_pod(pod, index_.strings, record);
  index_.pod_flags[id] = read_flags(pod, record);
  index_.pod_priority[id] = pod.priority;
  const std::int64_t start_us = pod.start_time_us.value_or(0);
  index_.pod_start[id] = REPRIEVE_MUTANT("start-times-in-31-bits", start_us, start_us & 0x7FFFFFFF);
  join_group(id, namespace_id(pod.namespace_), pod.labels);

  if (pod.node_name.empty()) {
    if (!record.preemptor) record.preemptor = std::make_unique<Preemptor>();
    read_preemptor(pod, index_.strings, *record.preemptor);
    if (!RequestReader::reads_alike(pod)) {
      row = requests_.read(pod, index_.release, false, index_.columns);
      widen();
    }
    record.preemptor->request.assign(row.begin(), row.end());
    if (record.nominated_node != kNoString) {
      std::vector<PodId>& nominated = index_.nominated[record.nominated_node];
      const auto earlier = [this](PodId a, PodId b) {
        return index_.pods[a].sequence < index_.pods[b].sequence;
      };
      nominated.insert(std::ranges::upper_bound(nominated, id, earlier), id);
      touch_node(record.nominated_node);
    }
    return;
  }
  record.preemptor.reset();
  const NodeId node = index_.find_node(record.node_name);
  if (node == kNone) {
    REPRIEVE_MARK("engine/seen/pod-on-an-absent-node");
    index_.orphans[record.node_name].push_back(id);
  } else {
    attach(id, node);
  }
}

void Snapshot::touch_node(StringId name) {
  if (const NodeId node = index_.find_node(name); node != kNone) index_.changes.touch(node);
}

// Off its node; it keeps its name and its group.
void Snapshot::unlink_pod(PodId id) {
  PodRecord& record = index_.pods[id];
  if (index_.pod_node[id] != kNone) {
    detach(id);
  } else if (record.node_name != kNoString) {
    std::erase(index_.orphans[record.node_name], id);
  } else if (record.nominated_node != kNoString) {
    std::erase(index_.nominated[record.nominated_node], id);
    touch_node(record.nominated_node);
  }
}

// From the group that it is in to the one of its labels.
void Snapshot::join_group(PodId id, NamespaceId name_space, const Labels& of_pod) {
  intern_labels(of_pod, index_.strings, labels_);
  const LabelSet& labels = labels_;
  if (index_.pod_group[id] != kNone) {
    if (index_.group_of(id).labels == labels) return;  // a pod's namespace is part of its name
    leave_group(id);
  }
  std::uint64_t hash = name_space + 1;
  for (const Label& label : labels) {
    hash = (hash ^ ((std::uint64_t{label.key} << 32) | label.value)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  GroupId group = kNone;
  const auto first = index_.group_by_hash.find(hash);
  for (GroupId other = first == index_.group_by_hash.end() ? kNone : first->second; other != kNone;
       other = index_.groups[other].next_of_hash) {
    if (index_.groups[other].namespace_id == name_space && index_.groups[other].labels == labels) {
      group = other;
      break;
    }
  }
  if (group == kNone) {
    const bool is_new = free_groups_.empty();
    if (is_new) {
      group = static_cast<GroupId>(index_.groups.size());
      index_.groups.emplace_back();
    } else {
      group = free_groups_.back();
      free_groups_.pop_back();
    }
    LabelGroup& record = index_.groups[group];
    record.namespace_id = name_space;
    record.labels = labels;
    record.hash = hash;
    record.next_of_hash = first == index_.group_by_hash.end() ? kNone : first->second;
    index_.group_by_hash[hash] = group;
    std::vector<GroupId>& of_namespace = index_.namespaces[name_space].groups;
    record.namespace_position = static_cast<std::uint32_t>(of_namespace.size());
    of_namespace.push_back(group);
    if (REPRIEVE_MUTANT("label-change-forgets-budgets", true, is_new)) resolve_budgets(record);
    judge_group(group);
  }
  index_.pod_group[id] = group;
  index_.pods[id].group_position = static_cast<std::uint32_t>(index_.groups[group].pods.size());
  index_.groups[group].pods.push_back(id);
}

void Snapshot::leave_group(PodId id) {
  const GroupId group = index_.pod_group[id];
  LabelGroup& record = index_.groups[group];
  const PodId last = record.pods.back();
  record.pods[index_.pods[id].group_position] = last;
  index_.pods[last].group_position = index_.pods[id].group_position;
  record.pods.pop_back();
  index_.pod_group[id] = kNone;
  if (!record.pods.empty()) return;

  GroupId* link = &index_.group_by_hash.find(record.hash)->second;
  while (*link != group) link = &index_.groups[*link].next_of_hash;
  *link = record.next_of_hash;
  if (index_.group_by_hash[record.hash] == kNone) index_.group_by_hash.erase(record.hash);
  std::vector<GroupId>& of_namespace = index_.namespaces[record.namespace_id].groups;
  const GroupId moved = of_namespace.back();
  of_namespace[record.namespace_position] = moved;
  index_.groups[moved].namespace_position = record.namespace_position;
  of_namespace.pop_back();
  record = LabelGroup{};
  free_groups_.push_back(group);
}

}  // namespace reprieve::engine
