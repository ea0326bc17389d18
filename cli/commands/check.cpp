// reprieve check: the gate for the author of a change.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <limits>
#include <nlohmann/json.hpp>

#include "reprieve/cli/arguments.h"
#include "reprieve/cli/check/accident.h"
#include "reprieve/cli/check/guard.h"
#include "reprieve/cli/check/keep.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/check/report.h"
#include "reprieve/cli/check/stage.h"
#include "reprieve/cli/check/vectors.h"
#include "reprieve/cli/command.h"
#include "reprieve/cli/corpus.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/properties/exhaustive/scope.h"
#include "reprieve/properties/generators/features.h"
#include "reprieve/properties/generators/random.h"
#include "reprieve/properties/laws/law.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::cli {

namespace {

constexpr const char* kHelp =
    R"HELP(Holds a subject (the engine) against another (the reference) and against decisions of the real
kube-scheduler, stage by stage (--list names them). What differs is shrunk and printed with both
answers, the smallest case as YAML, its seed and the command that repeats it. The summary says what
was covered and what was not; a stage that compared nothing is a failure.

--subject takes the place of the engine and --against that of the reference: engine, reference,
kube-scheduler-1.36, kube-scheduler-1.37, or any command that speaks the subject protocol. A program
that can follow one release only, as a fork of kube-scheduler does, is asked with --release. Against
such a program the engine and the reference are both judged on random clusters; a case that it does
not answer is a finding, and the run goes on.

Exit code: 0 all held, 1 something was found, 2 the call was wrong.

Examples:
  reprieve check --quick
  reprieve check --full --commit $(git rev-parse HEAD) --junit check.xml
  reprieve check --quick --repeat 20
  reprieve check --only random --cases 1000000 --seed 42
  reprieve check --only random --features=-volumes,-topology
  reprieve check --only random --policy exact --pods-per-node 10
  reprieve check --only laws --law no-victim-can-be-spared --policy exact
  reprieve check --only exhaustive --scope nodes=2,pods=4,budgets=2,sizes=2,priorities=2,starts=2
  reprieve check --against kube-scheduler-1.37 --cases 1000
  reprieve check --subject 'python3 mine.py' --only corpus
  reprieve check --subject build/kube-scheduler/kube-scheduler-local --release 1.37
  reprieve check --only random --cases 1000000000 --shard 3/20)HELP";

constexpr std::uint64_t kManyCases = 1'000'000'000'000;
constexpr std::uint64_t kManyDefaultCases = 10'000'000;  // more than any stage has of its own accord
constexpr std::uint64_t kManyShards = 100'000;
constexpr std::uint64_t kManyPreemptors = 1'000'000;
constexpr std::uint64_t kManyPods = 100;
constexpr std::uint64_t kManyRepeats = 1'000;
constexpr std::uint64_t kBetweenRepeats = 1'000'000'000;  // seeds: more than any stage has of its own accord
constexpr int kNextTimeOutMs = 5'000;
constexpr std::uint64_t kDayS = 86'400;
constexpr std::uint64_t kDayMs = 86'400'000;

struct Options {
  CheckOptions check;
  std::vector<std::string> only;
  int pods_per_node = 0;
  bool quick = false;
  bool full = false;
  bool list = false;
  bool in_process = false;
  std::uint64_t repeat = 1;
  std::string junit;
  std::string output = "table";
};

/// The laws that the stage of that name holds.
int list_laws(const std::string& output) {
  if (output == "table") {
    for (const laws::Law* law : laws::all_laws()) fmt::print("{:<50} {}\n", law->name, law->sentence);
    return kHeld;
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const laws::Law* law : laws::all_laws()) {
    nlohmann::ordered_json exceptions = nlohmann::ordered_json::array();
    for (const laws::Exception& exception : law->exceptions) {
      exceptions.push_back(
          {{"name", exception.name}, {"when", exception.when}, {"smallest", exception.smallest}});
    }
    all.push_back({{"law", law->name},
                   {"sentence", law->sentence},
                   {"statement", law->statement},
                   {"theorem", law->theorem},
                   {"decisions", law->arity == laws::Arity::kOneDecision ? 1 : 2},
                   {"needsStory", law->needs_story},
                   {"claimedFor", law->claimed_for_text},
                   {"exceptions", std::move(exceptions)}});
  }
  const nlohmann::ordered_json document = {
      {"apiVersion", "reprieve.dev/v1alpha1"}, {"kind", "LawList"}, {"laws", std::move(all)}};
  fmt::print("{}", render(document, output == "yaml" ? Format::kYaml : Format::kJson));
  return kHeld;
}

