#include "reprieve/engine/exact/cover_table.h"

#include <functional>

namespace reprieve::engine::exact {
namespace {

/// Above so many victims a limit on their number is not looked at, for the sake of the tables' size.
constexpr std::int64_t kMostCounted = 256;

void insert_sorted(std::vector<std::int64_t>& values, std::int64_t value) {
  values.insert(std::ranges::upper_bound(values, value, std::greater<>()), value);
}

void write_sums(std::span<const std::int64_t> values, std::span<std::int64_t> sums) {
  sums[0] = 0;
  for (std::size_t k = 1; k < sums.size(); ++k)
    sums[k] = sums[k - 1] + (k <= values.size() ? values[k - 1] : 0);
}

}  // namespace

// Largest of a budget first: as many as it allows are free, and a larger one takes the place of the
// smallest of them.
void CoverTable::add(const Problem& problem, std::size_t pod, std::int64_t value) {
  const std::uint32_t budget = problem.assigned[pod];
  if (every_pod_is_free_ || budget == Problem::kNoBudget) return insert_sorted(free_values_, value);
  std::vector<std::int64_t>& largest = of_budget_[budget];
  if (std::ssize(largest) < problem.allowed[budget]) {
    insert_sorted(largest, value);
    return insert_sorted(free_values_, value);
  }
  if (largest.empty() || value <= largest.back()) return insert_sorted(costly_values_, value);
  const std::int64_t displaced = largest.back();
  largest.pop_back();
  insert_sorted(largest, value);
  free_values_.erase(std::ranges::find(free_values_, displaced));
  insert_sorted(free_values_, value);
  insert_sorted(costly_values_, displaced);
}

void CoverTable::build(const Problem& problem, std::span<const std::int64_t> values,
                       std::span<const std::uint8_t> allowed, std::int64_t count, std::int64_t violations) {
  const auto size = static_cast<std::int64_t>(problem.size);
  counted_ = count <= kMostCounted ? count + 1 : 0;
  free_width_ = static_cast<std::size_t>(count <= kMostCounted ? std::min(count, size) : 0) + 1;
  every_pod_is_free_ = violations >= size;
  costly_width_ = static_cast<std::size_t>(every_pod_is_free_ ? 0 : violations) + 1;
  free_.resize((problem.size + 1) * free_width_);
  costly_.resize((problem.size + 1) * costly_width_);
  all_free_.resize(problem.size + 1);
  free_values_.clear();
  costly_values_.clear();
  if (of_budget_.size() < problem.allowed.size()) of_budget_.resize(problem.allowed.size());
  for (std::size_t budget = 0; budget < problem.allowed.size(); ++budget) of_budget_[budget].clear();

  for (std::size_t place = problem.size + 1; place-- > 0;) {
    if (place < problem.size && allowed[place] != 0 && values[place] > 0) add(problem, place, values[place]);
    write_sums(free_values_, std::span(free_).subspan(place * free_width_, free_width_));
    write_sums(costly_values_, std::span(costly_).subspan(place * costly_width_, costly_width_));
    std::int64_t all = 0;
    for (const std::int64_t value : free_values_) all += value;
    all_free_[place] = all;
  }
}

}  // namespace reprieve::engine::exact
