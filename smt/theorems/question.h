// One node as the selection sees it, with a symbol for every number: what the theorems of step 3 are
// about. The names of the variables say what they are ("pod1.cpu", "pod1.in.budget2"), so that a
// counterexample can be made into a cluster (witness.h) whatever the theorem was.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reprieve/smt/direct/selection.h"
#include "reprieve/smt/theorems/theorem.h"

namespace reprieve::smt {

// Ranges of what the API holds. Quantities stay below 2^40, so that no sum of them is near int64:
// the API server takes more, and manifest/ refuses what does not add up.
inline constexpr std::int64_t kMostOfAResource = std::int64_t{1} << 40;
inline constexpr std::int64_t kLeastInt32 = -(std::int64_t{1} << 31);
inline constexpr std::int64_t kMostInt32 = (std::int64_t{1} << 31) - 1;

/// The order of Kubernetes' own policies.
inline const std::vector<NodeCriterion> kFiveLevels = Policy{}.node_order;

std::string resource_name(std::size_t resource);  // "cpu", "memory", "gpu"

/// A number from 0 to `most`: one of them on each path.
std::int64_t some(World& world, const std::string& name, std::int64_t most);

/// Any set of pods: "victim1", "victim2", ...
direct::Bools some_pods(World& world, const std::string& name, int pods);
/// What the pods of the set come to together.
Int total_of(std::span<const Bool> set, std::span<const Int> values);

/// Whether `pod` is not more important than the one before it; a missing start is the latest.
Bool in_order(const direct::Pod& before, const direct::Pod& pod);

struct Question {
  direct::Budgets budgets;
  direct::Resources resources;

  std::size_t pods() const { return budgets.selects.size(); }
  direct::Fits fits() const {
    return [this](const direct::Bools& kept) { return direct::fits(resources, kept); };
  }
};

struct QuestionOptions {
  bool disrupted = false;  // budgets may list pods in disruptedPods
  bool nominated = false;  // nominated pods and more important ones hold something too
};

/// Every membership, every allowance, every size up to the bounds; `prefix` tells two nodes apart.
Question ask(World& world, const Bounds& bounds, Charging charging, const QuestionOptions& options = {},
             const std::string& prefix = "");

/// That the node is tried at all: the preemptor does not fit now, and asks no more than allocatable.
void assume_tried(World& world, const Question& question);
/// And that it is a candidate: the preemptor fits with all potential victims gone.
void assume_candidate(World& world, const Question& question);

/// That no pod is under two budgets.
void assume_one_budget_each(World& world, const Question& question);
/// That all pods hold the same.
void assume_equal_sizes(World& world, const Question& question);
/// What victims must free of a resource for the preemptor to fit; not positive: nothing.
Int lacking(const Question& question, std::size_t resource);

/// The same node once its first budget is gone: it selects nobody.
Question without_first_budget(Question question);

/// That a counterexample should be small: few memberships, small numbers.
void prefer_small(World& world, const Question& question);

/// The answer by the direct encoding.
struct DirectAnswer {
  direct::Bools violating, evicted;
  Int violations;
};
DirectAnswer answer(const Question& question);

}  // namespace reprieve::smt
