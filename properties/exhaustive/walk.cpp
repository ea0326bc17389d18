#include "reprieve/properties/exhaustive/walk.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "reprieve/properties/exhaustive/write.h"

namespace reprieve::exhaustive {
namespace {

int sum_of(const std::vector<Kind>& pods, const Kinds& kinds) {
  int sum = 0;
  for (const Kind pod : pods) sum += kinds.size(pod);
  return sum;
}

/// The rooms in which the preemptor does not fit as things stand: one for each set of potential victims
/// that may stay, and one in which not even the peers may.
std::vector<int> short_rooms(const std::vector<Kind>& pods, const Kinds& kinds) {
  int peers = 0;
  std::set<int> sums{0};
  for (const Kind pod : pods) {
    if (kinds.is_peer(pod)) {
      peers += kinds.size(pod);
      continue;
    }
    std::set<int> with = sums;
    for (const int sum : sums) with.insert(sum + kinds.size(pod));
    sums = std::move(with);
  }
  sums.erase(*sums.rbegin());  // all of them: then it fits
  std::vector<int> rooms;
  if (peers > 0) rooms.push_back(0);
  for (const int sum : sums) rooms.push_back(peers + sum);
  return rooms;
}

bool is_plain(const Layout& layout, const Kinds& kinds) {
  return std::ranges::all_of(layout, [&](const std::vector<Kind>& pods) {
    return std::ranges::all_of(pods, [&](Kind pod) {
      return kinds.rank(pod) == kinds.first_victim_rank() && kinds.budgets(pod) == 0;
    });
  });
}

}  // namespace

std::string why_not_walkable(const Policy& policy) {
  constexpr std::array kImportance{ImportanceCriterion::kPriority, ImportanceCriterion::kStartTime};
  if (!std::ranges::equal(policy.importance, kImportance)) {
    return "clusters are told apart by importance: [priority, startTime]";
  }
  if (policy.sampling) return "a sample depends on the order of the nodes, which change places";
  bool priority_came = false;
  for (const NodeCriterion criterion : policy.node_order) {
    priority_came = priority_came || criterion == NodeCriterion::kHighestPriority;
    if (criterion == NodeCriterion::kRequestedShare)
      return "requestedShare reads sizes that are not told apart";
    if (criterion == NodeCriterion::kLatestStart && !priority_came) {
      return "latestStart before highestPriority compares start times that are not told apart";
    }
  }
  return {};
}

Walk::Walk(const Scope& scope, std::vector<Policy> policies)
    : scope_(scope), policies_(std::move(policies)), layouts_(scope, policies_.front().charging) {
  begin_layout();
}

void Walk::next_layout() {
  layouts_.next();
  if (layouts_.done()) {
    if (++policy_ == policies_.size()) return;
    layouts_ = Layouts(scope_, policy().charging);
  }
  begin_layout();
}

void Walk::begin_layout() {
  const Kinds& kinds = layouts_.kinds();
  const bool plain = is_plain(layout(), kinds);
  room_choices_.clear();
  most_allowed_.assign(static_cast<std::size_t>(scope_.budgets), 0);
  for (const std::vector<Kind>& pods : layout()) {
    std::vector<int>& rooms = room_choices_.emplace_back(short_rooms(pods, kinds));
    if (pods.empty()) rooms.push_back(kTooSmall);
    if (plain) rooms.push_back(sum_of(pods, kinds));
    for (std::size_t budget = 0; budget < most_allowed_.size(); ++budget) {
      const auto under = std::ranges::count_if(
          pods, [&](Kind pod) { return !kinds.is_peer(pod) && (kinds.budgets(pod) >> budget & 1U) != 0; });
      most_allowed_[budget] = std::max(most_allowed_[budget], static_cast<int>(under));
    }
  }
  rooms_.assign(layout().size(), 0);
  allowed_.assign(most_allowed_.size(), 0);
  symmetric_ = layouts_.symmetries().size() > 1;
  for (std::size_t node = 1; node < layout().size(); ++node) {
    symmetric_ = symmetric_ || layout()[node] == layout()[node - 1];
  }
  written_ = false;
}

Shape Walk::shape() const {
  Shape shape{layout(), {}, allowed_};
  for (std::size_t node = 0; node < rooms_.size(); ++node)
    shape.rooms.push_back(room_choices_[node][rooms_[node]]);
  return shape;
}

/// The next settings of this layout, symmetric or not; false after the last.
bool Walk::advance() {
  for (std::size_t i = allowed_.size(); i-- > 0;) {
    if (++allowed_[i] <= most_allowed_[i]) return true;
    allowed_[i] = 0;
  }
  for (std::size_t i = rooms_.size(); i-- > 0;) {
    if (++rooms_[i] < room_choices_[i].size()) return true;
    rooms_[i] = 0;
  }
  return false;
}

/// Of settings that a symmetry of the layout turns into one another, the first is kept.
bool Walk::is_first() {
  if (!symmetric_) return true;
  const Shape mine = shape();
  std::vector<int> origin;
  for (const Renaming& renaming : layouts_.symmetries()) {
    layouts_.renamed(renaming, mine.rooms, origin);
    Shape image = mine;
    for (std::size_t node = 0; node < origin.size(); ++node) {
      image.rooms[node] = mine.rooms[static_cast<std::size_t>(origin[node])];
    }
    for (std::size_t budget = 0; budget < renaming.size(); ++budget) {
      image.allowed[static_cast<std::size_t>(renaming[budget])] = mine.allowed[budget];
    }
    if (image < mine) return false;
  }
  return true;
}

void Walk::next() {
  ++index_;
  while (advance()) {
    if (is_first()) return;
  }
  next_layout();  // whose first settings are the least, so no symmetry forbids them
}

/// How many settings this layout has; asked at its first.
std::uint64_t Walk::in_layout() {
  std::uint64_t count = 1;
  if (!symmetric_) {
    for (const std::vector<int>& rooms : room_choices_) count *= rooms.size();
    for (const int most : most_allowed_) count *= static_cast<std::uint64_t>(most) + 1;
    return count;
  }
  while (advance()) count += is_first() ? 1 : 0;  // and is back at the first
  return count;
}

void Walk::skip(std::uint64_t count) {
  while (count > 0 && !done()) {
    const bool at_first = std::ranges::count(rooms_, 0U) == std::ssize(rooms_) &&
                          std::ranges::count(allowed_, 0) == std::ssize(allowed_);
    if (const std::uint64_t here = at_first ? in_layout() : 0; here > 0 && here <= count) {
      count -= here;
      index_ += here;
      next_layout();
    } else {
      next();
      --count;
    }
  }
}

const Case& Walk::question() {
  if (!written_) write_layout(layout(), layouts_.kinds(), scope_, question_);
  written_ = true;
  question_.policy = policy();
  const Shape now = shape();
  write_settings(now.rooms, now.allowed, scope_, question_);
  return question_;
}

std::uint64_t count_cases(const Scope& scope, const std::vector<Policy>& policies) {
  Walk walk(scope, policies);
  walk.skip(std::numeric_limits<std::uint64_t>::max());
  return walk.index();
}

}  // namespace reprieve::exhaustive
