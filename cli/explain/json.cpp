#include "reprieve/cli/explain/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reprieve/cli/explain/text.h"
#include "reprieve/cli/output/time.h"
#include "reprieve/cli/view.h"

namespace reprieve::cli::explain {

namespace {

using Json = nlohmann::ordered_json;

Json time_json(const std::optional<TimeUs>& time_us) {
  return time_us ? Json(format_time(*time_us)) : Json(nullptr);
}

Json failure_json(const std::optional<FilterFailure>& failure) {
  if (!failure) return nullptr;
  Json shortfalls = Json::array();
  for (const Shortfall& shortfall : failure->shortfalls) {
    shortfalls.push_back({{"resource", shortfall.resource},
                          {"requested", shortfall.requested},
                          {"used", shortfall.used},
                          {"allocatable", shortfall.allocatable}});
  }
  return {{"plugin", failure->plugin},
          {"reasons", failure->reasons},
          {"shortfalls", shortfalls},
          {"withNominated", failure->with_nominated}};
}

Json charges_json(const std::vector<Charge>& charges) {
  Json list = Json::array();
  for (const Charge& charge : charges) {
    list.push_back(
        {{"budget", charge.budget}, {"left", charge.left}, {"alreadyDisrupted", charge.disrupted}});
  }
  return list;
}

Json node_json(const Explanation& told, const NodeDecision& node) {
  Json json = {{"node", node.node},
               {"status", to_string(node.status)},
               {"reasons", node.reasons},
               {"tried", node.tried}};
  json["filterFailure"] = failure_json(node.filter_failure);
  json["emptiedFailure"] = failure_json(node.emptied_failure);
  Json pods = Json::array();
  const std::vector<std::size_t> order = turns(node);
  for (std::size_t i = 0; i < node.potential_victims.size(); ++i) {
    const PotentialVictim& victim = node.potential_victims[i];
    Json pod = {
        {"pod", victim.pod}, {"priority", victim.priority}, {"startTime", time_json(victim.start_time_us)}};
    pod["charges"] = charges_json(victim.charges);
    const auto skipped = told.not_charged.find(victim.pod);
    pod["notCharged"] = skipped == told.not_charged.end() ? Json::array() : Json(skipped->second);
    const PodFacts* facts = find(told.facts, node.node, victim.pod);
    pod["requests"] = facts == nullptr ? Json::object() : Json(facts->requests);
    pod["violating"] = victim.violating;
    if (told.walk && node.status == NodeStatus::kCandidate) pod["turn"] = order[i];
    pod["terminating"] = std::ranges::count(told.terminating, victim.pod) > 0;
    pod["evicted"] = victim.evicted;
    pod["notReprieved"] = failure_json(victim.not_reprieved);
    pods.push_back(std::move(pod));
  }
  json["potentialVictims"] = std::move(pods);
  const ExtenderEffect effect = effect_of_extenders(node);
  if (effect.dropped) json["droppedByExtender"] = true;
  json["nominated"] = Json::array();
  if (const NodeFacts* on = find(told.facts, node.node)) {
    for (const PodFacts& pod : on->nominated)
      json["nominated"].push_back({{"pod", pod.pod}, {"priority", pod.priority}, {"requests", pod.requests}});
  }
  if (node.status != NodeStatus::kCandidate) return json;
  json["victims"] = node.victims;
  json["violations"] = node.violations;
  const auto real = told.real_violations.find(node.node);
  if (real != told.real_violations.end()) json["realViolations"] = real->second;
  if (node.key) json["levels"] = cli::to_json(*node.key);
  return json;
}

Json changes_json(const std::vector<Change>& changes) {
  Json list = Json::array();
  for (const Change& change : changes)
    list.push_back({{"kind", change.kind}, {"if", change.text}, {"then", change.then}});
  return list;
}

Json rivalry_json(const Rivalry& rivalry) {
  Json levels = Json::array();
  for (const Level& level : rivalry.levels) {
    constexpr const char* kBetter[] = {"winner", "equal", "runnerUp"};
    levels.push_back({{"level", to_string(level.criterion)},
                      {"winner", level.winner},
                      {"runnerUp", level.runner_up},
                      {"better", kBetter[std::clamp(level.better, -1, 1) + 1]},
                      {"decides", level.decides}});
  }
  return {{"winner", rivalry.winner},
          {"runnerUp", rivalry.runner_up},
          {"levels", std::move(levels)},
          {"needs", rivalry.needs},
          {"changes", changes_json(rivalry.changes)}};
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) {
    list.push_back({{"kind", warning.kind},
                    {"text", warning.text},
                    {"searched", warning.searched},
                    {"nodes", warning.nodes},
                    {"pods", warning.pods},
                    {"budgets", warning.budgets},
                    {"alternative", warning.alternative}});
  }
  return list;
}

}  // namespace

nlohmann::ordered_json to_json(const Explanation& told) {
  const Decision& decision = told.decision;
  Json json = {{"apiVersion", "reprieve.dev/v1alpha1"},
               {"kind", "Explanation"},
               {"pod", told.preemptor},
               {"priority", told.priority},
               {"policy", told.policy},
               {"release", to_string(told.release)},
               {"outcome", to_string(decision.outcome)},
               {"reason", decision.reason},
               {"summary", told.summary},
               {"nominated", decision.nominated},
               {"cleared", decision.cleared}};
  json["decidedBy"] = decision.decided_by ? Json(to_string(*decision.decided_by)) : Json(nullptr);
  if (!decision.bounded.empty()) json["bounded"] = cli::to_json(decision.bounded);
  json["rivalry"] = told.rivalry ? rivalry_json(*told.rivalry) : Json(nullptr);
  if (told.nearest_miss) {
    const FilterFailure amounts{.shortfalls = told.nearest_miss->shortfalls};
    json["nearestMiss"] = {{"node", told.nearest_miss->node},
                           {"shortfalls", failure_json(amounts)["shortfalls"]}};
  }
  json["warnings"] = warnings_json(told.warnings);
  if (told.victim) {
    json["victim"] = {{"pod", told.victim->pod},
                      {"fate", told.victim->fate},
                      {"why", told.victim->sentences},
                      {"otherChoices", told.victim->other_choices},
                      {"changes", changes_json(told.victim->changes)}};
  }
  Json nodes = Json::array();
  for (const std::size_t index : told.node_order) nodes.push_back(node_json(told, decision.nodes[index]));
  json["nodes"] = std::move(nodes);
  json["decisions"] = told.decisions;
  return json;
}

}  // namespace reprieve::cli::explain
