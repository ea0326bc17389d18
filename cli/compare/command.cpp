// reprieve compare: what would change in practice if the policy were another.
#include "reprieve/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reprieve/cli/arguments.h"
#include "reprieve/cli/compare/report.h"
#include "reprieve/cli/compare/source.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::cli {

namespace {

using namespace comparison;

constexpr const char* kHelp =
    R"(Decides the same preemptions under two policies and says how often the outcome, the node, the victims,
the violations and each level of the key differ, by how much, and who is better. OLD and NEW are
built-in policies (`reprieve policy list`) or files.

Who is better is judged by the levels of the policy that seeks the optimum, if one of them does, else of
NEW, with violations counted over the victims that each really evicts. When one of the two is `exact`,
the comparison asserts that it is never worse.

What is asked: generated clusters, small and odd (--cases, --seed, --features); the pending pods of a
dump (-f, as `kubectl get nodes,pods,pdb,priorityclass,namespaces -A -o json` prints it; --pod picks
some); case files or a folder of them (-f); or preemptors drawn from a production trace (--trace).

The smallest case of the most frequent difference is shrunk and printed; --case-file writes it.

Exit code: 0, 1 when `exact` was worse somewhere, 2 when the input or the call was wrong.

Examples:
  reprieve compare kubernetes exact --cases 100000 --seed 1
  reprieve compare kubernetes exact --trace $REPRIEVE_TRACE --preemptors 1000
  reprieve compare kubernetes mine.yaml -f dump.json -o json
  reprieve compare kubernetes-1.36 kubernetes-1.37 -f corpus)";

constexpr std::uint64_t kManyCases = 1'000'000'000'000;
constexpr std::uint64_t kManyPreemptors = 1'000'000;
constexpr std::uint64_t kManyPods = 100;
constexpr std::uint64_t kBatch = 64;
constexpr std::uint64_t kLargeSource = 100;  // nodes and pods of a case that is worth a batch of its own

struct Options {
  std::string old_policy;
  std::string new_policy;
  SourceOptions source;
  int pods_per_node = 0;
  unsigned threads = 0;
  std::string output = "table";
  std::string case_file;
  bool no_case = false;
};

/// For one thread.
struct Worker {
  std::unique_ptr<Source::Reader> reader;
  subjects::EngineSubject engine{subjects::EngineDepths::kAnswer};
  Tally tally;
};

Tally ask(const Source& source, const Report& report, unsigned threads) {
  std::vector<Worker> workers(threads);
  for (Worker& worker : workers) worker.reader = source.reader();
  const Case& first = workers.front().reader->question(0);
  const bool large = first.cluster.nodes.size() + first.cluster.pods.size() > kLargeSource;
  Progress progress("compare", source.size());
  for_batches(source.size(), large ? 1 : kBatch, threads, progress,
              [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
                Worker& worker = workers[thread];
                for (std::uint64_t number = begin; number < end; ++number) {
                  Case& question = worker.reader->question(number);
                  const std::size_t size = question.cluster.nodes.size() + question.cluster.pods.size();
                  const Pairing pairing =
                      pair(worker.engine, question, report.old_policy, report.new_policy, report.judge);
                  worker.tally.add(pairing, report.judge, report.never_worse, number, size);
                }
                return true;
              });
  Tally tally;
  for (const Worker& worker : workers) tally.merge(worker.tally);
  return tally;
}

/// The example of the most frequent difference; one of the two being better counts for more.
std::optional<Example> most_frequent(const Tally& tally) {
  const Tally::Kind* most = nullptr;
  bool decided = false;
  for (const auto& [kind, seen] : tally.differences) {
    const bool is_decided = kind.find("better by") != std::string::npos;
    if (most != nullptr && (decided != is_decided ? decided : most->count >= seen.count)) continue;
    most = &seen;
    decided = is_decided;
  }
  return most == nullptr ? std::nullopt : std::optional(most->smallest);
}

std::string repeat(const Options& options, const Source& source) {
  return fmt::format("reprieve compare {} {} {}", options.old_policy, options.new_policy, source.options());
}

