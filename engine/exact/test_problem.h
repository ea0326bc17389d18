// Small random problems, and every set of their pods, for the tests of the search.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "reprieve/engine/exact/problem.h"

namespace reprieve::engine::exact::testing {

struct ProblemSettings {
  std::size_t size = 7;
  std::size_t rows = 2;
  std::size_t budgets = 3;
  bool overlapping = false;
  Charging charging = Charging::kEveryBudget;
};

inline Problem random_problem(std::mt19937& random, const ProblemSettings& settings) {
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  Problem problem;
  problem.size = settings.size;
  problem.rows = settings.rows;
  problem.charging = settings.charging;
  for (std::size_t r = 0; r < settings.rows; ++r) {
    std::int64_t all = 0;
    for (std::size_t i = 0; i < settings.size; ++i) {
      problem.weight.push_back(below(6));
      all += problem.weight.back();
    }
    problem.need.push_back(1 + below(static_cast<int>(all) + 2));
  }
  // Most important first: by priority, then start.
  std::int64_t priority = 3;
  std::int64_t start_us = 0;
  for (std::size_t i = 0; i < settings.size; ++i) {
    if (below(3) == 0) {
      priority -= below(2);
      start_us = 0;
    }
    problem.priority.push_back(priority);
    problem.start_us.push_back(start_us += below(2));
  }
  for (std::size_t b = 0; b < settings.budgets; ++b) problem.allowed.push_back(below(4) - 1);
  problem.budgets_at = {0};
  for (std::size_t i = 0; i < settings.size; ++i) {
    std::uint32_t assigned = Problem::kNoBudget;
    for (std::uint32_t b = 0; b < settings.budgets; ++b) {
      if (below(3) != 0 || (!settings.overlapping && assigned != Problem::kNoBudget)) continue;
      problem.budgets.push_back({b, false});
      if (assigned == Problem::kNoBudget || problem.allowed[b] < problem.allowed[assigned]) assigned = b;
    }
    problem.assigned.push_back(assigned);
    problem.budgets_at.push_back(static_cast<std::uint32_t>(problem.budgets.size()));
    if (problem.budgets_of(i).size() > 1) problem.overlapping = true;
  }
  return problem;
}

/// What a set of victims comes to; bit size-1-i of `set` is pod i, so that smaller numbers spare the most
/// important pods first.
struct Totals {
  std::vector<std::int64_t> freed;  // by row
  std::int64_t count = 0;
  std::int64_t violations = 0;
  std::int64_t sum = 0;
  std::size_t first = 0;
};

inline bool is_in(const Problem& problem, std::uint32_t set, std::size_t pod) {
  return ((set >> (problem.size - 1 - pod)) & 1U) != 0;
}

inline Totals totals(const Problem& problem, std::uint32_t set) {
  Totals out;
  out.freed.assign(problem.rows, 0);
  out.first = problem.size;
  std::vector<std::int64_t> left = problem.allowed;
  for (std::size_t i = 0; i < problem.size; ++i) {
    if (!is_in(problem, set, i)) continue;
    if (out.count == 0) out.first = i;
    ++out.count;
    out.sum += problem.priority[i] + kPriorityShift;
    for (std::size_t r = 0; r < problem.rows; ++r) out.freed[r] += problem.weights_of(r)[i];
    bool violates = false;
    for (const Membership& budget : problem.budgets_of(i)) {
      violates = --left[budget.budget] < 0 || violates;
      if (violates && problem.charging == Charging::kUntilViolated) break;
    }
    out.violations += violates ? 1 : 0;
  }
  return out;
}

}  // namespace reprieve::engine::exact::testing
