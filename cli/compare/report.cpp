#include "reprieve/cli/compare/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/output/table.h"

namespace reprieve::cli::comparison {

namespace {

using Json = nlohmann::ordered_json;

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.2f} %", 100 * share_of(part, whole));
}

std::string outcomes_table(const Report& report) {
  Table table({report.old_policy.name, report.new_policy.name, "CASES", "SHARE"});
  std::vector<std::pair<std::uint64_t, std::pair<Outcome, Outcome>>> rows;
  for (const auto& [pair, count] : report.tally.outcomes) rows.emplace_back(count, pair);
  std::ranges::stable_sort(rows, std::ranges::greater(), [](const auto& row) { return row.first; });
  for (const auto& [count, pair] : rows) {
    table.add({std::string(to_string(pair.first)), std::string(to_string(pair.second)), with_commas(count),
               percent(count, report.tally.cases)},
              pair.first == pair.second ? Colour::kPlain : Colour::kYellow);
  }
  return table.to_string(2);
}

std::string choices_table(const Report& report) {
  const Tally& tally = report.tally;
  const std::string& old_name = report.old_policy.name;
  const std::string& new_name = report.new_policy.name;
  Table table({"OF THESE", "CASES", "SHARE"});
  const auto add = [&](std::string what, std::uint64_t count) {
    table.add({std::move(what), with_commas(count), percent(count, tally.both_nominate)});
  };
  add("another node", tally.other_node);
  add("other victims", tally.other_victims);
  add("other count of violations reported", tally.other_reported);
  add(fmt::format("{} counts other violations than its victims cause", old_name), tally.old_miscounts);
  add(fmt::format("{} counts other violations than its victims cause", new_name), tally.new_miscounts);
  add(fmt::format("{} is better", new_name), tally.better[0]);
  add("neither is better", tally.better[1]);
  add(fmt::format("{} is better", old_name), tally.better[2]);
  return table.to_string(2);
}

std::string levels_table(const Report& report) {
  const Tally& tally = report.tally;
  Table table({"LEVEL", report.new_policy.name + " BETTER", report.old_policy.name + " BETTER", "DECIDES",
               "MEAN GAIN", "LARGEST", "SMALLEST", "UNIT"});
  for (const NodeCriterion level : report.judge.node_order) {
    const auto at = tally.levels.find(level);
    if (at == tally.levels.end()) continue;
    const LevelTally& counts = at->second;
    const double mean = counts.measured == 0 ? 0 : counts.sum / static_cast<double>(counts.measured);
    table.add({std::string(to_string(level)), percent(counts.new_better, tally.both_nominate),
               percent(counts.old_better, tally.both_nominate),
               percent(counts.decides_for_new + counts.decides_for_old, tally.both_nominate),
               fmt::format("{:.4g}", mean), fmt::format("{}", counts.most), fmt::format("{}", counts.least),
               std::string(unit_of(level))});
  }
  return table.to_string(2);
}

std::string claim_text(const Report& report) {
  if (!report.never_worse) return {};
  const bool is_new = *report.never_worse == Side::kNew;
  const std::string& optimum = is_new ? report.new_policy.name : report.old_policy.name;
  const Tally& tally = report.tally;
  std::string text = fmt::format("{} is never worse by these levels: {} on {} cases", optimum,
                                 tally.broken == 0 ? "held" : fmt::format("BROKEN {} times", tally.broken),
                                 with_commas(tally.claims));
  if (tally.not_proved > 0) {
    text += fmt::format("; {} more ended at the search's limit, where nothing is claimed",
                        with_commas(tally.not_proved));
  }
  const std::uint64_t strictly = tally.better[is_new ? 0 : 2];
  return text + fmt::format(". It is strictly better in {} of the {} where both nominate.\n",
                            percent(strictly, tally.both_nominate), with_commas(tally.both_nominate));
}

std::string witness_text(const Witness& witness) {
  std::string text;
  for (const std::string& sentence : witness.words) text += "  " + sentence + "\n";
  return text + "\n" + witness.case_yaml;
}

Json witness_json(const Witness& witness) {
  return {{"kind", witness.kind}, {"words", witness.words}, {"case", witness.case_yaml}};
}

