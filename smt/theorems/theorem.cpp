#include "reprieve/smt/theorems/theorem.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "reprieve/smt/symbolic/explorer.h"
#include "reprieve/smt/symbolic/formula.h"

namespace reprieve::smt {

std::string to_string(const Bounds& bounds) {
  std::string text;
  const auto add = [&](int number, std::string_view what) {
    if (number > 0)
      text += fmt::format("{}{} {}{}", text.empty() ? "" : " x ", number, what, number > 1 ? "s" : "");
  };
  add(bounds.pods, "pod");
  add(bounds.resources, "resource");
  add(bounds.budgets, "budget");
  return text;
}

const std::vector<Theorem>& theorems() {
  static const std::vector<Theorem> all = [] {
    std::vector<Theorem> list;
    add_step_theorems(list);
    add_core_theorems(list);
    add_violation_theorems(list);
    add_release_theorems(list);
    add_monotonicity_theorems(list);
    add_ranking_theorems(list);
    return list;
  }();
  return all;
}

const Theorem* find_theorem(std::string_view name) {
  const auto found = std::ranges::find(theorems(), name, &Theorem::name);
  return found == theorems().end() ? nullptr : &*found;
}

Proof run(const Theorem& theorem, Terms& terms, Effort effort, bool contrast, const ProofSettings& settings) {
  const bool expected = theorem.holds != contrast;
  const Bounds most = theorem.bounds(effort);
  Proof proof;
  // What is refuted is asked for one pod, then for two, and so on: the first is the smallest. What is
  // to be proved is asked once, for the most pods (fewer are among them, holding nothing).
  proof.bounds = most;
  if (!expected && most.pods > 0) proof.bounds.pods = 1;
  const auto start = std::chrono::steady_clock::now();
  SolverStatistics solver;
  std::uint64_t paths = 0;
  for (;; ++proof.bounds.pods) {
    const auto body = [&](World& world) { theorem.body(world, proof.bounds, contrast); };
    proof.outcome = theorem.explored ? explore(terms, body, settings) : prove(terms, body, settings);
    solver.queries += proof.outcome.solver.queries;
    solver.conflicts += proof.outcome.solver.conflicts;
    solver.time_us += proof.outcome.solver.time_us;
    paths += proof.outcome.paths;
    if (expected || proof.bounds.pods >= most.pods || proof.outcome.verdict == Verdict::kRefuted ||
        proof.outcome.verdict == Verdict::kUnknown)
      break;
  }
  proof.outcome.solver = solver;
  proof.outcome.paths = paths;
  proof.time_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start)
          .count());
  proof.as_expected = proof.outcome.verdict == (expected ? Verdict::kProved : Verdict::kRefuted);
  return proof;
}

}  // namespace reprieve::smt
