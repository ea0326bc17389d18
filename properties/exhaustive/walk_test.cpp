// That nothing is lost: every cluster of a small scope, taken raw, is one that the walk has, and is
// decided like it; and the walk has each of them once.
#include "reprieve/properties/exhaustive/walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "reprieve/properties/exhaustive/write.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::exhaustive {
namespace {

Scope scope(std::string_view text) { return parse_scope(text).value(); }

/// A pod of a raw cluster; its place in the list is its place in the input.
struct RawPod {
  int node = 0;
  int size = 0;
  int budgets = 0;
  int priority = 0;  // 0: the highest of a potential victim; -1: a peer
  int start = 0;     // scope.starts: missing
};

struct Raw {
  int preemptor = 0;
  std::vector<int> allocatable;
  std::vector<int> allowed;
  std::vector<RawPod> pods;
};

/// Calls visit(digits) for every vector of digits with digits[i] < bases[i].
template <class Visit>
void for_all(const std::vector<int>& bases, Visit visit) {
  std::vector<int> digits(bases.size(), 0);
  while (true) {
    visit(digits);
    std::size_t i = 0;
    while (i < bases.size() && ++digits[i] == bases[i]) digits[i++] = 0;
    if (i == bases.size()) return;
  }
}

template <class Visit>
void for_all_raw(const Scope& of, Visit visit) {
  const int sizes = static_cast<int>(of.sizes.size());
  const int starts = of.starts + (of.missing_starts ? 1 : 0);
  const int ranks = of.priorities * starts + (of.peers > 0 ? 1 : 0);
  const int most = of.sizes.back() * (of.pods + 1);
  for (int count = 0; count <= of.pods; ++count) {
    std::vector<int> bases{sizes};
    bases.insert(bases.end(), static_cast<std::size_t>(of.nodes), most + 1);
    bases.insert(bases.end(), static_cast<std::size_t>(of.budgets), of.pods + 1);
    for (int pod = 0; pod < count; ++pod) {
      for (const int base : {of.nodes, sizes, 1 << of.budgets, ranks}) bases.push_back(base);
    }
    for_all(bases, [&](const std::vector<int>& digits) {
      auto next = digits.begin();
      Raw raw;
      raw.preemptor = of.sizes[static_cast<std::size_t>(*next++)];
      for (int node = 0; node < of.nodes; ++node) raw.allocatable.push_back(*next++);
      for (int budget = 0; budget < of.budgets; ++budget) raw.allowed.push_back(*next++);
      int peers = 0;
      for (int i = 0; i < count; ++i) {
        RawPod pod;
        pod.node = *next++;
        pod.size = of.sizes[static_cast<std::size_t>(*next++)];
        pod.budgets = *next++;
        const int rank = *next++;
        pod.priority = rank / starts;
        pod.start = rank % starts;
        if (pod.priority == of.priorities) pod = {pod.node, pod.size, pod.budgets, -1, 0};
        peers += pod.priority < 0 ? 1 : 0;
        raw.pods.push_back(pod);
      }
      if (peers <= of.peers) visit(raw);
    });
  }
}

/// The raw cluster as a case, with names and values of its own.
Case to_case(const Raw& raw, const Scope& of, const Policy& policy) {
  Case question{.name = "raw", .cluster = {}, .preemptor = "default/in", .policy = policy, .extenders = {}};
  const auto cpu = [](int size) {
    Pod pod;
    pod.containers.resize(1);
    pod.containers[0].requests["cpu"] = {size, 0};
    return pod;
  };
  for (std::size_t i = 0; i < raw.allocatable.size(); ++i) {
    Node& node = question.cluster.nodes.emplace_back();
    node.name = "node-" + std::to_string(i);
    node.allocatable = {{"cpu", {raw.allocatable[i], 0}}, {"pods", {99, 0}}};
  }
  for (const RawPod& from : raw.pods) {
    Pod& pod = question.cluster.pods.emplace_back(cpu(from.size));
    pod.name = "q" + std::to_string(question.cluster.pods.size());
    pod.node_name = "node-" + std::to_string(from.node);
    pod.priority = from.priority < 0 ? 1000 : 900 - 7 * from.priority;
    if (from.start < of.starts) pod.start_time_us = 1000 + 3 * from.start;
    for (int budget = 0; budget < of.budgets; ++budget) {
      if ((from.budgets >> budget & 1) != 0) pod.labels["budget-" + std::to_string(budget)] = "x";
    }
  }
  Pod& in = question.cluster.pods.emplace_back(cpu(raw.preemptor));
  in.name = "in";
  in.priority = 1000;
  for (int i = 0; i < of.budgets; ++i) {
    DisruptionBudget& budget = question.cluster.budgets.emplace_back();
    budget.name = "budget-" + std::to_string(i);
    budget.selector = LabelSelector{{{budget.name, "x"}}, {}};
    budget.disruptions_allowed = raw.allowed[static_cast<std::size_t>(i)];
  }
  return question;
}

/// The values that occur, in order, replaced by 0, 1, ...
void close_gaps(const std::vector<int*>& values) {
  std::set<int> occur;
  for (const int* value : values) occur.insert(*value);
  for (int* value : values) *value = static_cast<int>(std::distance(occur.begin(), occur.find(*value)));
}

/// The claims of layouts.h and walk.h, one after the other, by trying everything: the shape that stands
/// for the raw cluster.
Shape standing_for(Raw raw, const Scope& of, Charging charging) {
  const Kinds kinds(of);
  const auto on = [&](int node) {
    std::vector<RawPod*> pods;
    for (RawPod& pod : raw.pods) {
      if (pod.node == node) pods.push_back(&pod);
    }
    return pods;
  };
  std::vector<int> rooms;
  bool fits = false;
  for (int node = 0; node < of.nodes; ++node) {
    const int room = std::max(raw.allocatable[static_cast<std::size_t>(node)] - raw.preemptor, kTooSmall);
    rooms.push_back(room);
    int sum = 0;
    for (const RawPod* pod : on(node)) sum += pod->size;
    fits = fits || (room != kTooSmall && sum <= room);
  }
  std::erase_if(raw.pods,
                [&](const RawPod& pod) { return rooms[static_cast<std::size_t>(pod.node)] == kTooSmall; });
  if (fits) {
    for (RawPod& pod : raw.pods) pod = {pod.node, pod.size, 0, 0, 0};
  }

  // The greatest sum of pods that may stay; or all that fits, or nothing of use.
  for (int node = 0; node < of.nodes; ++node) {
    int& room = rooms[static_cast<std::size_t>(node)];
    if (room == kTooSmall) continue;
    const auto pods = on(node);
    int best = -1;
    for (unsigned stay = 0; stay < 1U << pods.size(); ++stay) {
      int sum = 0;
      bool with_peers = true;
      for (std::size_t i = 0; i < pods.size(); ++i) {
        if ((stay >> i & 1U) != 0) sum += pods[i]->size;
        if (pods[i]->priority < 0 && (stay >> i & 1U) == 0) with_peers = false;
      }
      if (with_peers && sum <= room) best = std::max(best, sum);
    }
    room = std::max(best, 0);
  }

  // Priorities, and start times among those of one priority.
  std::vector<int*> priorities;
  for (RawPod& pod : raw.pods) {
    if (pod.priority >= 0) priorities.push_back(&pod.priority);
  }
  close_gaps(priorities);
  for (int priority = 0; priority < of.priorities; ++priority) {
    std::vector<int*> starts;
    for (RawPod& pod : raw.pods) {
      if (pod.priority == priority && pod.start < of.starts) starts.push_back(&pod.start);
    }
    close_gaps(starts);
  }

  // What a budget allows, up to what one node can ask of it.
  for (int budget = 0; budget < of.budgets; ++budget) {
    int most = 0;
    for (int node = 0; node < of.nodes; ++node) {
      int under = 0;
      for (const RawPod* pod : on(node))
        under += pod->priority >= 0 && (pod->budgets >> budget & 1) != 0 ? 1 : 0;
      most = std::max(most, under);
    }
    int& allowed = raw.allowed[static_cast<std::size_t>(budget)];
    allowed = std::min(allowed, most);
  }

  // The least of all ways to order nodes and budgets.
  std::vector<Shape> images;
  std::vector<int> nodes(static_cast<std::size_t>(of.nodes));
  std::iota(nodes.begin(), nodes.end(), 0);
  do {
    std::vector<int> budgets(static_cast<std::size_t>(of.budgets));
    std::iota(budgets.begin(), budgets.end(), 0);
    do {
      const auto renamed = [&](int bits) {
        unsigned image = 0;
        for (std::size_t b = 0; b < budgets.size(); ++b) {
          if ((bits >> b & 1) != 0) image |= 1U << budgets[b];
        }
        return image;
      };
      // Under untilViolated each pod must be charged in the same order as before.
      const bool allowed =
          charging == Charging::kEveryBudget || std::ranges::all_of(raw.pods, [&](const RawPod& pod) {
            std::vector<int> order;
            for (std::size_t b = 0; b < budgets.size(); ++b) {
              if ((pod.budgets >> b & 1) != 0) order.push_back(budgets[b]);
            }
            return std::ranges::is_sorted(order);
          });
      if (!allowed) continue;
      Shape image;
      image.allowed.resize(budgets.size());
      for (std::size_t b = 0; b < budgets.size(); ++b) {
        image.allowed[static_cast<std::size_t>(budgets[b])] = raw.allowed[b];
      }
      for (const int node : nodes) {
        std::vector<RawPod*> pods = on(node);
        std::ranges::stable_sort(pods, [](const RawPod* a, const RawPod* b) {
          return std::pair(a->priority, a->start) < std::pair(b->priority, b->start);
        });
        std::vector<Kind> layout;
        for (const RawPod* pod : pods) {
          const int starts = of.starts + (of.missing_starts ? 1 : 0);
          const int rank =
              pod->priority < 0 ? 0 : kinds.first_victim_rank() + pod->priority * starts + pod->start;
          const auto size = std::ranges::find(of.sizes, pod->size) - of.sizes.begin();
          layout.push_back(static_cast<Kind>(kinds.first_of_rank(rank) + (size << of.budgets) +
                                             static_cast<Kind>(renamed(pod->budgets))));
        }
        image.layout.push_back(std::move(layout));
        image.rooms.push_back(rooms[static_cast<std::size_t>(node)]);
      }
      images.push_back(std::move(image));
    } while (std::ranges::next_permutation(budgets).found);
  } while (std::ranges::next_permutation(nodes).found);
  const auto fuller_first = [](const Shape& shape) {
    std::vector<std::size_t> sizes;
    for (const auto& pods : shape.layout) sizes.push_back(pods.size());
    return std::ranges::is_sorted(sizes, std::greater());
  };
  std::erase_if(images, [&](const Shape& shape) { return !fuller_first(shape); });
  return *std::ranges::min_element(images);
}

/// What is decided, without a name or an amount in it.
std::string nameless(const Case& question, const Decision& decision) {
  std::vector<std::string> nodes;
  for (const NodeDecision& node : decision.nodes) {
    std::string text(to_string(node.status));
    if (node.tried) text += " tried";
    if (std::ranges::count(decision.nominated, node.node) > 0) text += " nominated";
    text += " violations " + std::to_string(node.violations);
    for (const std::string& reason : node.reasons) text += " " + reason;
    for (const PotentialVictim& victim : node.potential_victims) {
      text += " (charges " + std::to_string(victim.charges.size()) + (victim.violating ? " violating" : "") +
              (victim.evicted ? " evicted)" : " reprieved)");
    }
    if (decision.outcome == Outcome::kNominated && node.key)
      text += " victims " + std::to_string(node.key->victim_count);
    nodes.push_back(std::move(text));
  }
  std::ranges::sort(nodes);
  std::string all(to_string(decision.outcome));
  all += decision.decided_by ? " by " + std::string(to_string(*decision.decided_by)) : "";
  all += decision.nominated.empty() || question.policy.sampling
             ? ""
             : " of " + std::to_string(decision.nominated.size());
  for (const std::string& node : nodes) all += "; " + node;
  return all;
}

class Walks : public ::testing::TestWithParam<std::tuple<const char*, Release>> {};

TEST_P(Walks, MeetEveryRawClusterOnceUpToSymmetryAndItIsDecidedAlike) {
  const Scope of = scope(std::get<0>(GetParam()));
  const Policy policy = kubernetes_policy(std::get<1>(GetParam()));
  subjects::EngineSubject engine(subjects::EngineDepths::kFull);
  std::map<Shape, std::string> walked;
  std::map<Shape, std::uint64_t> met;
  for (Walk walk(of, {policy}); !walk.done(); walk.next()) {
    const Case& question = walk.question();
    const auto [at, is_new] = walked.emplace(walk.shape(), nameless(question, engine.decide(question)));
    ASSERT_TRUE(is_new) << "twice: index " << walk.index();
  }
  std::uint64_t raws = 0;
  for_all_raw(of, [&](const Raw& raw) {
    if (::testing::Test::HasFailure()) return;
    const Shape shape = standing_for(raw, of, policy.charging);
    const auto found = walked.find(shape);
    const Case question = to_case(raw, of, policy);
    ASSERT_NE(found, walked.end()) << "not walked: raw cluster " << raws;
    ASSERT_EQ(found->second, nameless(question, engine.decide(question))) << "raw cluster " << raws;
    ++met[shape];
    ++raws;
  });
  EXPECT_EQ(met.size(), walked.size()) << "walked beyond the scope";
  EXPECT_GT(raws, 3 * walked.size());
}

// Together they have every part of a scope: several nodes, budgets, sizes, priorities, start times, a
// missing one, peers.
INSTANTIATE_TEST_SUITE_P(
    SmallScopes, Walks,
    ::testing::Combine(::testing::Values("nodes=1,pods=2,budgets=2,sizes=2,priorities=2,starts=1",
                                         "nodes=1,pods=2,budgets=1,sizes=1:3,priorities=1,starts=2+",
                                         "nodes=1,pods=3,budgets=1,sizes=1,priorities=2,starts=2",
                                         "nodes=1,pods=3,budgets=2,sizes=1,priorities=1,starts=1",
                                         "nodes=2,pods=2,budgets=1,sizes=1,priorities=1,starts=2",
                                         "nodes=2,pods=2,budgets=0,sizes=2,priorities=1,starts=1",
                                         "nodes=2,pods=2,budgets=2,sizes=1,priorities=2,starts=1",
                                         "nodes=1,pods=2,budgets=3,sizes=1,priorities=1,starts=1",
                                         "nodes=3,pods=2,budgets=0,sizes=1,priorities=2,starts=1",
                                         "nodes=2,pods=2,budgets=1,sizes=1,priorities=1,starts=1,peers=1"),
                       ::testing::Values(Release::k1_36, Release::k1_37)));

TEST(Walk, SkippingIsGoingOnWithoutLooking) {
  const Scope of = scope("nodes=2,pods=2,budgets=2,sizes=1,priorities=2,starts=1,peers=1");
  const std::vector<Policy> policies{kubernetes_policy(Release::k1_36), kubernetes_policy(Release::k1_37)};
  const std::uint64_t cases = count_cases(of, policies);
  for (const std::uint64_t step : {1U, 7U, 100U}) {
    Walk slow(of, policies);
    for (std::uint64_t index = 0; index < cases; index += step) {
      Walk fast(of, policies);
      fast.skip(index);
      ASSERT_EQ(fast.index(), index);
      ASSERT_EQ(slow.index(), index);
      ASSERT_EQ(fast.question(), slow.question()) << index;
      slow.skip(step);
    }
    EXPECT_TRUE(slow.done());
    EXPECT_EQ(slow.index(), cases);
  }
}

TEST(Walk, HasNoCaseTwice) {
  const Scope of = scope("nodes=2,pods=3,budgets=1,sizes=2,priorities=1,starts=1");
  std::set<Shape> seen;
  for (Walk walk(of, {kubernetes_policy(Release::k1_37)}); !walk.done(); walk.next()) {
    EXPECT_TRUE(seen.insert(walk.shape()).second) << walk.index();
  }
}

TEST(Walk, RefusesPoliciesThatTellMoreApart) {
  Policy policy = kubernetes_policy(Release::k1_37);
  EXPECT_EQ(why_not_walkable(policy), "");
  policy.sampling = Sampling{};
  EXPECT_NE(why_not_walkable(policy), "");
  policy = {.importance = {ImportanceCriterion::kPriority}};
  EXPECT_NE(why_not_walkable(policy), "");
  policy = {.node_order = {NodeCriterion::kLatestStart, NodeCriterion::kHighestPriority}};
  EXPECT_NE(why_not_walkable(policy), "");
  policy = {.victims = VictimSearch::kExact, .node_order = {NodeCriterion::kBudgetsTouched}};
  EXPECT_EQ(why_not_walkable(policy), "");
}

TEST(Scope, IsReadAndWritten) {
  for (const char* text : {"nodes=2,pods=5,budgets=2,sizes=2,priorities=2,starts=2,peers=0",
                           "nodes=1,pods=0,budgets=0,sizes=1:3:7,priorities=4,starts=1+,peers=2",
                           "nodes=1,pods=1,budgets=1,sizes=5:,priorities=1,starts=1,peers=0"}) {
    const auto read = parse_scope(text);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(to_string(*read), text);
  }
  EXPECT_EQ(parse_scope("pods=3").value().pods, 3);
  EXPECT_EQ(parse_scope("").value(), Scope{});
}

TEST(Scope, RefusesWhatItCannotWalk) {
  for (const char* text : {"nodes=0", "nodes=5", "pods=-1", "pods=x", "pods=", "sizes=2:2", "sizes=0",
                           "sizes=:", "starts=+", "knots=2", "nodes", "pods=3,,"}) {
    EXPECT_FALSE(parse_scope(text)) << text;
  }
  EXPECT_EQ(parse_scope("pods=99").error(), "pods=99: a number from 0 to 8");
}

}  // namespace
}  // namespace reprieve::exhaustive
