// One node of an explanation.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/cli/explain/layout.h"
#include "reprieve/cli/explain/text.h"
#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kReprievedShown = 8;
constexpr const char* kNoVictims = "No preemption victims found for incoming pod";

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

std::string status_words(const Explanation& told, const NodeDecision& node) {
  const auto& nominated = told.decision.nominated;
  switch (node.status) {
    case NodeStatus::kFits: return paint(Colour::kGreen, "fits without any eviction");
    case NodeStatus::kCandidate: {
      if (!nominated.empty() && nominated.front() == node.node) return paint(Colour::kGreen, "chosen");
      if (has(nominated, node.node)) return "candidate, equal to the chosen one";
      if (told.rivalry && told.rivalry->runner_up == node.node) return "candidate, the runner-up";
      return "candidate";
    }
    case NodeStatus::kUnschedulable:
      return told.decision.outcome == Outcome::kFits ? "does not fit as things stand; not tried"
                                                     : "tried in vain";
    case NodeStatus::kUnresolvable: return "ruled out: no eviction can help";
  }
  return "";
}

// A budget is of its pods' namespace, so its name says enough.
std::string budget_cell(const PotentialVictim& victim) {
  std::string cell;
  for (const Charge& charge : victim.charges) {
    const std::string name = charge.budget.substr(charge.budget.find('/') + 1);
    std::string state = fmt::format("{} left", charge.left);
    if (charge.left < 0) state = fmt::format("over by {}", -std::int64_t{charge.left});
    if (charge.disrupted) state = "counted already";
    cell += fmt::format("{}{}: {}", cell.empty() ? "" : "; ", name, state);
  }
  return cell.empty() ? "-" : cell;
}

std::string levels_line(const Explanation& told, const NodeDecision& node) {
  const CandidateKey& key = *node.key;
  std::string violations = count(static_cast<std::size_t>(key.violations), "budget violation");
  const auto real = told.real_violations.find(node.node);
  if (real != told.real_violations.end() && real->second != key.violations) {
    violations += fmt::format(" (really {})", real->second);
  }
  return fmt::format("Levels: {}, top priority {}, sum {}, {}, earliest start at the top {}.", violations,
                     key.highest_priority, value_on(key, NodeCriterion::kPrioritySum),
                     count(static_cast<std::size_t>(key.victim_count), "victim"),
                     start_of(key.earliest_start_us));
}

std::string victims_table(const Explanation& told, const NodeDecision& node, const View& view) {
  const bool budgets =
      std::ranges::any_of(node.potential_victims, [](const auto& v) { return !v.charges.empty(); });
  std::vector<FittedTable::Column> columns = {{"POD", Give::kElide}, {"PRIORITY"}, {"STARTED"}};
  if (budgets) columns.push_back({"BUDGETS", Give::kWrap});
  if (told.walk) columns.push_back({"TURN"});
  columns.push_back({"FATE", Give::kWrap});
  FittedTable table(columns);
  const std::vector<std::size_t> order = turns(node);
  std::size_t reprieved = 0;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < node.potential_victims.size(); ++i) {
    const PotentialVictim& victim = node.potential_victims[i];
    if (!victim.evicted && ++reprieved > kReprievedShown && !view.all) {
      ++hidden;
      continue;
    }
    std::vector<std::string> cells = {victim.pod, std::to_string(victim.priority),
                                      start_of(victim.start_time_us)};
    if (budgets) cells.push_back(budget_cell(victim));
    if (told.walk) cells.push_back(std::to_string(order[i]));
    std::string fate = victim.evicted ? "evicted" : "stays";
    if (has(told.terminating, victim.pod)) fate += ", terminating already";
    cells.push_back(fate);
    table.add(cells, victim.evicted ? Colour::kRed : Colour::kPlain);
  }
  std::string text = table.to_string(view.width, 2);
  if (hidden > 0) text += fmt::format("  ... and {} more that stay (--all lists them)\n", hidden);
  return text;
}

std::string candidate_text(const Explanation& told, const NodeDecision& node, const View& view) {
  std::string text = victims_table(told, node, view);
  std::vector<std::string> evicted;
  for (const PotentialVictim& victim : node.potential_victims) {
    if (!victim.evicted) continue;
    evicted.push_back(victim.pod);
    if (!victim.not_reprieved) continue;
    text += wrapped(fmt::format("{} cannot stay: with it back, {} no longer fits ({}).", victim.pod,
                                told.preemptor, in_words(*victim.not_reprieved)),
                    view.width, 2, 4);
  }
  std::vector<std::string> victims = node.victims;
  std::ranges::sort(evicted);
  std::ranges::sort(victims);
  if (evicted != victims) {
    text += wrapped(fmt::format("Extenders changed the victims to {}.", listed(node.victims, 20)), view.width,
                    2, 4);
  }
  if (node.key) text += wrapped(levels_line(told, node), view.width, 2, 4);
  return text;
}

std::string refused_text(const Explanation& told, const NodeDecision& node, const View& view) {
  std::string text;
  const auto say = [&](const std::string& sentence) { text += wrapped(sentence, view.width, 2, 4); };
  if (node.filter_failure) say("As things stand: " + in_words(*node.filter_failure));
  if (node.emptied_failure) {
    std::vector<std::string> gone;
    for (const PotentialVictim& victim : node.potential_victims) gone.push_back(victim.pod);
    say(fmt::format("With every lower-priority pod gone{}: {}",
                    gone.empty() ? "" : fmt::format(" ({})", listed(gone, 4)),
                    in_words(*node.emptied_failure)));
  } else if (has(node.reasons, kNoVictims)) {
    say(fmt::format("No pod on it has lower priority than {}, so there is nobody to evict.", told.preemptor));
  }
  if (!node.filter_failure && !node.emptied_failure && !has(node.reasons, kNoVictims)) {
    for (const std::string& reason : node.reasons) say(reason);
  }
  return text;
}

}  // namespace

std::vector<std::size_t> turns(const NodeDecision& node) {
  std::vector<std::size_t> order(node.potential_victims.size());
  std::size_t next = 1;
  for (const bool violating : {true, false}) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (node.potential_victims[i].violating == violating) order[i] = next++;
    }
  }
  return order;
}

std::string node_text(const Explanation& told, const NodeDecision& node, const View& view) {
  std::string text = fmt::format("{}: {}\n", paint(Colour::kBold, node.node), status_words(told, node));
  if (node.status == NodeStatus::kCandidate) return text + candidate_text(told, node, view);
  return text + refused_text(told, node, view);
}

}  // namespace reprieve::cli::explain
