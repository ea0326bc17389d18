#include "reprieve/engine/exact/multipliers.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace reprieve::engine::exact {
namespace {

constexpr int kSteps = 40;
/// Sums of values stay below this in size.
constexpr double kLargest = 1e18;

}  // namespace

void Multipliers::scale(const Problem& problem, const MultiplierLimits& limits) {
  lines_ = problem.rows + (limits.costs.empty() ? 0 : 1);
  parts_.resize(lines_ * problem.size);
  for (std::size_t r = 0; r < problem.rows; ++r) {
    const double need = static_cast<double>(problem.need[r]);
    for (std::size_t i = 0; i < problem.size; ++i) {
      parts_[r * problem.size + i] = static_cast<double>(problem.weights_of(r)[i]) / need;
    }
  }
  for (std::size_t i = 0; i < limits.costs.size(); ++i) {
    parts_[problem.rows * problem.size + i] =
        -static_cast<double>(limits.costs[i]) / static_cast<double>(limits.most_cost);
  }
}

// What the best set within the limits brings beyond the need, and how that changes with each multiplier.
// The classes of pods are those of the problem's budgets, roughly: a budget that allows anything is
// taken to allow all.
double Multipliers::choose_best(const Problem& problem, const MultiplierLimits& limits) {
  free_.clear();
  costly_.clear();
  values_.assign(problem.size, 0);
  for (std::size_t line = 0; line < lines_; ++line) {
    const double multiplier = multipliers_[line];
    for (std::size_t i = 0; i < problem.size; ++i) values_[i] += multiplier * parts_[line * problem.size + i];
  }
  for (std::uint32_t i = 0; i < problem.size; ++i) {
    if (limits.allowed[i] == 0 || values_[i] <= 0) continue;
    const std::uint32_t budget = problem.assigned[i];
    const bool violates = budget != Problem::kNoBudget && problem.allowed[budget] <= 0;
    (violates ? costly_ : free_).push_back(i);
  }
  const auto by_value = [&](std::uint32_t a, std::uint32_t b) { return values_[a] > values_[b]; };
  const auto keep_largest = [&](std::vector<std::uint32_t>& pods, std::int64_t count) {
    if (std::ssize(pods) <= count) return;
    std::nth_element(pods.begin(), pods.begin() + count, pods.end(), by_value);
    pods.resize(static_cast<std::size_t>(count));
  };
  keep_largest(costly_, limits.violations);
  free_.insert(free_.end(), costly_.begin(), costly_.end());
  keep_largest(free_, limits.count);

  double beyond = 0;
  for (std::size_t line = 0; line < lines_; ++line) {
    // A row must be met, a cost must not be passed: either way the whole is 1.
    double sum = line < problem.rows ? -1 : 1;
    for (const std::uint32_t i : free_) sum += parts_[line * problem.size + i];
    slope_[line] = sum;
    beyond += multipliers_[line] * sum;
  }
  return beyond;
}

bool Multipliers::find(const Problem& problem, const MultiplierLimits& limits, SummedRow& row) {
  scale(problem, limits);
  multipliers_.assign(lines_, 1.0 / static_cast<double>(problem.rows));
  if (lines_ > problem.rows) multipliers_.back() = 0;
  slope_.assign(lines_, 0);
  best_ = multipliers_;
  double least = HUGE_VAL;
  double hope = 0.1;  // how much less is hoped for: Polyak's step with a target that moves
  for (int step = 0; step < kSteps; ++step) {
    const double beyond = choose_best(problem, limits);
    if (beyond < least - 1e-9) {
      least = beyond;
      best_ = multipliers_;
    } else {
      hope *= 0.7;
    }
    // The multipliers of the rows add up to 1: no step in that direction.
    double mean = 0;
    for (std::size_t r = 0; r < problem.rows; ++r) mean += slope_[r];
    mean /= static_cast<double>(problem.rows);
    double length = 0;
    for (std::size_t line = 0; line < lines_; ++line) {
      if (line < problem.rows) slope_[line] -= mean;
      length += slope_[line] * slope_[line];
    }
    if (length < 1e-12) break;
    const double stride = (beyond - (least - hope)) / length;
    double sum = 0;
    for (std::size_t line = 0; line < lines_; ++line) {
      multipliers_[line] = std::max(0.0, multipliers_[line] - stride * slope_[line]);
      if (line < problem.rows) sum += multipliers_[line];
    }
    if (sum <= 0) break;
    for (std::size_t r = 0; r < problem.rows; ++r) multipliers_[r] /= sum;
  }
  return round(problem, limits, best_, row);
}

bool Multipliers::lean(const Problem& problem, const MultiplierLimits& limits, std::size_t towards, double by,
                       SummedRow& row) {
  multipliers_ = best_;
  for (std::size_t r = 0; r < problem.rows; ++r) multipliers_[r] *= 1 - by;
  multipliers_[towards] += by;
  return round(problem, limits, multipliers_, row);
}

bool Multipliers::round(const Problem& problem, const MultiplierLimits& limits,
                        std::span<const double> multipliers, SummedRow& row) const {
  // The sum over all pods and the need, before scaling.
  double largest = 1;
  for (std::size_t line = 0; line < lines_; ++line) {
    double sum = 1;
    for (std::size_t i = 0; i < problem.size; ++i) sum += std::abs(parts_[line * problem.size + i]);
    largest += multipliers[line] * sum;
  }
  const double unit = kLargest / largest;
  row.values.assign(problem.size, 0);
  row.need = 0;
  row.fine = 0;
  for (std::size_t r = 0; r < problem.rows; ++r) {
    const double exactly = multipliers[r] * unit / static_cast<double>(problem.need[r]);
    const auto multiplier = static_cast<std::int64_t>(exactly);
    row.need += multiplier * problem.need[r];
    for (std::size_t i = 0; i < problem.size; ++i) row.values[i] += multiplier * problem.weights_of(r)[i];
  }
  if (!limits.costs.empty()) {
    row.fine = static_cast<std::int64_t>(multipliers.back() * unit / static_cast<double>(limits.most_cost));
    for (std::size_t i = 0; i < problem.size; ++i) row.values[i] -= row.fine * limits.costs[i];
  }
  return std::isfinite(unit);
}

}  // namespace reprieve::engine::exact
