#include "reprieve/cli/explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reprieve/cli/explain/layout.h"
#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kCandidatesInFull = 4;
constexpr std::size_t kCandidatesInTable = 10;
constexpr std::size_t kTriedInFull = 3;
constexpr std::size_t kChangesShown = 5;

std::string head(std::string_view text, const View& view) {
  std::string lines = wrapped(text, view.width);
  lines.pop_back();
  return "\n" + paint(Colour::kBold, lines) + "\n";
}

std::string paragraph(const std::vector<std::string>& sentences, std::size_t width, std::size_t indent = 0) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
  return text.empty() ? "" : wrapped(text, width, indent, indent);
}

std::string bullets(const std::vector<std::string>& lines, std::size_t width) {
  std::string text;
  for (const std::string& line : lines) text += wrapped("- " + line, width, 2, 4);
  return text;
}

std::vector<std::string> changes_in_words(const std::vector<Change>& changes) {
  std::vector<std::string> lines;
  for (const Change& change : changes) {
    if (lines.size() < kChangesShown) lines.push_back(fmt::format("if {}: {}", change.text, change.then));
  }
  return lines;
}

std::string victim_section(const VictimAnswer& victim, const View& view) {
  std::string text = head(fmt::format("{}: {}", victim.pod, fate_in_words(victim.fate)), view);
  text += paragraph(victim.sentences, view.width, 2);
  if (victim.fate != "evicted") return text;
  if (!victim.other_choices.empty()) text += "  Other choices:\n" + bullets(victim.other_choices, view.width);
  if (!victim.changes.empty()) {
    text += "  It would have been spared (each was tried by deciding again):\n" +
            bullets(changes_in_words(victim.changes), view.width);
  } else if (!victim.other_choices.empty()) {
    text +=
        wrapped("No change that was tried (more room, budgets, its priority) spares it.", view.width, 2, 2);
  }
  return text;
}

