#include "reprieve/engine/bounded/summaries.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "reprieve/engine/nominated.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine::bounded {
namespace {

constexpr std::int64_t kMost = kMostAmount;

bool in_range(std::int64_t amount) { return amount >= -kMost && amount <= kMost; }

// Eleven bits of a number from 0, its bit length first.
std::uint16_t magnitude(std::uint32_t number) {
  if (number < 1024) return static_cast<std::uint16_t>(number);
  const int length = static_cast<int>(std::bit_width(number));  // 11 to 32
  const std::uint32_t fraction = (number >> (length - 11)) & 1023U;
  return static_cast<std::uint16_t>((static_cast<std::uint32_t>(length - 10) << 10) | fraction);
}

}  // namespace

std::uint16_t priority_code(std::int32_t priority) {
  constexpr int kZero = 0x7000;
  if (priority >= 0) {
    return static_cast<std::uint16_t>(kZero + magnitude(static_cast<std::uint32_t>(priority)));
  }
  return static_cast<std::uint16_t>(kZero - 1 - magnitude(static_cast<std::uint32_t>(-(priority + 1))));
}

void Summaries::refresh(const Cycle& cycle, const SummaryKey& key) {
  const ChangeLog& changes = cycle.index->changes;
  ledger_.begin(*cycle.index, key.charging);
  if (key_ != key) {
    key_ = key;
    rebuild(cycle);
  } else {
    if (lines_.size() < cycle.index->nodes.size()) {
      lines_.resize(cycle.index->nodes.size());
      heads_.resize(cycle.index->nodes.size());
      details_.resize(cycle.index->nodes.size());
      smallest_.resize(cycle.index->nodes.size());
    }
    changes.for_each_since(seen_, [&](NodeId node) { prefetch_node(*cycle.index, node); });
    changes.for_each_since(seen_, [&](NodeId node) { prefetch_pods(*cycle.index, node); });
    changes.for_each_since(seen_, [&](NodeId node) { read(cycle, node); });
  }
  seen_ = changes.size();
}

// What reading the node begins with, and what it writes: lines that nothing has looked at for long.
void Summaries::prefetch_node(const Index& index, NodeId node) const {
  __builtin_prefetch(&index.nodes[node].pods);
  __builtin_prefetch(index.allocatable_of(node).data());
  __builtin_prefetch(index.requested_of(node).data());
  __builtin_prefetch(&heads_[node], 1);
  __builtin_prefetch(&lines_[node], 1);
  __builtin_prefetch(&details_[node], 1);
  __builtin_prefetch(&smallest_[node], 1);
}

void Summaries::prefetch_pods(const Index& index, NodeId node) const {
  for (const PodId pod : index.nodes[node].pods) {
    __builtin_prefetch(&index.pod_priority[pod]);
    __builtin_prefetch(&index.pod_start[pod]);
    __builtin_prefetch(&index.pod_flags[pod]);
    __builtin_prefetch(index.requests_of(pod).data());
  }
}

// So that the largest node and the latest start still have a code of their own.
void Summaries::choose_scales(const Index& index) {
  for (std::size_t resource = 0; resource < 2; ++resource) {
    std::int64_t most = 0;
    for (NodeId node = 0; key_.columns[resource] != kNoColumn && node < index.nodes.size(); ++node) {
      most = std::max(most, index.allocatable_of(node)[key_.columns[resource]]);
    }
    shifts_[resource] = std::max(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most))) - 16, 0);
  }
  std::int64_t first = kNow;
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (PodId pod = 0; pod < index.pods.size(); ++pod) {
    if (index.pod_node[pod] == kNone || !index.has(pod, kHasStart)) continue;
    first = std::min(first, index.pod_start[pod]);
    last = std::max(last, index.pod_start[pod]);
  }
  first_start_ = first;
  const std::uint64_t span =
      last < first ? 0 : static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  start_shift_ = std::max(static_cast<int>(std::bit_width(span)) - 15, 0);
}

void Summaries::rebuild(const Cycle& cycle) {
  const Index& index = *cycle.index;
  lines_.assign(index.nodes.size(), Line{});
  heads_.assign(index.nodes.size(), Head{});
  details_.assign(index.nodes.size(), Detail{});
  smallest_.assign(index.nodes.size(), Smallest{});
  has_odd_ = false;
  freed_.clear();
  codes_.clear();
  victims_.clear();
  std::size_t pods = 0;
  for (const NodeRecord& node : index.nodes) pods += (node.pods.size() + 2) * 5 / 4;
  freed_.reserve(pods);
  codes_.reserve(pods + kCodesRead);
  victims_.reserve(pods);
  lowest_priority_ = std::numeric_limits<std::int32_t>::max();
  choose_scales(index);
  for (NodeId node = 0; node < index.nodes.size(); ++node) read(cycle, node);
}

