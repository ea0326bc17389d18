#include "reprieve/properties/compare/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reprieve/model/share.h"
#include "reprieve/properties/compare/importance.h"

namespace reprieve::compare {
namespace {

using Names = std::vector<std::string>;

std::string text(const Names& names) { return fmt::format("[{}]", fmt::join(names, ", ")); }
std::string text(std::int64_t value) { return fmt::format("{}", value); }
std::string text(std::string_view value) { return std::string(value); }
std::string text(bool value) { return value ? "true" : "false"; }
std::string text(const std::optional<NodeCriterion>& criterion) {
  return criterion ? std::string(to_string(*criterion)) : "-";
}
std::string text(const std::optional<FilterFailure>& failure) {
  if (!failure) return "-";
  std::string out = fmt::format("{}: {}", failure->plugin, fmt::join(failure->reasons, ", "));
  for (const Shortfall& s : failure->shortfalls) {
    out += fmt::format("; {} {} + {} > {}", s.resource, s.requested, s.used, s.allocatable);
  }
  if (failure->with_nominated) out += " (with nominated pods)";
  return out;
}
std::string text(const std::optional<CandidateKey>& key) {
  if (!key) return "-";
  std::string out =
      fmt::format("({}, {}, {}, {}, {}", key->violations, key->highest_priority, key->priority_sum,
                  key->victim_count, key->earliest_start_us ? text(*key->earliest_start_us) : "now");
  if (key->requested_share) out += ", share " + to_string(*key->requested_share);
  if (key->budgets_touched) out += fmt::format(", {} budgets", *key->budgets_touched);
  return out + ")";
}
std::string text(const std::optional<Share>& share) { return share ? to_string(*share) : "-"; }
std::string text(const std::optional<std::int64_t>& value) { return value ? text(*value) : "-"; }
std::string text(const std::vector<Bound>& bounds) {
  std::string out;
  for (const Bound& bound : bounds) {
    out += fmt::format("{}{} {} of {}", out.empty() ? "" : ", ", to_string(bound.level), bound.found,
                       bound.at_least);
  }
  return out.empty() ? "proved" : "bounded: " + out;
}
std::string text(const PotentialVictim& victim) {
  std::string out = victim.pod;
  for (const Charge& charge : victim.charges) {
    out += fmt::format(" {}{}{}", charge.budget, charge.disrupted ? " disrupted " : " left ", charge.left);
  }
  out += victim.violating ? " violating" : "";
  return out + (victim.evicted ? " evicted because " + text(victim.not_reprieved) : " reprieved");
}

Names sorted(Names names) {
  std::sort(names.begin(), names.end());
  return names;
}
/// A reason as far as it is the scheduler's own: what follows this is the API machinery's prose about an
/// invalid selector, and nothing that either side decides.
std::string_view comparable(std::string_view reason) {
  constexpr std::string_view kParsing = "parsing pod: ";
  return reason.starts_with(kParsing) ? kParsing : reason;
}

Names as_set(Names names) {
  for (std::string& name : names) name.resize(comparable(name).size());
  names = sorted(std::move(names));
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<FilterFailure> canonical(std::optional<FilterFailure> failure) {
  if (!failure) return failure;
  failure->reasons = as_set(std::move(failure->reasons));
  std::sort(failure->shortfalls.begin(), failure->shortfalls.end(),
            [](const Shortfall& a, const Shortfall& b) { return a.resource < b.resource; });
  return failure;
}

class Comparison {
 public:
  Comparison(const Case& question, const Options& options) : importance_(question), options_(options) {}

  std::vector<Difference> differences;

  template <class T>
  void field(std::string_view name, const T& left, const T& right) {
    if (left != right) differences.push_back({std::string(name), text(left), text(right)});
  }

  void victims(const std::string& name, const Names& left, const Names& right) {
    if (importance_.canonical(left) != importance_.canonical(right)) {
      differences.push_back({name, text(left), text(right)});
    }
  }

  void nominated(const Names& left, const Names& right) {
    if (!options_.chosen_only) return field("nominated", sorted(left), sorted(right));
    const bool agree = right.empty() ? left.empty() : std::count(left.begin(), left.end(), right.front()) > 0;
    if (!agree) differences.push_back({"nominated", text(left), text(right)});
  }

  void node(const NodeDecision& left, const NodeDecision& right) {
    const std::string at = "nodes." + left.node + ".";
    if (left.status != right.status) {
      differences.push_back({at + "status", status_text(left), status_text(right)});
    } else if (left.status == NodeStatus::kCandidate) {
      victims(at + "victims", left.victims, right.victims);
      field(at + "violations", left.violations, right.violations);
      if (!options_.story) levels(at, left.key, right.key);
    } else if (options_.reasons) {
      field(at + "reasons", as_set(left.reasons), as_set(right.reasons));
    }
    if (options_.story) story(at, left, right);
  }

  void nodes(const std::vector<NodeDecision>& left, const std::vector<NodeDecision>& right) {
    std::map<std::string_view, const NodeDecision*> by_name;
    for (const NodeDecision& other : right) by_name.emplace(other.node, &other);
    for (const NodeDecision& mine : left) {
      const auto found = by_name.find(mine.node);
      if (found != by_name.end()) {
        node(mine, *found->second);
        by_name.erase(found);
      } else if (!options_.common_nodes_only) {
        differences.push_back({"nodes." + mine.node, status_text(mine), "-"});
      }
    }
    if (options_.common_nodes_only) return;
    for (const auto& [name, other] : by_name) {
      differences.push_back({fmt::format("nodes.{}", name), "-", status_text(*other)});
    }
  }

 private:
  /// A status with what explains it, so that one line of a report is enough to start thinking.
  static std::string status_text(const NodeDecision& node) {
    if (node.status == NodeStatus::kCandidate) {
      return fmt::format("candidate {} with {} violations", text(node.victims), node.violations);
    }
    return fmt::format("{} {}", to_string(node.status), text(node.reasons));
  }

  /// What only the policy's own levels tell. Kubernetes' five follow from the victims, and an answer from
  /// outside tells none of them when the policy has no others.
  void levels(const std::string& at, const std::optional<CandidateKey>& left,
              const std::optional<CandidateKey>& right) {
    if (!left || !right) return;
    field(at + "levels.requestedShare", left->requested_share, right->requested_share);
    field(at + "levels.budgetsTouched", left->budgets_touched, right->budgets_touched);
  }

  void story(const std::string& at, const NodeDecision& left, const NodeDecision& right) {
    field(at + "tried", left.tried, right.tried);
    field(at + "filterFailure", canonical(left.filter_failure), canonical(right.filter_failure));
    field(at + "emptiedFailure", canonical(left.emptied_failure), canonical(right.emptied_failure));
    field(at + "key", left.key, right.key);
    field(at + "potentialVictims.count", static_cast<std::int64_t>(left.potential_victims.size()),
          static_cast<std::int64_t>(right.potential_victims.size()));
    // In order, ties included: engine and reference both keep the order of the input.
    for (std::size_t i = 0; i < std::min(left.potential_victims.size(), right.potential_victims.size());
         ++i) {
      PotentialVictim a = left.potential_victims[i];
      PotentialVictim b = right.potential_victims[i];
      a.not_reprieved = canonical(std::move(a.not_reprieved));
      b.not_reprieved = canonical(std::move(b.not_reprieved));
      field(fmt::format("{}potentialVictims[{}]", at, i), a, b);
    }
  }

  Importance importance_;
  const Options& options_;
};

}  // namespace

std::vector<Difference> compare(const Case& question, const Decision& left, const Decision& right,
                                const Options& options) {
  if (left == right) return {};  // the usual case, and soon told
  Comparison comparison(question, options);
  if (left.outcome != right.outcome) {
    const auto outcome_text = [](const Decision& decision) {
      return fmt::format("{}{}{}", to_string(decision.outcome), decision.reason.empty() ? "" : ": ",
                         decision.reason);
    };
    comparison.differences.push_back({"outcome", outcome_text(left), outcome_text(right)});
  } else if (left.outcome == Outcome::kIneligible ||
             (left.outcome == Outcome::kNoCandidate && question.policy.budgets.guaranteed)) {
    comparison.field("reason", left.reason, right.reason);
  }
  if (left.outcome == Outcome::kError && right.outcome == Outcome::kError) return comparison.differences;
  comparison.nominated(left.nominated, right.nominated);
  // Which node of a tie is chosen is arbitrary, and with it whose nominations are cleared.
  const auto chosen = [](const Decision& decision) {
    return decision.nominated.empty() ? std::string_view() : std::string_view(decision.nominated.front());
  };
  const bool same_choice = chosen(left) == chosen(right);
  if (options.cleared && (same_choice || options.story)) {
    comparison.field("cleared", sorted(left.cleared), sorted(right.cleared));
  }
  if (options.decided_by) comparison.field("decidedBy", left.decided_by, right.decided_by);
  // Proved and not proved are different answers; two that are not proved may have other gaps.
  if (left.bounded.empty() != right.bounded.empty()) {
    comparison.field("bounded", left.bounded, right.bounded);
  }
  comparison.nodes(left.nodes, right.nodes);
  return comparison.differences;
}

std::vector<Difference> compare(const Case& question, const manifest::Expectation& expected,
                                const Decision& decision) {
  const Options options;
  Comparison comparison(question, options);
  if (expected.outcome) {
    comparison.field("outcome", to_string(*expected.outcome), to_string(decision.outcome));
  }
  if (expected.reason) comparison.field("reason", *expected.reason, decision.reason);
  if (expected.nominated) comparison.nominated(*expected.nominated, decision.nominated);
  if (expected.cleared) comparison.field("cleared", sorted(*expected.cleared), sorted(decision.cleared));
  if (expected.decided_by) comparison.field("decidedBy", expected.decided_by, decision.decided_by);

  std::map<std::string_view, const NodeDecision*> by_name;
  for (const NodeDecision& node : decision.nodes) by_name.emplace(node.node, &node);
  const auto find = [&](std::string_view name) -> const NodeDecision* {
    const auto found = by_name.find(name);
    if (found != by_name.end()) return found->second;
    comparison.differences.push_back({fmt::format("nodes.{}", name), "expected", "-"});
    return nullptr;
  };
  for (const auto& [name, candidate] : expected.candidates) {
    const NodeDecision* node = find(name);
    if (node == nullptr) continue;
    comparison.node({.node = name,
                     .status = NodeStatus::kCandidate,
                     .victims = candidate.victims,
                     .violations = candidate.violations},
                    *node);
  }
  for (const auto& [name, status] : expected.nodes) {
    const NodeDecision* node = find(name);
    if (node != nullptr) {
      comparison.field("nodes." + name + ".status", to_string(status), to_string(node->status));
    }
  }
  for (const auto& [name, reasons] : expected.reasons) {
    const NodeDecision* node = find(name);
    if (node != nullptr)
      comparison.field("nodes." + name + ".reasons", as_set(reasons), as_set(node->reasons));
  }
  return comparison.differences;
}

std::string kind_of(const Difference& difference) {
  const std::string& field = difference.field;
  const std::size_t first = field.find('.');
  const std::size_t last = field.rfind('.');
  std::string kind = first == last ? field : field.substr(0, first) + ".*" + field.substr(last);
  // Which of a list it is changes when the case becomes smaller.
  if (kind.ends_with(']')) kind.erase(kind.rfind('['));
  return kind;
}

std::string to_string(const std::vector<Difference>& differences, std::string_view left_name,
                      std::string_view right_name) {
  const std::size_t width = std::max(left_name.size(), right_name.size());
  std::string out;
  for (const Difference& difference : differences) {
    out += fmt::format("{}\n  {:<{}}  {}\n  {:<{}}  {}\n", difference.field, left_name, width,
                       difference.left, right_name, width, difference.right);
  }
  return out;
}

}  // namespace reprieve::compare
