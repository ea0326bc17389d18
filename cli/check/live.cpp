#include "reprieve/cli/check/live.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <compare>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/random_cases.h"
#include "reprieve/cli/check/record.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/manifest/write.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kCases{.quick = 2'000, .usual = 20'000, .full = 40'000};
constexpr std::uint64_t kBatch = 64;
constexpr std::size_t kFindingsShown = 5;  // of each sort
constexpr std::uint64_t kLargeEvery = 32;  // cases
constexpr std::uint64_t kConflictsEvery = 4;
constexpr int kManyPods = 20;  // on a node
constexpr int kManyNodes = 12;

bool built_in(const std::string& subject) { return subject == "engine" || subject == "reference"; }

/// The options of each pair that is judged; all are held against the same program.
std::vector<CheckOptions> judged(const CheckOptions& options) {
  std::vector<CheckOptions> all{options};
  if (built_in(options.subject)) {
    all.push_back(options);
    all.back().subject = options.subject == "engine" ? "reference" : "engine";
  }
  return all;
}

/// A case that was decided otherwise. Of each kind (who, and in which field) one becomes a finding.
struct Mismatch {
  std::size_t pair = 0;
  std::string kind;

  auto operator<=>(const Mismatch&) const = default;
};

/// What a run has come to; for one thread until merged.
struct Tally {
  reach::Reach reach;
  std::map<std::uint64_t, std::vector<Mismatch>> mismatches;
  std::map<std::uint64_t, std::string> unanswered;
  Recording recording;

  void merge(Tally&& other) {
    reach.merge(other.reach);
    mismatches.merge(other.mismatches);
    unanswered.merge(other.unanswered);
    recording.merge(std::move(other.recording));
  }
};

class Questions {
 public:
  Questions(generators::GeneratorSettings settings, std::optional<Release> release)
      : settings_(std::move(settings)), release_(release) {}

  Case make(std::uint64_t seed) const {
    generators::GeneratorSettings settings = settings_of(settings_, seed);
    // Now and then more than 12 potential victims, where Go's sort is another one, or many nodes.
    if (seed % kLargeEvery == 0) settings.max_pods_per_node = kManyPods;
    if (seed % kLargeEvery == 1) settings.max_nodes = kManyNodes;
    // Resources hide most of what the other filters say; these let them speak.
    if (seed % kConflictsEvery == 2) settings.flavour = generators::Flavour::kConflicts;
    Case question = generators::generate(seed, settings);
    if (release_) question.policy = as_release(question.policy, *release_);
    return question;
  }

 private:
  generators::GeneratorSettings settings_;
  std::optional<Release> release_;
};

class Worker {
 public:
  Worker(std::vector<Pair> pairs, const Questions& questions, bool records)
      : pairs_(std::move(pairs)), questions_(questions), records_(records) {}

  /// The cases of the seeds [begin, end).
  void hold(std::uint64_t begin, std::uint64_t end) {
    std::vector<Case> questions;
    for (std::uint64_t seed = begin; seed < end; ++seed) questions.push_back(questions_.make(seed));
    const auto truth = pairs_.front().against().decide_all(questions);
    std::vector<std::vector<Decision>> answers;
    for (Pair& pair : pairs_) answers.push_back(pair.subject().decide_all(questions));
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::uint64_t seed = begin + i;
      if (const Decision* failure = failed(truth[i], answers, i)) {
        tally.unanswered.emplace(seed, failure->reason);
        continue;
      }
      tally.reach.add(questions[i], pairs_.front().fuller(answers.front()[i], truth[i]));
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const auto differences = pairs_[p].differences(questions[i], answers[p][i], truth[i]);
        if (!differences.empty())
          tally.mismatches[seed].push_back({p, compare::kind_of(differences.front())});
      }
      if (records_) tally.recording.add(seed, questions[i], truth[i]);
    }
  }

  Tally tally;

 private:
  static const Decision* failed(const Decision& truth, const std::vector<std::vector<Decision>>& answers,
                                std::size_t at) {
    if (subjects::is_subject_failure(truth)) return &truth;
    for (const auto& answer : answers) {
      if (subjects::is_subject_failure(answer[at])) return &answer[at];
    }
    return nullptr;
  }

  std::vector<Pair> pairs_;
  const Questions& questions_;
  bool records_;
};

