// InterPodAffinity, required terms: the preemptor's affinity and anti-affinity, and the anti-affinity
// of pods that stand already. Counted once for each preemptor, then patched.
//
// Source: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go (without the fast path for
// host names, which is behind a gate that is off).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/group_matches.h"
#include "reprieve/engine/filters/verdict.h"
#include "reprieve/engine/flat_counts.h"

namespace reprieve::engine {

class InterPodAffinity {
 public:
  void begin(const Cycle& cycle, GroupMatches& matches);
  bool skipped() const { return skipped_; }
  void enter(NodeId node);
  void add_nominated(PodId pod) { patch_counts(pod, 1, nominated_); }
  void patch(PodId pod, int sign) { patch_counts(pod, sign, patched_); }
  Verdict check(bool nominated) const;
  static std::string_view reason(std::uint8_t detail);

 private:
  // One of the three count maps, keyed by (topology key, value). Terms of one key share a pair, so
  // there is one place for each distinct key.
  struct Counts {
    FlatCounts pairs;
    std::int64_t total = 0;
    std::vector<StringId> keys;
    std::vector<std::int64_t> here;  // of the node entered: its pair for each key
    std::vector<std::uint8_t> has_key;

    void clear();
    std::size_t place(StringId key);
    void enter(const NodeRecord& node);
    void add(const NodeRecord& node, StringId key);
  };
  // Changes on the node entered, one place for each key of each map.
  struct Change {
    std::vector<std::int64_t> affinity, anti, existing;
    std::int64_t affinity_total = 0;

    void clear(std::size_t affinity_keys, std::size_t anti_keys, std::size_t existing_keys);
  };

  void count_existing();
  void count_own();
  void patch_counts(PodId pod, int sign, Change& change);
  bool affinity_holds(const Change& a, const Change* b) const;

  Cycle cycle_;
  GroupMatches* matches_ = nullptr;
  bool skipped_ = true;
  NodeId node_ = kNone;
  Counts affinity_, anti_, existing_;
  std::vector<std::size_t> anti_places_;  // by term
  Change patched_, nominated_;
};

}  // namespace reprieve::engine
