// The cases of the corpus, each a few changes away from what somebody wrote: one field of one object, one
// object more or less (fuzz/mutate.h). The changes are drawn from the seed and follow no coverage, so a run
// repeats; `./dev fuzz` is the one that explores.
#include <fmt/format.h>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/hold_seeds.h"
#include "reprieve/cli/check/live.h"
#include "reprieve/cli/corpus.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/mutate.h"

namespace reprieve::cli {

namespace {

constexpr Amounts kCases{.quick = 30'000, .usual = 200'000, .full = 1'000'000};
constexpr Amounts kOutsideCases{.quick = 500, .usual = 4'000, .full = 10'000};
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
      const Case& question = corpus_case->judged.front().question;
      if (fuzz::encode(question)) questions.seeds_.push_back(question);
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
  Amounts budget_s() const override { return {.quick = 8, .usual = 60, .full = 100}; }
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
    const auto repeat = [&](std::uint64_t seed) { return repeat_seed(options, seed); };
    HeldSeeds held =
        hold_seeds(*pair, options,
                   {.stage = name(),
                    .seeds = seeds,
                    .draw = [&](std::uint64_t seed) { return questions->draw(seed); },
                    .repeat = repeat,
                    .repeat_law = [&](const laws::Law&, std::uint64_t seed) { return repeat(seed); }});
    held.report.what = fmt::format("{} changed cases from seed {}, out of {} of the corpus",
                                   with_commas(held.done), seeds.first, questions->seeds());
    return std::move(held.report);
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view,
                                const laws::Law*) const override {
    const auto seed = number_in(name, "seed-");
    auto pair = Pair::make(options);
    if (!seed || !pair) return std::nullopt;
    const auto questions = Questions::make(options, *pair);
    if (!questions || questions->seeds() == 0) return std::nullopt;
    return Located{.question = questions->draw(*seed),
                   .repeat = repeat_seed(options, *seed),
                   .seed = seed,
                   .draw = *seed};
  }

 private:
  static std::string repeat_seed(const CheckOptions& options, std::uint64_t seed) {
    return fmt::format("reprieve check --only fuzz --seed {} --cases 1 --corpus {}{}", seed,
                       full_path(options.corpus), Pair::repeat_options(options));
  }
};

}  // namespace

std::unique_ptr<Stage> fuzz_stage() { return std::make_unique<FuzzStage>(); }

}  // namespace reprieve::cli