bool Summaries::read_load(const Cycle& cycle, NodeId node, Head& head) const {
  const Index& index = *cycle.index;
  const NodeRecord& record = index.nodes[node];
  const auto allocatable = index.allocatable_of(node);
  const auto requested = index.requested_of(node);
  if (!in_range(record.pod_limit)) return false;
  head.pods_over = static_cast<std::int64_t>(record.pods.size()) + 1 - record.pod_limit;
  for (std::size_t resource = 0; resource < 2; ++resource) {
    head.free[resource] = 0;
    const std::uint32_t column = key_.columns[resource];
    if (column == kNoColumn) continue;
    if (!in_range(allocatable[column]) || !in_range(requested[column])) return false;
    head.free[resource] = allocatable[column] - requested[column];
  }
  if (index.nominated.empty()) return true;
  const auto nominated = index.nominated.find(record.name_id);
  if (nominated == index.nominated.end()) return true;
  for (const PodId pod : nominated->second) {
    if (index.pod_priority[pod] < key_.priority || !is_known_nominated(cycle, pod)) continue;
    ++head.pods_over;
    for (std::size_t resource = 0; resource < 2; ++resource) {
      if (key_.columns[resource] == kNoColumn) continue;
      const std::int64_t request = index.requests_of(pod)[key_.columns[resource]];
      if (request < 0 || !in_range(request) || !in_range(head.free[resource])) return false;
      head.free[resource] -= REPRIEVE_MUTANT("summary-without-nominated", request, 0);
    }
  }
  return in_range(head.free[0]) && in_range(head.free[1]);
}

// Blocks grow by a quarter; what a node leaves behind stays unused until all are made anew.
void Summaries::reserve(Head& head, std::size_t places) {
  if (places <= head.capacity) return;
  head.capacity = static_cast<std::uint32_t>(places + places / 4);
  head.at = static_cast<std::uint32_t>(freed_.size());
  freed_.resize(freed_.size() + head.capacity);
  codes_.resize(freed_.size() + kCodesRead);
  victims_.resize(victims_.size() + head.capacity);
}

bool Summaries::read_group(const Cycle& cycle, std::span<const PodId> pods, std::size_t at) {
  const Index& index = *cycle.index;
  Freed* const freed = freed_.data() + at;
  Victim* const victims = victims_.data() + at;
  FreedCode* const codes = codes_.data() + at;
  freed[pods.size()] = Freed{};
  codes[pods.size()] = FreedCode{};
  victims[pods.size()] = Victim{};
  // A column that is not looked at is a row of one zero for all.
  constexpr std::int64_t kNothing = 0;
  std::array<const std::int64_t*, 2> column{};
  std::array<std::size_t, 2> stride{};
  for (std::size_t resource = 0; resource < 2; ++resource) {
    const bool is_read = key_.columns[resource] != kNoColumn;
    column[resource] = is_read ? index.pod_requests.data() + key_.columns[resource] : &kNothing;
    stride[resource] = is_read ? index.stride : 0;
  }
  std::array<std::int64_t, 2> sum{};
  const auto add = [&](std::size_t resource, PodId pod, FreedCode& code) {
    const std::int64_t request = column[resource][pod * stride[resource]];
    if (request < 0 || request > kMost) return false;
    sum[resource] += request;
    code.amount[resource] = amount_code(resource, sum[resource]);
    return sum[resource] <= kMost;
  };
  for (std::size_t i = pods.size(); i-- > 0;) {
    const PodId pod = pods[i];
    if (!add(0, pod, codes[i]) || !add(1, pod, codes[i])) return false;
    freed[i].amount = sum;
    const bool has_start = index.has(pod, kHasStart);
    const std::int64_t start = has_start ? index.pod_start[pod] : kNow;
    if (has_start && start == kNow) return false;
    victims[i] = {.start = start, .priority = index.pod_priority[pod], .pod = pod};
  }
  return true;
}

