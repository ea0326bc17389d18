// A mutant against the stages, on generated cases. Only where mutants are compiled in.
//
// At most one mutant is active in a process, so hunts run one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/mutants/registry.h"
#include "reprieve/properties/kill/stage.h"

namespace reprieve::kill {

/// The case of a seed: the default mix, under the policies of both releases and under others.
Case case_of(std::uint64_t seed);

/// How a stage found a mutant out.
struct Kill {
  std::uint64_t seed = 0;
  std::uint64_t cases = 0;  // looked at, this one included
  std::string why;
};

/// The first of the cases from `seed` on, `cases` at most, on which the stage finds something. A
/// stage that finds something without the mutant finds nothing here: it would prove nothing.
std::optional<Kill> hunt(const mutants::Mutant& mutant, Stage& stage, std::uint64_t seed,
                         std::uint64_t cases);

/// The same for many stages at once, one place for each; ends early when every stage has found it.
std::vector<std::optional<Kill>> hunt(const mutants::Mutant& mutant,
                                      std::span<const std::unique_ptr<Stage>> stages, std::uint64_t seed,
                                      std::uint64_t cases);

/// The smallest case on which the stage still finds the mutant, and nothing without it.
Case smallest(const mutants::Mutant& mutant, Stage& stage, std::uint64_t seed);

}  // namespace reprieve::kill
