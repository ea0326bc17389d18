#include "reprieve/certificate/search/leaf.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace reprieve::certificate {
namespace {

__extension__ typedef __int128 Wide;
constexpr Wide kMost = Wide{1} << 50;
constexpr std::int64_t kShift = std::int64_t{1} << 31;
constexpr std::size_t kMostRatios = 600;

// The n-th largest from 0 on, at least 0.
Wide nth_largest(std::vector<Wide> of, std::int64_t n) {
  if (n < 0 || n >= std::ssize(of)) return 0;
  std::ranges::nth_element(of, of.begin() + n, std::greater<>());
  return std::max<Wide>(of[static_cast<std::size_t>(n)], 0);
}

class Guess {
 public:
  Guess(const Facts& cluster, const NodeFacts& facts, const Region& region)
      : cluster_(cluster), facts_(facts), region_(region) {
    for (const Row& row : facts.rows) {
      rests_.push_back(rest_of(row, region));
      if (rests_.back().need == 0) rests_.pop_back();
    }
    for (std::size_t i = 0; i < facts.pods.size(); ++i) {
      if (region.pods[i] == State::kFree) free_.push_back(i);
      if (region.pods[i] == State::kEvicted) ++evicted_;
    }
    // A pod is counted for the budget of its that allows least.
    for (const std::vector<std::size_t>& budgets : facts.budgets) {
      const auto least =
          std::ranges::min_element(budgets, {}, [&](std::size_t b) { return cluster.allowed(b); });
      budget_.push_back(least == budgets.end() ? std::nullopt : std::optional(*least));
    }
  }

  std::optional<Multipliers> find() {
    // Without a row: what is evicted, or must be, is too much already.
    if (complete({}, 0, 0) || complete({}, 0, 1) || (region_.sum != kNoLimit && complete({}, 1, 0)))
      return found_;
    for (const std::vector<Wide>& rows : mixes()) {
      if (complete(rows, 0, 0)) return found_;
      if (region_.top && complete(rows, 0, largest(rows))) return found_;
      if (region_.sum == kNoLimit) continue;
      for (const auto& [times, sum] : ratios(rows)) {
        std::vector<Wide> scaled = rows;
        for (Wide& each : scaled) each *= times;
        if (complete(scaled, sum, 0)) return found_;
      }
    }
    return std::nullopt;
  }

 private:
  // Each row by itself, and all together, each in parts of its need.
  std::vector<std::vector<Wide>> mixes() const {
    std::vector<std::vector<Wide>> result;
    Wide most = 0;
    for (std::size_t r = 0; r < rests_.size(); ++r) {
      result.emplace_back(rests_.size(), 0)[r] = 1;
      most = std::max<Wide>(most, rests_[r].need);
    }
    const auto mix = [&](std::size_t favoured, Wide by) {
      std::vector<Wide>& rows = result.emplace_back();
      for (std::size_t r = 0; r < rests_.size(); ++r)
        rows.push_back(std::max<Wide>(4 * most / rests_[r].need, 1) * (r == favoured ? by : 1));
    };
    if (rests_.size() < 2) return result;
    mix(rests_.size(), 1);
    for (std::size_t r = 0; r < rests_.size(); ++r) {
      mix(r, 2);
      mix(r, 4);
    }
    return result;
  }

  Wide freed(const std::vector<Wide>& rows, std::size_t pod) const {
    Wide sum = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) sum += rows[r] * rests_[r].frees[pod];
    return sum;
  }
  Wide largest(const std::vector<Wide>& rows) const {
    Wide most = 0;
    for (const std::size_t i : free_) most = std::max(most, freed(rows, i));
    return most;
  }

  // Where what a pod frees is worth what it costs, or two pods are worth the same: there the least sum that
  // makes room, with fractions allowed, has its price.
  std::vector<std::pair<Wide, Wide>> ratios(const std::vector<Wide>& rows) const {
    std::vector<std::pair<Wide, Wide>> result;
    const auto add = [&](Wide price, Wide frees) {
      if (frees < 0) price = -price, frees = -frees;
      if (price <= 0 || frees == 0 || result.size() >= kMostRatios) return;
      Wide a = price, b = frees;
      while (b != 0) a = std::exchange(b, a % b);
      const std::pair<Wide, Wide> ratio = {price / a, frees / a};
      if (std::ranges::find(result, ratio) == result.end()) result.push_back(ratio);
    };
    for (const std::size_t i : free_) add(Wide(facts_.pods[i]->priority) + kShift, freed(rows, i));
    for (const std::size_t i : free_) {
      for (const std::size_t j : free_) {
        if (i < j)
          add(Wide(facts_.pods[i]->priority) - facts_.pods[j]->priority, freed(rows, i) - freed(rows, j));
      }
    }
    return result;
  }

