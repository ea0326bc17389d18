// What a change of a policy should keep: each statement proved or refuted for the policy that is given,
// with the smallest cluster where it is refuted; and the smallest cluster on which two policies differ.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/policy.h"
#include "reprieve/smt/policy/node.h"
#include "reprieve/smt/theorems/theorem.h"

namespace reprieve::smt {

struct Invariant {
  std::string name;
  std::string sentence;
  /// The two of these are told apart where a policy is judged: one that is to be kept, and one that tells
  /// what can happen (a level that can decide), which is shown by a cluster.
  bool shown_by_a_cluster = false;
  int nodes = 1;
  std::function<void(World&, const Shape&)> body;  // claims it, or for shown_by_a_cluster that it cannot be
};

/// Those of a policy; for `not_encoded` ones none.
std::vector<Invariant> invariants(const Policy& policy);

/// One statement about one policy, decided. kProved: it holds up to the bounds (or of shown_by_a_cluster:
/// the cluster shows it).
struct Finding {
  Verdict verdict = Verdict::kUnknown;
  std::string why;            // of unknown and error
  Shape shape;                // of the witness, or the largest that was asked
  std::optional<Case> shown;  // the smallest cluster
  std::string fault;          // engine or reference decide it otherwise: an encoding that is wrong
  std::uint64_t time_us = 0;
};
Finding decide(const Policy& policy, const Invariant& invariant, Effort effort,
               const ProofSettings& settings);

/// In what two policies differ.
enum class Difference { kViolations, kVictims, kNode };
std::string_view to_string(Difference difference);  // "violations", "victims", "node"

/// Why differ() cannot ask about these two; empty: it can.
std::string not_comparable(const Policy& a, const Policy& b);

/// The smallest cluster where they do: fewest pods first, then the smallest numbers. kProved: no cluster up
/// to the bounds shows one.
Finding differ(const Policy& a, const Policy& b, Difference in, Effort effort, const ProofSettings& settings);

}  // namespace reprieve::smt
