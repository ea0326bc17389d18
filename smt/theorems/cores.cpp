#include "reprieve/smt/theorems/cores.h"

#include <cstdint>
#include <functional>
#include <numeric>

#include "reprieve/engine/selection.h"
#include "reprieve/reference/selection.h"

namespace reprieve::smt {
namespace {

// The engine's node: running sums, and NodeResourcesFit as its filter asks it, first with the
// nominated pods counted in and then without (engine/filters/node_resources_fit, engine/filters/chain.cpp).
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
    return engine::run_with_nominated(true, [&](bool with_nominated) { return run(with_nominated); }).fits();
  }

 private:
  void add(const direct::Ints& held) {
    for (std::size_t i = 0; i < used_.size(); ++i) used_[i] = used_[i] + held[i];
  }
  struct Verdict {
    bool passed;
    bool fits() const { return passed; }
  };
  Verdict run(bool with_nominated) const {
    std::vector<Int> used = used_;
    for (std::size_t i = 0; with_nominated && i < used.size(); ++i)
      used[i] = used[i] + resources_.nominated[i];
    return {engine::resources_fit<Int>(resources_.asked, used, resources_.allocatable)};
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

using Classes = std::vector<std::uint8_t>;
Classes classes_of(const std::vector<bool>& pods) { return {pods.begin(), pods.end()}; }

// Who is evicted, and how many violations these are, counted as engine/victims.cpp does.
CoreAnswer engine_walk(EngineNode& node, const std::vector<bool>& violating) {
  const Classes classes = classes_of(violating);
  engine::Key<Int> key;
  CoreAnswer answer{
      .violating = violating, .evicted = std::vector<bool>(violating.size(), false), .violations = {}};
  engine::reprieve(classes, node, [&](std::size_t pod) {
    answer.evicted[pod] = true;
    key.add(Int(0), {}, engine::violation_of(classes, pod, key.violations));
    return true;
  });
  answer.violations = key.violations;
  return answer;
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
  return engine_walk(node, violating).evicted;
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
  return engine_walk(node, engine_charging(question));
}

std::vector<std::size_t> engine_list(const std::vector<bool>& violating, const std::vector<bool>& evicted) {
  std::vector<std::size_t> potential(evicted.size()), victims;
  std::iota(potential.begin(), potential.end(), std::size_t{0});
  engine::list_victims<std::size_t>(potential, classes_of(violating), classes_of(evicted), std::less<>(),
                                    victims);
  return victims;
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
