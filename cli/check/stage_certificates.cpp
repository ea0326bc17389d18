// Decisions of `exact` on a production GPU cluster, each with a certificate that an independent checker
// accepts: no node and no set of victims is better.
#include <fmt/format.h>

#include <mutex>

#include "reprieve/cli/certify.h"
#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/stage.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/engine/decide.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/properties/generators/trace.h"
#include "reprieve/subjects/place.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kPreemptors{.quick = 5, .usual = 100, .full = 300};

class CertificatesStage final : public Stage {
 public:
  std::string_view name() const override { return "certificates"; }
  std::string_view question() const override {
    return "Can the exact decisions on a production GPU cluster be certified, by a checker of its own?";
  }

  Amounts budget_s() const override { return {.quick = 5, .usual = 60, .full = 60}; }

  StageReport run(const CheckOptions& options) const override {
    if (options.trace.empty()) return skipped("no trace: set REPRIEVE_TRACE or give --trace");
    if (options.subject != "engine") return skipped("only the engine's decisions are certified");
    const auto trace = generators::read_trace(options.trace);
    if (!trace) return unreadable(trace.error());
    const auto exact = manifest::find_policy("exact");
    if (!exact) return broken(manifest::to_string(exact.error()));
    Case question{.name = "trace",
                  .cluster = generators::fill(*trace),
                  .preemptor = {},
                  .policy = options.policy.value_or(*exact),
                  .extenders = {}};
    const std::uint64_t count = options.preemptors.value_or(kPreemptors.at(options.effort));
    const std::vector<Pod> preemptors = generators::draw_preemptors(*trace, options.seed, count);
    question.cluster.pods.emplace_back();

    const unsigned threads = thread_count(options.threads);
    std::vector<Case> questions(threads, question);
    std::mutex mutex;
    StageReport report;
    std::uint64_t chosen = 0, bytes = 0;
    double check_ms = 0;
    std::optional<std::uint64_t> first_bad;
    std::string why;
    Progress progress("certificates", count);
    for_batches(
        count, 1, threads, progress,
        [&](unsigned thread, std::uint64_t k, std::uint64_t) {
          Case& mine = questions[thread];
          mine.cluster.pods.back() = preemptors[k];
          mine.preemptor = full_name(preemptors[k]);
          const subjects::Place here(subjects::Doing::kDecide, "engine", fmt::format("trace-{}", k),
                                     mine.policy.name);
          const Decision decision = engine::decide(mine, engine::Depth::kAnswer);
          const auto certification = certify(mine, decision);
          const std::lock_guard lock(mutex);
          report.reach.add(mine, decision);
          if (!certification) return true;  // it fits, or may not preempt
          ++chosen;
          bytes += certification->certificate.size();
          check_ms += certification->check_ms;
          if (certification->verdict.certified()) return true;
          if (!first_bad || k < *first_bad) {
            first_bad = k;
            why = in_words(*certification, mine.cluster.nodes.size());
          }
          return false;
        },
        options.deadline);
    report.decisions = progress.done();
    report.what = fmt::format(
        "{} nodes, {} pods; {} preemptors from seed {}, {} certificates of {} KiB and {:.0f} ms to check, on "
        "average",
        question.cluster.nodes.size(), question.cluster.pods.size() - 1, progress.done(), options.seed,
        chosen, chosen == 0 ? 0 : bytes / chosen / 1024,
        chosen == 0 ? 0 : check_ms / static_cast<double>(chosen));
    if (!first_bad) note_deadline(report, progress.done(), count);
    if (first_bad) {
      report.verdict = Verdict::kFailed;
      report.findings.push_back(
          {.title = fmt::format("the decision about preemptor {} is not certified", *first_bad),
           .details = why,
           .case_yaml = {},
           .seed = options.seed,
           .repeat = fmt::format("reprieve check --only certificates --trace {} --seed {} --preemptors {}",
                                 full_path(options.trace), options.seed, *first_bad + 1)});
    }
    return report;
  }
};

}  // namespace

std::unique_ptr<Stage> certificates_stage() { return std::make_unique<CertificatesStage>(); }

}  // namespace reprieve::cli
