#include "reprieve/properties/laws/two_decisions/alike.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

namespace reprieve::laws {
namespace {

Decision with_charges_sorted(Decision decision) {
  for (NodeDecision& node : decision.nodes) {
    for (PotentialVictim& victim : node.potential_victims) {
      std::ranges::stable_sort(victim.charges, {}, &Charge::budget);
    }
  }
  return decision;
}

bool any_story(const Decision& decision) {
  return std::ranges::any_of(decision.nodes,
                             [](const NodeDecision& node) { return !node.potential_victims.empty(); });
}

std::string_view chosen(const Decision& decision) {
  return decision.nominated.empty() ? std::string_view() : std::string_view(decision.nominated.front());
}

/// The node of "nodes.n1.victims".
const NodeDecision* node_of(const Decision& decision, std::string_view field) {
  for (const NodeDecision& node : decision.nodes) {
    const std::string prefix = "nodes." + node.node;
    if (field == prefix || field.starts_with(prefix + ".")) return &node;
  }
  return nullptr;
}

}  // namespace

compare::Options options_for(const subjects::Subject& subject) {
  return {.decided_by = subject.tells_story(), .story = subject.tells_story()};
}

Judgement judge_alike(const Inquiry& inquiry, const Decision& left, const Decision& right,
                      compare::Options options) {
  if (!left.bounded.empty() || !right.bounded.empty()) return silent();
  if (chosen(left) != chosen(right)) options.cleared = false;
  const bool sort = any_story(left) || any_story(right);
  const auto differences = sort ? compare::compare(inquiry.question, with_charges_sorted(left),
                                                   with_charges_sorted(right), options)
                                : compare::compare(inquiry.question, left, right, options);
  if (differences.empty()) return holds();
  Judgement judgement{.verdict = Verdict::kBroken};
  for (const compare::Difference& difference : differences) {
    judgement.breaches.push_back(
        {.why = fmt::format("{}: {} against {}", difference.field, difference.left, difference.right),
         .node = node_of(inquiry.decision, difference.field)});
  }
  return judgement;
}

Judgement judge_alike(const Inquiry& inquiry, const Decision& other, compare::Options options) {
  return judge_alike(inquiry, inquiry.decision, other, options);
}

Judgement judge_alike(const Inquiry& inquiry, const Decision& other) {
  return judge_alike(inquiry, other, options_for(inquiry.subject));
}

Judgement ask_alike(const Inquiry& inquiry, const Case& other) {
  return judge_alike(inquiry, inquiry.subject.decide(other));
}

Judgement judge_candidates_kept(const Inquiry& inquiry, const Decision& other) {
  Judgement judgement;
  if (inquiry.decision.outcome != Outcome::kNominated) return judgement;
  // A filter that fails, rather than rejects, may now be reached.
  if (other.outcome == Outcome::kError && !subjects::is_subject_failure(other)) return judgement;
  judgement = holds();
  if (other.outcome == Outcome::kFits) return judgement;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    if (node.status != NodeStatus::kCandidate) continue;
    const NodeDecision* twin = find_node(other, node.node);
    if (twin != nullptr && twin->status == NodeStatus::kCandidate) continue;
    judgement.verdict = Verdict::kBroken;
    std::string then = "not told of";
    if (twin != nullptr)
      then = fmt::format("{}: {}", to_string(twin->status), fmt::join(twin->reasons, ", "));
    judgement.breaches.push_back(
        {.why = fmt::format("{} is a candidate and then {} ({})", node.node, then, to_string(other.outcome)),
         .node = &node});
  }
  return judgement;
}

const NodeDecision* find_node(const Decision& decision, std::string_view name) {
  const auto at = std::ranges::find(decision.nodes, name, &NodeDecision::node);
  return at == decision.nodes.end() ? nullptr : &*at;
}

const Pod* find_pod(const Case& question, std::string_view full_name) {
  const auto at = std::ranges::find_if(question.cluster.pods, [&](const Pod& pod) {
    return pod.name.size() + pod.namespace_.size() + 1 == full_name.size() &&
           full_name.starts_with(pod.namespace_) && full_name.ends_with(pod.name) &&
           full_name[pod.namespace_.size()] == '/';
  });
  return at == question.cluster.pods.end() ? nullptr : &*at;
}

Decision without_node_story(Decision decision, std::string_view node) {
  std::erase_if(decision.nodes, [&](const NodeDecision& other) { return other.node == node; });
  return decision;
}

Decision without_disrupted_charges(Decision decision) {
  for (NodeDecision& node : decision.nodes) {
    for (PotentialVictim& victim : node.potential_victims) std::erase_if(victim.charges, &Charge::disrupted);
  }
  return decision;
}

bool asks_extenders(const Case& question) {
  return std::ranges::any_of(question.extenders,
                             [](const Extender& extender) { return extender.supports_preemption; });
}

}  // namespace reprieve::laws
