// reprieve gen: writes clusters to try things on.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "reprieve/cli/arguments.h"
#include "reprieve/cli/command.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/generators/big.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve::cli {

namespace {

constexpr const char* kHelp =
    R"(With --nodes: a big realistic cluster, as `kubectl get nodes,pods,pdb,namespaces -A -o json` prints
it, about 10 KB a pod: deployments of a few sizes and priorities on nearly full nodes, budgets for
the first of them, and pending pods default/pending-0, ... that need room.

Without --nodes: one small odd case of the kind that `reprieve check` decides, as a case file.

The same options write the same bytes everywhere.

Examples:
  reprieve gen --nodes 1000 --pods-per-node 30 --budgets 200 -o json > dump.json
  reprieve decide dump.json --pod default/pending-0 --timing
  reprieve gen --seed 42 --features=-volumes > case.yaml)";

struct Options {
  generators::BigSettings big{.nodes = 0};
  std::string features = "all";
  std::string policy;
  std::string output;
};

int write_big(const Options& options) {
  if (!options.output.empty() && options.output != "json") {
    return fail("-o: a big cluster is written as json (YAML of this size is slow to read)");
  }
  std::ios::sync_with_stdio(false);
  generators::write_kubectl_dump(generators::big_cluster(options.big), std::cout);
  std::cout.flush();
  return std::cout ? kHeld : fail("cannot write to standard output");
}

int write_case(const Options& options) {
  if (!options.output.empty() && options.output != "yaml") return fail("-o: a case is written as yaml");
  const auto features = generators::parse_features(options.features);
  if (!features) return fail("--features: " + features.error());
  generators::GeneratorSettings settings;
  settings.features = *features;
  Case question = generators::generate(options.big.seed, settings);
  if (!options.policy.empty()) {
    const auto policy = manifest::find_policy(options.policy);
    if (!policy) return fail(manifest::to_string(policy.error()));
    question.policy = *policy;
  }
  fmt::print("{}", manifest::write_case_yaml(question));
  return kHeld;
}

}  // namespace

void add_gen(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  generators::BigSettings& big = options->big;
  CLI::App* command = app.add_subcommand("gen", "Write a cluster: a big realistic one, or a small odd one");
  command->footer(kHelp);
  const CLI::Range many(1, 100'000);
  command->add_option("--nodes", big.nodes, "Nodes of a big cluster")->check(many);
  command->add_option("--pods-per-node", big.pods_per_node, "Running pods on each node")->check(many);
  command->add_option("--budgets", big.budgets, "PodDisruptionBudgets, one for each of the first deployments")
      ->check(CLI::Range(0, 100'000));
  command->add_option("--pending", big.pending, "Pending pods of high priority")
      ->check(CLI::Range(0, 100'000));
  command->add_option("--seed", big.seed, "Another seed, another cluster")->check(whole_number());
  command->add_option("--features", options->features,
                      "What a small case may contain (as in `reprieve check`)");
  command->add_option("--policy", options->policy, "Of a small case: a built-in policy or a file");
  command->add_option("-o,--output", options->output, "json (big clusters) or yaml (cases)")
      ->check(CLI::IsMember({"json", "yaml"}));
  command->callback([options, &exit_code] {
    exit_code = options->big.nodes > 0 ? write_big(*options) : write_case(*options);
  });
}

}  // namespace reprieve::cli
