// Seeded random clusters: the subject against the one that is held to be right, and against every law of
// one decision.
#include <fmt/format.h>

#include "reprieve/cli/check/hold_seeds.h"
#include "reprieve/cli/check/laws.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/check/random_cases.h"
#include "reprieve/cli/output/progress.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kCases{.quick = 50'000, .usual = 200'000, .full = 2'000'000};

class RandomStage final : public Stage {
 public:
  std::string_view name() const override { return "random"; }
  std::string_view question() const override {
    return "Do the two agree on seeded random clusters, and does the subject keep the laws of one decision?";
  }
  Amounts budget_s() const override { return {.quick = 12, .usual = 60, .full = 150}; }

  bool is_divided() const override { return true; }

  StageReport run(const CheckOptions& options) const override {
    const auto settings = random_settings(options);
    if (!settings) return broken(settings.error());
    if (asks_outside(options)) return run_live(options, *settings);
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    const auto draw = [&, of = own_settings(*settings, *pair)](std::uint64_t seed) {
      return generators::generate(seed, settings_of(of, seed));
    };
    const Seeds seeds = seeds_of(options, kCases.at(options.effort));
    HeldSeeds held =
        hold_seeds(*pair, options,
                   {.stage = name(),
                    .seeds = seeds,
                    .draw = draw,
                    .repeat = [&](std::uint64_t seed) { return repeat_random(name(), options, seed); },
                    .repeat_law = [&](const laws::Law& law,
                                      std::uint64_t seed) { return repeat_law(law, options, seed); }});
    held.report.what = fmt::format("{} clusters from seed {}, {} laws of one decision",
                                   with_commas(held.done), seeds.first, held.tally.held().size());
    held.report.laws = held.tally.counts(pair->subject());
    return std::move(held.report);
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view,
                                const laws::Law* law) const override {
    const auto settings = random_settings(options);
    const auto pair = Pair::make(options);
    const auto seed = number_in(name, "seed-");
    if (!settings || !pair || !seed) return std::nullopt;
    return Located{
        .question = asks_outside(options)
                        ? live_case(*settings, pair->only_release(), *seed)
                        : generators::generate(*seed, settings_of(own_settings(*settings, *pair), *seed)),
        .repeat =
            law == nullptr ? repeat_random(this->name(), options, *seed) : repeat_law(*law, options, *seed),
        .seed = seed,
        .draw = *seed};
  }

 private:
  /// A program that follows one release knows no other policy.
  static generators::GeneratorSettings own_settings(generators::GeneratorSettings settings,
                                                    const Pair& pair) {
    if (!pair.only_release()) settings.policies = generators::Policies::kMixed;
    return settings;
  }
};

}  // namespace

std::unique_ptr<Stage> random_stage() { return std::make_unique<RandomStage>(); }

}  // namespace reprieve::cli
