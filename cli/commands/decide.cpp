// reprieve decide: what the scheduler would do about pending pods.
#include "reprieve/engine/decide.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <expected>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "reprieve/cli/apply.h"
#include "reprieve/cli/arguments.h"
#include "reprieve/cli/certify.h"
#include "reprieve/cli/command.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/cli/pod_index.h"
#include "reprieve/cli/queue.h"
#include "reprieve/cli/view.h"
#include "reprieve/manifest/read.h"
#include "reprieve/subjects/http_extender.h"

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

Of a single pod every node's story is told, so the level that decided and the reasons are known; of
many pods only with --full.

With --certify the decision about one pod comes with evidence that no node and no set of victims would
be better by the levels of the policy, with violations counted over the victims, or with the better
choice and evidence for that one. A checker that shares nothing with the engine checks it, and says
what it leaves open; --certify=FILE also writes it, and `reprieve prove CASE --certificate FILE` checks
it again.

Exit code: 0 for a decision of any outcome, 2 when the input or the call was wrong.

Examples:
  kubectl get nodes,pods,pdb,priorityclass,namespaces -A -o json | reprieve decide - --pod prod/web-0
  reprieve decide dump.json --policy kubernetes-1.36
  reprieve decide dump.json --pod prod/web-0 --policy exact --certify=web-0.json
  reprieve decide corpus/a-total-tie-names-every-node-of-it.yaml -o yaml)";

struct Options {
  std::vector<std::string> files;
  std::string pod;
  std::string name_space;
  std::string policy;
  std::string output = "table";
  bool apply = false;
  bool full = false;
  bool timing = false;
  std::string certify;  // a file, kCertifyAlone, or empty: no
  unsigned threads = 0;
  std::uint64_t search_limit = engine::kSearchLimit;
};

constexpr const char* kCertifyAlone = "-";
constexpr std::uint64_t kManySteps = 1'000'000'000'000;

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
  if (options.pod.empty() && !input.case_spec) {
    auto queue = scheduling_queue(input.cluster);
    std::erase_if(queue, [&](std::size_t index) {
      return !options.name_space.empty() && input.cluster.pods[index].namespace_ != options.name_space;
    });
    return queue;
  }
  if (const std::string wrong = namespace_conflict(options.pod, options.name_space); !wrong.empty()) {
    fail("--pod: " + wrong);
    return std::nullopt;
  }
  if (options.pod.empty()) {
    const auto preemptor = manifest::find_preemptor(input);
    if (preemptor) return std::vector{*preemptor};
    fail(manifest::to_string(preemptor.error()));
    return std::nullopt;
  }
  const std::string name = qualified(options.pod, options.name_space);
  const auto& pods = input.cluster.pods;
  const auto pod = std::ranges::find_if(pods, [&](const Pod& p) { return full_name(p) == name; });
  if (pod == pods.end()) {
    const bool finished = std::ranges::find(input.finished_pods, name) != input.finished_pods.end();
    fail(fmt::format("pod {} {}", name, finished ? "has finished" : "is not in the input"));
    return std::nullopt;
  }
  if (!pod->node_name.empty()) {
    fail(fmt::format("pod {} is not pending: it runs on node {}", name, pod->node_name));
    return std::nullopt;
  }
  return std::vector{static_cast<std::size_t>(pod - pods.begin())};
}

/// What is decided about, indexed once; the cluster changes with --apply only.
struct Situation {
  Cluster cluster;
  Policy policy;
  std::vector<Extender> extenders;
  engine::Snapshot snapshot;
  PodIndex pods;
  engine::SearchOptions search;

  Situation(Cluster c, Policy p, std::vector<Extender> e, std::uint64_t search_limit)
      : cluster(std::move(c)),
        policy(std::move(p)),
        extenders(std::move(e)),
        snapshot(cluster, policy.release),
        pods(cluster),
        search{.limit = search_limit} {}
  Situation(const Situation&) = delete;  // `pods` refers to `cluster`
  Situation& operator=(const Situation&) = delete;
  Situation(Situation&&) = delete;
  Situation& operator=(Situation&&) = delete;
  ~Situation() = default;