int list_stages(const std::string& output) {
  if (output == "table") {
    for (const auto& stage : all_stages()) fmt::print("{:<10} {}\n", stage->name(), stage->question());
    return kHeld;
  }
  nlohmann::ordered_json stages = nlohmann::ordered_json::array();
  for (const auto& stage : all_stages()) {
    stages.push_back({{"stage", stage->name()}, {"question", stage->question()}});
  }
  const nlohmann::ordered_json document = {
      {"apiVersion", "reprieve.dev/v1alpha1"}, {"kind", "CheckStageList"}, {"stages", std::move(stages)}};
  fmt::print("{}", render(document, output == "yaml" ? Format::kYaml : Format::kJson));
  return kHeld;
}

/// What can be known to be wrong before anything runs, as one sentence; empty: nothing.
std::string wrong_call(const Options& options, const std::vector<std::unique_ptr<Stage>>& stages) {
  for (const std::string& name : options.only) {
    if (std::ranges::none_of(stages, [&](const auto& stage) { return stage->name() == name; })) {
      return fmt::format("--only: there is no stage '{}'; --list names them", name);
    }
  }
  if (options.check.policy && options.check.release) {
    return "--policy: names its release itself; leave --release out";
  }
  for (const std::string& name : options.check.laws) {
    if (laws::find_law(name) == nullptr) {
      return fmt::format("--law: there is no law '{}'; --list --only laws names them", name);
    }
  }
  const auto features = generators::parse_features(options.check.features);
  if (!features) return "--features: " + features.error();
  if (const auto scope = exhaustive::parse_scope(options.check.scope); !scope)
    return "--scope: " + scope.error();
  for (const std::string& name : {options.check.subject, options.check.against}) {
    const auto subject = subjects::make_subject(name);
    if (!subject) return subject.error();
  }
  // The seeds of a run follow one another, and none is beyond the last.
  const std::uint64_t cases = options.check.cases.value_or(kManyDefaultCases);
  if (options.check.seed > std::numeric_limits<std::uint64_t>::max() - cases) {
    return fmt::format("--seed: there are no {} seeds from {} on", cases, options.check.seed);
  }
  if (options.check.shard.count > options.check.cases.value_or(options.check.shard.count)) {
    return fmt::format("--shard: {} shards cannot share {} cases", options.check.shard.count, cases);
  }
  const bool outside = asks_outside(options.check);
  if (!outside && !options.check.record.empty()) return "--record needs a program outside: --against COMMAND";
  if (!options.check.corpus.empty() && corpus_files(options.check.corpus).empty()) {
    return fmt::format("--corpus: {} holds no case files", options.check.corpus);
  }
  if (!options.check.vectors.empty() && vector_files(options.check.vectors).empty()) {
    return fmt::format("--vectors: {} holds no *.jsonl.gz", options.check.vectors);
  }
  return {};
}

/// "2/20": the third of twenty. The text of the error is what is wrong; empty: nothing.
std::string read_shard(const std::string& text, Shard& shard) {
  const std::size_t slash = text.find('/');
  const auto index = read_number(std::string_view(text).substr(0, slash));
  const auto count = read_number(slash == std::string::npos ? "" : std::string_view(text).substr(slash + 1));
  if (!index || !count) return "expected I/N, for example 0/20";
  shard = {.index = *index, .count = *count};
  if (shard.count == 0 || shard.count > kManyShards) return fmt::format("N must be 1 to {}", kManyShards);
  if (shard.index >= shard.count) return fmt::format("I must be 0 to {}", shard.count - 1);
  return {};
}

/// When the stage is to end: `later` seconds are the budgets of the stages behind it in a run that began at
/// `begun`.
Deadline deadline_of(const Stage& stage, const CheckOptions& options, std::uint64_t later_s,
                     std::chrono::steady_clock::time_point begun) {
  const auto now = std::chrono::steady_clock::now();
  if (options.budget_s)
    return *options.budget_s > 0 ? Deadline(now + std::chrono::seconds(*options.budget_s)) : std::nullopt;
  // Who says how much to do wants all of it.
  if (options.cases || options.preemptors || !options.scope.empty()) return std::nullopt;
  const std::chrono::seconds own{stage.budget_s().at(options.effort)};
  const auto left = begun + std::chrono::seconds{kRun_s.at(options.effort)} - now;
  return now + share_of_time(std::chrono::duration_cast<std::chrono::milliseconds>(left), own,
                             std::chrono::seconds{later_s});
}

