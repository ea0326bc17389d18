// What the real kube-scheduler has decided, recorded: both subjects must decide the same.
#include <fmt/format.h>

#include <filesystem>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/differential.h"
#include "reprieve/cli/check/vectors.h"
#include "reprieve/cli/output/progress.h"
#include "reprieve/manifest/write.h"

namespace reprieve::cli {

namespace {

constexpr std::size_t kFindingsShown = 5;

class VectorsStage final : public Stage {
 public:
  std::string_view name() const override { return "vectors"; }
  std::string_view question() const override {
    return "Do both decide as the real kube-scheduler did when these vectors were recorded?";
  }
  Amounts budget_s() const override { return {.quick = 12, .usual = 60, .full = 60}; }

  StageReport run(const CheckOptions& options) const override {
    if (options.policy) return skipped("recorded under Kubernetes' own policies, not under --policy");
    std::vector<std::string> files;
    for (const std::string& folder : folders(options)) {
      const auto found = vector_files(folder);
      if (found.empty()) return unreadable(fmt::format("{} holds no *.jsonl.gz", folder));
      files.insert(files.end(), found.begin(), found.end());
    }
    if (files.empty()) return skipped("neither --vectors nor REPRIEVE_VECTORS names a folder");
    auto pair = Pair::make(options);
    if (!pair) return broken(pair.error());
    StageReport report;
    std::uint64_t differing = 0;
    Progress progress("vectors", files.size());
    for (const std::string& file : files) {
      auto vectors = read_vectors(file);
      if (!vectors) return unreadable(vectors.error());
      std::erase_if(*vectors, [&](const Vector& vector) { return !pair->decides(vector.question.policy); });
      differing += hold(*pair, *vectors, file, options, report);
      if (options.fail_fast && differing > 0) break;
      progress.add(1);
      progress.draw();
    }
    report.what = fmt::format("{} files, {} decisions", files.size(), with_commas(report.decisions));
    if (differing > 0) {
      report.verdict = Verdict::kFailed;
      report.what += fmt::format(", {} differ from the real one", with_commas(differing));
    }
    return report;
  }

  std::optional<Located> locate(const CheckOptions& options, std::string_view name, std::string_view policy,
                                const laws::Law*) const override {
    for (const std::string& folder : folders(options)) {
      for (const std::string& file : vector_files(folder)) {
        const auto vectors = read_vectors(file);
        if (!vectors) continue;
        for (const Vector& vector : *vectors) {
          if (vector.question.name == name && vector.question.policy.name == policy)
            return Located{.question = vector.question, .repeat = repeat(options, file), .seed = {}};
        }
      }
    }
    return std::nullopt;
  }

 private:
  /// Of those that come with the project, and of those that are elsewhere.
  static std::vector<std::string> folders(const CheckOptions& options) {
    std::vector<std::string> all{options.vectors_given ? std::string() : vectors_of_corpus(options.corpus),
                                 options.vectors};
    std::erase(all, std::string());
    return all;
  }

  static std::string repeat(const CheckOptions& options, const std::string& file) {
    return fmt::format("reprieve check --only vectors --vectors {}{}", full_path(file),
                       Pair::repeat_options(options));
  }

  /// How many decisions differ; the first few become findings.
  static std::uint64_t hold(Pair& pair, const std::vector<Vector>& vectors, const std::string& file,
                            const CheckOptions& options, StageReport& report) {
    std::vector<Case> questions;
    for (const Vector& vector : vectors) questions.push_back(vector.question);
    std::uint64_t differing = 0;
    for (subjects::Subject* who : {&pair.subject(), &pair.against()}) {
      const auto decisions = who->decide_all(questions);
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        if (who == &pair.against()) report.reach.add(questions[i], decisions[i]);
        ++report.decisions;
        const auto differences = hold_one(vectors[i], decisions[i]);
        if (differences.empty()) continue;
        ++differing;
        if (report.findings.size() < kFindingsShown)
          report.findings.push_back(finding_of(pair, *who, questions[i], differences, file, options));
      }
    }
    return differing;
  }

  /// Nobody recorded what the real one does on a smaller cluster, so that the recorded case is shown as it
  /// is, unless the two also differ from each other on it: then they do on a small one.
  static Finding finding_of(Pair& pair, subjects::Subject& who, const Case& question,
                            const std::vector<compare::Difference>& differences, const std::string& file,
                            const CheckOptions& options) {
    Finding finding{.title = fmt::format("{} decides {} under {} unlike the real one", who.name(),
                                         question.name, question.policy.name),
                    .details = compare::to_string(differences, "recorded", who.name()),
                    .case_yaml = {},
                    .seed = {},
                    .repeat = repeat(options, file)};
    if (pair.ask_anew(question).empty()) {
      if (!pair.ask(question).empty()) finding.details += kAgreeAlone;
      finding.case_yaml = manifest::write_case_yaml(question);
      return finding;
    }
    const Finding small = pair.finding(question, {});  // with --fail-fast as it is
    if (!options.fail_fast)
      finding.details += fmt::format("\nOn a smaller cluster {} and {} differ in the same way:\n{}",
                                     pair.subject().name(), pair.against().name(), small.details);
    finding.case_yaml = small.case_yaml;
    finding.alone = small.alone;
    return finding;
  }

  static std::vector<compare::Difference> hold_one(const Vector& vector, const Decision& decision) {
    if (subjects::is_subject_failure(decision)) return {{"answer", "an answer", decision.reason}};
    compare::Options options;  // recordings do not know the deciding level, and clearing only some
    options.cleared = vector.tells_cleared;
    options.decided_by = false;
    // A recording tells of the nodes only where preemption was tried.
    options.common_nodes_only = vector.expected.nodes.empty();
    return compare::compare(vector.question, vector.expected, decision, options);
  }
};

}  // namespace

std::unique_ptr<Stage> vectors_stage() { return std::make_unique<VectorsStage>(); }

}  // namespace reprieve::cli
