#include "reprieve/smt/theorems/cores.h"

#include "reprieve/engine/selection.h"
#include "reprieve/reference/selection.h"

namespace reprieve::smt {
namespace {

// The engine's node: running sums, and NodeResourcesFit as its filter asks it, first with the
// nominated pods counted in and then without (engine/filters/node_resources_fit, engine/victims.cpp).
class EngineNode {
 public:
  explicit EngineNode(const Question& question) : resources_(question.resources) {
    used_ = resources_.others;
    for (const direct::Ints& held : resources_.held) add(held);
  }
  void restore(std::size_t pod) { add(resources_.held[pod]); }
  void evict(std::size_t pod) {
    for (std::size_t i = 0; i < used_.size(); ++i) used_[i] = used_[i] - resources_.held[pod][i];
  }
  bool fits() const {
    std::vector<Int> with = used_;
    for (std::size_t i = 0; i < with.size(); ++i) with[i] = with[i] + resources_.nominated[i];
    return fits(with) && fits(used_);
  }

 private:
  void add(const direct::Ints& held) {
    for (std::size_t i = 0; i < used_.size(); ++i) used_[i] = used_[i] + held[i];
  }
  bool fits(const std::vector<Int>& used) const {
    return engine::resources_fit<Int>(resources_.asked, used, resources_.allocatable);
  }

  const direct::Resources& resources_;
  std::vector<Int> used_;
};

// The reference's node: who is there. Its filter is a file of its own (reference/filters/), so here
// "fits" is the formula of the semantics.
class ReferenceNode {
 public:
  explicit ReferenceNode(const Question& question)
      : question_(question), kept_(question.pods(), Bool(true)) {}
  void put_back(std::size_t pod) { kept_[pod] = Bool(true); }
  void take_off(std::size_t pod) { kept_[pod] = Bool(false); }
  Bool fits() const { return direct::fits(question_.resources, kept_); }

 private:
  const Question& question_;
  direct::Bools kept_;
};

reference::Selectable<Int, Bool> selectable(const Question& question) {
  return {.selects = question.budgets.selects,
          .disrupted = question.budgets.disrupted,
          .allowed = question.budgets.allowed,
          .charging = question.budgets.charging};
}

// As in engine/victims.cpp: the violation of a victim is that of its class.
Int count_victims(const std::vector<bool>& violating, const std::vector<bool>& evicted) {
  engine::Key<Int> key;
  for (std::size_t pod = 0; pod < evicted.size(); ++pod) {
    if (evicted[pod]) key.add(Int(0), {}, Int(violating[pod] ? 1 : 0));
  }
  return key.violations;
}

std::vector<bool> engine_reprieve(EngineNode& node, const std::vector<bool>& violating) {
  const std::vector<std::uint8_t> classes(violating.begin(), violating.end());
  std::vector<bool> evicted(violating.size(), false);
  engine::reprieve(std::span<const std::uint8_t>(classes), node, [&](std::size_t pod) {
    evicted[pod] = true;
    return true;
  });
  return evicted;
}

std::vector<bool> reference_reprieve(ReferenceNode& node, const std::vector<bool>& violating) {
  std::vector<reference::ChargedPod<Int>> pods(violating.size());
  for (std::size_t pod = 0; pod < pods.size(); ++pod) pods[pod].violating = violating[pod];
  return reference::reprieve(pods, node);
}

}  // namespace

std::vector<bool> engine_charging(const Question& question) {
  std::vector<Int> allowed = question.budgets.allowed;
  std::vector<bool> violating;
  for (std::size_t pod = 0; pod < question.pods(); ++pod) {
    std::vector<engine::Membership> memberships;
    for (std::uint32_t budget = 0; budget < allowed.size(); ++budget) {
      if (!question.budgets.selects[pod][budget]) continue;
      memberships.push_back({budget, static_cast<bool>(question.budgets.disrupted[pod][budget])});
    }
    violating.push_back(engine::charge<Int>(memberships, allowed, question.budgets.charging,
                                            [](const engine::Membership&) {}));
  }
  return violating;
}

std::vector<bool> reference_charging(const Question& question) {
  std::vector<bool> violating;
  for (const auto& pod : reference::charge_budgets(selectable(question))) violating.push_back(pod.violating);
  return violating;
}

std::vector<bool> engine_reprieve(const Question& question, const std::vector<bool>& violating) {
  EngineNode node(question);
  for (std::size_t pod = 0; pod < question.pods(); ++pod) node.evict(pod);
  return engine_reprieve(node, violating);
}

std::vector<bool> reference_reprieve(const Question& question, const std::vector<bool>& violating) {
  ReferenceNode node(question);
  for (std::size_t pod = 0; pod < question.pods(); ++pod) node.take_off(pod);
  return reference_reprieve(node, violating);
}

std::optional<CoreAnswer> engine_selection(const Question& question) {
  EngineNode node(question);
  for (std::size_t pod = 0; pod < question.pods(); ++pod) node.evict(pod);
  if (!node.fits()) return std::nullopt;
  CoreAnswer result;
  result.violating = engine_charging(question);
  result.evicted = engine_reprieve(node, result.violating);
  result.violations = count_victims(result.violating, result.evicted);
  return result;
}

std::optional<CoreAnswer> reference_selection(const Question& question) {
  ReferenceNode node(question);
  const auto selection = reference::select_victims(selectable(question), node);
  if (!selection) return std::nullopt;
  CoreAnswer result{.violating = {}, .evicted = selection->evicted, .violations = selection->violations};
  for (const auto& pod : selection->pods) result.violating.push_back(pod.violating);
  return result;
}

}  // namespace reprieve::smt
