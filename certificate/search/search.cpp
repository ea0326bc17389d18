#include "reprieve/certificate/search/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reprieve/certificate/check.h"
#include "reprieve/certificate/search/leaf.h"

namespace reprieve::certificate {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::int64_t kShift = std::int64_t{1} << 31;
constexpr std::uint64_t kStepsOfAShortcut = 100;

Json to_json(const CandidateKey& key) {
  Json json = {{"violations", key.violations},
               {"highestPriority", key.highest_priority},
               {"prioritySum", key.priority_sum},
               {"victimCount", key.victim_count}};
  if (key.earliest_start_us) json["latestStart"] = *key.earliest_start_us;
  return json;
}

Json to_json(const Multipliers& by) {
  Json json = Json::object();
  const auto put = [&](const char* name, std::int64_t value) {
    if (value > 0) json[name] = value;
  };
  for (const auto& [resource, value] : by.rows) json["rows"][resource] = value;
  for (const auto& [budget, value] : by.budgets) json["budgets"][budget] = value;
  put("violations", by.violations);
  put("sum", by.sum);
  put("most", by.most);
  put("least", by.least);
  put("top", by.top);
  return json;
}

// One node: trees that show that no set there is in a region.
class Node {
 public:
  Node(const Facts& cluster, const NodeFacts& facts, std::uint64_t steps)
      : cluster_(cluster), facts_(facts), steps_(steps) {}

  Json prove(const std::optional<CandidateKey>& best) {
    Json said = {{"node", facts_.node}};
    Json steps = Json::array();
    const std::size_t levels = best ? cluster_.policy().node_order.size() : 1;
    for (std::size_t level = 0; level < levels; ++level) {
      const Region worse = region(cluster_, facts_, best, level, true);
      // Not even as good here: then the levels behind it do not matter.
      if (auto tree = within(best ? kStepsOfAShortcut : steps_, worse)) {
        steps.push_back(std::move(*tree));
        said["worse"] = true;
        break;
      }
      auto tree = within(steps_, region(cluster_, facts_, best, level, false));
      if (!tree) return open();
      steps.push_back(std::move(*tree));
    }
    said["steps"] = std::move(steps);
    return said;
  }

 private:
  Json open() const {
    const std::string why = facts_.needs_to_fit.empty()
                                ? fmt::format("more than {} steps of search", steps_)
                                : fmt::format("filter {}", fmt::join(facts_.needs_to_fit, ", "));
    return {{"node", facts_.node}, {"open", why}};
  }

  std::optional<Json> within(std::uint64_t steps, const Region& whole) {
    left_ = steps;
    return tree(whole);
  }

  std::optional<Json> tree(const Region& whole) {
    if (left_ == 0) return std::nullopt;
    --left_;
    if (const auto by = find_multipliers(cluster_, facts_, whole)) return to_json(*by);
    if (whole.violations != kNoLimit && violates(whole)) return Json{{"violating", true}};
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

  std::optional<Json> divide(const Region& whole, std::int64_t victims) {
    Region fewer = whole, others = whole;
    fewer.most = std::min(whole.most, victims - 1);
    others.least = victims;
    auto below = tree(fewer);
    if (!below) return std::nullopt;
    auto above = tree(others);
    if (!above) return std::nullopt;
    return Json{{"victims", victims}, {"fewer", std::move(*below)}, {"others", std::move(*above)}};
  }

  // On the pod that frees the largest part of what is needed.
  std::optional<Json> branch(const Region& whole) {
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
    return Json{
        {"pod", full_name(*facts_.pods[best])}, {"evicted", std::move(*evicted)}, {"kept", std::move(*kept)}};
  }

  bool violates(const Region& whole) const {
    std::vector<bool> evicted;
    for (const State state : whole.pods) evicted.push_back(state == State::kEvicted);
    const bool decided = std::ranges::count(whole.pods, State::kFree) == 0;
    return (decided || cluster_.policy().charging == Charging::kEveryBudget) &&
           cluster_.violations(facts_, evicted) > whole.violations;
  }

  const Facts& cluster_;
  const NodeFacts& facts_;
  std::uint64_t steps_;
  std::uint64_t left_ = 0;
};

}  // namespace

std::string find_certificate(const Case& question, const std::optional<Choice>& decision,
                             const std::optional<Choice>& better, std::uint64_t steps) {
  const Facts cluster(question);
  Json document = {{"apiVersion", "reprieve.dev/v1alpha1"},
                   {"kind", "PreemptionCertificate"},
                   {"preemptor", question.preemptor},
                   {"policy", question.policy.name},
                   {"outcome", decision ? "nominated" : "no-candidate"}};
  std::optional<CandidateKey> best;
  for (const bool is_better : {false, true}) {
    const std::optional<Choice>& choice = is_better ? better : decision;
    if (!choice || !cluster.preemptor()) continue;
    Json said = {{"node", choice->node}, {"victims", choice->victims}};
    const auto node = std::ranges::find(question.cluster.nodes, choice->node, &reprieve::Node::name);
    if (node != question.cluster.nodes.end()) {
      const NodeFacts facts = cluster.of(*node);
      std::vector<bool> evicted;
      for (const Pod* pod : facts.pods)
        evicted.push_back(std::ranges::find(choice->victims, full_name(*pod)) != choice->victims.end());
      best = key_of(cluster, facts, evicted);
      if (best) said["key"] = to_json(*best);
    }
    document[is_better ? "better" : "decision"] = std::move(said);
  }
  document["nodes"] = Json::array();
  for (const reprieve::Node& node : question.cluster.nodes) {
    if (!cluster.needs().empty() || !cluster.preemptor()) {
      document["nodes"].push_back({{"node", node.name}, {"open", cluster.needs()}});
      continue;
    }
    const NodeFacts facts = cluster.of(node);
    if (!facts.refused.empty())
      document["nodes"].push_back({{"node", node.name}, {"refused", facts.refused}});
    else if (!facts.needs.empty())
      document["nodes"].push_back({{"node", node.name}, {"open", facts.needs}});
    else
      document["nodes"].push_back(Node(cluster, facts, steps).prove(best));
  }
  return document.dump(1);
}

}  // namespace reprieve::certificate
