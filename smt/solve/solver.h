// A solver for Terms. Z3 is behind it, and no header of Z3 outside solve/z3_solver.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "reprieve/smt/terms/term.h"

namespace reprieve::smt {

enum class Answer { kSatisfiable, kUnsatisfiable, kUnknown, kError };

struct SolverSettings {
  std::uint32_t time_out_ms = 60'000;  // for one query
  std::uint32_t memory_mb = 4'000;
  std::uint32_t seed = 0;
  bool incremental = false;  // many small queries that share a stack, rather than one large one
};

struct SolverStatistics {
  std::uint64_t queries = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t time_us = 0;
};

class Solver {
 public:
  Solver(Terms& terms, const SolverSettings& settings);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// "Z3 5.4.0": that of the library, not of the headers.
  static std::string version();

  void push();
  void pop(std::uint32_t levels = 1);
  /// Asserts a boolean term; the declared ranges of variables come along.
  void add(Term term);

  Answer check();
  /// After kUnknown or kError: the solver's own words.
  const std::string& reason() const;
  /// After kSatisfiable: a value for each variable. Nothing when one does not fit into int64, which
  /// can only happen to a variable without a range.
  std::optional<Assignment> model() const;

  SolverStatistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace reprieve::smt
