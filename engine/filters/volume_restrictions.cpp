#include "reprieve/engine/filters/volume_restrictions.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

bool is_disk(const PodVolume& volume) {
  return volume.kind == VolumeKind::kGcePersistentDisk || volume.kind == VolumeKind::kAwsElasticBlockStore ||
         volume.kind == VolumeKind::kIscsi || volume.kind == VolumeKind::kRbd;
}

// isVolumeConflict.
bool conflict(const PodVolume& a, const PodVolume& b) {
  if (a.kind != b.kind || !is_disk(a) || a.source != b.source) return false;
  if (a.kind == VolumeKind::kAwsElasticBlockStore) {
    REPRIEVE_MARK("engine/restrictions/ebs-disk");
    return true;
  }
  if (a.kind == VolumeKind::kRbd) {
    const bool shares_monitor = std::ranges::any_of(a.rbd_monitors, [&](const std::string& monitor) {
      return std::ranges::find(b.rbd_monitors, monitor) != b.rbd_monitors.end();
    });
    if (!shares_monitor || a.rbd_pool != b.rbd_pool) {
      REPRIEVE_MARK("engine/restrictions/another-rbd-pool-or-monitor");
      return false;
    }
  }
  if (a.read_only && b.read_only) REPRIEVE_MARK("engine/restrictions/both-read-only");
  return REPRIEVE_MUTANT("read-only-disks-conflict", !(a.read_only && b.read_only), true);
}

constexpr std::uint8_t kDisk = 0;
constexpr std::uint8_t kOncePod = 1;

}  // namespace

PreFilterRejection VolumeRestrictions::begin(const Cycle& cycle) {
  cycle_ = cycle;
  skipped_ = true;
  has_disks_ = false;
  once_claims_.clear();
  users_at_first_ = 0;
  const PodRecord& record = cycle.record();
  if (!record.storage) return {};
  const Storage& storage = cycle.index->storage;
  for (const PodVolume& volume : record.storage->volumes) {
    has_disks_ = has_disks_ || is_disk(volume);
    if (volume.kind != VolumeKind::kClaim) continue;
    const PersistentVolumeClaim* claim = storage.find_claim(record.namespace_name(), volume.source);
    if (!claim) {
      return {Code::kUnresolvable, Plugin::kVolumeRestrictions,
              "persistentvolumeclaim \"" + volume.source + "\" not found"};
    }
    if (std::ranges::find(claim->access_modes, AccessMode::kReadWriteOncePod) == claim->access_modes.end())
      continue;
    if (std::ranges::find(once_claims_, claim->name) != once_claims_.end()) continue;
    once_claims_.push_back(claim->name);
    if (storage.claim_users.contains(std::string(record.namespace_name()) + "/" + claim->name))
      ++users_at_first_;
  }
  if (users_at_first_ > 0) REPRIEVE_MARK("engine/restrictions/claim-in-use");
  skipped_ = !has_disks_ && users_at_first_ == 0;
  return {};
}

bool VolumeRestrictions::disk_conflict(PodId pod) const {
  if (!has_disks_ || !cycle_.index->has(pod, kHasStorage)) return false;
  for (const PodVolume& mine : cycle_.record().storage->volumes) {
    for (const PodVolume& other : cycle_.index->pods[pod].storage->volumes) {
      if (conflict(mine, other)) return true;
    }
  }
  return false;
}

// conflictingPVCRefCountForPod compares names without their namespace, and counts every reference.
int VolumeRestrictions::claim_conflicts(PodId pod) const {
  if (once_claims_.empty() || !cycle_.index->has(pod, kHasStorage)) return 0;
  return static_cast<int>(
      std::ranges::count_if(cycle_.index->pods[pod].storage->volumes, [&](const PodVolume& volume) {
        if (volume.kind != VolumeKind::kClaim ||
            std::ranges::find(once_claims_, volume.source) == once_claims_.end()) {
          return false;
        }
        if (cycle_.index->group_of(pod).namespace_id != cycle_.group().namespace_id) {
          REPRIEVE_MARK("engine/restrictions/patched-by-name-alone");
        }
        return true;
      }));
}

void VolumeRestrictions::enter(NodeId node) {
  disks_ = 0;
  nominated_disks_ = 0;
  nominated_users_ = 0;
  users_ = users_at_first_;
  if (!has_disks_) return;
  for (const PodId pod : cycle_.node(node).pods) disks_ += disk_conflict(pod) ? 1 : 0;
}

void VolumeRestrictions::add_nominated(PodId pod) {
  nominated_disks_ += disk_conflict(pod) ? 1 : 0;
  nominated_users_ += claim_conflicts(pod);
}

void VolumeRestrictions::patch(PodId pod, int sign) {
  disks_ += disk_conflict(pod) ? sign : 0;
  if (REPRIEVE_MUTANT("claim-user-not-freed", true, false)) users_ += sign * claim_conflicts(pod);
}

Verdict VolumeRestrictions::check(bool nominated) const {
  if (disks_ + (nominated ? nominated_disks_ : 0) > 0) {
    REPRIEVE_MARK("engine/restrictions/disk-in-use");
    return {Code::kUnschedulable, Plugin::kVolumeRestrictions, kDisk};
  }
  if (users_ + (nominated ? nominated_users_ : 0) > 0) {
    return {Code::kUnschedulable, Plugin::kVolumeRestrictions, kOncePod};
  }
  return {};
}

std::string_view VolumeRestrictions::reason(std::uint8_t detail) {
  return detail == kDisk
             ? "node(s) had no available disk"
             : "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
               "already in-use by another pod";
}

}  // namespace reprieve::engine
