// reprieve explain: why the scheduler decided as it did about one pod.
#include "reprieve/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "reprieve/cli/explain/explain.h"
#include "reprieve/cli/explain/json.h"
#include "reprieve/cli/explain/layout.h"
#include "reprieve/cli/explain/text.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::cli {

namespace {

constexpr const char* kHelp =
    R"(Says which node is chosen for a pending pod, who is evicted there and why nobody else, which level
of the order separates that node from the runner-up, and what would turn the decision. Warns where
the algorithm does what one would not expect: a more important pod evicted in place of a less
important one, budget violations counted that do not happen, answers that hang on the order of
budgets or on ties. Every claim about another choice was decided on a cluster changed accordingly.

FILE is what `kubectl get nodes,pods,pdb,priorityclass,namespaces -A -o json` (or yaml) prints, a
hand-written manifest, a folder of them, or - for standard input. A case file (a document of kind
PreemptionCase) brings its own preemptor and policy along.

Exit code: 0 for a decision of any outcome, 2 when the input or the call was wrong.

Examples:
  kubectl get nodes,pods,pdb,priorityclass,namespaces -A -o json > dump.json
  reprieve explain dump.json --pod prod/web-0
  reprieve explain dump.json --pod prod/web-0 --victim prod/batch-7
  reprieve explain corpus/a-miscounted-violation-loses-the-better-node.yaml -o yaml)";

struct Arguments {
  std::vector<std::string> files;
  std::string pod;
  std::string name_space;
  std::string policy;
  std::string node;
  std::string victim;
  std::string output = "table";
  bool all = false;
};

int run(const Arguments& arguments) {
  auto input = load(arguments.files);
  if (!input) return kWrongInput;
  auto policy = choose_policy(arguments.policy, *input);
  if (!policy) return kWrongInput;
  Case question{.cluster = std::move(input->cluster), .policy = std::move(*policy)};
  if (input->case_spec) question.extenders = input->case_spec->extenders;
  if (!arguments.pod.empty())
    question.preemptor = qualified(arguments.pod, arguments.name_space);
  else if (input->case_spec)
    question.preemptor = input->case_spec->preemptor;
  else
    return fail("which pod? --pod NAMESPACE/NAME says it, unless the input is a case file");

  const Pod* preemptor = explain::find_pod(question.cluster, question.preemptor);
  if (preemptor == nullptr) return fail(fmt::format("pod {} is not in the input", question.preemptor));
  if (!preemptor->node_name.empty()) {
    return fail(
        fmt::format("pod {} is not pending: it runs on node {}", question.preemptor, preemptor->node_name));
  }
  if (!arguments.node.empty() && std::ranges::find(question.cluster.nodes, arguments.node, &Node::name) ==
                                     question.cluster.nodes.end()) {
    return fail(fmt::format("node {} is not in the input", arguments.node));
  }

  const std::string victim =
      arguments.victim.empty() ? "" : qualified(arguments.victim, arguments.name_space);
  if (!victim.empty() && explain::find_pod(question.cluster, victim) == nullptr)
    return fail(fmt::format("pod {} is not in the input (or has succeeded or failed)", victim));

  subjects::EngineSubject engine(subjects::EngineDepths::kFull);
  const explain::Options options{.victim = victim};
  const explain::Explanation told =
      explain::tell(question, [&](const Case& asked) { return engine.decide(asked); }, options);
  // An extender that fails ends the attempt: that is how the scheduler decides.
  if (told.decision.outcome == Outcome::kError && !told.ended_by_extender) {
    return fail(fmt::format("pod {} cannot be decided: {}", question.preemptor, told.decision.reason));
  }
  if (arguments.output == "table") {
    fmt::print("{}",
               explain::to_text(
                   told, {.width = explain::output_width(), .all = arguments.all, .node = arguments.node}));
  } else {
    nlohmann::ordered_json document = explain::to_json(told);
    fmt::print("{}", render(document, arguments.output == "yaml" ? Format::kYaml : Format::kJson));
  }
  return kHeld;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("explain", "Why the scheduler decides so about a pending pod");
  command->footer(kHelp);
  command->add_option("FILE", arguments->files, "Manifests, folders of them, or - for standard input")
      ->required();
  command->add_option("--pod", arguments->pod, "The pod to decide about: NAMESPACE/NAME, or NAME with -n");
  command->add_option("-n,--namespace", arguments->name_space,
                      "Namespace of --pod and --victim; \"default\" unless given");
  command->add_option(
      "--policy", arguments->policy,
      "A built-in policy (see `reprieve policy list`) or a file; kubernetes unless the input names one");
  command->add_option("--node", arguments->node, "Print only this node");
  command->add_option("--victim", arguments->victim,
                      "Say only why this pod is evicted, or why not: NAMESPACE/NAME");
  command->add_flag("--all", arguments->all, "Print every node, and every pod on those that were tried");
  command->add_option("-o,--output", arguments->output, "table, json or yaml")
      ->check(CLI::IsMember({"table", "json", "yaml"}));
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace reprieve::cli
