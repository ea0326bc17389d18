// What the laws look up about one question and one answer, built when first asked for and then shared:
// a campaign holds every law against each of thousands of decisions a second.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::laws {

using Pods = std::vector<const Pod*>;

/// Refers to the case and the decision, which outlive it. For one thread.
class Facts {
 public:
  Facts(const Case& question, const Decision& decision) : question_(question), decision_(decision) {}
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  /// nullptr when the case does not have it.
  const Pod* preemptor();

  /// The pod of a "namespace/name"; nullptr when there is none.
  const Pod* find_pod(std::string_view full_name);

  /// The place of a node in the input; nothing when there is no such node.
  std::optional<std::size_t> find_node(std::string_view name);

  /// The pods that run on the node in that place, in input order.
  const Pods& running_on(std::size_t node);

  /// Those of them that have lower priority than the preemptor.
  const Pods& potential_victims_on(std::size_t node);

  /// What the decision tells of the node in that place; nullptr when it does not.
  const NodeDecision* told_of(std::size_t node);

 private:
  struct OnNode {
    Pods running;
    Pods potential_victims;
    const NodeDecision* told = nullptr;
  };

  void index_nodes();
  void index_pods();

  const Case& question_;
  const Decision& decision_;
  bool has_nodes_ = false;
  bool has_pods_ = false;
  std::vector<std::size_t> nodes_by_name_;  // places, sorted by the node's name
  Pods pods_by_name_;                       // sorted by namespace and name
  std::vector<OnNode> on_node_;             // by place
  const Pod* preemptor_ = nullptr;
};

}  // namespace reprieve::laws
