#include "reprieve/certificate/check.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace reprieve::certificate {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t kShift = std::int64_t{1} << 31;
constexpr std::int64_t kMostMultiplier = std::int64_t{1} << 50;  // so that no sum leaves 128 bits

// Lower is better; of starts the later one, and a missing one is the latest.
TimeUs level_of(std::optional<TimeUs> start) { return -start.value_or(std::numeric_limits<TimeUs>::max()); }

std::int64_t value(const CandidateKey& key, NodeCriterion level) {
  switch (level) {
    case NodeCriterion::kPdbViolations: return key.violations;
    case NodeCriterion::kHighestPriority: return key.highest_priority;
    case NodeCriterion::kPrioritySum: return key.priority_sum;
    case NodeCriterion::kVictimCount: return key.victim_count;
    default: return level_of(key.earliest_start_us);
  }
}

}  // namespace

Region region(const Facts& cluster, const NodeFacts& facts, const std::optional<CandidateKey>& key,
              std::size_t level, bool or_equal) {
  Region result{.pods = States(facts.pods.size(), State::kFree)};
  if (cluster.guarantee_binds()) result.violations = 0;
  const auto forbid = [&](auto which) {
    for (std::size_t i = 0; i < facts.pods.size(); ++i) {
      if (which(*facts.pods[i])) result.pods[i] = State::kKept;
    }
  };
  for (std::size_t i = 0; key && i <= level; ++i) {
    const NodeCriterion criterion = cluster.policy().node_order[i];
    const std::int64_t limit = value(*key, criterion) - (i == level && !or_equal ? 1 : 0);
    switch (criterion) {
      case NodeCriterion::kPdbViolations: result.violations = std::min(result.violations, limit); break;
      case NodeCriterion::kHighestPriority:
        forbid([&](const Pod& pod) { return pod.priority > limit; });
        if (i < level) result.top = key->highest_priority;
        break;
      case NodeCriterion::kPrioritySum: result.sum = limit; break;
      case NodeCriterion::kVictimCount: result.most = limit; break;
      default:
        forbid([&](const Pod& pod) {
          return pod.priority == key->highest_priority && level_of(pod.start_time_us) > limit;
        });
    }
  }
  return result;
}

Row rest_of(const Row& row, const Region& region) {
  Row rest = row;
  std::int64_t unit = 0;
  for (std::size_t i = 0; i < row.frees.size(); ++i) {
    if (region.pods[i] == State::kEvicted) rest.need -= row.frees[i];
    if (region.pods[i] == State::kFree)
      unit = std::gcd(unit, row.frees[i]);
    else
      rest.frees[i] = 0;
  }
  rest.need = std::max<std::int64_t>(rest.need, 0);
  if (unit > 1) {
    rest.need = rest.need / unit + (rest.need % unit != 0 ? 1 : 0);
    for (std::int64_t& each : rest.frees) each /= unit;
  }
  for (std::int64_t& each : rest.frees) each = std::min(each, rest.need);
  return rest;
}

// Each condition is of the form "at most 0" and is multiplied by a number that is not negative, so their
// sum is at most 0 for each set of the region. `total` is the least that the sum can be: above 0, there is
// no such set. A victim that violates counts for `violations`; one that does not counts for each of its
// budgets, of which none has more of these than it allows; what is cheaper is assumed.
bool excludes(const Facts& cluster, const NodeFacts& facts, const Region& region, const Multipliers& by) {
  const auto times = [](std::int64_t multiplier, std::int64_t amount) {
    return Wide(std::clamp<std::int64_t>(multiplier, 0, kMostMultiplier)) * amount;
  };
  Wide total = times(by.least, region.least) + times(by.top, region.top ? 1 : 0) - times(by.sum, region.sum) -
               times(by.most, region.most) - times(by.violations, region.violations);
  std::vector<Wide> each(facts.pods.size());
  for (const Row& row : facts.rows) {
    const auto at = by.rows.find(row.resource);
    if (at == by.rows.end()) continue;
    const Row rest = rest_of(row, region);
    total += times(at->second, rest.need);
    for (std::size_t i = 0; i < each.size(); ++i) each[i] -= times(at->second, rest.frees[i]);
  }
  std::set<std::size_t> counted;
  for (std::size_t i = 0; i < each.size(); ++i) {
    Wide budgets = 0;
    for (const std::size_t budget : facts.budgets[i]) {
      const auto at = by.budgets.find(cluster.budget_name(budget));
      if (at == by.budgets.end()) continue;
      budgets += times(at->second, 1);
      if (counted.insert(budget).second) total -= times(at->second, cluster.allowed(budget));
    }
    each[i] += times(by.most, 1) - times(by.least, 1) + times(by.sum, facts.pods[i]->priority + kShift) +
               std::min(budgets, times(by.violations, 1));
    if (region.top == facts.pods[i]->priority) each[i] -= times(by.top, 1);
    if (region.pods[i] == State::kEvicted || (region.pods[i] == State::kFree && each[i] < 0))
      total += each[i];
  }
  return total > 0;
}

std::optional<CandidateKey> key_of(const Facts& cluster, const NodeFacts& facts, const States& pods) {
  CandidateKey key{.violations = cluster.violations(facts, pods)};
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (pods[i] != State::kEvicted) continue;
    const Pod& pod = *facts.pods[i];
    if (key.victim_count++ == 0) key.highest_priority = pod.priority;  // the most important comes first
    key.priority_sum += pod.priority + kShift;
    if (pod.priority == key.highest_priority && level_of(pod.start_time_us) > level_of(key.earliest_start_us))
      key.earliest_start_us = pod.start_time_us;
  }
  return key.victim_count > 0 ? std::optional(key) : std::nullopt;
}