StageReport run_stage(const Stage& stage, const CheckOptions& options, const Deadline& deadline) {
  if (options.shard.index > 0 && !stage.is_divided()) {
    return skipped(fmt::format("shard 0 of {} runs it", options.shard.count));
  }
  const auto start = std::chrono::steady_clock::now();
  CheckOptions own = options;
  own.deadline = deadline;
  const marks::Counts before = marks::counts();
  StageReport report = stage.run(own);
  report.reach.add_marks(marks::difference(before, marks::counts()));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.complete && report.cut && report.verdict == Verdict::kHeld) {
    report.verdict = Verdict::kFailed;
    report.what += " (its time was over, and --complete wants all of it)";
  }
  if (report.verdict == Verdict::kHeld) {
    // Cases that nobody could decide compare nothing, however many they are.
    const auto& outcomes = report.reach.outcomes();
    const auto errors = outcomes.find("error");
    const bool only_errors = errors != outcomes.end() && errors->second == report.reach.cases();
    if (only_errors || report.decisions + report.compared == 0) {
      report.verdict = Verdict::kFailed;
      report.what += " (nothing was compared)";
    }
  }
  return report;
}

/// The same, also when the run dies of it.
StageReport run_guarded(const Stage& stage, CheckOptions& options, const Deadline& deadline, Guard& guard) {
  const auto start = std::chrono::steady_clock::now();
  if (const auto accident = guard.point()) {
    StageReport report = report_accident(stage, options, *accident);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (accident->death.kind == Death::Kind::kHang && !options.time_out_ms) {
      // The other stages are likely to meet it too, and need not wait as long to know it.
      options.time_out_ms = kNextTimeOutMs;
      guard.set_longest(std::chrono::milliseconds{kNextTimeOutMs});
    }
    return report;
  }
  StageReport report = run_stage(stage, options, deadline);
  guard.release();
  return report;
}

/// What the stages said, or the exit code of a call that was wrong.
std::expected<std::vector<NamedReport>, int> run_stages(const std::vector<std::unique_ptr<Stage>>& stages,
                                                        Options& options, Guard& guard, CaseFiles files) {
  const bool people = options.output == "table";
  const auto begun = std::chrono::steady_clock::now();
  const auto is_asked_for = [&](const std::unique_ptr<Stage>& stage) {
    return options.only.empty() || std::ranges::find(options.only, stage->name()) != options.only.end();
  };
  std::uint64_t later_s = 0;
  for (const auto& stage : stages) {
    if (is_asked_for(stage)) later_s += stage->budget_s().at(options.check.effort);
  }
  std::vector<NamedReport> reports;
  for (const auto& stage : stages) {
    if (!is_asked_for(stage)) continue;
    later_s -= stage->budget_s().at(options.check.effort);
    const Deadline deadline = deadline_of(*stage, options.check, later_s, begun);
    reports.emplace_back(stage->name(), run_guarded(*stage, options.check, deadline, guard));
    const StageReport& report = reports.back().second;
    if (!options.only.empty() && report.verdict == Verdict::kSkipped && options.check.shard.index == 0) {
      return std::unexpected(
          fail(fmt::format("--only: stage {} cannot run: {}", stage->name(), report.what)));
    }
    if (report.wrong_input)
      return std::unexpected(fail(fmt::format("stage {}: {}", stage->name(), report.what)));
    // A program is told the cases in the document itself.
    if (people || !options.check.out.empty()) {
      if (const std::string wrong = files.keep(reports.back()); !wrong.empty())
        return std::unexpected(fail(wrong));
    }
    if (!people) continue;
    // At once: a run that somebody ends has said what it found.
    fmt::print("{}{}", stage_line(reports.back()), describe({reports.back()}));
    std::fflush(stdout);
  }
  return reports;
}

