// The selection cores of engine and reference, run on a symbolic Question: the templates that ship,
// with smt::Int in place of std::int64_t. What stands around them in production (who is a potential
// victim, which pods hold what) is the Question's.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {

/// What a core did on this path: all is known on it.
struct CoreAnswer {
  std::vector<bool> violating, evicted;
  Int violations;
};

/// Phase one alone: who is violating.
std::vector<bool> engine_charging(const Question& question);
std::vector<bool> reference_charging(const Question& question);

/// Phase two alone, given who is violating: who is evicted.
std::vector<bool> engine_reprieve(const Question& question, const std::vector<bool>& violating);
std::vector<bool> reference_reprieve(const Question& question, const std::vector<bool>& violating);

/// The victims as the engine lists them, given who is violating and who is evicted.
std::vector<std::size_t> engine_list(const std::vector<bool>& violating, const std::vector<bool>& evicted);

/// The whole of step 3; nothing when the preemptor does not fit with every potential victim gone.
std::optional<CoreAnswer> engine_selection(const Question& question);
std::optional<CoreAnswer> reference_selection(const Question& question);

}  // namespace reprieve::smt