bool before(const Policy& policy, const CandidateKey& a, const CandidateKey& b) {
  for (const NodeCriterion level : policy.node_order) {
    if (value(a, level) != value(b, level)) return value(a, level) < value(b, level);
  }
  return false;
}

// More victims violate no less, if each is charged to all its budgets.
bool violates(const Facts& cluster, const NodeFacts& facts, const Region& region) {
  return (cluster.policy().charging == Charging::kEveryBudget ||
          std::ranges::count(region.pods, State::kFree) == 0) &&
         cluster.violations(facts, region.pods) > region.violations;
}

namespace {

class Checker {
 public:
  Checker(const Case& question, const Certificate& certificate)
      : question_(question), said_(certificate), facts_(question) {}

  Verdict run() {
    if (said_.preemptor != question_.preemptor || said_.policy != question_.policy.name)
      return failed("it is about another question");
    if (!facts_.needs().empty()) return failed("needs " + facts_.needs());
    verdict_.optimal = !said_.better;
    if (said_.decision && !choice("decision", *said_.decision)) return verdict_;
    if (said_.better) {
      const std::optional<CandidateKey> of_decision = best_;
      if (!choice("better", *said_.better)) return verdict_;
      if (of_decision && !before(question_.policy, *best_, *of_decision))
        return failed("the better choice is not better");
    }
    if (best_ && best_->violations > 0 && facts_.guarantee_binds()) return failed("the guarantee forbids it");
    const std::vector<Node>& nodes = question_.cluster.nodes;
    if (said_.nodes.size() != nodes.size()) return failed("it does not speak of every node");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string wrong = node(nodes[i], said_.nodes[i]);
      if (!wrong.empty()) return failed("node " + nodes[i].name + ": " + wrong);
    }
    return verdict_;
  }

 private:
  const Verdict& failed(const std::string& why) {
    verdict_.fault = why;
    return verdict_;
  }
  void leave_open(const std::string& node, const std::string& what) {
    verdict_.open.push_back("node " + node + ": needs " + what);
  }

  // That the victims make room, and that the key is theirs.
  bool choice(const std::string& name, const Choice& said) {
    const auto wrong = [&](const std::string& why) { return failed(name + ": " + why), false; };
    const auto node = std::ranges::find(question_.cluster.nodes, said.node, &Node::name);
    if (node == question_.cluster.nodes.end()) return wrong("it names no node");
    const NodeFacts facts = facts_.of(*node);
    Region chosen{.pods = States(facts.pods.size(), State::kKept)};
    for (const std::string& victim : said.victims) {
      const std::size_t i = facts.find(victim);
      if (i == facts.pods.size() || chosen.pods[i] == State::kEvicted)
        return wrong("a victim is not a pod of lower priority on the node, or is there twice");
      chosen.pods[i] = State::kEvicted;
    }
    if (!facts.refused.empty()) return wrong("the preemptor does not fit: " + facts.refused);
    if (!facts.needs.empty()) leave_open(node->name, facts.needs);
    for (const Row& row : facts.rows) {
      if (facts.needs.empty() && rest_of(row, chosen).need > 0)
        return wrong("the victims do not make room: " + row.resource);
    }
    for (const std::string& filter : facts.needs_to_fit) leave_open(node->name, "filter " + filter);
    best_ = key_of(facts_, facts, chosen.pods);
    return (best_ && said.key == best_) || wrong("its key is another");
  }

  // What is wrong with what is said of a node; empty: nothing.
  std::string node(const Node& node, const NodeClaim& said) {
    if (said.node != node.name) return "it is not spoken of in its place";
    if (!said.open.empty()) return leave_open(node.name, said.open), "";
    const NodeFacts facts = facts_.of(node);
    if (!said.refused.empty())
      return said.refused == facts.refused ? "" : "it is not refused by " + said.refused;
    if (!facts.needs.empty()) return "needs " + facts.needs;
    const std::size_t levels = best_ ? question_.policy.node_order.size() : 1, steps = said.steps.size();
    if (steps == 0 || steps > levels || (steps < levels && !said.worse)) return "a level has no step";
    for (std::size_t level = 0; level < steps; ++level) {
      const bool or_equal = said.worse && level + 1 == steps;
      if (!shows(facts, region(facts_, facts, best_, level, or_equal), said.steps[level]))
        return "the step of level " + std::to_string(level + 1) + " does not show it";
    }
    return "";
  }

  // That no set of victims is in the region.
  bool shows(const NodeFacts& facts, const Region& whole, const Tree& said) const {
    if (said.kind == Tree::Kind::kLeaf) return excludes(facts_, facts, whole, said.by);
    if (said.kind == Tree::Kind::kViolating) return violates(facts_, facts, whole);
    Region one = whole, other = whole;
    if (said.kind == Tree::Kind::kPod) {
      const std::size_t i = facts.find(said.pod);
      if (i == facts.pods.size() || whole.pods[i] != State::kFree) return false;
      one.pods[i] = State::kEvicted;
      other.pods[i] = State::kKept;
    } else {
      if (said.victims <= whole.least || said.victims > whole.most) return false;
      one.most = said.victims - 1;
      other.least = said.victims;
    }
    return said.sides.size() == 2 && shows(facts, one, said.sides[0]) && shows(facts, other, said.sides[1]);
  }

  const Case& question_;
  const Certificate& said_;
  const Facts facts_;
  Verdict verdict_;
  std::optional<CandidateKey> best_;
};

}  // namespace

Verdict check(const Case& question, const Certificate& certificate) {
  return Checker(question, certificate).run();
}

}  // namespace reprieve::certificate
