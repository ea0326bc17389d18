// Every law held against the subject's decisions, on seeded random clusters and on the corpus. Nobody else
// is asked: this is the stage for a scheduler whose rules are meant to differ.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/law_tally.h"
#include "reprieve/cli/check/laws.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/check/random_cases.h"
#include "reprieve/cli/corpus.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"

namespace reprieve::cli {

namespace {

// Each law of two decisions asks the subject once more.
constexpr Amounts kCases{.quick = 3'000, .usual = 20'000, .full = 100'000};
constexpr Amounts kExternalCases{.quick = 50, .usual = 500, .full = 2'000};
constexpr std::uint64_t kBatch = 64;
constexpr std::size_t kFindingsShown = 5;

class Questions {
 public:
  Questions(generators::GeneratorSettings settings, std::optional<Release> release)
      : settings_(std::move(settings)), release_(release) {
    // What has a policy of its own to judge is claimed for some of them only.
    if (!release) settings_.policies = generators::Policies::kMixed;
  }

  Case make(std::uint64_t seed) const {
    Case question = generators::generate(seed, settings_of(settings_, seed));
    if (release_) question.policy = as_release(question.policy, *release_);
    return question;
  }

 private:
  generators::GeneratorSettings settings_;
  std::optional<Release> release_;
};

class LawsStage final : public Stage {
 public:
  std::string_view name() const override { return "laws"; }
  std::string_view question() const override {
    return "Does the subject keep the laws, on seeded random clusters and on the corpus?";
  }
  Amounts budget_s() const override { return {.quick = 10, .usual = 60, .full = 120}; }

  StageReport run(const CheckOptions& options) const override {
    const auto settings = random_settings(options);
    if (!settings) return broken(settings.error());
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    const Laws held = chosen_laws(options.laws);
    const Questions questions(*settings, pair->only_release());

    LawTally tally(held);
    StageReport report;
    if (auto unreadable_file = hold_corpus(held, options, *pair, tally, report)) return *unreadable_file;
    const std::uint64_t from_corpus = tally.decisions();
    const std::uint64_t cases = options.cases.value_or(default_cases(options, pair->subject()));
    const bool goes_on = !options.fail_fast || report.findings.empty();
    const std::uint64_t done =
        goes_on ? hold_random(held, options, questions, *pair, cases, tally, report) : 0;

    report.decisions = tally.decisions();
    report.what = fmt::format("{} laws, {} clusters from seed {}, {} of the corpus", held.size(),
                              with_commas(done), options.seed, with_commas(from_corpus));
    report.laws = tally.counts(pair->subject());
    const auto beyond = std::ranges::count(report.laws, true, &LawCount::beyond);
    if (beyond > 0) {
      report.what += fmt::format("; {} laws need each node's story, which {} does not tell", beyond,
                                 pair->subject().name());
    }
    if (!tally.unanswered().empty()) {
      report.what += fmt::format("; {} unanswered", with_commas(tally.unanswered().size()));
    }
    if (!report.findings.empty()) report.verdict = Verdict::kFailed;
    note_deadline(report, done, cases);
    return report;
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view policy,
                                const laws::Law* law) const override {
    const auto settings = random_settings(options);
    const auto pair = Pair::make(options);
    if (!settings || !pair) return std::nullopt;
    if (const auto seed = number_in(name, "seed-")) {
      return Located{.question = Questions(*settings, pair->only_release()).make(*seed),
                     .repeat = law == nullptr ? repeat_random(this->name(), options, *seed)
                                              : repeat_law(*law, options, *seed),
                     .seed = seed,
                     .draw = *seed};
    }
    auto found = find_in_corpus(options.corpus, name, policy, options.policy);
    if (!found) return std::nullopt;
    return Located{.question = std::move(found->question),
                   .repeat = fmt::format("{} --corpus {}{}",
                                         law == nullptr ? "reprieve check --only laws --cases 1"
                                                        : repeat_on_the_corpus(*law, options.draw),
                                         full_path(found->file), Pair::repeat_options(options)),
                   .seed = {},
                   .draw = options.draw};
  }

 private:
  static std::uint64_t default_cases(const CheckOptions& options, const subjects::Subject& subject) {
    return (subject.tells_story() ? kCases : kExternalCases).at(options.effort);
  }

  /// The report of a file that cannot be read; nothing when all can.
  static std::optional<StageReport> hold_corpus(const Laws& held, const CheckOptions& options, Pair& pair,
                                                LawTally& tally, StageReport& report) {
    if (options.corpus.empty()) return std::nullopt;
    for (const std::string& file : corpus_files(options.corpus)) {
      const auto corpus_case = read_corpus_case(file);
      if (!corpus_case) return unreadable(corpus_case.error());
      for (const Judged& judged : corpus_case->judged) {
        Case question = judged.question;
        if (options.policy) question.policy = *options.policy;
        if (options.fail_fast && !report.findings.empty()) return std::nullopt;
        if (pair.decides(question.policy)) hold_file(held, options, pair, question, file, tally, report);
        if (options.policy) break;
      }
    }
    return std::nullopt;
  }

  /// One finding for each law is enough; the first comes from the corpus, whose cases are the smaller ones.
  static bool wants_finding(const StageReport& report, const laws::Law& law, const CheckOptions& options) {
    return report.findings.size() < (options.fail_fast ? 1 : kFindingsShown) &&
           std::ranges::none_of(
               report.findings,
               [&](const Finding& finding) {
                 return finding.title.find(fmt::format(" the law {} on ", law.name)) != std::string::npos;
               });
  }

  static void hold_file(const Laws& held, const CheckOptions& options, Pair& pair, const Case& question,
                        const std::string& file, LawTally& tally, StageReport& report) {
    LawTally own(held);
    own.hold(question, pair.subject().decide(question), pair.subject(), options.draw);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (own.first_broken(i) && wants_finding(report, *held[i], options)) {
        report.findings.push_back(
            finding_of(*held[i], question, fmt::format("{} under {}", file, question.policy.name),
                       pair.subject(), options.draw, options,
                       fmt::format("{} --corpus {}{}", repeat_on_the_corpus(*held[i], options.draw),
                                   full_path(file), Pair::repeat_options(options))));
      }
    }
    for (const auto& [_, reason] : own.unanswered()) {
      report.findings.push_back(
          {.title = "no answer to " + file, .details = reason, .case_yaml = {}, .seed = {}, .repeat = {}});
    }
    own.forget_places();
    tally.merge(own);
  }

  /// How many random clusters there was time for.
  static std::uint64_t hold_random(const Laws& held, const CheckOptions& options, const Questions& questions,
                                   Pair& pair, std::uint64_t cases, LawTally& tally, StageReport& report) {
    const unsigned threads = thread_count(options.threads);
    std::vector<std::unique_ptr<subjects::Subject>> subjects;
    std::vector<LawTally> tallies(threads, LawTally(held));
    for (unsigned i = 0; i < threads; ++i) subjects.push_back(pair.subject().clone());
    Progress progress("laws", cases);
    for_batches(
        cases, kBatch, threads, progress,
        [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
          std::vector<Case> batch;
          for (std::uint64_t i = begin; i < end; ++i) batch.push_back(questions.make(options.seed + i));
          const auto decisions = subjects[thread]->decide_all(batch);
          for (std::size_t i = 0; i < batch.size(); ++i) {
            tallies[thread].hold(batch[i], decisions[i], *subjects[thread], options.seed + begin + i);
          }
          return !options.fail_fast || !tallies[thread].any_broken();
        },
        options.deadline);
    for (const LawTally& one : tallies) tally.merge(one);
    subjects.clear();  // ends their programs before the shrinker starts its own

    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto seed = tally.first_broken(i);
      if (!seed || !wants_finding(report, *held[i], options)) continue;
      report.findings.push_back(finding_of(*held[i], questions.make(*seed),
                                           fmt::format("case seed-{}", *seed), pair.subject(), *seed, options,
                                           repeat_law(*held[i], options, *seed)));
      report.findings.back().seed = seed;
    }
    std::size_t shown = 0;
    for (const auto& [seed, reason] : tally.unanswered()) {
      if (++shown > kFindingsShown) break;
      report.findings.push_back({.title = fmt::format("no answer to case seed-{}", seed),
                                 .details = reason,
                                 .case_yaml = {},
                                 .seed = seed,
                                 .repeat = repeat_law(*held.front(), options, seed)});
    }
    return progress.done();
  }
};

}  // namespace

std::unique_ptr<Stage> laws_stage() { return std::make_unique<LawsStage>(); }

}  // namespace reprieve::cli