  /// Not `full`: which node and whom, but neither why nor what the other nodes said. Of a pod that
  /// fits one wants to know where, which only depth full tells.
  Decision decide(const Pod& pod, bool full, engine::Workspace& workspace) const {
    const auto at = [&](engine::Depth depth) {
      return engine::decide(snapshot, full_name(pod), policy, extenders, depth, workspace,
                            subjects::ask_over_http(cluster), search);
    };
    if (full) return at(engine::Depth::kFull);
    Decision decision = at(engine::Depth::kAnswer);
    return decision.outcome == Outcome::kFits ? at(engine::Depth::kFull) : decision;
  }
  DecisionView view(const Decision& decision, const Pod& pod) const {
    return cli::view(decision, pod, pods, cluster.nodes.size(), policy.name);
  }
};

std::vector<DecisionView> decide_each(const std::vector<std::size_t>& queue, const Situation& situation,
                                      bool full, unsigned threads) {
  std::vector<DecisionView> views(queue.size());
  Progress progress("decide", queue.size());
  std::vector<engine::Workspace> workspaces(thread_count(threads));
  for_batches(queue.size(), 1, thread_count(threads), progress,
              [&](unsigned thread, std::uint64_t i, std::uint64_t) {
                const Pod& pod = situation.cluster.pods[queue[i]];
                views[i] = situation.view(situation.decide(pod, full, workspaces[thread]), pod);
                return true;
              });
  return views;
}

std::vector<DecisionView> decide_in_turn(const std::vector<std::size_t>& queue, Situation& situation,
                                         bool full) {
  std::vector<DecisionView> views;
  Progress progress("decide", queue.size());
  engine::Workspace workspace;
  for (const std::size_t index : queue) {
    const Pod& pod = situation.cluster.pods[index];
    const Decision decision = situation.decide(pod, full, workspace);
    views.push_back(situation.view(decision, pod));
    Consequences after = consequences(decision, pod, situation.pods);
    views.back().applied_node = after.node;
    // The gone ones stay in the cluster, as names to look up; the snapshot is what decides.
    situation.snapshot.remove_pods(after.gone);
    for (Pod& changed : after.changed) {
      situation.snapshot.set_pod(changed);
      situation.cluster.pods[*situation.pods.place(full_name(changed))] = std::move(changed);
    }
    progress.add(1);
    progress.draw();
  }
  return views;
}

using Certified = std::optional<std::expected<Certification, std::string>>;

Certified certify_one(const Options& options, const Situation& situation, const Pod& pod) {
  if (options.certify.empty()) return std::nullopt;
  engine::Workspace workspace;
  return certify({.name = {},
                  .cluster = situation.cluster,
                  .preemptor = full_name(pod),
                  .policy = situation.policy,
                  .extenders = situation.extenders},
                 situation.decide(pod, true, workspace));
}

/// False, and an error is printed, when it cannot be written.
bool write_certificate(const Certified& certified, const std::string& path) {
  if (!certified || !*certified || path == kCertifyAlone) return true;
  std::ofstream out(path);
  out << (*certified)->certificate << '\n';
  out.close();
  if (out) return true;
  fail(fmt::format("cannot write {}", path));
  return false;
}

void print(const std::vector<DecisionView>& views, const Options& options, bool one, bool full,
           const Certified& certified, std::size_t nodes) {
  if (options.output == "table") {
    if (views.empty()) {
      to_stderr("No pending pods found.\n");
    } else {
      fmt::print("{}", one ? describe(views.front()) : tabulate(views, full));
    }
    if (certified) {
      fmt::print("\n{}", *certified ? in_words(**certified, nodes)
                                    : fmt::format("Nothing to certify: {}.\n", certified->error()));
    }
    return;
  }
  nlohmann::ordered_json document = {{"apiVersion", "reprieve.dev/v1alpha1"}};
  if (one) {
    document["kind"] = "Decision";
    document.update(to_json(views.front(), full));
    if (certified) {
      document["certificate"] =
          *certified ? to_json(**certified)
                     : nlohmann::ordered_json{{"certified", false}, {"fault", certified->error()}};
    }
  } else {
    document["kind"] = "DecisionList";
    document["items"] = nlohmann::ordered_json::array();
    for (const DecisionView& view : views) document["items"].push_back(to_json(view, full));
  }
  fmt::print("{}", render(document, options.output == "yaml" ? Format::kYaml : Format::kJson));
}

