#include "reprieve/properties/shrink/shrink.h"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdlib>
#include <utility>

#include "reprieve/properties/generators/valid.h"
#include "reprieve/properties/shrink/tidy.h"
#include "reprieve/properties/shrink/walk.h"

namespace reprieve::shrink {
namespace {

/// The visitor that performs the n-th edit of a walk, and counts how many there are.
class NthEdit {
 public:
  explicit NthEdit(int target) : target_(target) {}

  int seen() const { return seen_; }

  template <class T>
  void list(std::vector<T>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!mine()) continue;
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
  template <class Map>
  void map(Map& values) {
    erase_entry(values, [](const auto& entry) { return entry.first == "pods"; });
  }
  template <class Set>
  void set(Set& values) {
    erase_entry(values, [](const auto&) { return false; });
  }
  template <class T>
  void reset(T& value, const T& simplest) {
    if (value != simplest && mine()) value = simplest;
  }
  template <class T>
  void optional(std::optional<T>& value) {
    if (value.has_value() && mine()) value.reset();
  }
  void quantity(std::string_view resource, Quantity& value) {
    if (is_zero(value)) return;
    if (mine()) value = {};
    if (value.milli != 0 && mine()) value = {.units = value.units, .milli = 0};
    const std::int64_t round = round_amount_milli(resource);
    if (value.units >= INT64_MAX / 1000) return;
    const std::int64_t milli = to_milli(value);
    if (milli % round == 0) {
      // Round already: stay so, or the rounding would start over.
      if (milli > round && mine()) value = quantity_from_milli(round);
      if (milli > round && mine()) value = quantity_from_milli(milli - round);
    } else if (milli > 1 && mine()) {
      value = quantity_from_milli(milli / 2);
    }
  }
  template <std::integral T>
  void integer(T& value, T simplest) {
    if (value == simplest) return;
    const T distance = static_cast<T>(value - simplest);
    if (mine()) value = simplest;
    if ((distance > 1 || distance < -1) && mine()) value = static_cast<T>(simplest + distance / 2);
    if (std::abs(distance) <= 16 && (distance > 1 || distance < -1) && mine()) {
      value = static_cast<T>(distance > 0 ? value - 1 : value + 1);
    }
  }

 private:
  bool mine() { return seen_++ == target_; }

  template <class Container, class Keep>
  void erase_entry(Container& values, Keep keep) {
    for (auto entry = values.begin(); entry != values.end(); ++entry) {
      if (keep(*entry) || !mine()) continue;
      values.erase(entry);
      return;
    }
  }

  int target_;
  int seen_ = 0;
};

class Shrinker {
 public:
  Shrinker(Case question, const StillFails& still_fails, const Settings& settings)
      : best_(std::move(question)), still_fails_(still_fails), settings_(settings) {}

  Result run() {
    if (ask(best_)) {
      while (!out_of_calls() && round()) {
      }
    }
    return {.smallest = std::move(best_), .calls = calls_, .out_of_calls = out_of_calls()};
  }

 private:
  bool out_of_calls() const {
    return calls_ >= settings_.max_calls || std::chrono::steady_clock::now() - begun_ > settings_.longest;
  }

  bool ask(const Case& candidate) {
    if (out_of_calls()) return false;
    ++calls_;
    return still_fails_(candidate);
  }

