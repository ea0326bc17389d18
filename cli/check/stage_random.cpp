// Seeded random clusters: the subject against the one that is held to be right.
#include <fmt/format.h>

#include <mutex>

#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve::cli {

namespace {

constexpr std::uint64_t kCases = 100'000;
constexpr std::uint64_t kQuickCases = 20'000;
constexpr std::uint64_t kBatch = 64;

class RandomStage final : public Stage {
 public:
  std::string_view name() const override { return "random"; }
  std::string_view question() const override { return "Do the two agree on seeded random clusters?"; }

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
    const Seeds seeds = seeds_of(options, options.quick ? kQuickCases : kCases);
    const unsigned threads = thread_count(options.threads);

    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) workers.push_back({pair->clone(), {}});
    std::mutex mutex;
    std::optional<std::uint64_t> first_bad;  // the smallest seed on which they differ
    Progress progress("random", seeds.count);
    for_batches(seeds.count, kBatch, threads, progress,
                [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
                  const auto bad = workers[thread].hold(seeds.first + begin, seeds.first + end, settings);
                  if (!bad) return true;
                  const std::lock_guard lock(mutex);
                  first_bad = std::min(first_bad.value_or(*bad), *bad);
                  return false;
                });

    StageReport report;
    for (const Worker& worker : workers) report.reach.merge(worker.reach);
    report.decisions = report.reach.cases();
    report.what = fmt::format("{} clusters from seed {}", with_commas(progress.done()), seeds.first);
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
    return report;
  }

 private:
  struct Worker {
    Pair pair;
    reach::Reach reach;

    /// The cases of the seeds [begin, end): the first seed on which the two differ.
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
        if (!pair.differences(questions[i], subject[i], against[i]).empty()) return begin + i;
      }
      return std::nullopt;
    }
  };
};

}  // namespace

std::unique_ptr<Stage> random_stage() { return std::make_unique<RandomStage>(); }

}  // namespace reprieve::cli
