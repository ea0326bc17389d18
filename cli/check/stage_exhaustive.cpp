// Every cluster of a small scope, once up to symmetry: the subject against the one that is held to be
// right, and against the laws of one decision.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>

#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/law_tally.h"
#include "reprieve/cli/check/laws.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/output/message.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/output/terminal.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/properties/exhaustive/walk.h"
#include "reprieve/subjects/place.h"

namespace reprieve::cli {

namespace {

// A hundred thousand cases, a million and 5.4 million: some 3 s, 20 s and 100 s of two processors. The scope
// of 14.5 million that has start times beside four pods is walked by exhaustive_test.
constexpr std::string_view kScope = "nodes=2,pods=3,budgets=2,sizes=2,priorities=2,starts=2+,peers=1";
constexpr std::string_view kQuickScope = "nodes=2,pods=3,budgets=2,sizes=2,priorities=2,starts=1,peers=0";
constexpr std::string_view kFullScope = "nodes=2,pods=4,budgets=2,sizes=2,priorities=2,starts=1,peers=1";
constexpr std::uint64_t kOutsideCases =
    1000;  // of a program that has to be talked to, unless --scope is given
constexpr std::uint64_t kBatch = 1024;
constexpr std::uint64_t kOutsideBatch = 64;
constexpr std::chrono::seconds kBetweenMarks{60};

/// How far a long run has come: all before it has held. Said now and then, so that a run that is ended
/// can go on from there.
class Marks {
 public:
  Marks(std::uint64_t from, unsigned threads) : from_(from), at_(threads, 0) {}

  /// A thread begins a batch. Batches are handed out in order, so what is before the earliest that is
  /// being worked on is done.
  void begin(unsigned thread, std::uint64_t batch) {
    const std::lock_guard lock(mutex_);
    at_[thread] = batch;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kBetweenMarks) return;
    last_ = now;
    to_stderr(fmt::format("{}exhaustive: {} cases held; --from {} goes on from here\n",
                          is_terminal(STDERR_FILENO) ? "\r\x1b[K" : "", with_commas(std::ranges::min(at_)),
                          from_ + std::ranges::min(at_)));
  }

