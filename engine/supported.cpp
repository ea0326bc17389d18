#include "reprieve/engine/supported.h"

namespace reprieve::engine {

std::optional<std::string> unsupported(const Policy& policy) {
  if (policy.victims != VictimSearch::kGreedy) return "policy field victims: exact is not implemented";
  return std::nullopt;
}

}  // namespace reprieve::engine
