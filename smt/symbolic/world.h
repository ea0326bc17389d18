// What the body of a theorem sees: variables, assumptions, claims. Two things can run a body: the
// explorer (explorer.h), path by path, and the formula (formula.h), for a body without a branch.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/smt/solve/solver.h"
#include "reprieve/smt/symbolic/integer.h"

namespace reprieve::smt {

/// Proved: no path breaks a claim. Refuted: one does, and a model shows it. Unknown is never a pass.
enum class Verdict { kProved, kRefuted, kUnknown, kError };
std::string_view to_string(Verdict verdict);  // "proved", "refuted", "unknown", "error"

struct ProofResult {
  Verdict verdict = Verdict::kProved;
  std::string why;  // of unknown and error; of refuted: the claim that broke
  /// Of refuted; empty when a value of an unbounded variable does not fit into int64.
  std::optional<Assignment> model;
  std::uint64_t paths = 0;
  SolverStatistics solver;
};

struct ProofSettings {
  SolverSettings solver;
  std::uint64_t time_ms = 600'000;  // for all paths; past it: unknown
  /// Called after each path; false stops, which makes the verdict unknown.
  std::function<bool(std::uint64_t paths)> progress;
  /// Called with each query on which "proved" rests: its assertions, which are unsatisfiable together.
  std::function<void(const std::vector<Term>& assertions)> asked;
};

class World : public Guide {
 public:
  // Variables, the same ones on every path. A name is of letters, digits, '.', '_' and '-'.
  Int integer(std::string_view name, std::int64_t lowest, std::int64_t highest);
  Int integer(std::string_view name);  // any integer whatever
  Bool boolean(std::string_view name);

  /// From here on only what satisfies this is looked at.
  virtual void assume(Bool condition) = 0;
  /// A step of a proof: shown from what is assumed and shown so far, and assumed from here on. One that does
  /// not follow is an error. For formulas alone.
  virtual void step(std::string_view what, Bool holds);
  /// What is to hold here, whatever path led here.
  void claim(std::string_view what, Bool holds);
  /// A quotient by a symbol is exact up to here, by asking which it is; beyond, it may be any greater
  /// number: what holds for all of them holds for the one that it is.
  void divide_up_to(std::int64_t most) { most_quotient_ = most; }
  /// A refutation looks for a model in which the sum of these is smallest; they are not negative.
  void minimise(Int size) { sizes_.push_back(size.term()); }

 protected:
  struct Claim {
    std::string what;
    Term holds;
  };

  World(Terms& terms, const ProofSettings& settings) : terms_(terms), settings_(settings) {}
  ~World() = default;

  void must_fit(Term sum) final;
  Term divide(Term a, Term b, std::optional<std::int64_t> limit) final;
  void unsupported(const char* what) final { stop(Verdict::kError, what); }
  bool holds_in_model(Term condition);
  void set_model(std::optional<Assignment> model);
  /// Ends the proof with this verdict; the first one stays.
  void stop(Verdict verdict, std::string why);
  void stop(Answer no_answer, const Solver& solver);
  Term broken_claim() const;  // some claim does not hold
  /// After the solver said that broken_claim() is possible: the smallest model that it finds.
  void refute(Solver& solver);

  Terms& terms_;
  const ProofSettings& settings_;
  ProofResult result_;
  bool stopped_ = false;
  std::optional<Assignment> model_;  // satisfies all assumptions so far, when there is one
  std::vector<Claim> claims_;
  int quotients_ = 0;  // on this path
  std::int64_t most_quotient_ = 3;
  std::vector<Term> sizes_;

 private:
  void shrink(Solver& solver, const Claim& broken);
};

}  // namespace reprieve::smt