 private:
  std::mutex mutex_;
  std::uint64_t from_;
  std::vector<std::uint64_t> at_;  // by thread
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class ExhaustiveStage final : public Stage {
 public:
  std::string_view name() const override { return "exhaustive"; }
  std::string_view question() const override { return "Do the two agree on every cluster of a small scope?"; }
  Amounts budget_s() const override { return {.quick = 8, .usual = 60, .full = 150}; }

  StageReport run(const CheckOptions& options) const override {
    const auto given = exhaustive::parse_scope(options.scope);
    if (!given) return broken(given.error());
    const bool outside = asks_outside(options);
    const Effort effort = outside ? Effort::kQuick : options.effort;
    const exhaustive::Scope scope = options.scope.empty() ? own_scope(effort) : *given;
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    const std::vector<Policy> policies = policies_of(options, *pair);
    if (auto why = exhaustive::why_not_walkable(policies.front()); !why.empty()) return skipped(why);

    const std::uint64_t all = exhaustive::count_cases(scope, policies);
    if (options.from >= all)
      return unreadable(fmt::format("--from: the scope has {} cases", with_commas(all)));
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (outside && options.scope.empty()) most = kOutsideCases;
    const std::uint64_t count = std::min(all - options.from, options.cases.value_or(most));

    const unsigned threads = thread_count(options.threads);
    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) {
      workers.push_back({pair->clone(),
                         exhaustive::Walk(scope, policies),
                         outside,
                         {},
                         LawTally(one_decision_laws(options.laws))});
    }
    std::mutex mutex;
    std::optional<std::uint64_t> first_bad;  // the smallest index at which they differ
    Progress progress("exhaustive", count);
    Marks marks(options.from, threads);
    for_batches(
        count, outside ? kOutsideBatch : kBatch, threads, progress,
        [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
          marks.begin(thread, begin);
          const auto bad = workers[thread].hold(options.from + begin, options.from + end);
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
    report.laws = tally.counts(pair->subject());
    report.decisions = report.reach.cases();
    report.what = fmt::format("{} of {} clusters{}: {}", with_commas(progress.done()), with_commas(all),
                              options.from > 0 ? " from " + with_commas(options.from) : "",
                              exhaustive::to_string(scope));
    if (!first_bad) note_deadline(report, progress.done(), count);
    if (first_bad) {
      report.verdict = Verdict::kFailed;
      const Case question = case_at(scope, policies, *first_bad);
      const std::string repeat = repeat_at(scope, options, *first_bad);
      for (std::size_t i = 0; i < tally.held().size(); ++i) {
        if (tally.first_broken(i) != first_bad) continue;
        report.findings.push_back(finding_of(*tally.held()[i], question,
                                             fmt::format("case {}", question.name), pair->subject(),
                                             *first_bad, options, repeat));
        break;
      }
      if (!pair->ask(question).empty()) report.findings.push_back(pair->finding(question, repeat));
    }
    return report;
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view,
                                const laws::Law*) const override {
    const auto index = number_in(name, "exhaustive-");
    const auto given = exhaustive::parse_scope(options.scope);
    const auto pair = Pair::make(options);
    if (!index || !given || !pair) return std::nullopt;
    const Effort effort = asks_outside(options) ? Effort::kQuick : options.effort;
    const exhaustive::Scope scope = options.scope.empty() ? own_scope(effort) : *given;
    return Located{.question = case_at(scope, policies_of(options, *pair), *index),
                   .repeat = repeat_at(scope, options, *index),
                   .seed = {},
                   .draw = *index};
  }

 private:
  static exhaustive::Scope own_scope(Effort effort) {
    return exhaustive::parse_scope(effort == Effort::kQuick   ? kQuickScope
                                   : effort == Effort::kUsual ? kScope
                                                              : kFullScope)
        .value();
  }

  static Case case_at(const exhaustive::Scope& scope, const std::vector<Policy>& policies,
                      std::uint64_t index) {
    exhaustive::Walk walk(scope, policies);
    walk.skip(index);
    Case question = walk.question();
    question.name = fmt::format("exhaustive-{}", index);
    return question;
  }

  static std::string repeat_at(const exhaustive::Scope& scope, const CheckOptions& options,
                               std::uint64_t index) {
    return fmt::format("reprieve check --only exhaustive --scope {} --from {} --cases 1{}",
                       exhaustive::to_string(scope), index, Pair::repeat_options(options));
  }

  static std::vector<Policy> policies_of(const CheckOptions& options, const Pair& pair) {
    if (options.policy) return {*options.policy};
    if (const auto release = pair.only_release()) return {kubernetes_policy(*release)};
    return {kubernetes_policy(Release::k1_36), kubernetes_policy(Release::k1_37)};
  }

  struct Worker {
    Pair pair;
    exhaustive::Walk walk;
    bool outside = false;
    reach::Reach reach;
    LawTally tally;

    /// The cases [begin, end) of the walk: the first at which the two differ or a law is broken.
    std::optional<std::uint64_t> hold(std::uint64_t begin, std::uint64_t end) {
      walk.skip(begin - walk.index());
      if (outside) return hold_together(begin, end);
      for (; walk.index() < end; walk.next()) {
        const Case& question = walk.question();
        const subjects::Place here(subjects::Doing::kOther, "case",
                                   fmt::format("exhaustive-{}", walk.index()), question.policy.name);
        const Decision subject = pair.subject().decide(question);
        if (!agree(question, walk.index(), subject, pair.against().decide(question))) return walk.index();
      }
      return std::nullopt;
    }

    /// The same, asked all at once: who talks to a program saves most of the waiting.
    std::optional<std::uint64_t> hold_together(std::uint64_t begin, std::uint64_t end) {
      std::vector<Case> questions;
      for (; walk.index() < end; walk.next()) questions.push_back(walk.question());
      const auto subject = pair.subject().decide_all(questions);
      const auto against = pair.against().decide_all(questions);
      for (std::size_t i = 0; i < questions.size(); ++i) {
        if (!agree(questions[i], begin + i, subject[i], against[i])) return begin + i;
      }
      return std::nullopt;
    }

    bool agree(const Case& question, std::uint64_t index, const Decision& subject, const Decision& against) {
      reach.add(question, pair.fuller(subject, against));
      tally.hold(question, subject, pair.subject(), index);
      return !tally.any_broken() && pair.differences(question, subject, against).empty();
    }
  };
};

}  // namespace

std::unique_ptr<Stage> exhaustive_stage() { return std::make_unique<ExhaustiveStage>(); }

}  // namespace reprieve::cli