/// One finding for each kind of mismatch, shrunk, and one for each unanswered case, the first few.
std::vector<Finding> findings(const Tally& tally, std::vector<Pair>& pairs,
                              const std::vector<CheckOptions>& options, const Questions& questions) {
  std::vector<Finding> found;
  std::set<std::vector<Mismatch>> kinds;
  for (const auto& [seed, mismatches] : tally.mismatches) {
    if (kinds.size() >= kFindingsShown) break;
    if (!kinds.insert(mismatches).second) continue;
    const std::size_t first = mismatches.front().pair;
    found.push_back(
        pairs[first].finding(questions.make(seed), repeat_random("random", options[first], seed)));
    found.back().seed = seed;
    // Who is wrong is half of the answer: with both against it, it is often the program.
    if (mismatches.size() < 2) continue;
    found.back().details +=
        fmt::format("{} was judged too: {}.\n", pairs[mismatches[1].pair].subject().name(),
                    mismatches[1].kind == mismatches[0].kind ? "it differs in the same field"
                                                             : "it differs in " + mismatches[1].kind);
  }
  // Not shrunk: with a time-out each try would take as long.
  std::size_t shown = 0;
  for (const auto& [seed, reason] : tally.unanswered) {
    if (++shown > kFindingsShown) break;
    found.push_back({.title = fmt::format("no answer to case seed-{}", seed),
                     .details = reason,
                     .case_yaml = manifest::write_case_yaml(questions.make(seed)),
                     .seed = seed,
                     .repeat = repeat_random("random", options.front(), seed)});
  }
  return found;
}

/// "20,000 clusters from seed 1, 812/s: engine 0 mismatches, reference 2 mismatches".
std::string describe(const Tally& tally, std::vector<Pair>& pairs, std::uint64_t cases, std::uint64_t seed,
                     double seconds) {
  std::vector<std::uint64_t> counts(pairs.size());
  for (const auto& [_, mismatches] : tally.mismatches) {
    for (const Mismatch& mismatch : mismatches) ++counts[mismatch.pair];
  }
  std::string text = fmt::format("{} clusters from seed {}, {:.0f}/s", with_commas(cases), seed,
                                 seconds > 0 ? static_cast<double>(cases) / seconds : 0.0);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    text += fmt::format("{} {} {} mismatch{}", p == 0 ? ":" : ",", pairs[p].subject().name(),
                        with_commas(counts[p]), counts[p] == 1 ? "" : "es");
  }
  if (!tally.unanswered.empty()) text += fmt::format(", {} unanswered", with_commas(tally.unanswered.size()));
  return text;
}

}  // namespace

bool asks_outside(const CheckOptions& options) {
  return !built_in(options.subject) || !built_in(options.against);
}

StageReport run_live(const CheckOptions& options, const generators::GeneratorSettings& settings) {
  const std::vector<CheckOptions> all = judged(options);
  std::vector<Pair> pairs;
  for (const CheckOptions& one : all) {
    auto pair = Pair::make(one);
    if (!pair) return broken(pair.error());
    pairs.push_back(std::move(*pair));
  }
  const Questions questions(settings, pairs.front().only_release());
  const bool goes_on = options.keep_going || !options.record.empty();
  const Seeds seeds = seeds_of(options, kCases.at(options.effort));
  const unsigned threads = thread_count(options.threads);

  std::vector<Worker> workers;
  for (unsigned i = 0; i < threads; ++i) {
    std::vector<Pair> own;
    for (const Pair& pair : pairs) own.push_back(pair.clone());
    workers.emplace_back(std::move(own), questions, !options.record.empty());
  }
  Progress progress("random", seeds.count);
  const auto start = std::chrono::steady_clock::now();
  for_batches(
      seeds.count, kBatch, threads, progress,
      [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
        workers[thread].hold(seeds.first + begin, seeds.first + end);
        return goes_on || workers[thread].tally.mismatches.empty();
      },
      options.deadline);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Tally tally;
  for (Worker& worker : workers) tally.merge(std::move(worker.tally));
  workers.clear();  // ends their programs before the shrinker starts its own
  StageReport report;
  report.what = describe(tally, pairs, progress.done(), seeds.first, seconds);
  report.findings = findings(tally, pairs, all, questions);
  report.decisions = tally.reach.cases() * pairs.size();
  report.reach = std::move(tally.reach);
  if (!report.findings.empty()) report.verdict = Verdict::kFailed;
  note_deadline(report, progress.done(), seeds.count);
  if (!options.record.empty()) {
    const auto written = tally.recording.write(options.record);
    if (!written) return broken(written.error());
    report.what += fmt::format("; {} recorded in {}", with_commas(*written), options.record);
  }
  return report;
}

Case live_case(const generators::GeneratorSettings& settings, std::optional<Release> release,
               std::uint64_t seed) {
  return Questions(settings, release).make(seed);
}

Policy as_release(const Policy& policy, Release release) {
  Policy own = kubernetes_policy(release);
  own.sampling = policy.sampling;
  if (policy.sampling) own.name = policy.name;
  return own;
}

}  // namespace reprieve::cli
