#include "reprieve/reference/filters/tolerations.h"

#include "reprieve/marks/mark.h"
namespace reprieve::reference {
namespace {

bool tolerates_one(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect != TaintEffect::kAny && toleration.effect != taint.effect) return false;
  // An empty key stands for every key, with any operator: only validation ties it to Exists.
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.key.empty()) REPRIEVE_MARK("reference/taints/empty-key");
  switch (toleration.op) {
    case TolerationOperator::kEqual: return toleration.value == taint.value;
    case TolerationOperator::kExists: return true;
    case TolerationOperator::kGt:
    case TolerationOperator::kLt: REPRIEVE_MARK("reference/taints/numeric-operator"); return false;
    case TolerationOperator::kInvalid: return false;
  }
  return false;
}

}  // namespace

bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  for (const Toleration& toleration : tolerations) {
    if (tolerates_one(toleration, taint)) return true;
  }
  return false;
}

bool has_untolerated_taint(const Node& node, const std::vector<Toleration>& tolerations) {
  for (const Taint& taint : node.taints) {
    if (taint.effect != TaintEffect::kNoSchedule && taint.effect != TaintEffect::kNoExecute) continue;
    if (!tolerates(tolerations, taint)) return true;
  }
  return false;
}

}  // namespace reprieve::reference
