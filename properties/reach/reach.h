// What a run of cases has reached. A green run that never evicted anybody proves nothing, so every
// report carries this table, and tests set floors under it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/marks/mark.h"
#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/generators/features.h"

namespace reprieve::reach {

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

class Reach {
 public:
  /// Counts one case and its decision. Plugins and stories are counted as far as the decision tells
  /// them (depth full).
  void add(const Case& question, const Decision& decision);
  /// Counts path marks that were taken meanwhile; those with 0 are then told as never taken.
  void add_marks(const marks::Counts& taken);
  /// Adds what another run, or thread, has reached.
  void merge(const Reach& other);

  std::uint64_t cases() const { return cases_; }
  /// Of all cases: "fits", "nominated", ...
  const Counts& outcomes() const { return outcomes_; }
  /// Of the nominations: the deciding level, or "total tie", or "single candidate".
  const Counts& levels() const { return levels_; }
  /// Of all nodes: "candidate", ...
  const Counts& statuses() const { return statuses_; }
  /// Of all nodes: the plugin that failed first as the cluster stands; and the one that still failed
  /// with every potential victim gone.
  const Counts& first_failures() const { return first_failures_; }
  const Counts& emptied_failures() const { return emptied_failures_; }
  /// Of all victims: the plugin because of which the pod could not be reprieved.
  const Counts& not_reprieved() const { return not_reprieved_; }
  /// Of the nominations: "violations 0", "victims 2", "tie of 2", "cleared 1", "budgets over one pod 2", ...
  /// (3 stands for more).
  const Counts& traits() const { return traits_; }
  /// Of all cases, and of those with a nomination: how many have the feature.
  std::uint64_t with_feature(generators::Feature feature) const { return features_[index(feature)].cases; }
  std::uint64_t nominated_with_feature(generators::Feature feature) const {
    return features_[index(feature)].nominated;
  }

  /// How often each path mark was taken: "engine/eligible/never-preempts".
  const Counts& marks() const { return marks_; }
  /// The marks of 0.
  std::vector<std::string_view> marks_never_taken() const;

  /// Everything as a table of counts and shares for a terminal.
  std::string table() const;

 private:
  struct FeatureCount {
    std::uint64_t cases = 0;
    std::uint64_t nominated = 0;
  };
  static std::size_t index(generators::Feature feature) { return static_cast<std::size_t>(feature); }
  void add_node(const NodeDecision& node);

  std::uint64_t cases_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t nominations_ = 0;
  Counts outcomes_;
  Counts levels_;
  Counts statuses_;
  Counts first_failures_;
  Counts emptied_failures_;
  Counts not_reprieved_;
  Counts traits_;
  Counts marks_;
  std::array<FeatureCount, generators::kFeatureCount> features_{};
};

}  // namespace reprieve::reach
