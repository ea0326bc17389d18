// The cases of the corpus, each a few changes away from what somebody wrote: one field of one object, one
// object more or less (fuzz/mutate.h). The changes are drawn from the seed and follow no coverage, so a run
// repeats; `./dev fuzz` is the one that explores.
#include <fmt/format.h>

#include <mutex>

#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/law_tally.h"
#include "reprieve/cli/check/laws.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/corpus.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/mutate.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kCases{.quick = 30'000, .usual = 200'000, .full = 1'000'000};
constexpr Amounts kOutsideCases{.quick = 500, .usual = 4'000, .full = 10'000};
constexpr std::uint64_t kBatch = 64;
constexpr std::size_t kLawFindings = 3;
constexpr int kMostChanges = 6;

class Questions {
 public:
  /// The error is that of a file that cannot be read.
  static std::expected<Questions, std::string> make(const CheckOptions& options, const Pair& pair) {
    Questions questions;
    for (const std::string& file : corpus_files(options.corpus)) {
      const auto corpus_case = read_corpus_case(file);
      if (!corpus_case) return std::unexpected(corpus_case.error());
      // Those that the codec cannot spell are few, and the corpus stage has asked about them.
      const auto bytes = fuzz::encode(corpus_case->judged.front().question);
      if (bytes) questions.seeds_.push_back(fuzz::decode(*bytes));
    }
    questions.policy_ = options.policy;
    questions.release_ = pair.only_release();
    return questions;
  }

  std::size_t seeds() const { return seeds_.size(); }

  Case draw(std::uint64_t seed) const {
    generators::Random random(seed);
    Case question = seeds_[static_cast<std::size_t>(random.below(static_cast<int>(seeds_.size())))];
    for (int left = 1 + random.below(kMostChanges); left > 0; --left) fuzz::change(question, random);
    question = fuzz::decode(fuzz::encode_roughly(question));
    question.name = fmt::format("seed-{}", seed);
    if (policy_) question.policy = *policy_;
    if (release_) question.policy = as_release(question.policy, *release_);
    return question;
  }

 private:
  std::vector<Case> seeds_;
  std::optional<Policy> policy_;
  std::optional<Release> release_;
};

class FuzzStage final : public Stage {
 public:
  std::string_view name() const override { return "fuzz"; }
  std::string_view question() const override {
    return "Do the two agree, and does the subject keep the laws of one decision, near the cases of the "
           "corpus?";
  }
  Amounts budget_s() const override { return {.quick = 8, .usual = 60, .full = 90}; }
  bool is_divided() const override { return true; }

  StageReport run(const CheckOptions& options) const override {
    if (options.corpus.empty()) return skipped("no corpus folder found; --corpus names one");
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    const auto questions = Questions::make(options, *pair);
    if (!questions) return unreadable(questions.error());
    if (questions->seeds() == 0) return skipped("no case of the corpus is within the bounds of the codec");
    const Amounts amounts = asks_outside(options) ? kOutsideCases : kCases;
    const Seeds seeds = seeds_of(options, amounts.at(options.effort));
    const unsigned threads = thread_count(options.threads);

    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.push_back({pair->clone(), {}, LawTally(one_decision_laws(options.laws))});
    }
    std::mutex mutex;
    std::optional<std::uint64_t> first_bad;
    Progress progress("fuzz", seeds.count);
    for_batches(
        seeds.count, kBatch, threads, progress,
        [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
          const auto bad = workers[thread].hold(seeds.first + begin, seeds.first + end, *questions);
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
    workers.clear();  // ends their programs before the shrinker starts its own
    report.decisions = report.reach.cases();
    report.what = fmt::format("{} changed cases from seed {}, out of {} of the corpus",
                              with_commas(progress.done()), seeds.first, questions->seeds());
    const auto repeat = [&](std::uint64_t seed) {
      return fmt::format("reprieve check --only fuzz --seed {} --cases 1{}", seed,
                         Pair::repeat_options(options));
    };
    for (std::size_t i = 0; i < tally.held().size() && report.findings.size() < kLawFindings; ++i) {
      const auto seed = tally.first_broken(i);
      if (!seed) continue;
      report.findings.push_back(cli::finding_of(*tally.held()[i], questions->draw(*seed),
                                                fmt::format("case seed-{}", *seed), pair->subject(), *seed,
                                                repeat(*seed)));
      report.findings.back().seed = seed;
    }
    if (first_bad) {
      report.findings.push_back(pair->finding(questions->draw(*first_bad), repeat(*first_bad)));
      report.findings.back().seed = first_bad;
    }
    if (!report.findings.empty()) report.verdict = Verdict::kFailed;
    note_deadline(report, progress.done(), seeds.count);
    return report;
  }

 private:
  struct Worker {
    Pair pair;
    reach::Reach reach;
    LawTally tally;

    std::optional<std::uint64_t> hold(std::uint64_t begin, std::uint64_t end, const Questions& draw) {
      std::vector<Case> questions;
      for (std::uint64_t seed = begin; seed < end; ++seed) questions.push_back(draw.draw(seed));
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

std::unique_ptr<Stage> fuzz_stage() { return std::make_unique<FuzzStage>(); }

}  // namespace reprieve::cli