std::string rivalry_section(const Rivalry& rivalry, const View& view) {
  std::string text = head(fmt::format("Why {} and not {}", rivalry.winner, rivalry.runner_up), view);
  FittedTable table(
      {{"LEVEL", Give::kWrap}, {elided(rivalry.winner, 21)}, {elided(rivalry.runner_up, 21)}, {""}});
  std::size_t number = 0;
  bool decided = false;
  for (const Level& level : rivalry.levels) {
    const std::string verdict = level.decides ? "decides" : (decided ? "" : "equal");
    table.add(
        {fmt::format("{} {}", ++number, in_words(level.criterion)), level.winner, level.runner_up, verdict},
        level.decides ? Colour::kYellow : (decided ? Colour::kDim : Colour::kPlain));
    decided = decided || level.decides;
  }
  text += table.to_string(view.width, 2);
  const auto by_sum = std::ranges::find(rivalry.levels, NodeCriterion::kPrioritySum, &Level::criterion);
  if (by_sum != rivalry.levels.end()) {
    text += wrapped("In the sum 2^31 is added to each priority, so fewer victims nearly always weigh less.",
                    view.width, 2, 2);
  }
  if (rivalry.needs.empty()) return text;
  text += wrapped(fmt::format("For {} to win, {}", rivalry.runner_up, rivalry.needs), view.width, 2, 4);
  if (!rivalry.changes.empty()) {
    text += "  Changes that turn the decision (each was tried by deciding again):\n" +
            bullets(changes_in_words(rivalry.changes), view.width);
  }
  return text;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

std::string warnings_section(const Explanation& told, const View& view, bool victim_alone) {
  std::string text;
  for (const Warning& warning : told.warnings) {
    // Of one node or pod, what concerns it; "partial" and the order of budgets concern all.
    const bool concerns = (view.node.empty() || has(warning.nodes, view.node)) &&
                          (!victim_alone || has(warning.pods, told.victim->pod));
    if (!concerns && warning.kind != "partial" && warning.kind != "budgetOrder") continue;
    std::string line = warning.text;
    if (!warning.searched.empty()) line += fmt::format(" [tried: {}]", warning.searched);
    text += wrapped(fmt::format("- {}: {}", warning.kind, line), view.width, 2, 4);
  }
  return text.empty() ? text : head("Warnings", view) + text;
}

// Nodes beyond those that are told in full: candidates as a table of their levels, the rest by reason.
std::string summary_of_rest(const Explanation& told, const std::vector<std::size_t>& rest, const View& view) {
  std::string text;
  FittedTable candidates(
      {{"NODE", Give::kElide}, {"VIOLATIONS"}, {"HIGHEST PRIORITY"}, {"VICTIMS"}, {"EARLIEST START"}});
  struct Group {
    std::size_t nodes = 0;
    std::string example;
  };
  std::map<std::pair<NodeStatus, std::string>, Group> groups;
  std::size_t candidates_left = 0;
  for (const std::size_t index : rest) {
    const NodeDecision& node = told.decision.nodes[index];
    if (node.status == NodeStatus::kCandidate && node.key) {
      if (++candidates_left > kCandidatesInTable) continue;
      candidates.add({node.node, std::to_string(node.key->violations),
                      std::to_string(node.key->highest_priority), std::to_string(node.key->victim_count),
                      start_of(node.key->earliest_start_us)});
      continue;
    }
    std::string reasons = listed(node.reasons, 20);
    if (node.reasons.empty()) reasons = "-";
    Group& group = groups[{node.status, reasons}];
    if (++group.nodes == 1) group.example = node.node;
  }
  if (!candidates.empty()) {
    text += "Other candidates, best first:\n" + candidates.to_string(view.width, 2);
    if (candidates_left > kCandidatesInTable) {
      text += fmt::format("  ... and {} more (--all lists them)\n", candidates_left - kCandidatesInTable);
    }
  }
  if (groups.empty()) return text;
  std::vector<std::pair<std::pair<NodeStatus, std::string>, Group>> sorted(groups.begin(), groups.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           [](const auto& entry) { return entry.second.nodes; });
  // A table of one row is a sentence.
  if (sorted.size() == 1 && told.decision.outcome != Outcome::kNominated) {
    const auto& [what, group] = sorted.front();
    return text + wrapped(fmt::format("{}: {}, {}{}.", group.example, to_string(what.first), what.second,
                                      group.nodes == 1
                                          ? ""
                                          : fmt::format(" (and {} like it)", count(group.nodes - 1, "node"))),
                          view.width, 2, 4);
  }
  FittedTable table({{"NODES"}, {"STATUS"}, {"REASON", Give::kWrap}, {"SUCH AS", Give::kElide}});
  for (const auto& [what, group] : sorted) {
    table.add({std::to_string(group.nodes), std::string(to_string(what.first)), what.second, group.example});
  }
  const bool others = rest.size() < told.decision.nodes.size();
  return text + (others ? "Other nodes, by reason:\n" : "By reason:\n") + table.to_string(view.width, 2);
}

std::string legend(const Explanation& told, const View& view) {
  std::string text =
      told.walk ? fmt::format(
                      "Pods of lower priority, most important first. All are taken off; then each is put "
                      "back, and stays if {} still fits.",
                      told.preemptor)
                : fmt::format(
                      "Pods of lower priority, most important first. Of all sets whose eviction lets {} fit "
                      "the best by the policy's levels goes; of equal ones that which spares the most "
                      "important pods.",
                      told.preemptor);
  if (told.walk) {
    text += " TURN 1 is put back first: pods whose eviction would exceed a budget come before the others.";
  }
  const bool budgets = std::ranges::any_of(told.ranking, [&](std::size_t index) {
    return std::ranges::any_of(told.decision.nodes[index].potential_victims,
                               [](const PotentialVictim& victim) { return !victim.charges.empty(); });
  });
  if (budgets) {
    if (!told.walk)
      text += " BUDGETS is what evicting the victims, and nobody else, leaves of each.";
    else
      text += fmt::format(
          " BUDGETS is the scheduler's own bookkeeping: what is left of each budget charged for this pod, "
          "after "
          "charging it and the pods above it{}.",
          told.stops_charging ? "; charging a pod stops at the first budget that it exceeds" : "");
  }
  return wrapped(text, view.width, 0, 0);
}

std::string nodes_section(const Explanation& told, const View& view) {
  std::string text;
  std::size_t candidates = 0;
  std::size_t tried = 0;
  std::vector<std::size_t> rest;
  bool explained = false;
  const auto add = [&](const NodeDecision& node) {
    if (node.status == NodeStatus::kCandidate && !explained) {
      text += legend(told, view);
      explained = true;
    }
    text += node_text(told, node, view);
  };
  for (const std::size_t index : told.node_order) {
    const NodeDecision& node = told.decision.nodes[index];
    if (!view.node.empty() && node.node != view.node) continue;
    const bool candidate = node.status == NodeStatus::kCandidate;
    const bool in_full = view.all || !view.node.empty() || (candidate && ++candidates <= kCandidatesInFull) ||
                         (node.tried && !candidate && ++tried <= kTriedInFull);
    if (in_full)
      add(node);
    else
      rest.push_back(index);
  }
  if (!rest.empty()) text += summary_of_rest(told, rest, view);
  return text.empty() ? text : head("Nodes", view) + text;
}

}  // namespace

std::string to_text(const Explanation& told, const View& view) {
  std::string text =
      wrapped(told.own_policy
                  ? fmt::format("Decided by {} policy{}, with the filters of kube-scheduler {}.",
                                told.policy == "inline" ? "the case's own" : "the",
                                told.policy == "inline" ? "" : " " + told.policy, to_string(told.release))
                  : fmt::format("Decided as kube-scheduler {} (policy {}).", to_string(told.release),
                                told.policy),
              view.width) +
      paragraph(told.summary, view.width);
  const bool victim_alone = told.victim && !view.all && view.node.empty();
  if (told.victim) text += victim_section(*told.victim, view);
  if (!victim_alone) text += nodes_section(told, view);
  const bool rivals = told.rivalry && (view.node.empty() || view.node == told.rivalry->winner ||
                                       view.node == told.rivalry->runner_up);
  if (rivals && !victim_alone) text += rivalry_section(*told.rivalry, view);
  return text + warnings_section(told, view, victim_alone);
}

}  // namespace reprieve::cli::explain
