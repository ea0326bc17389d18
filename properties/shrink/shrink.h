// Makes a failing case small enough to be read. Greedy and deterministic: every step keeps the case
// valid and failing, and makes it simpler, until no step does.
#pragma once

#include <chrono>
#include <functional>

#include "reprieve/model/case.h"

namespace reprieve::shrink {

/// Whether a case still shows what is to be shown. Must be deterministic, and should test for *the
/// same* failure, or the shrinker wanders off to another.
using StillFails = std::function<bool(const Case&)>;

struct Settings {
  /// How often `StillFails` may be asked; the best case so far is returned when it runs out.
  int max_calls = 4000;
  /// Nor for longer than this: a decision may take long, as one over many sets of victims does.
  std::chrono::seconds longest = std::chrono::hours{24};
};

struct Result {
  Case smallest;
  int calls = 0;              // how often StillFails was asked
  bool out_of_calls = false;  // or of time: it might become smaller still
};

/// Shrinks `question`, for which `still_fails` must hold (else it is returned as it is). Removes nodes,
/// pods and other objects, then every part of what is left, then makes numbers small and round, and
/// names canonical (n1, p1, b1). The result is valid (generators/valid.h).
Result shrink(Case question, const StillFails& still_fails, const Settings& settings = {});

}  // namespace reprieve::shrink
