// One node of an explanation.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reprieve/cli/explain/layout.h"
#include "reprieve/cli/explain/text.h"
#include "reprieve/cli/explain/words.h"

namespace reprieve::cli::explain {

namespace {

constexpr std::size_t kStayingShown = 5;  // if there are more, none is shown
constexpr std::size_t kResourcesShown = 2;
constexpr const char* kNoVictims = "No preemption victims found for incoming pod";
constexpr const char* kWouldViolate = "evicting would violate a PodDisruptionBudget";

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

std::string extenders_in_words(const Facts& facts) {
  return facts.extenders.size() == 1 ? "extender " + facts.extenders.front() : "an extender";
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
      if (effect_of_extenders(node).dropped) {
        return fmt::format("dropped by {} (would have evicted {})", extenders_in_words(told.facts),
                           listed(found_by_dry_run(node)));
      }
      return told.decision.outcome == Outcome::kFits         ? "does not fit as things stand; not tried"
             : told.decision.outcome == Outcome::kIneligible ? "does not fit as things stand; not tried"
             : node.potential_victims.empty()                ? "nobody to evict"
             : has(node.reasons, kWouldViolate)              ? "refused: a budget would be violated"
                                                             : "tried in vain";
    case NodeStatus::kUnresolvable: return "ruled out: no eviction can help";
  }
  return "";
}

// A budget is of its pods' namespace, so its name says enough.
std::string budget_cell(const Explanation& told, const PotentialVictim& victim) {
  std::string cell;
  const auto add = [&](const std::string& budget, const std::string& state) {
    cell += fmt::format("{}{}: {}", cell.empty() ? "" : "; ", budget.substr(budget.find('/') + 1), state);
  };
  for (const Charge& charge : victim.charges) {
    std::string state = fmt::format("{} left", charge.left);
    if (charge.left < 0) state = fmt::format("over by {}", -std::int64_t{charge.left});
    if (charge.disrupted) state = "counted already";
    add(charge.budget, state);
  }
  if (const auto skipped = told.not_charged.find(victim.pod); skipped != told.not_charged.end()) {
    for (const std::string& budget : skipped->second) add(budget, "not charged");
  }
  return cell.empty() ? "-" : cell;
}

std::string levels_line(const Explanation& told, const NodeDecision& node) {
  const CandidateKey& key = *node.key;
  std::string violations = count(static_cast<std::size_t>(key.violations), "budget violation");
  const auto real = told.real_violations.find(node.node);
  if (real != told.real_violations.end() && real->second != key.violations) {
    violations = fmt::format("budget violations reported {}, actual {}", key.violations, real->second);
  }
  std::string line = fmt::format(
      "Levels: {}, {} {}, sum {}, {}, earliest start {}", violations,
      lists_another_first(told.facts, node) ? "first listed victim's priority" : "highest priority",
      key.highest_priority, value_on(key, NodeCriterion::kPrioritySum),
      count(static_cast<std::size_t>(key.victim_count), "victim"), start_of(key.earliest_start_us));
  if (key.requested_share) line += ", share " + share_of(key.requested_share);
  if (key.budgets_touched) {
    line += ", " + count(static_cast<std::size_t>(*key.budgets_touched), "budget") + " touched";
  }
  return line + ".";
}

// The resources whose shortage decided something on this node, with what the node has of them.
std::vector<Shortfall> short_resources(const NodeDecision& node) {
  std::vector<Shortfall> all;
  const auto add = [&](const std::optional<FilterFailure>& failure) {
    if (!failure) return;
    for (const Shortfall& shortfall : failure->shortfalls) {
      if (shortfall.resource != "pods" &&
          std::ranges::find(all, shortfall.resource, &Shortfall::resource) == all.end())
        all.push_back(shortfall);
    }
  };
  for (const PotentialVictim& victim : node.potential_victims) add(victim.not_reprieved);
  add(node.emptied_failure);
  add(node.filter_failure);
  if (all.size() > kResourcesShown) all.resize(kResourcesShown);
  return all;
}

std::string fate_cell(const Explanation& told, const NodeDecision& node, const PotentialVictim& victim) {
  const bool gone = has(node.victims, victim.pod);
  std::string fate = gone ? "evicted" : "stays";
  if (gone && !victim.evicted) fate = "evicted (extender)";
  if (!gone && victim.evicted) fate = "spared by extender";
  if (has(told.terminating, victim.pod)) fate += ", terminating already";
  return fate;
}

// How the start times are shown: as they are, without the date that all share, or not at all.
enum class Starts { kFull, kTime, kNone };

class VictimsTable {
 public:
  VictimsTable(const Explanation& told, const NodeDecision& node, Starts starts)
      : told_(told),
        starts_(starts),
        resources_(short_resources(node)),
        budgets_(
            std::ranges::any_of(node.potential_victims, [](const auto& v) { return !v.charges.empty(); })),
        table_(columns()) {}

