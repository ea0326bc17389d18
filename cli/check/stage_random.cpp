// Seeded random clusters: the subject against the one that is held to be right, and against every law of
// one decision.
#include <fmt/format.h>

#include <mutex>

#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/law_tally.h"
#include "reprieve/cli/check/laws.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kCases{.quick = 50'000, .usual = 200'000, .full = 2'000'000};
constexpr std::uint64_t kBatch = 64;
constexpr std::size_t kLawFindings = 3;

class RandomStage final : public Stage {
 public:
  std::string_view name() const override { return "random"; }
  std::string_view question() const override {
    return "Do the two agree on seeded random clusters, and does the subject keep the laws of one decision?";
  }
  Amounts budget_s() const override { return {.quick = 12, .usual = 60, .full = 180}; }

  bool is_divided() const override { return true; }

  StageReport run(const CheckOptions& options) const override {
    const auto features = generators::parse_features(options.features);
    if (!features) return broken(features.error());
    generators::GeneratorSettings settings;
    settings.features = *features;
    settings.policy = options.policy;
    if (options.pods_per_node) settings.max_pods_per_node = *options.pods_per_node;
    if (asks_outside(options)) return run_live(options, settings);
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    // A program that follows one release knows no other policy.
    if (!pair->only_release()) settings.policies = generators::Policies::kMixed;
    const Seeds seeds = seeds_of(options, kCases.at(options.effort));
    const unsigned threads = thread_count(options.threads);

    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.push_back({pair->clone(), {}, LawTally(one_decision_laws(options.laws))});
    }
    std::mutex mutex;
    std::optional<std::uint64_t> first_bad;  // the smallest seed on which they differ
    Progress progress("random", seeds.count);
    for_batches(
        seeds.count, kBatch, threads, progress,
        [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
          const auto bad = workers[thread].hold(seeds.first + begin, seeds.first + end, settings);
          if (!bad) return true;
          const std::lock_guard lock(mutex);
          first_bad = std::min(first_bad.value_or(*bad), *bad);
          return false;
        },
        options.deadline);

    StageReport report;
    LawTally tally(workers.front().tally.held());
    for (const Worker& worker : workers) {
      report.reach.merge(worker.reach);
      tally.merge(worker.tally);
    }
    report.decisions = report.reach.cases();
    report.what = fmt::format("{} clusters from seed {}, {} laws of one decision",
                              with_commas(progress.done()), seeds.first, tally.held().size());
    report.laws = tally.counts(pair->subject());
    add_law_findings(tally, options, settings, pair->subject(), report);
    if (first_bad) {
      report.verdict = Verdict::kFailed;
      Finding finding =
          pair->finding(generators::generate(*first_bad, settings),
                        fmt::format("reprieve check --only random --seed {} --cases 1{}{}", *first_bad,
                                    options.features == "all" ? "" : " --features=" + options.features,
                                    Pair::repeat_options(options)));
      finding.seed = first_bad;
      report.findings.push_back(std::move(finding));
    }
    if (report.findings.empty()) note_deadline(report, progress.done(), seeds.count);
    return report;
  }

 private:
  /// One finding for each of the first few laws that were broken.
  static void add_law_findings(const LawTally& tally, const CheckOptions& options,
                               const generators::GeneratorSettings& settings, subjects::Subject& subject,
                               StageReport& report) {
    for (std::size_t i = 0; i < tally.held().size() && report.findings.size() < kLawFindings; ++i) {
      const auto seed = tally.first_broken(i);
      if (!seed) continue;
      report.verdict = Verdict::kFailed;
      report.findings.push_back(finding_of(*tally.held()[i], generators::generate(*seed, settings),
                                           fmt::format("case seed-{}", *seed), subject, *seed,
                                           repeat_law(*tally.held()[i], options, *seed)));
      report.findings.back().seed = seed;
    }
  }

  struct Worker {
    Pair pair;
    reach::Reach reach;
    LawTally tally;

    /// The cases of the seeds [begin, end): the first seed on which the two differ, or a law is broken.
    std::optional<std::uint64_t> hold(std::uint64_t begin, std::uint64_t end,
                                      const generators::GeneratorSettings& settings) {
      std::vector<Case> questions;
      for (std::uint64_t seed = begin; seed < end; ++seed) {
        questions.push_back(generators::generate(seed, settings));
      }
      const auto subject = pair.subject().decide_all(questions);
      const auto against = pair.against().decide_all(questions);
      for (std::size_t i = 0; i < questions.size(); ++i) {
        reach.add(questions[i], pair.fuller(subject[i], against[i]));
        tally.hold(questions[i], subject[i], pair.subject(), begin + i);
        if (!pair.differences(questions[i], subject[i], against[i]).empty()) return begin + i;
      }
      return std::nullopt;
    }
  };
};

}  // namespace

std::unique_ptr<Stage> random_stage() { return std::make_unique<RandomStage>(); }

}  // namespace reprieve::cli