/// The same run with other seeds, time after time: how often it holds on what has not changed.
int repeat(const std::vector<std::unique_ptr<Stage>>& stages, Options options, Guard& guard) {
  const std::uint64_t first = options.check.seed;
  std::vector<std::uint64_t> failing;
  std::vector<NamedReport> all;
  for (std::uint64_t i = 0; i < options.repeat; ++i) {
    options.check.seed = first + i * kBetweenRepeats;
    fmt::print("{}{} of {}, seed {}\n", i == 0 ? "" : "\n", i + 1, options.repeat, options.check.seed);
    const std::string folder =
        options.check.out.empty() ? "" : fmt::format("{}/seed-{}", options.check.out, options.check.seed);
    auto reports = run_stages(stages, options, guard, CaseFiles(folder));
    if (!reports) return reports.error();
    if (failed(*reports)) failing.push_back(options.check.seed);
    for (const auto& [name, report] : *reports) {
      all.emplace_back(fmt::format("{} seed {}", name, options.check.seed), report);
    }
  }
  if (const std::string wrong = write_junit(options.junit, all); !wrong.empty()) return fail(wrong);
  fmt::print("\nHeld {} of {} times.{}\n", options.repeat - failing.size(), options.repeat,
             failing.empty() ? "" : fmt::format(" Not with the seeds {}.", fmt::join(failing, ", ")));
  return failing.empty() ? kHeld : kFound;
}