int run(Options& options) {
  const auto old_policy = manifest::find_policy(options.old_policy);
  if (!old_policy) return fail("OLD: " + manifest::to_string(old_policy.error()));
  const auto new_policy = manifest::find_policy(options.new_policy);
  if (!new_policy) return fail("NEW: " + manifest::to_string(new_policy.error()));
  if (!options.source.trace.empty() && !options.source.files.empty()) {
    return fail("--trace: -f is a source of its own; give one of them");
  }
  if (options.pods_per_node > 0) options.source.pods_per_node = options.pods_per_node;
  const auto source = open_source(options.source);
  if (!source) return fail(source.error());
  if ((*source)->size() == 0) return fail("there is nothing to compare");

  Report report{.old_policy = *old_policy,
                .new_policy = *new_policy,
                .judge = judge_of(*old_policy, *new_policy),
                .never_worse = never_worse(*old_policy, *new_policy),
                .source = (*source)->description(),
                .repeat = repeat(options, **source)};
  report.tally = ask(**source, report, thread_count(options.threads));
  subjects::EngineSubject engine{subjects::EngineDepths::kAnswer};
  const auto shrunk = [&](const Example& example, bool broken) {
    const Case question = (*source)->reader()->question(example.index);
    return witness(engine, question, report.old_policy, report.new_policy, broken);
  };
  if (report.tally.first_broken) report.broken = shrunk(*report.tally.first_broken, true);
  if (const auto example = most_frequent(report.tally); example && !options.no_case) {
    report.witness = shrunk(*example, false);
  }
  if (options.output == "table") {
    fmt::print("{}", to_text(report));
  } else {
    fmt::print("{}", render(to_json(report), options.output == "yaml" ? Format::kYaml : Format::kJson));
  }
  if (!options.case_file.empty()) {
    const std::optional<Witness>& shown = report.broken ? report.broken : report.witness;
    if (!shown) return fail("--case-file: there is no difference to write");
    std::ofstream file(options.case_file);
    file << shown->case_yaml;
    if (!file.flush()) return fail("--case-file: cannot write " + options.case_file);
  }
  return report.tally.broken > 0 ? kFound : kHeld;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  SourceOptions& source = options->source;
  CLI::App* command = app.add_subcommand("compare", "What would change if the policy were another?");
  command->footer(kHelp);
  command->add_option("OLD", options->old_policy, "The policy as it is")->required();
  command->add_option("NEW", options->new_policy, "The policy as it might be")->required();
  command->add_option("-f,--filename", source.files,
                      "A dump with pending pods; case files or a folder of them");
  command->add_option("--pod", source.pods,
                      "Of a dump: only this preemptor, NAMESPACE/NAME; may be repeated");
  command->add_option("--trace", source.trace, "The folder of a production trace (openb_*.csv)");
  command->add_option("--preemptors", source.preemptors, "How many preemptors to draw from the trace")
      ->check(whole_number(1, kManyPreemptors));
  command->add_option("--cases", source.cases, "How many generated clusters")
      ->check(whole_number(1, kManyCases));
  command->add_option("--seed", source.seed, "Of the first generated cluster, or of the trace's preemptors")
      ->check(whole_number());
  command->add_option("--features", source.features,
                      "What generated clusters may contain (as in `reprieve check`)");
  command
      ->add_option("--pods-per-node", options->pods_per_node,
                   "At most so many running pods on a node of a generated cluster; 5 unless given")
      ->check(whole_number(1, kManyPods));
  command->add_option("--threads", options->threads, "One for each processor unless given")
      ->check(whole_number(0, kManyThreads));
  command->add_option("--case-file", options->case_file,
                      "Write the smallest case of a difference to this file");
  command->add_flag("--no-case", options->no_case, "Do not look for the smallest case");
  command->add_option("-o,--output", options->output, "table, json or yaml")
      ->check(CLI::IsMember({"table", "json", "yaml"}));
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace reprieve::cli