/// One line on standard error for each reason why pods could not be decided, naming the first pod of
/// each: a policy that the engine does not follow says the same of every pod.
bool report_undecided(const std::vector<DecisionView>& views) {
  struct Undecided {
    std::string first;
    std::size_t others = 0;
  };
  std::map<std::string, Undecided> by_reason;
  for (const DecisionView& view : views) {
    if (view.outcome != Outcome::kError) continue;
    const auto [at, is_new] = by_reason.try_emplace(view.reason, Undecided{.first = view.pod});
    if (!is_new) ++at->second.others;
  }
  for (const auto& [reason, undecided] : by_reason) {
    const std::string others = undecided.others == 0 ? ""
                               : undecided.others == 1
                                   ? " (and 1 other pod)"
                                   : fmt::format(" (and {} other pods)", undecided.others);
    fail(fmt::format("pod {}{} cannot be decided: {}", undecided.first, others, reason));
  }
  return !by_reason.empty();
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
  const bool full = one || options.full;
  if (!options.certify.empty() && (!one || options.apply))
    return fail("--certify is of one pod: name it with --pod, and leave --apply out");

  const auto index_start = Clock::now();
  Situation situation(std::move(input->cluster), std::move(*policy),
                      input->case_spec ? std::move(input->case_spec->extenders) : std::vector<Extender>(),
                      options.search_limit);
  const double index_ms = since_ms(index_start);
  // What a scheduler needs of a decision is the answer; the story of every node is for the reader.
  std::optional<double> answer_ms;
  if (options.timing && full && !options.apply) {
    const auto answer_start = Clock::now();
    decide_each(*queue, situation, false, options.threads);
    answer_ms = since_ms(answer_start);
  }
  const auto decide_start = Clock::now();
  const std::vector<DecisionView> views = options.apply
                                              ? decide_in_turn(*queue, situation, full)
                                              : decide_each(*queue, situation, full, options.threads);
  const double decide_ms = since_ms(decide_start);

  if (one && views.front().outcome == Outcome::kError) {
    return fail(fmt::format("pod {} cannot be decided: {}", views.front().pod, views.front().reason));
  }
  const Certified certified =
      one ? certify_one(options, situation, situation.cluster.pods[queue->front()]) : std::nullopt;
  if (!write_certificate(certified, options.certify)) return kWrongInput;
  print(views, options, one, full, certified, situation.cluster.nodes.size());
  if (options.timing) {
    const std::string story =
        answer_ms ? fmt::format(" (and {:.1f} ms with every node's story)", decide_ms) : "";
    to_stderr(fmt::format(
        "read {:.1f} ms, index {:.1f} ms, decide {:.1f} ms{}, {} decisions, peak memory {} MiB\n", read_ms,
        index_ms, answer_ms.value_or(decide_ms), story, views.size(), peak_memory_kib() / 1024));
  }
  return report_undecided(views) ? kWrongInput : kHeld;
}

}  // namespace

void add_decide(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("decide", "What the scheduler would do about pending pods");
  command->footer(kHelp);
  command->add_option("FILE", options->files, "Manifests, folders of them, or - for standard input")
      ->required();
  command->add_option("--pod", options->pod, "The pod to decide about: NAMESPACE/NAME, or NAME with -n");
  command->add_option("-n,--namespace", options->name_space,
                      "Namespace of --pod (\"default\" unless given); without --pod, decide only its pods");
  command->add_option(
      "--policy", options->policy,
      "A built-in policy (see `reprieve policy list`) or a file; kubernetes unless the input names one");
  command->add_option("-o,--output", options->output, "table, json or yaml")
      ->check(CLI::IsMember({"table", "json", "yaml"}));
  command->add_flag("--apply", options->apply, "Decide each pod after the decisions before it");
  command->add_flag("--full", options->full,
                    "Of many pods too: what decided, and why nodes were refused (slower)");
  command
      ->add_option("--threads", options->threads,
                   "Threads to decide with; one for each processor unless given")
      ->check(whole_number(0, kManyThreads));
  command
      ->add_option("--search-limit", options->search_limit,
                   "Of a policy with `victims: exact`: steps of the search for one pod, past which the "
                   "decision says how far it is proved")
      ->check(whole_number(1, kManySteps));
  command->add_flag("--certify{-}", options->certify,
                    "Evidence that nothing would be better, or what would; --certify=FILE also writes it");
  command->add_flag("--timing", options->timing,
                    "Print on standard error how long reading and deciding took");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace reprieve::cli
