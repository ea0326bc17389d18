// What a theorem is, and all of them. docs/THEOREMS.md is written from this registry.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/policy.h"
#include "reprieve/smt/symbolic/world.h"

namespace reprieve::smt {

/// kUnbounded: every cluster, by invariant or pure arithmetic. kBounded: every cluster up to the bounds.
enum class Kind { kUnbounded, kBounded };

struct Bounds {
  int pods = 0;  // potential victims on a node
  int resources = 0;
  int budgets = 0;
  bool operator==(const Bounds&) const = default;
};
std::string to_string(const Bounds& bounds);  // "4 pods x 2 resources x 2 budgets"; what is 0 is left out

/// How far a proof goes: in the tests, by default, in the night.
enum class Effort { kQuick, kDefault, kNightly };

/// What a refutation becomes: the cluster that the model describes (witness.h), or nothing.
enum class Shows { kNothing, kNode, kTwoNodes, kListedPods };

struct Theorem {
  std::string name;
  std::string sentence;
  std::string formal;
  std::string about;  // the code that is executed, or "docs/SEMANTICS.md" for the direct encoding
  Kind kind = Kind::kBounded;
  Bounds quick, usual, nightly;
  std::vector<Bounds> required = {};  // decided by the tests beside `quick` (required_bounds_test)
  bool holds = true;                  // the expected verdict: proved, or refuted
  std::string contrast;               // a changed statement of the opposite verdict
  bool explored = false;              // the body branches: it runs code that ships
  Release release = Release::k1_37;   // whose charging the witness shows
  Shows shows = Shows::kNothing;
  /// States it, or with `contrast` the changed statement.
  std::function<void(World&, const Bounds&, bool contrast)> body;

  const Bounds& bounds(Effort effort) const {
    return effort == Effort::kQuick ? quick : effort == Effort::kDefault ? usual : nightly;
  }
};

/// All, in the order of docs/THEOREMS.md.
const std::vector<Theorem>& theorems();
const Theorem* find_theorem(std::string_view name);
/// The bounds at which a theorem is asked when all are asked at `given`: no farther than at night; whole
/// walks of code that ships, with room and budgets in question, no farther than by default.
Bounds within(const Theorem& theorem, const Bounds& given);

/// Each family adds its own.
void add_step_theorems(std::vector<Theorem>& to);
void add_core_theorems(std::vector<Theorem>& to);
void add_violation_theorems(std::vector<Theorem>& to);
void add_release_theorems(std::vector<Theorem>& to);
void add_ranking_theorems(std::vector<Theorem>& to);
void add_monotonicity_theorems(std::vector<Theorem>& to);
void add_bound_theorems(std::vector<Theorem>& to);
void add_exact_bound_theorems(std::vector<Theorem>& to);
void add_skip_theorems(std::vector<Theorem>& to);
void add_exact_theorems(std::vector<Theorem>& to);

/// Runs one. A refutation looks for the smallest case: fewest pods first, then the smallest numbers.
struct Proof {
  ProofResult outcome;
  Bounds bounds;  // what the verdict is about
  std::uint64_t time_us = 0;
  bool as_expected = false;
};
Proof run(const Theorem& theorem, Terms& terms, Effort effort, bool contrast, const ProofSettings& settings);

/// The same for these bounds alone.
Proof run(const Theorem& theorem, Terms& terms, const Bounds& bounds, bool contrast,
          const ProofSettings& settings);

}  // namespace reprieve::smt
