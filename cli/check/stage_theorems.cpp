// The statements of docs/THEOREMS.md, decided anew on the code that this program is built from: what holds
// for every cluster of the stated bounds is proved, what does not hold is refuted.
#include <fmt/format.h>

#include <mutex>

#include "reprieve/cli/check/live.h"
#include "reprieve/cli/check/stage.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/manifest/write.h"
#include "reprieve/smt/theorems/theorem.h"
#include "reprieve/smt/theorems/witness.h"
#include "reprieve/subjects/place.h"

namespace reprieve::cli {

namespace {

constexpr std::uint32_t kTimeMs = 120'000;  // for one theorem; past it the verdict is unknown
constexpr std::uint32_t kMemoryMb = 4'000;

struct Decided {
  const smt::Theorem* theorem = nullptr;
  smt::Proof proof;
  std::string case_yaml;
};

Decided decide(const smt::Theorem& theorem, smt::Effort effort) {
  const subjects::Place here(subjects::Doing::kOther, "theorem", theorem.name, {});
  smt::Terms terms;
  smt::ProofSettings settings;
  settings.solver = {.time_out_ms = kTimeMs, .memory_mb = kMemoryMb, .seed = 0};
  settings.time_ms = kTimeMs;
  Decided decided{
      .theorem = &theorem, .proof = smt::run(theorem, terms, effort, false, settings), .case_yaml = {}};
  const auto& model = decided.proof.outcome.model;
  if (!decided.proof.as_expected && model) {
    if (const auto shown = smt::witness(theorem, decided.proof.bounds, terms, *model))
      decided.case_yaml = manifest::write_case_yaml(shown->question, &shown->spec);
  }
  return decided;
}

Finding finding_of(const Decided& decided, std::string_view effort) {
  const smt::Theorem& theorem = *decided.theorem;
  const smt::ProofResult& outcome = decided.proof.outcome;
  return {.title = fmt::format("the theorem {} was to be {} and is {}", theorem.name,
                               theorem.holds ? "proved" : "refuted", smt::to_string(outcome.verdict)),
          .details = fmt::format(
              "{}\n  {}\n  {}\n{}\n", theorem.sentence, theorem.formal,
              theorem.kind == smt::Kind::kUnbounded ? "every cluster" : smt::to_string(decided.proof.bounds),
              outcome.why),
          .case_yaml = decided.case_yaml,
          .seed = {},
          .repeat = fmt::format("reprieve prove {} --effort {}", theorem.name, effort)};
}

class TheoremsStage final : public Stage {
 public:
  std::string_view name() const override { return "theorems"; }
  std::string_view question() const override {
    return "Is what is claimed of every cluster up to a bound still proved of this code?";
  }
  Amounts budget_s() const override { return {.quick = 20, .usual = 60, .full = 150}; }

  StageReport run(const CheckOptions& options) const override {
    if (asks_outside(options) || options.subject != "engine")
      return skipped("theorems are about the code of the engine and of the reference");
    if (options.policy) return skipped("`reprieve prove` takes a policy");
    const bool full = options.effort == Effort::kFull;
    const smt::Effort effort = full ? smt::Effort::kDefault : smt::Effort::kQuick;
    const std::string_view effort_name = full ? "default" : "quick";
    const auto& theorems = smt::theorems();
    std::vector<std::optional<Decided>> decided(theorems.size());
    Progress progress("theorems", theorems.size());
    // What has begun is decided to the end: an unknown is a failure, whatever the reason.
    for_batches(
        theorems.size(), 1, thread_count(options.threads), progress,
        [&](unsigned, std::uint64_t at, std::uint64_t) {
          decided[at] = decide(theorems[at], effort);
          return !options.fail_fast || decided[at]->proof.as_expected;
        },
        options.deadline);

    StageReport report;
    std::size_t proved = 0;
    std::size_t refuted = 0;
    std::size_t bounded = 0;
    std::size_t not_tried = 0;
    for (std::size_t i = 0; i < theorems.size(); ++i) {
      if (!decided[i]) {
        ++not_tried;
      } else if (!decided[i]->proof.as_expected) {
        report.verdict = Verdict::kFailed;
        report.findings.push_back(finding_of(*decided[i], effort_name));
      } else {
        ++(theorems[i].holds ? proved : refuted);
        bounded += theorems[i].kind == smt::Kind::kBounded ? 1 : 0;
      }
    }
    report.compared = theorems.size() - not_tried;
    report.what = fmt::format(
        "{} proved, {} false statements refuted, of {}; {} of them up to bounds "
        "(`reprieve prove --effort {}` shows which)",
        proved, refuted, theorems.size(), bounded, effort_name);
    report.cut = not_tried > 0;
    if (report.cut) report.gaps.push_back(fmt::format("{} theorems: its time was over", not_tried));
    return report;
  }
};

}  // namespace

std::unique_ptr<Stage> theorems_stage() { return std::make_unique<TheoremsStage>(); }

}  // namespace reprieve::cli
