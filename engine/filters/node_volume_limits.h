// NodeVolumeLimits: how many volumes of each CSI driver a node can attach.
// Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go. Of the in-tree volumes that CSI
// migration translates, GCE and AWS disks in a pod and in-tree provisioners of unbound claims are
// counted; in-tree PersistentVolumes and the other kinds are not.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/verdict.h"

namespace reprieve::engine {

class NodeVolumeLimits {
 public:
  void begin(const Cycle& cycle);
  bool skipped() const { return skipped_; }
  void enter(NodeId node);
  void add_nominated(PodId pod) { nominated_.push_back(pod); }
  void patch(PodId pod, int sign);
  Verdict check(bool nominated) const;
  std::string reason(const Verdict& verdict) const;

 private:
  using Attachable = std::map<std::string, std::string>;  // unique volume name -> driver

  bool new_volumes(Attachable& volumes) const;
  bool collect(PodId pod, bool has_csi_node, Attachable& volumes, std::string* error) const;
  void driver_of(const PersistentVolumeClaim& claim, bool has_csi_node, std::string& driver,
                 std::string& handle) const;
  const std::string* missing_driver(const Attachable& volumes) const;

  std::vector<PodId> as_upstream_lists_them() const;

  Cycle cycle_;
  bool skipped_ = true;
  NodeId node_ = kNone;
  const CsiNode* csi_node_ = nullptr;
  std::vector<PodId> present_;  // the node's pods as patched; those put back come last, in that order
  std::vector<PodId> off_;      // those ever taken off
  std::vector<PodId> nominated_;
};

}  // namespace reprieve::engine
