#include "reprieve/cli/compare/tally.h"

#include <algorithm>
#include <bit>

#include "reprieve/properties/laws/keys.h"

namespace reprieve::cli::comparison {

Histogram::Range Histogram::range_of(std::int64_t gain) {
  constexpr std::int64_t kSingle = 8;
  constexpr std::int64_t kLargest = std::int64_t{1} << 62;
  if (gain >= -kSingle && gain <= kSingle) return {gain, gain};
  const std::int64_t size = std::clamp(gain, -kLargest, kLargest) * (gain < 0 ? -1 : 1);
  const auto low = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(size)));
  const std::int64_t from = std::max(low, kSingle + 1);
  const std::int64_t to = low - 1 + low;
  return gain > 0 ? Range{from, to} : Range{-to, -from};
}

void Histogram::merge(const Histogram& other) {
  for (const auto& [range, count] : other.counts_) counts_[range] += count;
}

void LevelTally::add(NodeCriterion level, const Pairing& pairing) {
  const int order = laws::compare_at(level, pairing.new_choice->key, pairing.old_choice->key);
  ++(order < 0 ? new_better : order > 0 ? old_better : equal);
  if (pairing.by == level) ++(pairing.better < 0 ? decides_for_new : decides_for_old);
  const auto amount = gain(level, pairing.old_choice->key, pairing.new_choice->key);
  if (!amount) return;
  ++measured;
  sum += static_cast<double>(*amount);
  most = std::max(most, *amount);
  least = std::min(least, *amount);
  if (order != 0) gains.add(*amount);
}

void LevelTally::merge(const LevelTally& other) {
  new_better += other.new_better;
  old_better += other.old_better;
  equal += other.equal;
  decides_for_new += other.decides_for_new;
  decides_for_old += other.decides_for_old;
  measured += other.measured;
  sum += other.sum;
  most = std::max(most, other.most);
  least = std::min(least, other.least);
  gains.merge(other.gains);
}

void Tally::add(const Pairing& pairing, const Policy& judge, std::optional<Side> never_worse,
                std::uint64_t index, std::size_t size) {
  const Example here{.size = size, .index = index};
  ++cases;
  ++outcomes[{pairing.old_decision.outcome, pairing.new_decision.outcome}];
  if (!pairing.proved) ++not_proved;
  if (never_worse && !pairing.has_extenders && pairing.proved) ++claims;
  if (breaks(pairing, never_worse)) {
    ++broken;
    if (!first_broken || here < *first_broken) first_broken = here;
  }
  if (const std::string kind = pairing.difference(); !kind.empty()) {
    Kind& seen = differences[kind];
    if (++seen.count == 1 || here < seen.smallest) seen.smallest = here;
  }
  if (!pairing.both_nominate()) return;
  ++both_nominate;
  if (!pairing.same_node) ++other_node;
  if (!pairing.same_victims) ++other_victims;
  const Choice& old_choice = *pairing.old_choice;
  const Choice& new_choice = *pairing.new_choice;
  if (old_choice.reported != new_choice.reported) ++other_reported;
  if (old_choice.reported != old_choice.key.violations) ++old_miscounts;
  if (new_choice.reported != new_choice.key.violations) ++new_miscounts;
  ++better[static_cast<std::size_t>(std::clamp(pairing.better, -1, 1) + 1)];
  for (const NodeCriterion level : judge.node_order) levels[level].add(level, pairing);
}

void Tally::merge(const Tally& other) {
  cases += other.cases;
  for (const auto& [pair, count] : other.outcomes) outcomes[pair] += count;
  both_nominate += other.both_nominate;
  other_node += other.other_node;
  other_victims += other.other_victims;
  other_reported += other.other_reported;
  old_miscounts += other.old_miscounts;
  new_miscounts += other.new_miscounts;
  not_proved += other.not_proved;
  claims += other.claims;
  broken += other.broken;
  if (other.first_broken && (!first_broken || *other.first_broken < *first_broken)) {
    first_broken = other.first_broken;
  }
  for (std::size_t i = 0; i < better.size(); ++i) better[i] += other.better[i];
  for (const auto& [level, tally] : other.levels) levels[level].merge(tally);
  for (const auto& [kind, theirs] : other.differences) {
    Kind& ours = differences[kind];
    if (ours.count == 0 || theirs.smallest < ours.smallest) ours.smallest = theirs.smallest;
    ours.count += theirs.count;
  }
}

}  // namespace reprieve::cli::comparison
