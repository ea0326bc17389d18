// reprieve policy: the built-in policies, to read and to start from.
#include "reprieve/manifest/policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "reprieve/cli/command.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/table.h"
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

}  // namespace

void add_policy(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("policy", "The built-in policies, to read and to start from");
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
  show_command->callback([name, output, &exit_code] { exit_code = show(*name, *output); });
}

}  // namespace reprieve::cli