Json level_json(NodeCriterion level, const LevelTally& counts) {
  Json ranges = Json::array();
  for (const auto& [range, count] : counts.gains.counts()) {
    ranges.push_back({{"from", range.from}, {"to", range.to}, {"cases", count}});
  }
  return {{"level", to_string(level)},
          {"unit", unit_of(level)},
          {"newBetter", counts.new_better},
          {"equal", counts.equal},
          {"oldBetter", counts.old_better},
          {"decidesForNew", counts.decides_for_new},
          {"decidesForOld", counts.decides_for_old},
          {"measured", counts.measured},
          {"meanGain", counts.measured == 0 ? 0 : counts.sum / static_cast<double>(counts.measured)},
          {"largestGain", counts.most},
          {"smallestGain", counts.least},
          {"gains", std::move(ranges)}};
}

}  // namespace

std::string to_text(const Report& report) {
  const Tally& tally = report.tally;
  std::string text =
      fmt::format("{} against {} on {}\n\n", report.old_policy.name, report.new_policy.name, report.source) +
      outcomes_table(report);
  if (tally.both_nominate > 0) {
    text += fmt::format("\nBoth nominate in {} cases ({}).\n", with_commas(tally.both_nominate),
                        percent(tally.both_nominate, tally.cases)) +
            choices_table(report);
    text +=
        fmt::format(
            "\nJudged by the levels of {}, violations counted over the victims; a gain is what {} saves.\n",
            report.judge.name, report.new_policy.name) +
        levels_table(report);
  }
  if (const std::string claim = claim_text(report); !claim.empty()) text += "\n" + claim;
  if (report.broken)
    text += "\nThe smallest cluster on which that is broken:\n" + witness_text(*report.broken);
  if (report.witness) {
    text += fmt::format("\nThe smallest cluster found for the most frequent difference ({}):\n",
                        report.witness->kind) +
            witness_text(*report.witness);
  } else if (tally.differences.empty()) {
    text += "\nThey decide alike.\n";
  }
  return text + fmt::format("\nRepeat: {}\n", report.repeat);
}

nlohmann::ordered_json to_json(const Report& report) {
  const Tally& tally = report.tally;
  Json outcomes = Json::array();
  for (const auto& [pair, count] : tally.outcomes) {
    outcomes.push_back({{"old", to_string(pair.first)}, {"new", to_string(pair.second)}, {"cases", count}});
  }
  Json levels = Json::array();
  for (const NodeCriterion level : report.judge.node_order) {
    const auto at = tally.levels.find(level);
    if (at != tally.levels.end()) levels.push_back(level_json(level, at->second));
  }
  Json differences = Json::array();
  for (const auto& [kind, seen] : tally.differences) {
    differences.push_back({{"kind", kind}, {"cases", seen.count}, {"smallestCase", seen.smallest.index}});
  }
  Json document = {{"apiVersion", "reprieve.dev/v1alpha1"},
                   {"kind", "PolicyComparison"},
                   {"old", report.old_policy.name},
                   {"new", report.new_policy.name},
                   {"judge", report.judge.name},
                   {"source", report.source},
                   {"repeat", report.repeat},
                   {"cases", tally.cases},
                   {"outcomes", std::move(outcomes)},
                   {"bothNominate",
                    {{"cases", tally.both_nominate},
                     {"otherNode", tally.other_node},
                     {"otherVictims", tally.other_victims},
                     {"otherCountReported", tally.other_reported},
                     {"oldMiscounts", tally.old_miscounts},
                     {"newMiscounts", tally.new_miscounts},
                     {"newBetter", tally.better[0]},
                     {"neitherBetter", tally.better[1]},
                     {"oldBetter", tally.better[2]},
                     {"newBetterShare", share_of(tally.better[0], tally.both_nominate)}}},
                   {"levels", std::move(levels)},
                   {"differences", std::move(differences)},
                   {"notProved", tally.not_proved}};
  if (report.never_worse) {
    document["neverWorse"] = {{"policy", *report.never_worse == Side::kNew ? "new" : "old"},
                              {"held", tally.broken == 0},
                              {"cases", tally.claims},
                              {"broken", tally.broken}};
  }
  document["witness"] = report.witness ? witness_json(*report.witness) : Json(nullptr);
  if (report.broken) document["brokenBy"] = witness_json(*report.broken);
  return document;
}

}  // namespace reprieve::cli::comparison
