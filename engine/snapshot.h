// A cluster indexed for deciding: built from a Cluster, updated in place, const during decisions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/engine/index.h"
#include "reprieve/model/cluster.h"
#include "reprieve/model/policy.h"

namespace reprieve::engine {

/// An index over a cluster for one release. A `set_` adds the object or replaces the one of that name
/// in its place (nodes, pods and budgets keep their place in the input order; new ones come last). A
/// `remove_` of an absent object does nothing. Afterwards the snapshot answers as one built from the
/// updated cluster would.
///
/// Cost, not counting the strings of the object itself: a pod, its node's pods and the budgets and
/// label groups of its namespace when its labels are new there; a node, the pods that name it; a
/// budget, the label groups of its namespace and the pods that it selects; the rest, a look-up. None
/// depends on the size of the cluster, save that removed nodes and budgets are swept out once they
/// outnumber the others, and that a resource name never seen before widens every row.
///
/// The invariants of Cluster hold for what is given: unique names, no finished pod.
class Snapshot {
 public:
  explicit Snapshot(Release release);
  Snapshot(const Cluster& cluster, Release release);

  Release release() const { return index_.release; }
  const Index& index() const { return index_; }

  void set_node(const Node& node);
  void remove_node(std::string_view name);
  void set_pod(const Pod& pod);
  void remove_pod(std::string_view full_name);                // "namespace/name"
  void remove_pods(std::span<const std::string> full_names);  // as one after the other, but faster
  void set_budget(const DisruptionBudget& budget);
  void remove_budget(std::string_view full_name);
  void set_namespace(const Namespace& name_space);
  void remove_namespace(std::string_view name);

  void set_claim(const PersistentVolumeClaim& claim);
  void remove_claim(std::string_view full_name);
  void set_volume(const PersistentVolume& volume);
  void remove_volume(std::string_view name);
  void set_storage_class(const StorageClass& storage_class);
  void remove_storage_class(std::string_view name);
  void set_csi_node(const CsiNode& csi_node);
  void remove_csi_node(std::string_view name);
  void set_csi_driver(const CsiDriver& driver);
  void remove_csi_driver(std::string_view name);
  void set_volume_attachment(const VolumeAttachment& attachment);
  void remove_volume_attachment(std::string_view name);

  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  Snapshot(Snapshot&&) = default;
  Snapshot& operator=(Snapshot&&) = default;
  ~Snapshot() = default;

 private:
  void widen();
  NamespaceId namespace_id(std::string_view name);

  // snapshot_nodes.cpp
  void attach(PodId pod, NodeId node);
  void detach(PodId pod);
  void add_to_sums(PodId pod, NodeId node, std::int64_t sign);
  void sweep_nodes();

  // snapshot_pods.cpp
  void touch_node(StringId name);
  PodId new_pod_slot();
  void remove(PodId id, std::uint32_t name_hash);
  void fill_pod(PodId id, const Pod& pod);
  void unlink_pod(PodId id);
  void join_group(PodId id, NamespaceId name_space, const Labels& of_pod);
  void leave_group(PodId id);

  // snapshot_budgets.cpp
  void resolve_budgets(LabelGroup& group) const;
  void judge_group(GroupId group);
  void withdraw_budget(BudgetId id);
  void touch_nodes_of(BudgetId id);
  void sweep_budgets();

  Index index_;
  RequestReader requests_;
  std::vector<PodId> free_pods_;
  std::vector<GroupId> free_groups_;
  std::vector<std::uint32_t> pods_on_node_;  // by node; all 0 between updates
  std::uint64_t next_sequence_ = 0;
  std::string name_;  // scratch
  LabelSet labels_;   // scratch
  struct Leaving {
    PodId pod = kNone;  // kNone: there is none of that name
    std::uint32_t hash = 0;
  };
  std::vector<Leaving> leaving_;  // scratch
};

}  // namespace reprieve::engine
