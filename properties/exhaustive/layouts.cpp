#include "reprieve/properties/exhaustive/layouts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace reprieve::exhaustive {
namespace {

/// All ways of putting `pods` on `nodes`, the fuller nodes first.
void append_splits(std::size_t pods, std::size_t nodes, std::size_t most, std::vector<std::size_t>& begun,
                   std::vector<std::vector<std::size_t>>& splits) {
  if (begun.size() == nodes) {
    if (pods == 0) splits.push_back(begun);
    return;
  }
  for (std::size_t here = std::min(pods, most) + 1; here-- > 0;) {
    begun.push_back(here);
    append_splits(pods - here, nodes, here, begun, splits);
    begun.pop_back();
  }
}

std::vector<Renaming> all_renamings(int budgets) {
  Renaming renaming(static_cast<std::size_t>(budgets));
  std::iota(renaming.begin(), renaming.end(), 0);
  std::vector<Renaming> all;
  do {
    all.push_back(renaming);
  } while (std::ranges::next_permutation(renaming).found);
  return all;
}

unsigned rename_bits(unsigned bits, const Renaming& renaming) {
  unsigned renamed = 0;
  for (std::size_t b = 0; b < renaming.size(); ++b) {
    if ((bits >> b & 1U) != 0) renamed |= 1U << renaming[b];
  }
  return renamed;
}

}  // namespace

Kinds::Kinds(const Scope& scope)
    : sizes_(scope.sizes),
      budgets_(scope.budgets),
      starts_(scope.starts + (scope.missing_starts ? 1 : 0)),
      peer_ranks_(scope.peers > 0 ? 1 : 0),
      ranks_(peer_ranks_ + scope.priorities * starts_),
      per_rank_(static_cast<int>(scope.sizes.size()) << scope.budgets) {}

Kind Kinds::with_budgets(Kind kind, unsigned budgets) const {
  return static_cast<Kind>((kind >> budgets_ << budgets_) | budgets);
}

Layouts::Layouts(const Scope& scope, Charging charging)
    : scope_(scope), kinds_(scope), charging_(charging), renamings_(all_renamings(scope.budgets)) {
  const auto nodes = static_cast<std::size_t>(scope.nodes);
  std::vector<std::size_t> begun;
  for (std::size_t pods = 0; pods <= static_cast<std::size_t>(scope.pods); ++pods) {
    append_splits(pods, nodes, pods, begun, splits_);
  }
  layout_.resize(nodes);
  if (!is_first()) next();
}

void Layouts::next() {
  do {
    if (!advance()) {
      done_ = true;
      return;
    }
  } while (!is_first());
}

/// The next layout whether or not it is the first of its sort: counts up, with the last pod as the
/// last digit, in which the ranks on a node never fall.
bool Layouts::advance() {
  for (std::size_t node = layout_.size(); node-- > 0;) {
    std::vector<Kind>& pods = layout_[node];
    for (std::size_t i = pods.size(); i-- > 0;) {
      if (pods[i] + 1 == kinds_.count()) continue;
      ++pods[i];
      std::fill(pods.begin() + static_cast<std::ptrdiff_t>(i) + 1, pods.end(),
                kinds_.first_of_rank(kinds_.rank(pods[i])));
      for (std::size_t later = node + 1; later < layout_.size(); ++later)
        std::ranges::fill(layout_[later], 0);
      return true;
    }
  }
  if (++split_ == splits_.size()) return false;
  for (std::size_t node = 0; node < layout_.size(); ++node) layout_[node].assign(splits_[split_][node], 0);
  return true;
}

/// Priorities from the highest without a gap, and for each the start times from the earliest; not more
/// peers than there may be. A missing start time is like no other, and may come without them.
bool Layouts::ranks_are_first() const {
  std::uint64_t used = 0;
  int peers = 0;
  for (const std::vector<Kind>& pods : layout_) {
    for (const Kind pod : pods) {
      used |= std::uint64_t{1} << kinds_.rank(pod);
      peers += kinds_.is_peer(pod) ? 1 : 0;
    }
  }
  if (peers > scope_.peers) return false;
  bool ended = false;  // a priority without pods: the rest must have none
  for (int rank = kinds_.first_victim_rank(); rank < kinds_.ranks();) {
    const int priority = kinds_.priority(rank);
    bool any = false;
    bool gap = false;
    for (; rank < kinds_.ranks() && kinds_.priority(rank) == priority; ++rank) {
      const bool here = (used >> rank & 1U) != 0;
      if (here && gap && kinds_.start(rank) < scope_.starts) return false;
      gap = gap || !here;
      any = any || here;
    }
    if (any && ended) return false;
    ended = ended || !any;
  }
  return true;
}

bool Layouts::may_rename(const Renaming& renaming) const {
  if (charging_ == Charging::kEveryBudget) return true;
  for (std::size_t a = 0; a < renaming.size(); ++a) {
    for (std::size_t b = a + 1; b < renaming.size(); ++b) {
      if (renaming[a] < renaming[b]) continue;
      const unsigned both = 1U << a | 1U << b;
      for (const std::vector<Kind>& pods : layout_) {
        if (std::ranges::any_of(pods, [&](Kind pod) { return (kinds_.budgets(pod) & both) == both; }))
          return false;
      }
    }
  }
  return true;
}

Layout Layouts::renamed(const Renaming& renaming, std::span<const int> tie, std::vector<int>& origin) const {
  Layout image = layout_;
  for (std::vector<Kind>& pods : image) {
    for (Kind& pod : pods) pod = kinds_.with_budgets(pod, rename_bits(kinds_.budgets(pod), renaming));
  }
  origin.resize(image.size());
  std::iota(origin.begin(), origin.end(), 0);
  std::ranges::sort(origin, [&](int a, int b) {
    const std::vector<Kind>& left = image[static_cast<std::size_t>(a)];
    const std::vector<Kind>& right = image[static_cast<std::size_t>(b)];
    if (left.size() != right.size()) return left.size() > right.size();
    if (left != right) return left < right;
    return !tie.empty() && tie[static_cast<std::size_t>(a)] < tie[static_cast<std::size_t>(b)];
  });
  Layout sorted;
  for (const int node : origin) sorted.push_back(std::move(image[static_cast<std::size_t>(node)]));
  return sorted;
}

bool Layouts::is_first() {
  if (!ranks_are_first()) return false;
  for (std::size_t node = 1; node < layout_.size(); ++node) {  // the usual reason, without a copy
    if (layout_[node].size() == layout_[node - 1].size() && layout_[node] < layout_[node - 1]) return false;
  }
  symmetries_.clear();
  std::vector<int> origin;
  for (const Renaming& renaming : renamings_) {
    if (!may_rename(renaming)) continue;
    const Layout image = renamed(renaming, {}, origin);
    if (image < layout_) return false;
    if (image == layout_) symmetries_.push_back(renaming);
  }
  return true;
}

}  // namespace reprieve::exhaustive
