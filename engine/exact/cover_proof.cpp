#include "reprieve/engine/exact/cover_proof.h"

#include <algorithm>
#include <cmath>

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::exact {
namespace {

constexpr int kSteps = 24;
constexpr std::size_t kMostKnown = 6;

}  // namespace

void PriceFinder::begin(std::size_t rows) {
  for (std::vector<Prices>& known : known_) known.clear();
  for (std::size_t r = 0; r < rows; ++r) {
    Prices& prices = known_[0].emplace_back();
    prices.row.assign(rows, 0);
    prices.row[r] = 1;
  }
}

bool PriceFinder::proved_before(const Evictable& pods, const Allowance& allowance, std::size_t kind) {
  std::vector<Prices>& known = known_[kind];
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i].prove(pods, allowance)) continue;
    if (i > 0) std::swap(known[i], known[i - 1]);
    return true;
  }
  return false;
}

// What the best set within the allowance brings by these prices, less the need; and how that changes
// with each price.
double PriceFinder::choose(const Evictable& pods, const Allowance& allowance) {
  free_.clear();
  violating_.clear();
  for (std::uint32_t i = 0; i < pods.size && pods.priority[i] <= allowance.priority; ++i) {
    if (!allowance.admits(pods, i)) continue;
    double value = -prices_.extra * (pods.priority[i] - allowance.least);
    for (std::size_t r = 0; r < pods.rows; ++r) value += prices_.row[r] * pods.weight[r * pods.stride + i];
    if (value > 0) (pods.violates[i] != 0 ? violating_ : free_).push_back({value, i});
  }
  const auto keep_largest = [](std::vector<Valued>& values, double count) {
    std::ranges::sort(values, [](const Valued& a, const Valued& b) {
      return a.value != b.value ? a.value > b.value : a.pod < b.pod;
    });
    // Between the last that is kept and the first that is not lies the price of being one of them.
    if (static_cast<double>(values.size()) <= count) return 0.0;
    const auto kept = static_cast<std::size_t>(count);
    const double price = kept == 0 ? values[0].value : (values[kept - 1].value + values[kept].value) / 2;
    values.resize(kept);
    return price;
  };
  const double violation = keep_largest(violating_, allowance.violations);
  free_.insert(free_.end(), violating_.begin(), violating_.end());
  prices_.victim = keep_largest(free_, allowance.count);
  prices_.violation = std::max(0.0, violation - prices_.victim);

  double beyond = 0;
  for (std::size_t r = 0; r < pods.rows; ++r) {
    double sum = -pods.need[r];
    for (const Valued& chosen : free_) sum += pods.weight[r * pods.stride + chosen.pod];
    slope_[r] = sum;
    beyond += prices_.row[r] * sum;
  }
  extra_slope_ = 0;
  if (allowance.extra < kInfinite<double>) {
    extra_slope_ = allowance.extra;
    for (const Valued& chosen : free_) extra_slope_ -= pods.priority[chosen.pod] - allowance.least;
    beyond += prices_.extra * extra_slope_;
  }
  return beyond;
}

// A subgradient method: steps towards prices by which the best set falls short of the need.
bool PriceFinder::find(const Evictable& pods, const Allowance& allowance, std::size_t kind) {
  slope_.assign(pods.rows, 0);
  prices_.row.assign(pods.rows, 0);
  prices_.extra = 0;
  double short_rows = 0;
  for (const double need : pods.need) short_rows += need > 0 ? 1 : 0;
  if (short_rows == 0) return false;
  for (std::size_t r = 0; r < pods.rows; ++r) {
    if (pods.need[r] > 0) prices_.row[r] = 1 / (short_rows * pods.need[r]);
  }
  // A unit of extra priority is counted in parts of all that is allowed.
  const double extra_unit =
      allowance.extra > 0 && allowance.extra < kInfinite<double> ? 1 / allowance.extra : 0;
  for (int step = 0; step < kSteps; ++step) {
    const double beyond = choose(pods, allowance);
    if (beyond < 0 && prices_.prove(pods, allowance)) {
      std::vector<Prices>& known = known_[kind];
      if (known.size() < kMostKnown) known.emplace_back();
      known.back() = prices_;
      std::rotate(known.begin(), known.end() - 1, known.end());
      return true;
    }
    // In parts of each need; the prices of all needs add up to 1, so no step in that direction.
    double mean = 0;
    for (std::size_t r = 0; r < pods.rows; ++r) {
      if (pods.need[r] > 0) mean += slope_[r] / pods.need[r] / short_rows;
    }
    double length = 0;
    for (std::size_t r = 0; r < pods.rows; ++r) {
      if (pods.need[r] <= 0) continue;
      slope_[r] = slope_[r] / pods.need[r] - mean;
      length += slope_[r] * slope_[r];
    }
    const double extra_slope = extra_slope_ * extra_unit;
    if (extra_unit > 0) length += extra_slope * extra_slope;
    if (length < 1e-12) return false;
    const double stride = (beyond + 0.02) / length;
    double sum = 0;
    for (std::size_t r = 0; r < pods.rows; ++r) {
      if (pods.need[r] <= 0) continue;
      prices_.row[r] = std::max(0.0, prices_.row[r] * pods.need[r] - stride * slope_[r]) / pods.need[r];
      sum += prices_.row[r] * pods.need[r];
    }
    if (!(sum > 0)) return false;
    for (double& price : prices_.row) price /= sum;
    prices_.extra = std::max(0.0, prices_.extra - stride * extra_slope * extra_unit) / sum;
  }
  return false;
}

}  // namespace reprieve::engine::exact
