// reprieve policy: the built-in policies, to read and to start from, and what a policy may name.
#include "reprieve/manifest/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "reprieve/cli/command.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/table.h"
#include "reprieve/manifest/criteria.h"
#include "reprieve/manifest/write.h"

namespace reprieve::cli {

namespace {

int list() {
  Table table({"NAME", "RELEASE", "VICTIMS", "CHARGING", "VIOLATIONS", "BUDGETS"});
  for (const std::string& name : manifest::builtin_policy_names()) {
    const auto policy = manifest::find_policy(name);
    if (!policy) return fail(manifest::to_string(policy.error()));
    table.add({name, std::string(to_string(policy->release)),
               policy->victims == VictimSearch::kGreedy ? "greedy" : "exact",
               policy->charging == Charging::kEveryBudget ? "everyBudget" : "untilViolated",
               policy->violations == ViolationCount::kClassified ? "classified" : "actual",
               policy->budgets.guaranteed ? "guaranteed" : "bestEffort"});
  }
  fmt::print("{}", table.to_string());
  return kHeld;
}

int show(const std::string& name, const std::string& output) {
  const auto policy = manifest::find_policy(name);
  if (!policy) return fail(manifest::to_string(policy.error()));
  const std::string yaml = manifest::write_policy_yaml(*policy);
  if (output == "yaml") {
    fmt::print("{}", yaml);
    return kHeld;
  }
  const auto json = yaml_to_json(yaml);
  if (!json) return fail(json.error());
  fmt::print("{}", render(*json, Format::kJson));
  return kHeld;
}

template <class Criterion>
void add_rows(Table& table, std::string_view list, std::span<const manifest::CriterionEntry<Criterion>> all) {
  for (const auto& entry : all) {
    table.add({std::string(list), std::string(to_string(entry.criterion)), std::string(entry.direction),
               std::string(entry.formula), std::string(entry.unit)});
  }
}

template <class Criterion>
nlohmann::ordered_json to_json(std::span<const manifest::CriterionEntry<Criterion>> all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& entry : all) {
    list.push_back({{"name", to_string(entry.criterion)},
                    {"direction", entry.direction},
                    {"formula", entry.formula},
                    {"unit", entry.unit}});
  }
  return list;
}

int criteria(const std::string& output) {
  if (output == "table") {
    Table table({"LIST", "CRITERION", "DIRECTION", "FORMULA", "UNIT"});
    add_rows(table, "importance", manifest::importance_criteria());
    add_rows(table, "nodeOrder", manifest::node_criteria());
    fmt::print("{}", table.to_string());
    return kHeld;
  }
  const nlohmann::ordered_json document = {{"apiVersion", "reprieve.dev/v1alpha1"},
                                           {"kind", "CriterionList"},
                                           {"importance", to_json(manifest::importance_criteria())},
                                           {"nodeOrder", to_json(manifest::node_criteria())}};
  fmt::print("{}", render(document, output == "yaml" ? Format::kYaml : Format::kJson));
  return kHeld;
}

}  // namespace

void add_policy(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("policy", "The built-in policies, to read and to start from, and the criteria");
  command->require_subcommand(1);

  CLI::App* list_command = command->add_subcommand("list", "Names and main knobs of the built-in policies");
  list_command->callback([&exit_code] { exit_code = list(); });

  auto name = std::make_shared<std::string>();
  auto output = std::make_shared<std::string>("yaml");
  CLI::App* show_command = command->add_subcommand("show", "One policy as a PreemptionPolicy manifest");
  show_command->footer(
      "Example: reprieve policy show kubernetes > mine.yaml; edit it; "
      "reprieve decide dump.json --policy mine.yaml");
  show_command->add_option("NAME", *name, "A built-in name, or a file")->required();
  show_command->add_option("-o,--output", *output, "yaml or json")->check(CLI::IsMember({"yaml", "json"}));
  auto criteria_output = std::make_shared<std::string>("table");
  CLI::App* criteria_command = command->add_subcommand(
      "criteria", "What importance and nodeOrder may name: direction, formula and unit");
  criteria_command->footer(
      "In importance the direction says which pod is more important, and so spared first;\n"
      "in nodeOrder it says which candidate is better. The first criterion that differs decides.\n"
      "docs/SEMANTICS.md, \"Criteria\", has the rules to the letter.");
  criteria_command->add_option("-o,--output", *criteria_output, "table, json or yaml")
      ->check(CLI::IsMember({"table", "json", "yaml"}));
  criteria_command->callback([criteria_output, &exit_code] { exit_code = criteria(*criteria_output); });

  show_command->callback([name, output, &exit_code] { exit_code = show(*name, *output); });
}

}  // namespace reprieve::cli
