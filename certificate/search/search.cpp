#include "reprieve/certificate/search/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reprieve/certificate/check.h"
#include "reprieve/certificate/search/leaf.h"

namespace reprieve::certificate {
namespace {

constexpr std::int64_t kShift = std::int64_t{1} << 31;
constexpr std::uint64_t kStepsOfAShortcut = 100;

// One node: trees that show that no set there is in a region.
class Node {
 public:
  Node(const Facts& cluster, const NodeFacts& facts, std::uint64_t steps)
      : cluster_(cluster), facts_(facts), steps_(steps) {}

  NodeClaim prove(const std::optional<CandidateKey>& best) {
    NodeClaim said{.node = facts_.node};
    const std::size_t levels = best ? cluster_.policy().node_order.size() : 1;
    for (std::size_t level = 0; level < levels && !said.worse; ++level) {
      const Region worse = region(cluster_, facts_, best, level, true);
      // Not even as good here: then the levels behind it do not matter.
      auto tree = within(best ? kStepsOfAShortcut : steps_, worse);
      said.worse = tree.has_value();
      if (!tree) tree = within(steps_, region(cluster_, facts_, best, level, false));
      if (!tree) return {.node = facts_.node, .open = why_open()};
      said.steps.push_back(std::move(*tree));
    }
    return said;
  }

 private:
  std::string why_open() const {
    return facts_.needs_to_fit.empty() ? fmt::format("more than {} steps of search", steps_)
                                       : fmt::format("filter {}", fmt::join(facts_.needs_to_fit, ", "));
  }

  std::optional<Tree> within(std::uint64_t steps, const Region& whole) {
    left_ = steps;
    return tree(whole);
  }

  std::optional<Tree> tree(const Region& whole) {
    if (left_ == 0) return std::nullopt;
    --left_;
    if (const auto by = find_multipliers(cluster_, facts_, whole)) return Tree{.by = *by};
    if (violates(cluster_, facts_, whole)) return Tree{.kind = Tree::Kind::kViolating};
    if (std::ranges::count(whole.pods, State::kFree) == 0) return std::nullopt;
    // Fractions of pods are of no use where each pod counts: say first how many go at least.
    const bool counts = whole.sum != kNoLimit || whole.most != kNoLimit;
    if (counts && whole.least < whole.most) {
      if (const auto at = first_not_excluded(whole); at > whole.least) return divide(whole, at);
      if (whole.least + 1 <= most_by_sum(whole) && whole.sum != kNoLimit)
        return divide(whole, whole.least + 1);
    }
    return branch(whole);
  }

  // Fewer victims than this are excluded by a leaf.
  std::int64_t first_not_excluded(const Region& whole) const {
    std::int64_t at = whole.least;
    for (; at < whole.most && at <= std::ssize(facts_.pods); ++at) {
      Region fewer = whole;
      fewer.most = at;
      if (!find_multipliers(cluster_, facts_, fewer)) break;
    }
    return at;
  }

  // More victims than this are excluded by the limit on the sum.
  std::int64_t most_by_sum(const Region& whole) const {
    std::int64_t least = kNoLimit;
    for (std::size_t i = 0; i < facts_.pods.size(); ++i) {
      if (whole.pods[i] != State::kKept)
        least = std::min<std::int64_t>(least, facts_.pods[i]->priority + kShift);
    }
    return std::min(whole.most, whole.sum / std::max<std::int64_t>(least, 1));
  }

  std::optional<Tree> divide(const Region& whole, std::int64_t victims) {
    Region fewer = whole, others = whole;
    fewer.most = std::min(whole.most, victims - 1);
    others.least = victims;
    auto below = tree(fewer);
    if (!below) return std::nullopt;
    auto above = tree(others);
    if (!above) return std::nullopt;
    return Tree{
        .kind = Tree::Kind::kVictims, .victims = victims, .sides = {std::move(*below), std::move(*above)}};
  }

  // On the pod that frees the largest part of what is needed.
  std::optional<Tree> branch(const Region& whole) {
    std::vector<Row> rests;
    for (const Row& row : facts_.rows) rests.push_back(rest_of(row, whole));
    std::size_t best = facts_.pods.size();
    double most = -1;
    for (std::size_t i = 0; i < facts_.pods.size(); ++i) {
      if (whole.pods[i] != State::kFree) continue;
      double part = facts_.budgets[i].empty() ? 0 : 1e-6;
      for (const Row& rest : rests) {
        if (rest.need > 0) part += static_cast<double>(rest.frees[i]) / static_cast<double>(rest.need);
      }
      if (part > most) most = part, best = i;
    }
    Region with = whole, without = whole;
    with.pods[best] = State::kEvicted;
    without.pods[best] = State::kKept;
    auto kept = tree(without);
    if (!kept) return std::nullopt;
    auto evicted = tree(with);
    if (!evicted) return std::nullopt;
    return Tree{.kind = Tree::Kind::kPod,
                .pod = full_name(*facts_.pods[best]),
                .sides = {std::move(*evicted), std::move(*kept)}};
  }

  const Facts& cluster_;
  const NodeFacts& facts_;
  std::uint64_t steps_;
  std::uint64_t left_ = 0;
};

}  // namespace

std::optional<CandidateKey> key_of(const Facts& cluster, const Case& question, const Choice& choice) {
  const auto node = std::ranges::find(question.cluster.nodes, choice.node, &reprieve::Node::name);
  if (!cluster.preemptor() || node == question.cluster.nodes.end()) return std::nullopt;
  const NodeFacts facts = cluster.of(*node);
  States pods;
  for (const Pod* pod : facts.pods) {
    const bool goes = std::ranges::find(choice.victims, full_name(*pod)) != choice.victims.end();
    pods.push_back(goes ? State::kEvicted : State::kKept);
  }
  return key_of(cluster, facts, pods);
}

Certificate find_certificate(const Case& question, const std::optional<Choice>& decision,
                             const std::optional<Choice>& better, std::uint64_t steps) {
  const Facts cluster(question);
  Certificate found{.preemptor = question.preemptor,
                    .policy = question.policy.name,
                    .decision = decision,
                    .better = better};
  std::optional<CandidateKey> best;
  for (std::optional<Choice>* const choice : {&found.decision, &found.better}) {
    if (*choice) best = (*choice)->key = key_of(cluster, question, **choice);
  }
  for (const reprieve::Node& node : question.cluster.nodes) {
    NodeClaim& claim = found.nodes.emplace_back(NodeClaim{.node = node.name, .open = cluster.needs()});
    if (!claim.open.empty()) continue;
    const NodeFacts facts = cluster.of(node);
    claim.refused = facts.refused;
    if (claim.refused.empty()) claim.open = facts.needs;
    if (claim.refused.empty() && claim.open.empty()) claim = Node(cluster, facts, steps).prove(best);
  }
  return found;
}

}  // namespace reprieve::certificate
