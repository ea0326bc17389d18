#include "reprieve/cli/view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/table.h"
#include "reprieve/cli/output/terminal.h"
#include "reprieve/cli/output/time.h"
#include "reprieve/model/share.h"

namespace reprieve::cli {

namespace {

constexpr std::size_t kNamesShown = 5;

Colour colour_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFits:
    case Outcome::kNominated: return Colour::kGreen;
    case Outcome::kIneligible: return Colour::kYellow;
    case Outcome::kNoCandidate:
    case Outcome::kError: return Colour::kRed;
  }
  return Colour::kPlain;
}

std::string some_of(const std::vector<std::string>& names) {
  if (names.size() <= kNamesShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... ({} in all)", fmt::join(names.begin(), names.begin() + kNamesShown, ", "),
                     names.size());
}

std::vector<VictimView> victims_of(const NodeDecision& chosen, const PodIndex& pods) {
  std::unordered_set<std::string_view> violating;
  for (const PotentialVictim& victim : chosen.potential_victims) {
    if (victim.violating) violating.insert(victim.pod);
  }
  std::vector<VictimView> victims;
  for (const std::string& name : chosen.victims) {
    VictimView& victim = victims.emplace_back(VictimView{.pod = name, .violating = violating.contains(name)});
    const Pod* pod = pods.find(name);
    if (pod == nullptr) continue;  // an extender may name a pod that the cluster does not have
    victim.priority = pod->priority;
    victim.start_time_us = pod->start_time_us;
  }
  return victims;
}

std::vector<RefusalView> refusals_of(const Decision& decision) {
  std::map<std::pair<NodeStatus, std::string>, std::size_t> counts;
  for (const NodeDecision& node : decision.nodes) {
    if (node.status != NodeStatus::kUnschedulable && node.status != NodeStatus::kUnresolvable) continue;
    for (const std::string& reason : node.reasons) ++counts[{node.status, reason}];
  }
  std::vector<RefusalView> refusals;
  for (const auto& [what, nodes] : counts) refusals.push_back({what.first, what.second, nodes});
  std::ranges::stable_sort(refusals, std::ranges::greater(), &RefusalView::nodes);
  return refusals;
}

std::string_view meaning(NodeStatus status) {
  return status == NodeStatus::kUnresolvable ? "no eviction can help" : "eviction does not help";
}

}  // namespace

DecisionView view(const Decision& decision, const Pod& preemptor, const PodIndex& pods, std::size_t nodes,
                  const std::string& policy) {
  DecisionView view;
  view.pod = full_name(preemptor);
  view.priority = preemptor.priority;
  view.policy = policy;
  view.outcome = decision.outcome;
  view.reason = decision.reason;
  view.nominated = decision.nominated;
  view.decided_by = decision.decided_by;
  view.bounded = decision.bounded;
  view.cleared = decision.cleared;
  view.nodes = nodes;
  view.refusals = refusals_of(decision);
  for (const NodeDecision& node : decision.nodes) {
    if (node.status == NodeStatus::kFits) view.fitting.push_back(node.node);
    if (!decision.nominated.empty() && node.node == decision.nominated.front()) {
      view.violations = node.violations;
      view.levels = node.key;
      view.victims = victims_of(node, pods);
    }
  }
  return view;
}

std::string describe(const DecisionView& view) {
  std::string text;
  const auto painted = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{:<13}{}\n", name.empty() ? "" : fmt::format("{}:", name), value);
  };
  const auto field = [&](std::string_view name, std::string_view value) { painted(name, printable(value)); };
  field("Pod", fmt::format("{} (priority {})", view.pod, view.priority));
  field("Policy", view.policy);
  painted("Outcome", paint(colour_of(view.outcome), to_string(view.outcome)));
  if (!view.reason.empty()) field("Reason", view.reason);
  if (view.outcome == Outcome::kFits) {
    field("Fits on", some_of(view.fitting));
    if (!view.applied_node.empty()) field("Bound to", view.applied_node);
  }
  if (view.outcome == Outcome::kNominated) {
    field("Node", view.nominated.empty() ? "" : view.nominated.front());
    if (view.nominated.size() > 1) {
      field("Tie", some_of(view.nominated) + " are equal after every level; the first is taken");
    }
    if (view.decided_by) field("Decided by", to_string(*view.decided_by));
    field("Violations", std::to_string(view.violations));
    if (view.levels && view.levels->requested_share) {
      field("Share", to_string(*view.levels->requested_share) + " of the node is held by the victims");
    }
    if (view.levels && view.levels->budgets_touched) {
      field("Budgets", std::to_string(*view.levels->budgets_touched) + " select a victim");
    }
  }
  for (const Bound& bound : view.bounded) {
    field(&bound == view.bounded.data() ? "Not proved" : "", in_words(bound));
  }
  if (!view.cleared.empty()) field("Cleared", some_of(view.cleared) + " (nominatedNodeName)");
  if (!view.victims.empty()) {
    Table table({"POD", "PRIORITY", "START", "VIOLATES A BUDGET"});
    for (const VictimView& victim : view.victims) {
      table.add({victim.pod, std::to_string(victim.priority),
                 victim.start_time_us ? format_time(*victim.start_time_us) : "<none>",
                 victim.violating ? "yes" : "no"});
    }
    text += "Victims:\n" + table.to_string(2);
  }
  if (view.outcome == Outcome::kNoCandidate || view.outcome == Outcome::kIneligible) {
    Table table({"NODES", "REASON", ""});
    for (const RefusalView& refusal : view.refusals) {
      table.add({std::to_string(refusal.nodes), refusal.reason, std::string(meaning(refusal.status))});
    }
    if (!table.empty()) text += "Refused by:\n" + table.to_string(2);
  }
  return text;
}

