#include "reprieve/properties/reach/reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

namespace reprieve::reach {
namespace {

/// One more of `name`, without making a string each time.
void count(Counts& counts, std::string_view name) {
  const auto found = counts.find(name);
  if (found != counts.end()) {
    ++found->second;
  } else {
    counts.emplace(name, 1);
  }
}

void count_sized(Counts& counts, std::string_view name, std::size_t size) {
  count(counts, fmt::format("{} {}{}", name, std::min<std::size_t>(size, 3), size > 3 ? "+" : ""));
}

std::string_view level_of(const Decision& decision) {
  if (decision.decided_by) return to_string(*decision.decided_by);
  return decision.nominated.size() > 1 ? "total tie" : "single candidate";
}

void add_all(Counts& into, const Counts& from) {
  for (const auto& [name, number] : from) into[name] += number;
}

void append_counts(std::string& out, std::string_view title, const Counts& counts, std::uint64_t of) {
  if (counts.empty()) return;
  out += fmt::format("{} (of {})\n", title, of);
  for (const auto& [name, number] : counts) {
    out += fmt::format("  {:<28} {:>10} {:>6.2f} %\n", name, number,
                       of == 0 ? 0.0 : 100.0 * static_cast<double>(number) / static_cast<double>(of));
  }
}

/// STEP/RULE with one column for each SIDE; a side that does not mark the rule shows nothing.
void append_marks(std::string& out, const Counts& marks) {
  std::map<std::string_view, std::map<std::string_view, std::uint64_t>> by_rule;
  for (const auto& [name, taken] : marks) {
    const std::string_view text = name;
    const std::size_t slash = text.find('/');
    by_rule[text.substr(slash + 1)][text.substr(0, slash)] = taken;
  }
  if (by_rule.empty()) return;
  out += fmt::format("path marks taken {:>36} {:>12}\n", "engine", "reference");
  for (const auto& [rule, sides] : by_rule) {
    const auto column = [&](std::string_view side) {
      const auto found = sides.find(side);
      return found == sides.end() ? std::string() : std::to_string(found->second);
    };
    out += fmt::format("  {:<42} {:>8} {:>12}\n", rule, column("engine"), column("reference"));
  }
}

std::uint64_t sum(const Counts& counts) {
  std::uint64_t total = 0;
  for (const auto& [name, number] : counts) total += number;
  return total;
}

}  // namespace

void Reach::add_node(const NodeDecision& node) {
  ++nodes_;
  count(statuses_, to_string(node.status));
  if (node.filter_failure) count(first_failures_, node.filter_failure->plugin);
  if (node.emptied_failure) count(emptied_failures_, node.emptied_failure->plugin);
  for (const PotentialVictim& victim : node.potential_victims) {
    if (victim.not_reprieved) count(not_reprieved_, victim.not_reprieved->plugin);
  }
}

void Reach::add(const Case& question, const Decision& decision) {
  ++cases_;
  count(outcomes_, to_string(decision.outcome));
  for (const NodeDecision& node : decision.nodes) add_node(node);
  const bool nominated = decision.outcome == Outcome::kNominated;
  const generators::FeatureSet present = generators::features_present(question);
  for (int i = 0; i < generators::kFeatureCount; ++i) {
    if (!present.has(static_cast<generators::Feature>(i))) continue;
    FeatureCount& feature = features_[static_cast<std::size_t>(i)];
    ++feature.cases;
    feature.nominated += nominated ? 1 : 0;
  }
  if (!nominated || decision.nominated.empty()) return;
  ++nominations_;
  count(levels_, level_of(decision));
  count_sized(traits_, "tie of", decision.nominated.size());
  count_sized(traits_, "cleared", decision.cleared.size());
  const auto chosen =
      std::find_if(decision.nodes.begin(), decision.nodes.end(),
                   [&](const NodeDecision& node) { return node.node == decision.nominated.front(); });
  if (chosen == decision.nodes.end()) return;
  count_sized(traits_, "victims", chosen->victims.size());
  std::size_t most = 0;
  for (const PotentialVictim& victim : chosen->potential_victims)
    most = std::max(most, victim.charges.size());
  count_sized(traits_, "budgets over one pod", most);
  count_sized(traits_, "violations", static_cast<std::size_t>(std::max<std::int64_t>(0, chosen->violations)));
}

void Reach::add_marks(const marks::Counts& taken) { add_all(marks_, taken); }

std::vector<std::string_view> Reach::marks_never_taken() const {
  std::vector<std::string_view> names;
  for (const auto& [name, taken] : marks_) {
    if (taken == 0) names.emplace_back(name);
  }
  return names;
}

void Reach::merge(const Reach& other) {
  cases_ += other.cases_;
  nodes_ += other.nodes_;
  nominations_ += other.nominations_;
  add_all(outcomes_, other.outcomes_);
  add_all(levels_, other.levels_);
  add_all(statuses_, other.statuses_);
  add_all(first_failures_, other.first_failures_);
  add_all(emptied_failures_, other.emptied_failures_);
  add_all(not_reprieved_, other.not_reprieved_);
  add_all(traits_, other.traits_);
  add_all(marks_, other.marks_);
  for (std::size_t i = 0; i < features_.size(); ++i) {
    features_[i].cases += other.features_[i].cases;
    features_[i].nominated += other.features_[i].nominated;
  }
}

std::string Reach::table() const {
  std::string out;
  append_counts(out, "outcome", outcomes_, cases_);
  append_counts(out, "decided by", levels_, nominations_);
  append_counts(out, "of the nominations", traits_, nominations_);
  append_counts(out, "node status", statuses_, nodes_);
  append_counts(out, "first failing plugin", first_failures_, nodes_);
  append_counts(out, "failing with all victims gone", emptied_failures_, sum(emptied_failures_));
  append_counts(out, "why not reprieved", not_reprieved_, sum(not_reprieved_));
  Counts present;
  Counts present_nominated;
  for (int i = 0; i < generators::kFeatureCount; ++i) {
    const auto feature = static_cast<generators::Feature>(i);
    present.emplace(to_string(feature), with_feature(feature));
    present_nominated.emplace(to_string(feature), nominated_with_feature(feature));
  }
  append_counts(out, "feature present", present, cases_);
  append_counts(out, "feature present with a nomination", present_nominated, nominations_);
  append_marks(out, marks_);
  return out;
}

}  // namespace reprieve::reach