int run(Options& options) {
  if (options.list) {
    return options.only == std::vector<std::string>{"laws"} ? list_laws(options.output)
                                                            : list_stages(options.output);
  }
  if (!options.check.policy_name.empty()) {
    const auto policy = manifest::find_policy(options.check.policy_name);
    if (!policy) return fail("--policy: " + manifest::to_string(policy.error()));
    options.check.policy = *policy;
  }
  if (options.quick) options.check.effort = Effort::kQuick;
  if (options.full) options.check.effort = Effort::kFull;
  // 48 bits: it can be typed, and leaves room for the seeds that follow.
  if (!options.check.commit.empty()) options.check.seed = generators::seed_of(options.check.commit) >> 16U;
  if (options.pods_per_node > 0) options.check.pods_per_node = options.pods_per_node;
  if (options.check.corpus.empty()) options.check.corpus = find_corpus();
  options.check.vectors_given = !options.check.vectors.empty();
  if (const char* told = std::getenv("REPRIEVE_VECTORS"); options.check.vectors.empty() && told != nullptr) {
    options.check.vectors = told;
  }
  if (const char* told = std::getenv("REPRIEVE_TRACE"); options.check.trace.empty() && told != nullptr) {
    options.check.trace = told;
  }
  const auto stages = all_stages();
  if (const std::string wrong = wrong_call(options, stages); !wrong.empty()) return fail(wrong);

  Guard guard;
  if (!options.in_process) guard.begin(std::chrono::milliseconds{own_time_out_ms(options.check)});
  if (options.repeat > 1) return repeat(stages, options, guard);
  const bool people = options.output == "table";
  auto reports = run_stages(stages, options, guard, CaseFiles(options.check.out));
  if (!reports) return reports.error();
  if (people) {
    fmt::print("{}", summary(*reports, options.check));
  } else {
    const Format format = options.output == "yaml" ? Format::kYaml : Format::kJson;
    fmt::print("{}", render(to_json(*reports, options.check), format));
  }
  if (const std::string wrong = write_junit(options.junit, *reports); !wrong.empty()) return fail(wrong);
  return failed(*reports) ? kFound : kHeld;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CheckOptions& check = options->check;
  CLI::App* command = app.add_subcommand("check", "Is the algorithm still right? The gate for a change");
  command->footer(kHelp);
  auto* quick = command->add_flag("--quick", options->quick, "Under a minute on two processors");
  command->add_flag("--full", options->full, "Under ten minutes on two processors")->excludes(quick);
  command
      ->add_option("--budget", check.budget_s,
                   "Seconds for each stage, past which it begins nothing new; 0 for no end. Each has its own "
                   "unless given, and none when told how much to do")
      ->check(whole_number(0, kDayS));
  command->add_option("--cases", check.cases, "How many random clusters")->check(whole_number(1, kManyCases));
  command->add_flag("--fail-fast", check.fail_fast,
                    "End each stage with the first thing it finds, and do not shrink it");
  command->add_option("--draw", check.draw, "Of laws that draw something: the first draw, on the corpus")
      ->check(whole_number());
  command->add_option("--out", check.out,
                      "Write the smallest cases to this folder; a new one for temporary files unless given");
  command->add_flag(
      "--in-process", options->in_process,
      "In one process, as for a debugger: one that dies or hangs ends the run, without a finding");
  command->add_flag("--complete", check.complete, "A stage that its time cuts short is a failure");
  auto* seed = command->add_option(
      "--seed", check.seed, "Of the first random cluster; the next one has the next seed. 1 unless given");
  seed->check(whole_number());
  command
      ->add_option("--commit", check.commit, "Derive the seed from this text, as from the hash of a commit")
      ->excludes(seed);
  command
      ->add_option("--repeat", options->repeat,
                   "Run it so many times, each with other seeds, and say how often it held")
      ->check(whole_number(1, kManyRepeats));
  command->add_option("--junit", options->junit, "Write the verdicts to this file as JUnit XML");
  command
      ->add_option_function<std::string>(
          "--shard", [&check](const std::string& text) { read_shard(text, check.shard); },
          "I/N: take the I-th of N equal parts of the random clusters, I from 0 (docs/SHARDING.md)")
      ->check([](const std::string& text) {
        Shard ignored;
        return read_shard(text, ignored);
      });
  command->add_option("--threads", check.threads, "One for each processor unless given")
      ->check(whole_number(0, kManyThreads));
  command->add_option("--corpus", check.corpus, "A folder of case files, or one file");
  command->add_option(
      "--vectors", check.vectors,
      "A folder of recorded decisions (*.jsonl.gz), or one file; REPRIEVE_VECTORS unless given");
  command->add_option("--trace", check.trace,
                      "The folder of a production trace (openb_*.csv); REPRIEVE_TRACE unless given");
  command->add_option("--preemptors", check.preemptors, "How many preemptors to draw from the trace")
      ->check(whole_number(1, kManyPreemptors));
  command->add_option("--features", check.features,
                      "What random clusters may contain: names and groups, '-' takes away");
  command
      ->add_option("--pods-per-node", options->pods_per_node,
                   "At most so many running pods on a node of a random cluster; 5 unless given")
      ->check(whole_number(1, kManyPods));
  command->add_option("--policy", check.policy_name,
                      "Ask every case under this policy: a built-in one or a file. Without it the corpus "
                      "names its own, and of the random clusters some have a random one");
  command->add_option(
      "--scope", check.scope,
      "Which clusters the exhaustive stage walks: nodes, pods, budgets, sizes, priorities, starts, "
      "peers (properties/exhaustive)");
  command->add_option("--from", check.from, "The index in the scope at which to begin, to go on with a run")
      ->check(whole_number());
  command->add_option("--only", options->only, "Only these stages, comma-separated")->delimiter(',');
  command->add_option("--law", check.laws, "Hold only these laws, comma-separated")->delimiter(',');
  command->add_flag("--list", options->list,
                    "List the stages and what each settles; with --only laws, the laws");
  command->add_option("--subject", check.subject, "Whom the run judges; engine unless given");
  command->add_option("--against", check.against, "Who is held to be right; reference unless given");
  command
      ->add_option_function<std::string>(
          "--release",
          [&check](const std::string& release) {
            check.release = release == "1.36" ? Release::k1_36 : Release::k1_37;
          },
          "Ask only under kubernetes-RELEASE: 1.36 or 1.37")
      ->check(CLI::IsMember({"1.36", "1.37"}));
  command->add_flag("--choice-only", check.choice_only,
                    "Compare the outcome, the chosen node and its victims, not the reasons of other nodes");
  command->add_flag("--keep-going", check.keep_going,
                    "With a program outside: do not stop at the first difference, count them all");
  command->add_option("--record-operations", check.record_operations,
                      "Of the stage operations: write what is counted to this file, for later runs");
  command->add_option("--record", check.record,
                      "Add what the program outside decides to this file (*.jsonl.gz); keeps going");
  command
      ->add_option("--time-out", check.time_out_ms,
                   "Milliseconds for one decision, past which it counts as not answered: 30,000 of a program "
                   "outside and 60,000 (--quick: 20,000) of the engine and the reference, unless given")
      ->check(whole_number(1, kDayMs));
  command->add_option("-o,--output", options->output, "table, json or yaml")
      ->check(CLI::IsMember({"table", "json", "yaml"}));
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace reprieve::cli
