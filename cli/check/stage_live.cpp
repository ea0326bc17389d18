// The real kube-scheduler of both releases, where it is built: the engine and the reference are both judged
// by what it decides on random clusters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "reprieve/cli/check/live.h"
#include "reprieve/cli/check/random_cases.h"
#include "reprieve/cli/check/stage.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kCases{.quick = 800, .usual = 5'000, .full = 20'000};  // for each release

class LiveStage final : public Stage {
 public:
  std::string_view name() const override { return "live"; }
  std::string_view question() const override {
    return "Do both decide as the real kube-scheduler does, on seeded random clusters?";
  }
  Amounts budget_s() const override { return {.quick = 10, .usual = 60, .full = 60}; }
  bool is_divided() const override { return true; }

  StageReport run(const CheckOptions& options) const override {
    if (asks_outside(options)) return skipped("the other stages ask a program outside already");
    if (options.policy) return skipped("the real kube-scheduler knows no policy but its own");
    const auto settings = random_settings(options);
    if (!settings) return broken(settings.error());

    struct Run {
      Release release;
      CheckOptions options;
    };
    std::vector<Run> runs;
    StageReport all;
    for (const Release release : {Release::k1_36, Release::k1_37}) {
      if (options.release && *options.release != release) continue;
      CheckOptions one = options;
      one.against = fmt::format("kube-scheduler-{}", to_string(release));
      if (const auto subject = subjects::make_subject(one.against); !subject) {
        all.gaps.push_back(subject.error());
        continue;
      }
      one.cases = options.cases.value_or(kCases.at(options.effort));
      runs.push_back({release, std::move(one)});
    }
    if (runs.empty()) return skipped("it is not built; `./dev kube-scheduler` builds it");

    std::vector<std::string> told;
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      // The time that is left is shared by those that are left.
      if (options.deadline) {
        runs[i].options.deadline =
            now + (*options.deadline - now) * static_cast<int>(i + 1) / static_cast<int>(runs.size());
      }
      StageReport report = run_live(runs[i].options, *settings);
      told.push_back(fmt::format("{}: {}", to_string(runs[i].release), report.what));
      all.decisions += report.decisions;
      all.cut = all.cut || report.cut;
      all.reach.merge(report.reach);
      if (report.verdict == Verdict::kFailed) all.verdict = Verdict::kFailed;
      std::ranges::move(report.findings, std::back_inserter(all.findings));
      std::ranges::move(report.gaps, std::back_inserter(all.gaps));
    }
    all.what = fmt::format("{}", fmt::join(told, "; "));
    return all;
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view policy,
                                const laws::Law*) const override {
    const auto settings = random_settings(options);
    const auto seed = number_in(name, "seed-");
    if (!settings || !seed) return std::nullopt;
    for (const Release release : {Release::k1_36, Release::k1_37}) {
      Case question = live_case(*settings, release, *seed);
      if (question.policy.name == policy)
        return Located{.question = std::move(question),
                       .repeat = repeat_random(this->name(), options, *seed),
                       .seed = seed};
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Stage> live_stage() { return std::make_unique<LiveStage>(); }

}  // namespace reprieve::cli
