// How many inputs of a run asked something. A target whose inputs seldom do tests nothing, however many
// they are: every run prints this, and the tests set a floor under it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "reprieve/model/decision.h"

namespace reprieve::fuzz {

/// How much a case asked.
enum class Asked : std::uint8_t {
  kNothing,  // the preemptor fits somewhere, or may not preempt
  kWhether,  // whether anybody's eviction helps: no node was worth a try
  kWhose,    // whose: somebody's eviction was tried
};
Asked asked_of(const Decision& decision);

struct Statistics {
  std::string target = "fuzz";
  std::uint64_t inputs = 0;
  std::uint64_t comparisons = 0;               // inputs that asked something
  std::uint64_t dry_runs = 0;                  // of cases: somebody's eviction was tried
  std::array<std::uint64_t, 5> outcomes = {};  // of cases, by Outcome
  std::uint64_t print_every = 0;               // inputs; 0: only at exit

  /// Of a decided case, which asks something when the preemptor fits nowhere and may preempt. Whether it is
  /// worth keeping: somebody's eviction was tried.
  bool add(const Decision& decision);
  /// Of any other input.
  bool add(bool asks);

  double share() const {
    return inputs == 0 ? 0 : static_cast<double>(comparisons) / static_cast<double>(inputs);
  }
  /// One line.
  std::string text() const;

 private:
  void count(bool asks);
};

/// Of this process.
Statistics& statistics();

}  // namespace reprieve::fuzz