  // Given the multipliers of rows, sum and top, the best ones for the limits on violations and count: each
  // is what the next pod beyond the limit would still bring.
  bool complete(const std::vector<Wide>& rows, Wide sum, Wide top) {
    std::vector<Wide> brings(facts_.pods.size(), 0);
    for (std::size_t i = 0; i < brings.size(); ++i) {
      if (region_.pods[i] != State::kKept)
        brings[i] = freed(rows, i) - sum * (Wide(facts_.pods[i]->priority) + kShift) +
                    (region_.top == facts_.pods[i]->priority ? top : 0);
    }
    for (const bool count_first : {false, true}) {
      Multipliers by;
      std::vector<Wide> left = brings;
      bool fits = true;
      for (std::size_t r = 0; r < rows.size(); ++r) fits = fits && put(rows[r], by.rows[rests_[r].resource]);
      fits = fits && put(sum, by.sum) && put(region_.top ? top : 0, by.top);
      if (count_first) fits = fits && limit_count(left, by);
      fits = fits && limit_violations(left, by);
      if (!count_first) fits = fits && limit_count(left, by);
      if (fits && excludes(cluster_, facts_, region_, by)) {
        std::erase_if(by.rows, [](const auto& row) { return row.second == 0; });
        std::erase_if(by.budgets, [](const auto& budget) { return budget.second == 0; });
        found_ = by;
        return true;
      }
    }
    return false;
  }

  static bool put(Wide value, std::int64_t& to) {
    if (value < 0 || value > kMost) return false;
    to = static_cast<std::int64_t>(value);
    return true;
  }

  bool limit_count(std::vector<Wide>& brings, Multipliers& by) {
    std::vector<Wide> of;
    for (const std::size_t i : free_) of.push_back(brings[i]);
    if (region_.most != kNoLimit) {
      const Wide most = region_.most < evicted_ ? 1 : nth_largest(of, region_.most - evicted_);
      if (!put(most, by.most)) return false;
      for (Wide& each : brings) each -= most;
      if (most > 0) return true;
    }
    // As many as must go, of those that bring something or not.
    const std::int64_t must = region_.least - evicted_;
    if (must <= 0) return true;
    if (must > std::ssize(of)) return put(1, by.least);
    std::ranges::nth_element(of, of.begin() + (must - 1), std::greater<>());
    const Wide least = std::max<Wide>(-of[static_cast<std::size_t>(must - 1)], 0);
    for (Wide& each : brings) each += least;
    return put(least, by.least);
  }

  bool limit_violations(std::vector<Wide>& brings, Multipliers& by) {
    if (region_.violations == kNoLimit) return true;
    std::map<std::size_t, std::vector<Wide>> of_budget;
    std::map<std::size_t, std::int64_t> evicted;
    for (std::size_t i = 0; i < brings.size(); ++i) {
      if (!budget_[i]) continue;
      if (region_.pods[i] == State::kFree) of_budget[*budget_[i]].push_back(std::max<Wide>(brings[i], 0));
      if (region_.pods[i] == State::kEvicted) ++evicted[*budget_[i]], of_budget.try_emplace(*budget_[i]);
    }
    std::vector<Wide> costly;
    std::int64_t spent = 0;
    std::map<std::size_t, Wide> price;
    for (auto& [budget, list] : of_budget) {
      const std::int64_t room = cluster_.allowed(budget) - evicted[budget];
      spent += std::max<std::int64_t>(-room, 0);
      std::ranges::sort(list, std::greater<>());
      const auto paid = std::min<std::int64_t>(std::max<std::int64_t>(room, 0), std::ssize(list));
      costly.insert(costly.end(), list.begin() + paid, list.end());
      price[budget] = room < 0 ? kMost : nth_largest(list, room);
    }
    const std::int64_t may = region_.violations - spent;
    const Wide violations = may < 0 ? std::max<Wide>(nth_largest(costly, 0), 1) : nth_largest(costly, may);
    if (!put(violations, by.violations)) return false;
    for (auto& [budget, each] : price) {
      each = std::min(each, violations);
      put(each, by.budgets[cluster_.budget_name(budget)]);
    }
    for (std::size_t i = 0; i < brings.size(); ++i) {
      if (budget_[i]) brings[i] -= price[*budget_[i]];
    }
    return true;
  }

  const Facts& cluster_;
  const NodeFacts& facts_;
  const Region& region_;
  std::vector<Row> rests_;
  std::vector<std::size_t> free_;
  std::int64_t evicted_ = 0;
  std::vector<std::optional<std::size_t>> budget_;
  std::optional<Multipliers> found_;
};

}  // namespace

std::optional<Multipliers> find_multipliers(const Facts& cluster, const NodeFacts& facts,
                                            const Region& region) {
  return Guess(cluster, facts, region).find();
}

}  // namespace reprieve::certificate
