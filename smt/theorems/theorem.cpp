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
    add_bound_theorems(list);
    add_exact_bound_theorems(list);
    add_skip_theorems(list);
    add_exact_theorems(list);
    return list;
  }();
  return all;
}

const Theorem* find_theorem(std::string_view name) {
  const auto found = std::ranges::find(theorems(), name, &Theorem::name);
  return found == theorems().end() ? nullptr : &*found;
}

Bounds within(const Theorem& theorem, const Bounds& given) {
  const bool whole = theorem.explored && theorem.nightly.resources > 0 && theorem.nightly.budgets > 0;
  const Bounds& most = whole ? theorem.usual : theorem.nightly;
  return {.pods = std::min(given.pods, most.pods),
          .resources = std::min(given.resources, most.resources),
          .budgets = std::min(given.budgets, most.budgets)};
}

Proof run(const Theorem& theorem, Terms& terms, const Bounds& bounds, bool contrast,
          const ProofSettings& settings) {
  Proof proof{.bounds = bounds};
  const auto body = [&](World& world) { theorem.body(world, bounds, contrast); };
  const auto start = std::chrono::steady_clock::now();
  proof.outcome = theorem.explored ? explore(terms, body, settings) : prove(terms, body, settings);
  proof.time_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start)
          .count());
  const bool holds = theorem.holds != contrast;
  proof.as_expected = proof.outcome.verdict == (holds ? Verdict::kProved : Verdict::kRefuted);
  return proof;
}

Proof run(const Theorem& theorem, Terms& terms, Effort effort, bool contrast, const ProofSettings& settings) {
  const Bounds most = theorem.bounds(effort);
  // What is to be proved is asked once, for the most pods (fewer are among them, holding nothing).
  if (theorem.holds != contrast || most.pods == 0) return run(theorem, terms, most, contrast, settings);
  // What is refuted is asked for one pod, then for two, and so on: the first is the smallest.
  Proof total;
  for (Bounds bounds = most;;) {
    bounds.pods = total.bounds.pods + 1;
    Proof proof = run(theorem, terms, bounds, contrast, settings);
    proof.time_us += total.time_us;
    proof.outcome.paths += total.outcome.paths;
    proof.outcome.solver.queries += total.outcome.solver.queries;
    proof.outcome.solver.conflicts += total.outcome.solver.conflicts;
    proof.outcome.solver.time_us += total.outcome.solver.time_us;
    total = std::move(proof);
    // A single pod may leave nothing to state (an error); unknown is the end.
    if (bounds.pods == most.pods || total.outcome.verdict == Verdict::kRefuted ||
        total.outcome.verdict == Verdict::kUnknown)
      return total;
  }
}

}  // namespace reprieve::smt