// The pods of lower priority come last, and are classed as SelectVictimsOnNode does it.
void Summaries::read(const Cycle& cycle, NodeId node) {
  const Index& index = *cycle.index;
  const NodeRecord& record = index.nodes[node];
  Head& head = heads_[node];
  if (!record.live) {
    head.kind = Kind::kGone;
    lines_[node] = Line{};
    lines_[node].priority.fill(kNoPriority);
    return;
  }
  const auto first = std::ranges::partition_point(
      record.pods, [&](PodId pod) { return index.pod_priority[pod] >= key_.priority; });
  // They are in order: the last is of the lowest priority.
  if (first != record.pods.end())
    lowest_priority_ = std::min(lowest_priority_, index.pod_priority[record.pods.back()]);
  violating_pods_.clear();
  other_pods_.clear();
  if (index.budget_by_name.empty()) {
    other_pods_.assign(first, record.pods.end());
  } else {
    ledger_.reset();
    for (auto pod = first; pod != record.pods.end(); ++pod) {
      const bool violating = !index.group_of(*pod).budgets.empty() && ledger_.charge_pod(*pod);
      (REPRIEVE_MUTANT("summary-without-budgets", violating, false) ? violating_pods_ : other_pods_)
          .push_back(*pod);
    }
  }
  head.violating = static_cast<std::uint32_t>(violating_pods_.size());
  head.others = static_cast<std::uint32_t>(other_pods_.size());
  reserve(head, violating_pods_.size() + other_pods_.size() + 2);
  const bool plain = read_load(cycle, node, head) && read_group(cycle, violating_pods_, head.at) &&
                     read_group(cycle, other_pods_, head.at + head.violating + 1);
  if (plain) head.others_freed = others_freed(head)[0].amount;
  has_odd_ = has_odd_ || !plain;
  head.kind = plain ? Kind::kPlain : Kind::kOdd;
  write_line(node);
  if (plain && head.violating > 0) write_smallest(node);  // else nobody reads it
}

void Summaries::write_smallest(NodeId node) {
  const Head& head = heads_[node];
  const Freed* freed = violating_freed(head);
  for (std::size_t resource = 0; resource < 2; ++resource) {
    std::array<std::int64_t, Smallest::kMost> requests;
    requests.fill(kMost);
    std::size_t i = head.violating;
    for (std::size_t part = Smallest::kParts; part-- > 0;) {
      for (; i > head.violating * part / Smallest::kParts; --i) {
        std::int64_t request = freed[i - 1].amount[resource] - freed[i].amount[resource];
        for (std::int64_t& kept : requests) {
          if (request < kept) std::swap(request, kept);
        }
      }
      std::int64_t sum = 0;
      for (std::size_t n = 0; n < Smallest::kMost; ++n) {
        sum = std::min(sum + requests[n], kMost);
        smallest_[node].sum[part][resource][n] = amount_code(resource, sum);
      }
    }
  }
}

void Summaries::write_line(NodeId node) {
  const Head& head = heads_[node];
  Line& line = lines_[node];
  if (head.kind == Kind::kOdd) {  // as if everything helped
    for (auto& room : line.room) room.fill(0xffff);
    line.priority.fill(0);
    line.now.fill(0xffff);
    line.emptied.fill(0xffff);
    line.lowest = 0;
    return;
  }
  const Freed* freed = others_freed(head);
  const Victim* victims = others(head);
  for (std::size_t resource = 0; resource < 2; ++resource) {
    const std::int64_t free = head.free[resource];
    line.now[resource] = amount_code(resource, free);
    line.emptied[resource] =
        amount_code(resource, free + freed[0].amount[resource] + violating_freed(head)[0].amount[resource]);
  }
  line.lowest = kNoPriority;
  if (head.others > 0) line.lowest = priority_code(victims[head.others - 1].priority);
  if (head.violating > 0) {
    line.lowest = std::min(line.lowest, priority_code(violating(head)[head.violating - 1].priority));
  }
  Detail& detail = details_[node];
  detail.free = head.free;
  std::size_t before = 0;
  std::array<std::int64_t, 2> largest{};
  for (std::size_t position = 0; position < kPositions; ++position) {
    const std::size_t gone = (head.others * (position + 1) + kPositions - 1) / kPositions;
    const Freed& of_gone = freed[head.others - gone];
    for (std::size_t resource = 0; resource < 2; ++resource) {
      line.room[resource][position] = amount_code(resource, head.free[resource] + of_gone.amount[resource]);
    }
    const std::size_t next = REPRIEVE_MUTANT("line-skips-a-pod", before, before + 1);
    line.priority[position] =
        next < head.others ? priority_code(victims[head.others - 1 - next].priority) : kNoPriority;
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = head.others - gone; i < head.others - before; ++i) {
      for (std::size_t resource = 0; resource < 2; ++resource) {
        largest[resource] =
            std::max(largest[resource], freed[i].amount[resource] - freed[i + 1].amount[resource]);
      }
      latest = std::max(latest, victims[i].start);
    }
    for (std::size_t resource = 0; resource < 2; ++resource) {
      detail.largest[resource][position] = amount_code(resource, largest[resource]);
    }
    detail.latest[position] = start_code(latest);
    before = gone;
  }
}

}  // namespace reprieve::engine::bounded