  void add(const PodFacts& pod, const PotentialVictim* victim, std::string turn, std::string fate,
           Colour colour) {
    std::vector<std::string> cells = {pod.pod, std::to_string(pod.priority)};
    for (const Shortfall& resource : resources_) {
      const auto at = pod.requests.find(resource.resource);
      cells.push_back(at == pod.requests.end() ? "0" : amount(at->first, at->second));
    }
    std::string start = start_of(pod.start_time_us);
    if (starts_ == Starts::kTime && pod.start_time_us) start = start.substr(start.find('T') + 1);
    if (starts_ != Starts::kNone) cells.push_back(std::move(start));
    if (budgets_) cells.push_back(victim == nullptr ? "-" : budget_cell(told_, *victim));
    if (told_.walk) cells.push_back(std::move(turn));
    cells.push_back(std::move(fate));
    table_.add(std::move(cells), colour);
  }

  const FittedTable& table() const { return table_; }

 private:
  std::vector<FittedTable::Column> columns() const {
    std::vector<FittedTable::Column> all = {{"POD"}, {"PRIORITY"}};
    for (const Shortfall& resource : resources_) {
      std::string name = resource.resource;
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
      all.push_back({name});
    }
    if (starts_ != Starts::kNone) all.push_back({"STARTED"});
    if (budgets_) all.push_back({"BUDGETS", Give::kWrap});
    if (told_.walk) all.push_back({"TURN"});
    all.push_back({"FATE", Give::kWrap});
    return all;
  }

