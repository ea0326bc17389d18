#include "reprieve/cli/check/hold_seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "reprieve/cli/check/laws.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"

namespace reprieve::cli {

namespace {

constexpr std::uint64_t kBatch = 64;
constexpr std::size_t kLawFindings = 3;

struct Worker {
  Pair pair;
  reach::Reach reach;
  LawTally tally;

  /// The cases of the seeds [begin, end): the first seed on which the two differ.
  std::optional<std::uint64_t> hold(std::uint64_t begin, std::uint64_t end, const DrawnCases& cases) {
    std::vector<Case> questions;
    for (std::uint64_t seed = begin; seed < end; ++seed) questions.push_back(cases.draw(seed));
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

/// One for each of the first few laws that were broken, and one for the first difference.
std::vector<Finding> findings(const LawTally& tally, std::optional<std::uint64_t> first_bad, Pair& pair,
                              const CheckOptions& options, const DrawnCases& cases) {
  std::vector<Finding> found;
  const std::size_t most = options.fail_fast ? 1 : kLawFindings;
  for (std::size_t i = 0; i < tally.held().size() && found.size() < most; ++i) {
    const auto seed = tally.first_broken(i);
    if (!seed) continue;
    const laws::Law& law = *tally.held()[i];
    found.push_back(finding_of(law, cases.draw(*seed), fmt::format("case seed-{}", *seed), pair.subject(),
                               *seed, options, cases.repeat_law(law, *seed)));
    found.back().seed = seed;
  }
  if (first_bad && !(options.fail_fast && !found.empty())) {
    found.push_back(pair.finding(cases.draw(*first_bad), cases.repeat(*first_bad)));
    found.back().seed = first_bad;
  }
  return found;
}

}  // namespace

HeldSeeds hold_seeds(Pair& pair, const CheckOptions& options, const DrawnCases& cases) {
  const unsigned threads = thread_count(options.threads);
  const LawTally none(one_decision_laws(options.laws));
  std::vector<Worker> workers;
  for (unsigned i = 0; i < threads; ++i) workers.push_back({pair.clone(), {}, none});
  std::mutex mutex;
  std::optional<std::uint64_t> first_bad;
  const Seeds& seeds = cases.seeds;
  Progress progress(std::string(cases.stage), seeds.count);
  for_batches(
      seeds.count, kBatch, threads, progress,
      [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
        const auto bad = workers[thread].hold(seeds.first + begin, seeds.first + end, cases);
        if (!bad) return true;
        const std::lock_guard lock(mutex);
        first_bad = std::min(first_bad.value_or(*bad), *bad);
        return false;
      },
      options.deadline);

  HeldSeeds held{.report = {}, .done = progress.done(), .tally = none};
  StageReport& report = held.report;
  for (const Worker& worker : workers) {
    report.reach.merge(worker.reach);
    held.tally.merge(worker.tally);
  }
  workers.clear();  // ends their programs before the shrinker starts its own
  report.decisions = report.reach.cases();
  report.findings = findings(held.tally, first_bad, pair, options, cases);
  if (!report.findings.empty()) report.verdict = Verdict::kFailed;
  note_deadline(report, held.done, seeds.count);
  return held;
}

}  // namespace reprieve::cli
