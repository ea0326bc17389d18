// Every case file of a folder: the decision that it expects, and that both subjects agree.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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

  StageReport run(const CheckOptions& options) const override {
    if (options.corpus.empty()) return skipped("no corpus folder found; --corpus names one");
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    const auto files = corpus_files(options.corpus);
    StageReport report;
    Progress progress("corpus", files.size());
    for (const std::string& file : files) {
      const auto corpus_case = read_corpus_case(file);
      if (!corpus_case) return broken(corpus_case.error());
      for (const Judged& judged : corpus_case->judged) {
        if (pair->decides(judged.question.policy)) judge(*pair, judged, file, options, report);
      }
      progress.add(1);
      progress.draw();
    }
    report.what = fmt::format("{} files, {} decisions", files.size(), report.decisions);
    if (!report.findings.empty()) report.verdict = Verdict::kFailed;
    return report;
  }

 private:
  static void judge(Pair& pair, const Judged& judged, const std::string& file, const CheckOptions& options,
                    StageReport& report) {
    const std::string repeat =
        fmt::format("reprieve check --only corpus --corpus {}{}", file, Pair::repeat_options(options));
    const Decision subject = pair.subject().decide(judged.question);
    const Decision against = pair.against().decide(judged.question);
    report.reach.add(judged.question, pair.fuller(subject, against));
    report.decisions += 2;
    const auto report_unmet = [&](subjects::Subject& who, const Decision& decision) {
      const auto differences = unmet(judged.question, judged.expected, decision, !who.tells_story());
      if (differences.empty()) return;
      report.findings.push_back({.title = fmt::format("{} does not decide {} as expected under {}",
                                                      who.name(), file, judged.question.policy.name),
                                 .details = compare::to_string(differences, "expected", who.name()),
                                 .case_yaml = {},
                                 .seed = {},
                                 .repeat = repeat});
    };
    report_unmet(pair.subject(), subject);
    report_unmet(pair.against(), against);
    if (!pair.differences(judged.question, subject, against).empty()) {
      report.findings.push_back(pair.finding(judged.question, repeat));
    }
  }
};

}  // namespace

std::unique_ptr<Stage> corpus_stage() { return std::make_unique<CorpusStage>(); }

}  // namespace reprieve::cli
