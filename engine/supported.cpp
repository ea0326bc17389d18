#include "reprieve/engine/supported.h"

namespace reprieve::engine {

std::optional<std::string> unsupported(const Policy& policy) {
  if (policy.victims == VictimSearch::kExact && policy.violations == ViolationCount::kClassified) {
    return "policy field violations: must be actual when victims is exact";
  }
  return std::nullopt;
}

}  // namespace reprieve::engine
