// PodTopologySpread, DoNotSchedule constraints: counted once for each preemptor, then *patched* as pods
// are taken off and put back. The patch is not the inverse of the count: the count skips terminating
// pods and an empty selector, the patch does not.
//
// Source: pkg/scheduler/framework/plugins/podtopologyspread/{common,filtering}.go.
#pragma once

#include <cstdint>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/group_matches.h"
#include "reprieve/engine/filters/verdict.h"
#include "reprieve/engine/flat_counts.h"

namespace reprieve::engine {

class PodTopologySpread {
 public:
  void begin(const Cycle& cycle, GroupMatches& matches);
  bool skipped() const { return skipped_; }
  void enter(NodeId node);
  void add_nominated(PodId pod) { patch_counts(pod, 1, &Local::nominated); }
  void patch(PodId pod, int sign) { patch_counts(pod, sign, &Local::patched); }
  Verdict check(bool nominated) const;
  static std::string_view reason(std::uint8_t detail);

 private:
  // A constraint over the whole cluster. The two smallest counts suffice: evictions on one node
  // change one domain, and the least of the others is then one of these (criticalPaths).
  struct Global {
    FlatCounts counts;  // matching pods by topology value, of the domains that count
    StringId least_domain = kNoString;
    std::int64_t least = 0;
    std::int64_t second = 0;
  };
  // A constraint on the node that was entered.
  struct Local {
    bool has_key = false;
    bool counts_node = false;  // the patch applies to this node
    bool known_domain = false;
    std::int64_t count = 0;
    std::int64_t least_elsewhere = 0;
    std::int64_t patched = 0;
    std::int64_t nominated = 0;
  };

  bool has_every_key(const NodeRecord& node) const;
  bool included(const SpreadConstraint& constraint, NodeId node) const;
  void count(std::size_t constraint);
  void patch_counts(PodId pod, int sign, std::int64_t Local::* what);

  Cycle cycle_;
  GroupMatches* matches_ = nullptr;
  bool skipped_ = true;
  std::vector<Global> globals_;  // kept between preemptors; as many are used as there are constraints
  std::vector<Local> locals_;
  std::vector<StringId> domains_;  // by node: its domain, if it counts; of the constraint that is counted
};

}  // namespace reprieve::engine
