// Every mutant by name: where it stands, what is wrong while it is active, and on which kind of case
// that shows. The table is the one list that tests, the kill matrix and `reprieve` go through;
// registry_test holds it against the sources, both ways.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace reprieve::mutants {

enum class Kind : std::uint8_t {
  kHistoric,   // a fault that an upstream release had
  kOperator,   // a systematic small change of the algorithm
  kFilter,     // a filter, or what it reads
  kSnapshot,   // an update of the engine's snapshot in place
  kManifest,   // reading manifests
  kFatal,      // the process dies of it, or never ends
  kScheduler,  // the program that runs the real kube-scheduler: not in this one
};

/// "historic", "operator", ...
std::string_view to_string(Kind kind);

struct Mutant {
  std::string_view name;
  std::string_view file;   // from the root of the repository
  std::string_view wrong;  // one sentence: what the program then does
  Kind kind = Kind::kOperator;
  std::string_view seen_in;  // the kind of case on which an answer differs
  /// Why no case can tell it from the right program; empty for all that must be caught.
  std::string_view equivalent;
};

/// Those of this program.
std::span<const Mutant> all_mutants();
/// Those of subjects/kube-scheduler, which REPRIEVE_PLANTED switches on there; kind kScheduler.
std::span<const Mutant> scheduler_mutants();
/// nullptr when there is none of that name.
const Mutant* find_mutant(std::string_view name);

}  // namespace reprieve::mutants