  bool accept(Case&& candidate) {
    if (candidate == best_ || generators::find_fault(candidate) || !ask(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// One pass over everything, coarse to fine. Whether anything became simpler.
  bool round() {
    bool progress = remove_nodes();
    progress |= merge_nodes();
    progress |= remove_pods();
    for (const auto tidy : {usual_policy, round_amounts, rank_priorities, rank_times, order_pods, rename_all,
                            merge_namespaces}) {
      Case candidate = best_;
      tidy(candidate);
      progress |= accept(std::move(candidate));
    }
    progress |= lower_amounts();
    return edit_parts() || progress;
  }

  /// Takes away chunks of `count` things, halves first, then quarters, down to single ones.
  template <class Remove>
  bool remove_chunks(std::size_t count, Remove remove) {
    bool progress = false;
    for (std::size_t chunk = std::max<std::size_t>(1, count / 2); chunk > 0; chunk /= 2) {
      std::size_t begin = 0;
      while (begin < count && !out_of_calls()) {
        Case candidate = best_;
        const std::size_t removed = remove(candidate, begin, std::min(count, begin + chunk));
        if (removed > 0 && accept(std::move(candidate))) {
          count -= removed;
          progress = true;
        } else {
          begin += chunk;
        }
      }
    }
    return progress;
  }

  /// Nodes go together with what runs there or is nominated there.
  bool remove_nodes() {
    return remove_chunks(best_.cluster.nodes.size(), [](Case& candidate, std::size_t begin, std::size_t end) {
      Cluster& cluster = candidate.cluster;
      for (std::size_t i = begin; i < end; ++i) {
        const std::string& name = cluster.nodes[i].name;
        std::erase_if(cluster.pods, [&](const Pod& pod) {
          return full_name(pod) != candidate.preemptor &&
                 (pod.node_name == name || (pod.node_name.empty() && pod.nominated_node_name == name));
        });
        std::erase_if(cluster.csi_nodes, [&](const CsiNode& csi_node) { return csi_node.name == name; });
        for (Extender& extender : candidate.extenders) {
          if (extender.answer) extender.answer->erase(name);
        }
      }
      cluster.nodes.erase(cluster.nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                          cluster.nodes.begin() + static_cast<std::ptrdiff_t>(end));
      return end - begin;
    });
  }

  /// Moves what is on one node to another and takes the node away: for failures that need one thing
  /// of each.
  bool merge_nodes() {
    bool progress = false;
    for (std::size_t from = 0; from < best_.cluster.nodes.size();) {
      bool merged = false;
      for (std::size_t to = 0; to < best_.cluster.nodes.size() && !merged; ++to) {
        if (to == from) continue;
        Case candidate = best_;
        auto& nodes = candidate.cluster.nodes;
        for (Pod& pod : candidate.cluster.pods) {
          if (pod.node_name == nodes[from].name) pod.node_name = nodes[to].name;
          if (pod.nominated_node_name == nodes[from].name) pod.nominated_node_name = nodes[to].name;
        }
        std::erase_if(candidate.cluster.csi_nodes,
                      [&](const CsiNode& csi_node) { return csi_node.name == nodes[from].name; });
        nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(from));
        merged = accept(std::move(candidate));
      }
      progress |= merged;
      if (!merged) ++from;
    }
    return progress;
  }

  bool remove_pods() {
    return remove_chunks(best_.cluster.pods.size(), [](Case& candidate, std::size_t begin, std::size_t end) {
      std::vector<Pod>& pods = candidate.cluster.pods;
      const auto first = pods.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = pods.begin() + static_cast<std::ptrdiff_t>(end);
      const auto kept =
          std::remove_if(first, last, [&](const Pod& pod) { return full_name(pod) != candidate.preemptor; });
      const auto removed = static_cast<std::size_t>(last - kept);
      pods.erase(kept, last);
      return removed;
    });
  }

  /// Equal amounts go down together, as far as they stay round.
  bool lower_amounts() {
    bool progress = false;
    for (const auto& [resource, amounts] : distinct_amounts(best_)) {
      const std::int64_t round = round_amount_milli(resource);
      for (Quantity amount : amounts) {
        bool lowered = true;
        while (lowered && amount.units < INT64_MAX / 1000 && to_milli(amount) > round &&
               to_milli(amount) % round == 0) {
          lowered = false;
          const std::int64_t pieces = to_milli(amount) / round;
          for (const std::int64_t fewer : {std::int64_t{1}, pieces / 2, pieces - 1}) {
            const Quantity to = quantity_from_milli(fewer * round);
            Case candidate = best_;
            replace_amount(candidate, resource, amount, to);
            if (fewer < pieces && accept(std::move(candidate))) {
              amount = to;
              progress = lowered = true;
              break;
            }
          }
        }
      }
    }
    return progress;
  }

  /// Tries every edit that the walk offers. After one is accepted, the next has the same number.
  bool edit_parts() {
    bool progress = false;
    int target = 0;
    while (!out_of_calls()) {
      Case candidate = best_;
      const std::size_t preemptor = preemptor_index(candidate);
      NthEdit edit(target);
      walk(edit, candidate);
      if (target >= edit.seen()) break;
      // A change of the preemptor's namespace is a change of its name.
      if (preemptor < candidate.cluster.pods.size())
        candidate.preemptor = full_name(candidate.cluster.pods[preemptor]);
      if (accept(std::move(candidate))) {
        progress = true;
      } else {
        ++target;
      }
    }
    return progress;
  }

  static std::size_t preemptor_index(const Case& question) {
    const auto& pods = question.cluster.pods;
    return static_cast<std::size_t>(
        std::find_if(pods.begin(), pods.end(),
                     [&](const Pod& pod) { return full_name(pod) == question.preemptor; }) -
        pods.begin());
  }

  Case best_;
  const StillFails& still_fails_;
  const Settings& settings_;
  int calls_ = 0;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

Result shrink(Case question, const StillFails& still_fails, const Settings& settings) {
  return Shrinker(std::move(question), still_fails, settings).run();
}

}  // namespace reprieve::shrink
