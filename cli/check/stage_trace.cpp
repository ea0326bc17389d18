// A production GPU cluster, filled with its own pods, and preemptors drawn from them: the subject
// against the one that is held to be right.
#include <fmt/format.h>

#include <mutex>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/properties/generators/trace.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kPreemptors{.quick = 10, .usual = 100, .full = 300};

class TraceStage final : public Stage {
 public:
  std::string_view name() const override { return "trace"; }
  std::string_view question() const override {
    return "Do the two agree on a production GPU cluster, for preemptors drawn from its pods?";
  }
  Amounts budget_s() const override { return {.quick = 8, .usual = 60, .full = 30}; }

  StageReport run(const CheckOptions& options) const override {
    if (options.trace.empty()) return skipped("no trace: set REPRIEVE_TRACE or give --trace");
    const auto trace = generators::read_trace(options.trace);
    if (!trace) return unreadable(trace.error());
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    const std::uint64_t count = options.preemptors.value_or(kPreemptors.at(options.effort));
    const Cluster cluster = generators::fill(*trace);
    const std::vector<Pod> preemptors = generators::draw_preemptors(*trace, options.seed, count);

    if (options.policy && options.policy->victims == VictimSearch::kExact &&
        (pair->subject().name() == "reference" || pair->against().name() == "reference")) {
      return skipped("the reference enumerates sets of victims, and these nodes have too many pods for that");
    }
    const PolicyOf policy_of{.given = options.policy, .only = pair->only_release()};
    const unsigned threads = thread_count(options.threads);
    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) workers.push_back({pair->clone(), policy_of, {}, {}});
    std::mutex mutex;
    std::optional<std::uint64_t> first_bad;
    Progress progress("trace", count);
    for_batches(
        count, 1, threads, progress,
        [&](unsigned thread, std::uint64_t k, std::uint64_t) {
          if (workers[thread].agrees(cluster, preemptors[k], k)) return true;
          const std::lock_guard lock(mutex);
          first_bad = std::min(first_bad.value_or(k), k);
          return false;
        },
        options.deadline);

    StageReport report;
    for (const Worker& worker : workers) report.reach.merge(worker.reach);
    report.decisions = report.reach.cases();
    const auto& outcomes = report.reach.outcomes();
    const auto nominated = outcomes.find("nominated");
    report.what =
        fmt::format("{} nodes, {} pods of {}, {} budgets; {} preemptors from seed {}, {} need eviction",
                    cluster.nodes.size(), cluster.pods.size(), trace->pods.size(), cluster.budgets.size(),
                    progress.done(), options.seed, nominated == outcomes.end() ? 0 : nominated->second);
    if (!first_bad) note_deadline(report, progress.done(), count);
    if (first_bad) {
      report.verdict = Verdict::kFailed;
      report.findings.push_back(pair->finding(
          question_of(cluster, preemptors[*first_bad], *first_bad, policy_of), repeat(options, *first_bad)));
    }
    return report;
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view,
                                const laws::Law*) const override {
    const auto k = number_in(name, "trace-");
    const auto trace = generators::read_trace(options.trace);
    const auto pair = Pair::make(options);
    if (!k || !trace || !pair) return std::nullopt;
    const auto preemptors = generators::draw_preemptors(*trace, options.seed, *k + 1);
    const PolicyOf policy_of{.given = options.policy, .only = pair->only_release()};
    return Located{.question = question_of(generators::fill(*trace), preemptors.at(*k), *k, policy_of),
                   .repeat = repeat(options, *k),
                   .seed = {}};
  }

 private:
  static std::string repeat(const CheckOptions& options, std::uint64_t k) {
    return fmt::format("reprieve check --only trace --trace {} --seed {} --preemptors {}{}",
                       full_path(options.trace), options.seed, k + 1, Pair::repeat_options(options));
  }

  /// The one that was given, or that the pair is bound to; else those of 1.37 and 1.36 in turn.
  struct PolicyOf {
    std::optional<Policy> given;
    std::optional<Release> only;

    Policy operator()(std::uint64_t k) const {
      if (given) return *given;
      return kubernetes_policy(only.value_or(k % 2 == 0 ? Release::k1_37 : Release::k1_36));
    }
  };

  static Case question_of(const Cluster& cluster, const Pod& preemptor, std::uint64_t k,
                          const PolicyOf& policy_of) {
    Case question;
    question.name = fmt::format("trace-{}", k);
    question.cluster = cluster;
    question.cluster.pods.push_back(preemptor);
    question.preemptor = full_name(preemptor);
    question.policy = policy_of(k);
    return question;
  }

  struct Worker {
    Pair pair;
    PolicyOf policy_of;
    reach::Reach reach;
    std::optional<Case> question;  // the cluster is copied once, then only the preemptor changes

    bool agrees(const Cluster& cluster, const Pod& preemptor, std::uint64_t k) {
      if (!question) {
        question = question_of(cluster, preemptor, k, policy_of);
      } else {
        question->name = fmt::format("trace-{}", k);
        question->cluster.pods.back() = preemptor;
        question->preemptor = full_name(preemptor);
        question->policy = policy_of(k);
      }
      const Decision subject = pair.subject().decide(*question);
      const Decision against = pair.against().decide(*question);
      reach.add(*question, pair.fuller(subject, against));
      return pair.differences(*question, subject, against).empty();
    }
  };
};

}  // namespace

std::unique_ptr<Stage> trace_stage() { return std::make_unique<TraceStage>(); }

}  // namespace reprieve::cli
