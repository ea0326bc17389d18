// VolumeRestrictions: in-tree disks that only one pod may mount, and ReadWriteOncePod claims.
// Source: pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go.
#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/filters/storage.h"

namespace reprieve::reference {
namespace {

bool is_restricted_disk(const PodVolume& volume) {
  return volume.kind == VolumeKind::kGcePersistentDisk || volume.kind == VolumeKind::kAwsElasticBlockStore ||
         volume.kind == VolumeKind::kIscsi || volume.kind == VolumeKind::kRbd;
}

// The same disk twice, unless both mount it read-only. An EBS volume not even then.
bool conflict(const PodVolume& mine, const PodVolume& theirs) {
  if (mine.kind != theirs.kind || mine.source != theirs.source) return false;
  if (mine.kind == VolumeKind::kAwsElasticBlockStore) {
    REPRIEVE_MARK("reference/restrictions/ebs-disk");
    return true;
  }
  if (mine.read_only && theirs.read_only) {
    REPRIEVE_MARK("reference/restrictions/both-read-only");
    return false;
  }
  if (mine.kind != VolumeKind::kRbd) return true;
  const bool share_a_monitor = std::ranges::any_of(mine.rbd_monitors, [&theirs](const std::string& monitor) {
    return std::ranges::find(theirs.rbd_monitors, monitor) != theirs.rbd_monitors.end();
  });
  if (!share_a_monitor || mine.rbd_pool != theirs.rbd_pool) {
    REPRIEVE_MARK("reference/restrictions/another-rbd-pool-or-monitor");
    return false;
  }
  return true;
}

class VolumeRestrictions final : public Plugin {
 public:
  explicit VolumeRestrictions(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "VolumeRestrictions"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<VolumeRestrictions>(*this); }

  PreFilterResult pre_filter() override {
    const Pod& pod = situation_.preemptor;
    for (const PodVolume& volume : pod.volumes) {
      if (volume.kind != VolumeKind::kClaim) continue;
      const PersistentVolumeClaim* claim = find_claim(situation_.cluster, pod.namespace_, volume.source);
      if (claim == nullptr) {
        return {.status = unresolvable("persistentvolumeclaim \"" + volume.source + "\" not found")};
      }
      if (std::ranges::find(claim->access_modes, AccessMode::kReadWriteOncePod) !=
          claim->access_modes.end()) {
        once_pod_claims_.insert(claim->name);
      }
    }
    // Counted once for each claim that any pod in the cluster uses, however many pods do.
    for (const std::string& claim : once_pod_claims_) users_ += is_in_use(claim) ? 1 : 0;
    const bool has_disk = std::ranges::any_of(pod.volumes, is_restricted_disk);
    if (users_ > 0) REPRIEVE_MARK("reference/restrictions/claim-in-use");
    return {.skip = !has_disk && users_ == 0};
  }

  // The patch looks at the claim's name alone: a pod of another namespace with a claim of the same
  // name is taken for a user, and taking it off frees a claim that it never held.
  void add_pod(const Pod& pod, const Node&) override { users_ += references_by(pod); }
  void remove_pod(const Pod& pod, const Node&) override { users_ -= references_by(pod); }

  Status filter(const NodeInfo& node) const override {
    for (const PodVolume& mine : situation_.preemptor.volumes) {
      if (!is_restricted_disk(mine)) continue;
      for (const Pod* other : node.pods) {
        for (const PodVolume& theirs : other->volumes) {
          if (!conflict(mine, theirs)) continue;
          REPRIEVE_MARK("reference/restrictions/disk-in-use");
          return unschedulable("node(s) had no available disk");
        }
      }
    }
    if (users_ > 0) {
      return unschedulable(
          "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
          "in-use by another pod");
    }
    return {};
  }

 private:
  bool is_in_use(const std::string& claim) const {
    for (const NodeInfo& node : situation_.nodes) {
      for (const Pod* pod : node.pods) {
        if (pod->namespace_ != situation_.preemptor.namespace_) continue;
        for (const PodVolume& volume : pod->volumes) {
          if (volume.kind == VolumeKind::kClaim && volume.source == claim) return true;
        }
      }
    }
    return false;
  }

  int references_by(const Pod& pod) const {
    int references = 0;
    for (const PodVolume& volume : pod.volumes) {
      if (volume.kind != VolumeKind::kClaim || !once_pod_claims_.contains(volume.source)) continue;
      if (pod.namespace_ != situation_.preemptor.namespace_)
        REPRIEVE_MARK("reference/restrictions/patched-by-name-alone");
      ++references;
    }
    return references;
  }

  const Situation& situation_;
  std::set<std::string> once_pod_claims_;
  int users_ = 0;
};

}  // namespace

std::unique_ptr<Plugin> make_volume_restrictions(const Situation& situation) {
  return std::make_unique<VolumeRestrictions>(situation);
}

}  // namespace reprieve::reference
