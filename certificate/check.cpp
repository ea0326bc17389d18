#include "reprieve/certificate/check.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace reprieve::certificate {
namespace {

using nlohmann::json;
__extension__ typedef __int128 Wide;

constexpr std::int64_t kShift = std::int64_t{1} << 31;
constexpr std::int64_t kMostMultiplier = std::int64_t{1} << 50;  // so that no sum leaves 128 bits
constexpr auto kNow = std::numeric_limits<TimeUs>::max();

}  // namespace

Region region(const Facts& cluster, const NodeFacts& facts, const std::optional<CandidateKey>& key,
              std::size_t level, bool or_equal) {
  Region result{.pods = std::vector<State>(facts.pods.size(), State::kFree)};
  if (cluster.guarantee_binds()) result.violations = 0;
  const auto forbid = [&](auto which) {
    for (std::size_t i = 0; i < facts.pods.size(); ++i) {
      if (which(*facts.pods[i])) result.pods[i] = State::kKept;
    }
  };
  for (std::size_t i = 0; key && i <= level; ++i) {
    const bool below = i == level && !or_equal;
    const std::int64_t less = below ? 1 : 0;
    switch (cluster.policy().node_order[i]) {
      case NodeCriterion::kPdbViolations:
        result.violations = std::min(result.violations, key->violations - less);
        break;
      case NodeCriterion::kHighestPriority:
        forbid([&](const Pod& pod) { return pod.priority > key->highest_priority - less; });
        if (i < level) result.top = key->highest_priority;
        break;
      case NodeCriterion::kPrioritySum: result.sum = key->priority_sum - less; break;
      case NodeCriterion::kVictimCount: result.most = key->victim_count - less; break;
      case NodeCriterion::kLatestStart: {
        const TimeUs start = key->earliest_start_us.value_or(kNow);
        forbid([&](const Pod& pod) {
          if (pod.priority != key->highest_priority) return false;
          return pod.start_time_us.value_or(kNow) < start ||
                 (below && pod.start_time_us.value_or(kNow) == start);
        });
        break;
      }
      default: break;
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
  if ((by.violations > 0 && region.violations == kNoLimit) || (by.sum > 0 && region.sum == kNoLimit) ||
      (by.most > 0 && region.most == kNoLimit) || (by.top > 0 && !region.top))
    return false;
  Wide total = Wide(by.least) * region.least + by.top - Wide(by.sum) * region.sum -
               Wide(by.most) * region.most - Wide(by.violations) * region.violations;
  std::vector<Wide> each(facts.pods.size());
  for (const Row& row : facts.rows) {
    const auto at = by.rows.find(row.resource);
    if (at == by.rows.end()) continue;
    const Row rest = rest_of(row, region);
    total += Wide(at->second) * rest.need;
    for (std::size_t i = 0; i < each.size(); ++i) each[i] -= Wide(at->second) * rest.frees[i];
  }
  std::set<std::size_t> counted;
  for (std::size_t i = 0; i < each.size(); ++i) {
    Wide budgets = 0;
    for (const std::size_t budget : facts.budgets[i]) {
      const auto at = by.budgets.find(cluster.budget_name(budget));
      if (at == by.budgets.end()) continue;
      budgets += at->second;
      if (counted.insert(budget).second) total -= Wide(at->second) * cluster.allowed(budget);
    }
    each[i] += Wide(by.most) - by.least + Wide(by.sum) * (facts.pods[i]->priority + kShift) +
               std::min(budgets, Wide(by.violations));
    if (region.top == facts.pods[i]->priority) each[i] -= by.top;
    if (region.pods[i] == State::kEvicted || (region.pods[i] == State::kFree && each[i] < 0))
      total += each[i];
  }
  return total > 0;
}

std::optional<CandidateKey> key_of(const Facts& cluster, const NodeFacts& facts,
                                   const std::vector<bool>& evicted) {
  CandidateKey key{.violations = cluster.violations(facts, evicted)};
  for (std::size_t i = 0; i < evicted.size(); ++i) {
    if (!evicted[i]) continue;
    const Pod& pod = *facts.pods[i];
    if (key.victim_count++ == 0) key.highest_priority = pod.priority;  // the most important comes first
    key.priority_sum += pod.priority + kShift;
    if (pod.priority == key.highest_priority && pod.start_time_us)
      key.earliest_start_us = std::min(key.earliest_start_us.value_or(kNow), *pod.start_time_us);
  }
  return key.victim_count > 0 ? std::optional(key) : std::nullopt;
}

bool before(const Policy& policy, const CandidateKey& a, const CandidateKey& b) {
  for (const NodeCriterion level : policy.node_order) {
    const auto value = [&](const CandidateKey& key) -> Wide {
      switch (level) {
        case NodeCriterion::kPdbViolations: return key.violations;
        case NodeCriterion::kHighestPriority: return key.highest_priority;
        case NodeCriterion::kPrioritySum: return key.priority_sum;
        case NodeCriterion::kVictimCount: return key.victim_count;
        default: return -Wide(key.earliest_start_us.value_or(kNow));  // later is better
      }
    };
    if (value(a) != value(b)) return value(a) < value(b);
  }
  return false;
}

namespace {

std::string text(const json& of, const char* field) {
  const auto at = of.is_object() ? of.find(field) : of.end();
  return at != of.end() && at->is_string() ? at->get<std::string>() : "";
}
const json& part(const json& of, const char* field) {
  static const json kNone;
  const auto at = of.is_object() ? of.find(field) : of.end();
  return at != of.end() ? *at : kNone;
}
std::optional<std::int64_t> number(const json& of) {
  if (!of.is_number_integer()) return std::nullopt;
  if (of.is_number_unsigned() && of.get<std::uint64_t>() > std::uint64_t{kNoLimit}) return std::nullopt;
  return of.get<std::int64_t>();
}

// A multiplier, 0 when absent; nothing when it is none.
bool read(const json& of, std::int64_t& to) {
  if (of.is_null()) return true;
  to = number(of).value_or(-1);
  return to >= 0 && to <= kMostMultiplier;
}

class Checker {
 public:
  explicit Checker(const Case& question) : question_(question), cluster_(question) {}

  Verdict run(const json& certificate) {
    const Policy& policy = question_.policy;
    if (text(certificate, "kind") != "PreemptionCertificate") return failed("it is no certificate");
    if (text(certificate, "preemptor") != question_.preemptor || text(certificate, "policy") != policy.name)
      return failed("it is about another question");
    std::string needs = cluster_.needs();
    const auto place = [&](NodeCriterion level) { return std::ranges::find(policy.node_order, level); };
    for (const NodeCriterion level : {NodeCriterion::kRequestedShare, NodeCriterion::kBudgetsTouched}) {
      if (place(level) != policy.node_order.end()) needs = "level " + std::string(to_string(level));
    }
    if (place(NodeCriterion::kLatestStart) < place(NodeCriterion::kHighestPriority))
      needs = "a highest priority before the latest start";
    if (!needs.empty()) return failed("needs " + needs);

    const bool decided = text(certificate, "outcome") == "nominated";
    if (!decided && text(certificate, "outcome") != "no-candidate") return failed("it has no outcome");
    verdict_.optimal = part(certificate, "better").is_null();
    if (decided && !choice("decision", part(certificate, "decision"))) return verdict_;
    const std::optional<CandidateKey> of_decision = best_;
    if (!verdict_.optimal) {
      if (!choice("better", part(certificate, "better"))) return verdict_;
      if (of_decision && !before(policy, *best_, *of_decision))
        return failed("the better choice is not better");
    }
    if (best_ && best_->violations > 0 && cluster_.guarantee_binds())
      return failed("the guarantee forbids it");
    const json& nodes = part(certificate, "nodes");
    if (!nodes.is_array() || nodes.size() != question_.cluster.nodes.size())
      return failed("it does not speak of every node");
    for (std::size_t i = 0; i < nodes.size() && verdict_.fault.empty(); ++i) {
      if (const std::string wrong = node(question_.cluster.nodes[i], nodes[i]); !wrong.empty())
        failed("node " + question_.cluster.nodes[i].name + ": " + wrong);
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
  bool choice(const std::string& name, const json& of) {
    const auto wrong = [&](const std::string& why) { return failed(name + ": " + why), false; };
    const auto node = std::ranges::find(question_.cluster.nodes, text(of, "node"), &Node::name);
    if (node == question_.cluster.nodes.end()) return wrong("it names no node");
    const NodeFacts facts = cluster_.of(*node);
    std::vector<bool> evicted(facts.pods.size());
    for (const json& victim : part(of, "victims")) {
      std::size_t i = 0;
      while (i < evicted.size() && (evicted[i] || victim != full_name(*facts.pods[i]))) ++i;
      if (i == evicted.size())
        return wrong("a victim is not a pod of lower priority on the node, or is there twice");
      evicted[i] = true;
    }
    if (!facts.refused.empty()) return wrong("the preemptor does not fit: " + facts.refused);
    if (!facts.needs.empty()) leave_open(node->name, facts.needs);
    for (const Row& row : facts.needs.empty() ? facts.rows : std::vector<Row>()) {
      std::int64_t freed = 0;
      for (std::size_t i = 0; i < evicted.size(); ++i) freed += evicted[i] ? row.frees[i] : 0;
      if (freed < row.need) return wrong("the victims do not make room: " + row.resource);
    }
    for (const std::string& filter : facts.needs_to_fit) leave_open(node->name, "filter " + filter);
    best_ = key_of(cluster_, facts, evicted);
    const json& key = part(of, "key");
    if (!best_ || number(part(key, "violations")) != best_->violations ||
        number(part(key, "highestPriority")) != best_->highest_priority ||
        number(part(key, "prioritySum")) != best_->priority_sum ||
        number(part(key, "victimCount")) != best_->victim_count ||
        number(part(key, "latestStart")) != best_->earliest_start_us)
      return wrong("its key is another");
    return true;
  }

  // What is wrong with what is said of a node; empty: nothing.
  std::string node(const Node& node, const json& said) {
    if (text(said, "node") != node.name) return "it is not spoken of in its place";
    if (const std::string open = text(said, "open"); !open.empty()) return leave_open(node.name, open), "";
    const NodeFacts facts = cluster_.of(node);
    if (const std::string refused = text(said, "refused"); !refused.empty())
      return refused == facts.refused ? "" : "it is not refused by " + refused;
    if (!facts.needs.empty()) return "needs " + facts.needs;
    const json& steps = part(said, "steps");
    const bool worse = part(said, "worse") == true;
    const std::size_t levels = best_ ? question_.policy.node_order.size() : 1;
    if (!steps.is_array() || steps.size() > levels || steps.empty() || (steps.size() < levels && !worse))
      return "a level has no step";
    for (std::size_t level = 0; level < steps.size(); ++level) {
      const bool last = level + 1 == steps.size();
      if (!tree(facts, region(cluster_, facts, best_, level, last && worse), steps[level]))
        return "the step of level " + std::to_string(level + 1) + " does not show it";
    }
    return "";
  }

  // The trees are no deeper than there are pods and numbers of victims: each division takes one away.
  bool tree(const NodeFacts& facts, const Region& whole, const json& said) {
    if (const std::string pod = text(said, "pod"); !pod.empty()) {
      std::size_t i = 0;
      while (i < facts.pods.size() && full_name(*facts.pods[i]) != pod) ++i;
      if (i == facts.pods.size() || whole.pods[i] != State::kFree) return false;
      Region with = whole, without = whole;
      with.pods[i] = State::kEvicted;
      without.pods[i] = State::kKept;
      return tree(facts, with, part(said, "evicted")) && tree(facts, without, part(said, "kept"));
    }
    if (const auto victims = number(part(said, "victims"))) {
      if (*victims <= whole.least || *victims > whole.most || *victims > std::ssize(facts.pods) + 1)
        return false;
      Region fewer = whole, others = whole;
      fewer.most = std::min(whole.most, *victims - 1);
      others.least = *victims;
      return tree(facts, fewer, part(said, "fewer")) && tree(facts, others, part(said, "others"));
    }
    if (part(said, "violating") == true) return violates(facts, whole);
    Multipliers by;
    for (auto* list : {&by.rows, &by.budgets}) {
      for (const auto& [name, value] : part(said, list == &by.rows ? "rows" : "budgets").items()) {
        if (!read(value, (*list)[name])) return false;
      }
    }
    return read(part(said, "violations"), by.violations) && read(part(said, "sum"), by.sum) &&
           read(part(said, "most"), by.most) && read(part(said, "least"), by.least) &&
           read(part(said, "top"), by.top) && excludes(cluster_, facts, whole, by);
  }

  // Those that are evicted violate too much already. More victims violate no less, if each is charged to
  // all its budgets.
  bool violates(const NodeFacts& facts, const Region& whole) const {
    std::vector<bool> evicted;
    for (const State state : whole.pods) evicted.push_back(state == State::kEvicted);
    const bool decided = std::ranges::count(whole.pods, State::kFree) == 0;
    return (decided || question_.policy.charging == Charging::kEveryBudget) &&
           cluster_.violations(facts, evicted) > whole.violations;
  }

  const Case& question_;
  Facts cluster_;
  Verdict verdict_;
  std::optional<CandidateKey> best_;
};

}  // namespace

Verdict check(const Case& question, std::string_view certificate) {
  const json document = json::parse(certificate, nullptr, false);
  return Checker(question).run(document);
}

}  // namespace reprieve::certificate