std::string in_words(const Bound& bound) {
  const auto value = [&](std::int64_t number) {
    if (bound.level == NodeCriterion::kLatestStart) return format_time(number);
    if (bound.level == NodeCriterion::kRequestedShare) return fmt::format("{} ppm of the node", number);
    return std::to_string(number);
  };
  if (bound.found == bound.at_least)
    return fmt::format("{} {} is proved", to_string(bound.level), value(bound.found));
  const bool later = bound.level == NodeCriterion::kLatestStart;
  return fmt::format("{} {} was found, {} {} may be possible", to_string(bound.level), value(bound.found),
                     later ? "as late as" : "as little as", value(bound.at_least));
}

std::string tabulate(const std::vector<DecisionView>& views, bool full) {
  std::vector<std::string> heads = {"POD", "PRIORITY", "OUTCOME", "NODE", "VICTIMS", "VIOLATIONS", "TIE"};
  if (full) heads.emplace_back("DECIDED BY");
  Table table(std::move(heads));
  for (const DecisionView& view : views) {
    const bool nominated = view.outcome == Outcome::kNominated && !view.nominated.empty();
    std::string node = "<none>";
    if (nominated) node = view.nominated.front();
    if (view.outcome == Outcome::kFits && !view.fitting.empty()) {
      node = view.applied_node.empty() ? view.fitting.front() : view.applied_node;
    }
    const auto count = [&](std::size_t number) { return nominated ? std::to_string(number) : "<none>"; };
    table.add({view.pod, std::to_string(view.priority), std::string(to_string(view.outcome)), node,
               count(view.victims.size()), count(static_cast<std::size_t>(view.violations)),
               count(view.nominated.size()),
               view.decided_by ? std::string(to_string(*view.decided_by)) : "<none>"});
  }
  return table.to_string();
}

nlohmann::ordered_json to_json(const CandidateKey& key) {
  nlohmann::ordered_json json = {{"pdbViolations", key.violations},
                                 {"highestPriority", key.highest_priority},
                                 {"prioritySum", key.priority_sum},
                                 {"victimCount", key.victim_count},
                                 {"latestStart", nullptr}};
  if (key.earliest_start_us) json["latestStart"] = format_time(*key.earliest_start_us);
  if (key.requested_share) json["requestedShare"] = to_string(*key.requested_share);
  if (key.budgets_touched) json["budgetsTouched"] = *key.budgets_touched;
  return json;
}

nlohmann::ordered_json to_json(const std::vector<Bound>& bounds) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Bound& bound : bounds) {
    json.push_back({{"level", to_string(bound.level)}, {"found", bound.found}, {"atLeast", bound.at_least}});
  }
  return json;
}

nlohmann::ordered_json to_json(const DecisionView& view, bool full) {
  nlohmann::ordered_json json = {{"pod", view.pod},
                                 {"priority", view.priority},
                                 {"policy", view.policy},
                                 {"outcome", to_string(view.outcome)}};
  if (!view.reason.empty()) json["reason"] = view.reason;
  if (view.outcome == Outcome::kFits) json["fitting"] = view.fitting;
  json["nominated"] = view.nominated;
  if (!view.applied_node.empty()) json["appliedNode"] = view.applied_node;
  if (view.decided_by) json["decidedBy"] = to_string(*view.decided_by);
  if (view.outcome == Outcome::kNominated) {
    json["violations"] = view.violations;
    if (view.levels) json["levels"] = to_json(*view.levels);
    json["victims"] = nlohmann::ordered_json::array();
    for (const VictimView& victim : view.victims) {
      nlohmann::ordered_json entry = {{"pod", victim.pod}, {"priority", victim.priority}};
      if (victim.start_time_us) entry["startTime"] = format_time(*victim.start_time_us);
      if (full) entry["violating"] = victim.violating;
      json["victims"].push_back(std::move(entry));
    }
  }
  if (!view.bounded.empty()) json["bounded"] = to_json(view.bounded);
  json["cleared"] = view.cleared;
  json["nodes"] = view.nodes;
  if (!full) return json;
  json["refused"] = nlohmann::ordered_json::array();
  for (const RefusalView& refusal : view.refusals) {
    json["refused"].push_back(
        {{"status", to_string(refusal.status)}, {"reason", refusal.reason}, {"nodes", refusal.nodes}});
  }
  return json;
}

}  // namespace reprieve::cli
