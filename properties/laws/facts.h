// What the laws look up about one question and one answer, built when first asked for and then shared:
// a campaign holds every law against each of thousands of decisions a second.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/laws/charging.h"

namespace reprieve::reference {
class Fit;
}

namespace reprieve::laws {

using Pods = std::vector<const Pod*>;

/// Refers to the case and the decision, which outlive it. For one thread.
class Facts {
 public:
  Facts(const Case& question, const Decision& decision);
  ~Facts();
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  const Case& question() const { return question_; }
  const Decision& decision() const { return decision_; }

  /// nullptr when the case does not have it.
  const Pod* preemptor();

  /// The pod of a "namespace/name"; nullptr when there is none.
  const Pod* find_pod(std::string_view full_name);

  /// The same for several; nothing when one is not there.
  std::optional<Pods> find_pods(std::span<const std::string> full_names);

  /// The place of a node in the input; nothing when there is no such node.
  std::optional<std::size_t> find_node(std::string_view name);

  /// The pods that run on the node in that place, in input order.
  const Pods& running_on(std::size_t node);

  /// Those of them that have lower priority than the preemptor.
  const Pods& potential_victims_on(std::size_t node);

  /// The same, the most important first.
  const Pods& by_importance(std::size_t node);

  /// The same, charged in that order to the budgets by the policy's rule: what classes them.
  const std::vector<ChargedPod>& classed(std::size_t node);

  /// The told victims of the node, as listed; nothing when nothing is told of the node, or one of them is
  /// no pod of the case.
  const std::optional<Pods>& victims_on(std::size_t node);

  /// What the decision tells of the node in that place; nullptr when it does not.
  const NodeDecision* told_of(std::size_t node);

  /// Why the preemptor does not fit on a node, by the filters of the reference.
  struct Refusal {
    std::string plugin;  // the first that fails
    std::string text;    // "PLUGIN: reasons"
    bool unresolvable = false;
  };

  /// As the cluster stands; nothing: it fits.
  const std::optional<Refusal>& refusal_as_it_stands(std::size_t node);

  /// Whether it fits once these pods are gone from the node, counted afresh: as in a cluster that never
  /// had them; and why it does not.
  bool fits_without(std::size_t node, const Pods& gone);
  std::optional<Refusal> refusal_without(std::size_t node, const Pods& gone);

  /// The same as the dry run counts: all potential victims are taken off, by patches of the counts, and
  /// those that are not gone put back.
  std::optional<Refusal> refusal_patched_without(std::size_t node, const Pods& gone);

 private:
  struct OnNode {
    Pods running;
    Pods potential_victims;
    std::optional<Pods> by_importance;
    std::optional<std::vector<ChargedPod>> classed;
    std::optional<Refusal> refusal;
    const NodeDecision* told = nullptr;
    bool has_victims = false;
    std::optional<Pods> victims;
  };

  void index_nodes();
  void index_pods();
  reference::Fit& fit();

  const Case& question_;
  const Decision& decision_;
  bool has_nodes_ = false;
  bool has_pods_ = false;
  std::vector<std::size_t> nodes_by_name_;  // places, sorted by the node's name
  Pods pods_by_name_;                       // sorted by namespace and name
  std::vector<OnNode> on_node_;             // by place
  const Pod* preemptor_ = nullptr;
  bool has_refusals_ = false;
  std::unique_ptr<reference::Fit> fit_;
};

}  // namespace reprieve::laws
