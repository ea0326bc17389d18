// Reading and writing: random clusters as case files and as requests. Decisions about a cluster that was
// read as another one are about nothing.
#include <fmt/format.h>

#include <mutex>

#include "reprieve/cli/check/live.h"
#include "reprieve/cli/check/random_cases.h"
#include "reprieve/cli/check/stage.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/cli/parallel.h"
#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/read.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/shrink/shrink.h"
#include "reprieve/subjects/place.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kCases{.quick = 1'000, .usual = 10'000, .full = 40'000};
constexpr std::uint64_t kBatch = 16;
constexpr int kCalls = 2000;

/// What was not read as it was written; empty: nothing. `kind` stays the same while a case shrinks.
struct Fault {
  std::string kind;
  std::string details;
};

std::optional<Fault> fault_of(const Case& question, manifest::ProtocolReader& reader) {
  const auto input = manifest::read_text(manifest::write_case_yaml(question), "case.yaml");
  if (!input) return Fault{"a written case does not read", manifest::to_string(input.error())};
  const auto read = manifest::to_case(*input);
  if (!read) return Fault{"a written case is no case", manifest::to_string(read.error())};
  if (*read != question)
    return Fault{"a case file reads as another case", "It reads as:\n" + manifest::write_case_yaml(*read)};
  const auto request = reader.read_request(manifest::write_request(question));
  if (!request) return Fault{"a written request does not read", request.error().message};
  if (*request != question)
    return Fault{"a request reads as another case", "It reads as:\n" + manifest::write_case_yaml(*request)};
  return std::nullopt;
}

Finding finding_of(const Case& question, const Fault& fault, std::uint64_t seed,
                   const CheckOptions& options) {
  manifest::ProtocolReader reader;
  const auto still = [&](const Case& smaller) {
    const auto found = fault_of(smaller, reader);
    return found && found->kind == fault.kind;
  };
  const Case smallest =
      options.fail_fast ? question : shrink::shrink(question, still, {.max_calls = kCalls}).smallest;
  const auto shown = fault_of(smallest, reader);
  return {.title = fmt::format("{}: case seed-{}", fault.kind, seed),
          .details = (shown ? shown->details : fault.details) + "\n",
          .case_yaml = manifest::write_case_yaml(smallest),
          .seed = seed,
          .repeat = repeat_random("manifests", options, seed)};
}

class ManifestsStage final : public Stage {
 public:
  std::string_view name() const override { return "manifests"; }
  std::string_view question() const override {
    return "Does a cluster that is written, as a case file or a request, read as itself?";
  }
  Amounts budget_s() const override { return {.quick = 6, .usual = 60, .full = 60}; }
  bool is_divided() const override { return true; }

  StageReport run(const CheckOptions& options) const override {
    if (asks_outside(options))
      return skipped("it is about reprieve's own reading, not about a program outside");
    auto settings = random_settings(options);
    if (!settings) return broken(settings.error());
    settings->policies = generators::Policies::kMixed;
    const Seeds seeds = seeds_of(options, kCases.at(options.effort));
    const unsigned threads = thread_count(options.threads);

    std::vector<manifest::ProtocolReader> readers(threads);
    std::mutex mutex;
    std::optional<std::uint64_t> first_bad;
    Progress progress("manifests", seeds.count);
    for_batches(
        seeds.count, kBatch, threads, progress,
        [&](unsigned thread, std::uint64_t begin, std::uint64_t end) {
          for (std::uint64_t seed = seeds.first + begin; seed < seeds.first + end; ++seed) {
            const Case question = generators::generate(seed, *settings);
            const subjects::Place here(subjects::Doing::kOther, "written and read", question.name,
                                       question.policy.name);
            if (!fault_of(question, readers[thread])) continue;
            const std::lock_guard lock(mutex);
            first_bad = std::min(first_bad.value_or(seed), seed);
            return false;
          }
          return true;
        },
        options.deadline);

    StageReport report;
    report.compared = progress.done();
    report.what = fmt::format("{} clusters from seed {}, each as YAML and as a request",
                              with_commas(progress.done()), seeds.first);
    if (first_bad) {
      const Case question = generators::generate(*first_bad, *settings);
      report.verdict = Verdict::kFailed;
      report.findings.push_back(
          finding_of(question, *fault_of(question, readers.front()), *first_bad, options));
    }
    note_deadline(report, progress.done(), seeds.count);
    return report;
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view,
                                const laws::Law*) const override {
    auto settings = random_settings(options);
    const auto seed = number_in(name, "seed-");
    if (!settings || !seed) return std::nullopt;
    settings->policies = generators::Policies::kMixed;
    return Located{.question = generators::generate(*seed, *settings),
                   .repeat = repeat_random(this->name(), options, *seed),
                   .seed = seed};
  }
};

}  // namespace

std::unique_ptr<Stage> manifests_stage() { return std::make_unique<ManifestsStage>(); }

}  // namespace reprieve::cli
