// reprieve decide: what the scheduler would do about pending pods.
#include "reprieve/engine/decide.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "reprieve/cli/apply.h"
#include "reprieve/cli/command.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/cli/queue.h"
#include "reprieve/cli/view.h"
#include "reprieve/manifest/read.h"

namespace reprieve::cli {

namespace {

constexpr const char* kHelp =
    R"(Decides preemption as the policy says, with the engine, looking at every node.

FILE is what `kubectl get nodes,pods,pdb,priorityclass,namespaces -A -o json` (or yaml) prints, a
hand-written manifest, a folder of them, or - for standard input. A case file (a document of kind
PreemptionCase) brings its own preemptor and policy along.

Without --pod, every pending pod of the default scheduler that is neither gated nor terminating is
decided, by priority, then creation time, then name: each against the cluster as given or, with
--apply, each after the decisions before it. To apply is: the victims are gone (their grace period
is over), the nominations that the decision clears are cleared, and the pod is nominated to its
node. A pod that fits is bound to the first node that fits (scores are not modelled).

Exit code: 0 for a decision of any outcome, 2 when the input or the call was wrong.

Examples:
  kubectl get nodes,pods,pdb,priorityclass,namespaces -A -o json | reprieve decide - --pod prod/web-0
  reprieve decide dump.json --policy kubernetes-1.36
  reprieve decide corpus/a-total-tie-names-every-node-of-it.yaml -o yaml)";

struct Options {
  std::vector<std::string> files;
  std::string pod;
  std::string name_space;
  std::string policy;
  std::string output = "table";
  bool apply = false;
  bool timing = false;
  unsigned threads = 0;
};

using Clock = std::chrono::steady_clock;

double since_ms(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

long peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// The pods to decide about, in order; nothing after an error, which is printed.
std::optional<std::vector<std::size_t>> choose_pods(const Options& options, const manifest::Input& input) {
  if (options.pod.empty() && !input.case_spec) return scheduling_queue(input.cluster);
  const std::string name =
      options.pod.empty() ? input.case_spec->preemptor : qualified(options.pod, options.name_space);
  const auto& pods = input.cluster.pods;
  const auto pod = std::ranges::find_if(pods, [&](const Pod& p) { return full_name(p) == name; });
  if (pod == pods.end()) {
    fail(fmt::format("pod {} is not in the input", name));
    return std::nullopt;
  }
  if (!pod->node_name.empty()) {
    fail(fmt::format("pod {} is not pending: it runs on node {}", name, pod->node_name));
    return std::nullopt;
  }
  return std::vector{static_cast<std::size_t>(pod - pods.begin())};
}

std::vector<DecisionView> decide_each(const std::vector<std::size_t>& queue, const Case& question,
                                      unsigned threads) {
  std::vector<DecisionView> views(queue.size());
  Progress progress("decide", queue.size());
  const unsigned useful = std::min<unsigned>(thread_count(threads), static_cast<unsigned>(queue.size()));
  std::vector<Case> questions(std::max(1U, useful), question);  // a Case names its preemptor
  for_batches(queue.size(), 1, useful, progress, [&](unsigned thread, std::uint64_t i, std::uint64_t) {
    const Pod& pod = question.cluster.pods[queue[i]];
    questions[thread].preemptor = full_name(pod);
    const Decision decision = engine::decide(questions[thread], engine::Depth::kFull);
    views[i] = view(decision, pod, question.cluster, question.policy.name);
    return true;
  });
  return views;
}

std::vector<DecisionView> decide_in_turn(const std::vector<std::size_t>& queue, Case question) {
  std::vector<std::string> names;
  for (const std::size_t index : queue) names.push_back(full_name(question.cluster.pods[index]));
  std::vector<DecisionView> views;
  for (const std::string& name : names) {
    question.preemptor = name;
    const Decision decision = engine::decide(question, engine::Depth::kFull);
    const auto pod =
        std::ranges::find_if(question.cluster.pods, [&](const Pod& p) { return full_name(p) == name; });
    views.push_back(view(decision, *pod, question.cluster, question.policy.name));
    views.back().applied_node = apply(decision, name, question.cluster);
  }
  return views;
}

void print(const std::vector<DecisionView>& views, const Options& options, bool one) {
  if (options.output == "table") {
    if (views.empty()) {
      fmt::print(stderr, "No pending pods found.\n");
    } else {
      fmt::print("{}", one ? describe(views.front()) : tabulate(views));
    }
    return;
  }
  nlohmann::ordered_json document = {{"apiVersion", "reprieve.dev/v1alpha1"}};
  if (one) {
    document["kind"] = "Decision";
    document.update(to_json(views.front()));
  } else {
    document["kind"] = "DecisionList";
    document["items"] = nlohmann::ordered_json::array();
    for (const DecisionView& view : views) document["items"].push_back(to_json(view));
  }
  fmt::print("{}", render(document, options.output == "yaml" ? Format::kYaml : Format::kJson));
}

int run(const Options& options) {
  const auto start = Clock::now();
  auto input = load(options.files);
  if (!input) return kWrongInput;
  const double read_ms = since_ms(start);
  auto policy = choose_policy(options.policy, *input);
  if (!policy) return kWrongInput;
  const auto queue = choose_pods(options, *input);
  if (!queue) return kWrongInput;
  const bool one = !options.pod.empty() || input->case_spec;

  Case question{
      .name = {}, .cluster = std::move(input->cluster), .preemptor = {}, .policy = std::move(*policy)};
  if (input->case_spec) question.extenders = input->case_spec->extenders;
  const auto decide_start = Clock::now();
  const std::vector<DecisionView> views = options.apply ? decide_in_turn(*queue, std::move(question))
                                                        : decide_each(*queue, question, options.threads);
  const double decide_ms = since_ms(decide_start);

  if (one && views.front().outcome == Outcome::kError) {
    return fail(fmt::format("pod {} cannot be decided: {}", views.front().pod, views.front().reason));
  }
  print(views, options, one);
  if (options.timing) {
    fmt::print(stderr, "read {:.1f} ms, index and decide {:.1f} ms ({} decisions), peak memory {} MiB\n",
               read_ms, decide_ms, views.size(), peak_memory_kib() / 1024);
  }
  const bool undecided =
      std::ranges::any_of(views, [](const auto& v) { return v.outcome == Outcome::kError; });
  return undecided ? kWrongInput : kHeld;
}

}  // namespace

void add_decide(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("decide", "What the scheduler would do about pending pods");
  command->footer(kHelp);
  command->add_option("FILE", options->files, "Manifests, folders of them, or - for standard input")
      ->required();
  command->add_option("--pod", options->pod, "The pod to decide about: NAMESPACE/NAME, or NAME with -n");
  command->add_option("-n,--namespace", options->name_space, "Namespace of --pod; \"default\" unless given");
  command->add_option(
      "--policy", options->policy,
      "A built-in policy (see `reprieve policy list`) or a file; kubernetes unless the input names one");
  command->add_option("-o,--output", options->output, "table, json or yaml")
      ->check(CLI::IsMember({"table", "json", "yaml"}));
  command->add_flag("--apply", options->apply, "Decide each pod after the decisions before it");
  command->add_option("--threads", options->threads,
                      "Threads to decide with; one for each processor unless given");
  command->add_flag("--timing", options->timing,
                    "Print on standard error how long reading and deciding took");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace reprieve::cli