  const Explanation& told_;
  Starts starts_;
  std::vector<Shortfall> resources_;
  bool budgets_;
  FittedTable table_;
};

PodFacts facts_or_story(const Explanation& told, const NodeDecision& node, const std::string& pod,
                        const PotentialVictim* story) {
  if (const PodFacts* facts = find(told.facts, node.node, pod)) return *facts;
  PodFacts facts{.pod = pod};
  if (story != nullptr) {
    facts.priority = story->priority;
    facts.start_time_us = story->start_time_us;
  }
  return facts;
}

bool starts_on_one_day(const Explanation& told, const NodeDecision& node) {
  std::string day;
  const auto same = [&](const std::optional<TimeUs>& start) {
    if (!start) return true;
    const std::string text = start_of(start);
    const std::string its = text.substr(0, text.find('T'));
    if (day.empty()) day = its;
    return day == its;
  };
  const NodeFacts* on = find(told.facts, node.node);
  return std::ranges::all_of(node.potential_victims, same, &PotentialVictim::start_time_us) &&
         (on == nullptr || std::ranges::all_of(on->pods, same, &PodFacts::start_time_us));
}

std::string victims_table(const Explanation& told, const NodeDecision& node, const View& view) {
  const std::vector<std::size_t> order = turns(node);
  const auto staying = static_cast<std::size_t>(std::ranges::count_if(
      node.potential_victims, [&](const auto& v) { return !v.evicted && !has(node.victims, v.pod); }));
  const bool hide = !view.all && staying > kStayingShown;
  const auto filled = [&](Starts starts) {
    VictimsTable table(told, node, starts);
    for (std::size_t i = 0; i < node.potential_victims.size(); ++i) {
      const PotentialVictim& victim = node.potential_victims[i];
      const bool gone = has(node.victims, victim.pod);
      if (hide && !gone && !victim.evicted) continue;
      table.add(facts_or_story(told, node, victim.pod, &victim), &victim, std::to_string(order[i]),
                fate_cell(told, node, victim), gone ? Colour::kRed : Colour::kPlain);
    }
    for (const std::string& name : node.victims) {
      if (std::ranges::find(node.potential_victims, name, &PotentialVictim::pod) ==
          node.potential_victims.end())
        table.add(facts_or_story(told, node, name, nullptr), nullptr, "-", "evicted (extender)",
                  Colour::kRed);
    }
    if (view.all) {
      for (const PodFacts* pod : not_lower(told.facts, node.node)) {
        if (!has(node.victims, pod->pod)) table.add(*pod, nullptr, "-", "not lower", Colour::kDim);
      }
    }
    return table.table();
  };
  // Names are never shortened, so that they can be copied.
  FittedTable table = filled(Starts::kFull);
  if (table.full_width(2) > view.width && starts_on_one_day(told, node)) table = filled(Starts::kTime);
  if (table.least_width(2) > view.width) table = filled(Starts::kNone);
  std::string text = table.to_string(view.width, 2);
  if (hide) {
    text += wrapped(fmt::format("... and {} that {} (--all lists them)", count(staying, "pod"),
                                staying == 1 ? "stays" : "stay"),
                    view.width, 2, 4);
  }
  return text;
}

// Why each evicted pod could not stay, in the order of the turns.
std::string notes(const Explanation& told, const NodeDecision& node, const View& view) {
  const std::vector<std::size_t> order = turns(node);
  std::vector<std::size_t> by_turn(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) by_turn[order[i] - 1] = i;
  std::string text;
  for (const std::size_t i : by_turn) {
    const PotentialVictim& victim = node.potential_victims[i];
    if (!victim.evicted || !victim.not_reprieved) continue;
    const std::vector<std::string> back = told.walk ? back_before(node, i) : std::vector<std::string>();
    std::vector<std::string> gone;
    for (const PotentialVictim& other : node.potential_victims) {
      if (&other != &victim && !has(back, other.pod)) gone.push_back(other.pod);
    }
    const std::string with = back.empty() ? "it" : fmt::format("it and {}", listed(back, 3));
    text += wrapped(fmt::format("{} {}: with {} back, {}.", victim.pod,
                                node.status == NodeStatus::kCandidate && has(node.victims, victim.pod)
                                    ? "cannot stay"
                                    : "could not stay by the dry run",
                                with, in_words(*victim.not_reprieved, told.facts, node.node, gone)),
                    view.width, 2, 4);
  }
  return text;
}

std::string extenders_line(const Explanation& told, const NodeDecision& node) {
  const ExtenderEffect effect = effect_of_extenders(node);
  if (!effect.any() || told.facts.extenders.empty()) return {};
  const std::string who =
      told.facts.extenders.size() == 1 ? "Extender " + told.facts.extenders.front() : "Extenders";
  return fmt::format("{} changed the {} to {}.", who, effect.reordered ? "order of the victims" : "victims",
                     listed(node.victims, 20));
}

std::string candidate_text(const Explanation& told, const NodeDecision& node, const View& view) {
  std::string text = victims_table(told, node, view) + notes(told, node, view);
  if (const std::string line = extenders_line(told, node); !line.empty())
    text += wrapped(line, view.width, 2, 4);
  // With one candidate there is nothing to compare.
  if (node.key && (told.ranking.size() > 1 || view.all))
    text += wrapped(levels_line(told, node), view.width, 2, 4);
  return text;
}

std::string refused_text(const Explanation& told, const NodeDecision& node, const View& view) {
  std::string text;
  const auto say = [&](const std::string& sentence) { text += wrapped(sentence, view.width, 2, 4); };
  if (node.filter_failure)
    say(fmt::format("As things stand, {}.", in_words(*node.filter_failure, told.facts, node.node, {})));
  if (effect_of_extenders(node).dropped) return text + notes(told, node, view);
  const bool tried =
      told.decision.outcome == Outcome::kNominated || told.decision.outcome == Outcome::kNoCandidate;
  if (!tried) return text;
  if (has(node.reasons, kWouldViolate)) {
    std::vector<std::string> violating;
    for (const PotentialVictim& victim : node.potential_victims) {
      if (victim.evicted && victim.violating) violating.push_back(victim.pod);
    }
    say(violating.empty() ? "Every set of lower-priority pods that makes room violates a budget, which the "
                            "policy rules out."
                          : fmt::format("{} would have to go and {} classed as violating a budget, which the "
                                        "policy rules out.",
                                        listed(violating), violating.size() == 1 ? "is" : "are"));
    return text + notes(told, node, view);
  }
  if (node.emptied_failure && !node.potential_victims.empty()) {
    std::vector<std::string> gone;
    for (const PotentialVictim& victim : node.potential_victims) gone.push_back(victim.pod);
    say(fmt::format("With every lower-priority pod gone ({}), {}.", listed(gone, 4),
                    in_words(*node.emptied_failure, told.facts, node.node, gone)));
  } else if (node.tried && (node.emptied_failure || has(node.reasons, kNoVictims))) {
    std::vector<std::string> others;
    for (const PodFacts* pod : not_lower(told.facts, node.node))
      others.push_back(fmt::format("{} {}", pod->pod, pod->priority));
    say(others.empty()
            ? fmt::format("No pod runs on {}, so there is nobody to evict.", node.node)
            : fmt::format("{} holds only pods of equal or higher priority ({}).", node.node, listed(others)));
  }
  if (!node.filter_failure && !node.emptied_failure && !has(node.reasons, kNoVictims)) {
    for (const std::string& reason : node.reasons) say(reason);
  }
  return text;
}

// "n1 (4 cpu)".
std::string node_heading(const NodeDecision& node) {
  std::vector<std::string> has_of;
  for (const Shortfall& resource : short_resources(node))
    has_of.push_back(
        fmt::format("{} {}", amount(resource.resource, resource.allocatable), resource.resource));
  const std::string name = paint(Colour::kBold, node.node);
  return has_of.empty() ? name : fmt::format("{} ({})", name, listed(has_of));
}

}  // namespace

std::string node_text(const Explanation& told, const NodeDecision& node, const View& view) {
  std::string text =
      wrapped(fmt::format("{}: {}", node_heading(node), status_words(told, node)), view.width, 0, 4);
  if (node.status == NodeStatus::kCandidate) return text + candidate_text(told, node, view);
  return text + refused_text(told, node, view);
}

}  // namespace reprieve::cli::explain
