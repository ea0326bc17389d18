// Pods of one shape that ask one after the other, each decision applied before the next: what a scheduler
// goes through when a large job arrives.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reprieve/bench/scene.h"

namespace reprieve::bench {

/// What becomes of a preemptor when its victims are gone. Nominated it stays pending, and is counted
/// in where others ask; bound it runs.
enum class Applied { kNominated, kBound };

class Burst {
 public:
  /// `count` identical preemptors "default/burst-K" of `percent` of a node on the setup's cluster.
  Burst(const Setup& setup, int count, int percent, Applied applied);

  /// Decides for the next preemptor and applies it: the victims are gone, each takes one from every budget
  /// that selects it and still allows some, and the preemptor has its node. Only the snapshot is changed.
  const Decision& step();
  int count() const { return static_cast<int>(burst_.size()); }
  int victims() const;

  /// Takes all steps back; the pods that come back are the last in input order then.
  void undo();

  /// The cluster as it stands after the steps so far.
  Cluster cluster() const;
  const std::string& next() const { return names_[taken_.size()]; }
  const Policy& policy() const { return scene_.policy; }

 private:
  void spend_budgets(const Pod& victim);
  std::vector<std::size_t> gone() const;

  std::vector<Pod> burst_;
  Scene scene_;
  Applied applied_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> pod_by_name_;  // into scene_.cluster.pods
  std::unordered_map<std::string, std::size_t> budget_by_label_;
  std::vector<DisruptionBudget> budgets_;  // as they stand
  engine::Snapshot snapshot_;
  engine::Workspace workspace_;
  std::vector<Decision> taken_;  // one for each step
};

/// Runs a burst, and before each step whose number is a multiple of `every` decides on a snapshot that
/// is built anew from the cluster as well. Says how the two differ; empty: they agree.
std::string burst_disagreement(const Setup& setup, int count, int percent, Applied applied, int every);

}  // namespace reprieve::bench
