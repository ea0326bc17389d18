#include "reprieve/properties/laws/one_decision.h"

#include <array>

namespace reprieve::laws {

std::span<const Law* const> one_decision_laws() {
  static constexpr std::array kLaws = {
      &kVictimsHaveLowerPriority,
  };
  return kLaws;
}

}  // namespace reprieve::laws
