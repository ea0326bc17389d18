// VolumeRestrictions: in-tree disks that allow one user, and claims of access mode ReadWriteOncePod.
// Source: pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/node_properties.h"
#include "reprieve/engine/filters/verdict.h"

namespace reprieve::engine {

class VolumeRestrictions {
 public:
  PreFilterRejection begin(const Cycle& cycle);
  bool skipped() const { return skipped_; }
  void enter(NodeId node);
  void add_nominated(PodId pod);
  void patch(PodId pod, int sign);
  Verdict check(bool nominated) const;
  static std::string_view reason(std::uint8_t detail);

 private:
  bool disk_conflict(PodId pod) const;
  int claim_conflicts(PodId pod) const;

  Cycle cycle_;
  bool skipped_ = true;
  bool has_disks_ = false;
  std::vector<std::string> once_claims_;  // names of the preemptor's ReadWriteOncePod claims
  int users_at_first_ = 0;                // of those claims, how many some pod in the cluster uses
  int disks_ = 0, nominated_disks_ = 0;   // pods on the node that hold one of the disks
  int users_ = 0, nominated_users_ = 0;
};

}  // namespace reprieve::engine
