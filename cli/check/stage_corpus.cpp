// Every case file of a folder: the decision that it expects, and that both subjects agree.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/corpus.h"
#include "reprieve/cli/output/progress.h"

namespace reprieve::cli {

namespace {

class CorpusStage final : public Stage {
 public:
  std::string_view name() const override { return "corpus"; }
  std::string_view question() const override {
    return "Does every case file in the corpus get the decision that it expects?";
  }
  Amounts budget_s() const override { return {.quick = 5, .usual = 20, .full = 30}; }

  StageReport run(const CheckOptions& options) const override {
    if (options.corpus.empty()) return skipped("no corpus folder found; --corpus names one");
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    const auto files = corpus_files(options.corpus);
    StageReport report;
    Progress progress("corpus", files.size());
    for (const std::string& file : files) {
      const auto corpus_case = read_corpus_case(file);
      if (!corpus_case) return unreadable(corpus_case.error());
      const std::vector<Judged> all =
          options.policy ? std::vector{under(*options.policy, *corpus_case)} : corpus_case->judged;
      for (const Judged& judged : all) {
        if (options.fail_fast && !report.findings.empty()) break;
        if (pair->decides(judged.question.policy)) judge(*pair, judged, file, options, report);
      }
      progress.add(1);
      progress.draw();
    }
    report.what = fmt::format("{} files, {} decisions", files.size(), report.decisions);
    if (!report.findings.empty()) report.verdict = Verdict::kFailed;
    return report;
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view policy,
                                const laws::Law*) const override {
    auto found = find_in_corpus(options.corpus, name, policy, options.policy);
    if (!found) return std::nullopt;
    return Located{
        .question = std::move(found->question), .repeat = repeat(options, found->file), .seed = {}};
  }

 private:
  static std::string repeat(const CheckOptions& options, const std::string& file) {
    return fmt::format("reprieve check --only corpus --corpus {}{}", full_path(file),
                       Pair::repeat_options(options));
  }

  /// The case under another policy: as expected where the file says so, else only compared.
  static Judged under(const Policy& policy, const CorpusCase& corpus_case) {
    for (const Judged& judged : corpus_case.judged) {
      if (judged.question.policy == policy) return judged;
    }
    Judged judged{corpus_case.judged.front().question, {}};
    judged.question.policy = policy;
    return judged;
  }

  /// What an expectation says of the outcome, the chosen node and its victims: any node of the tie
  /// will do, and nodes that the decision does not tell of are not asked for.
  static manifest::Expectation of_the_choice(manifest::Expectation expected, const Decision& decision) {
    expected.decided_by.reset();
    expected.cleared.reset();
    expected.nodes.clear();
    expected.reasons.clear();
    std::erase_if(expected.candidates, [&](const auto& candidate) {
      return std::ranges::find(decision.nominated, candidate.first) == decision.nominated.end();
    });
    if (expected.nominated && !decision.nominated.empty() &&
        std::ranges::find(*expected.nominated, decision.nominated.front()) != expected.nominated->end()) {
      expected.nominated = decision.nominated;
    }
    return expected;
  }

  static void judge(Pair& pair, const Judged& judged, const std::string& file, const CheckOptions& options,
                    StageReport& report) {
    const std::string again = repeat(options, file);
    const Decision subject = pair.subject().decide(judged.question);
    const Decision against = pair.against().decide(judged.question);
    report.reach.add(judged.question, pair.fuller(subject, against));
    report.decisions += 2;
    const auto meets_alone = [&](const subjects::Subject& who) {
      return who.tells_story() &&
             unmet(judged.question, judged.expected, who.clone()->decide(judged.question), false).empty();
    };
    const auto report_unmet = [&](subjects::Subject& who, const Decision& decision) {
      const manifest::Expectation expected =
          options.choice_only ? of_the_choice(judged.expected, decision) : judged.expected;
      const auto differences = unmet(judged.question, expected, decision, !who.tells_story());
      if (differences.empty()) return;
      report.findings.push_back({.title = fmt::format("{} does not decide {} as expected under {}",
                                                      who.name(), file, judged.question.policy.name),
                                 .details = compare::to_string(differences, "expected", who.name()) +
                                            (meets_alone(who) ? kAgreeAlone : ""),
                                 .case_yaml = {},  // it is the file
                                 .seed = {},
                                 .repeat = again});
    };
    report_unmet(pair.subject(), subject);
    report_unmet(pair.against(), against);
    if (!pair.differences(judged.question, subject, against).empty()) {
      report.findings.push_back(pair.finding(judged.question, again));
    }
  }
};

}  // namespace

std::unique_ptr<Stage> corpus_stage() { return std::make_unique<CorpusStage>(); }

}  // namespace reprieve::cli
