#include "reprieve/cli/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "reprieve/manifest/policy.h"

namespace reprieve::cli {

namespace fs = std::filesystem;

namespace {

/// What an expectation says of a node that the case does not have, as one line; empty: nothing.
std::string absent_node(const manifest::Input& input) {
  std::set<std::string_view> nodes;
  for (const Node& node : input.cluster.nodes) nodes.insert(node.name);
  std::string wrong;
  const auto look = [&](const std::string& where, const manifest::Expectation& expected) {
    const auto need = [&](std::string_view field, const std::string& name) {
      if (wrong.empty() && !nodes.contains(name)) {
        wrong = fmt::format("{}.{}: the case has no node {}", where, field, name);
      }
    };
    if (expected.nominated) {
      for (const std::string& name : *expected.nominated) need("nominated", name);
    }
    for (const auto& [name, _] : expected.candidates) need("candidates", name);
    for (const auto& [name, _] : expected.nodes) need("nodes", name);
    for (const auto& [name, _] : expected.reasons) need("reasons", name);
  };
  if (input.case_spec->expect) look("expect", *input.case_spec->expect);
  for (const auto& [policy, expected] : input.case_spec->expect_for) look("expectFor." + policy, expected);
  return wrong;
}

}  // namespace

std::vector<std::string> corpus_files(const std::string& path) {
  std::vector<std::string> files;
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return {path};
  for (auto at = fs::recursive_directory_iterator(path, failed); !failed && at != fs::end(at);
       at.increment(failed)) {
    // An editor's and a version control's own files, and all below such a folder.
    if (at->path().filename().string().starts_with('.')) {
      at.disable_recursion_pending();
      continue;
    }
    const std::string extension = at->path().extension().string();
    if (extension == ".yaml" || extension == ".yml" || extension == ".json")
      files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::expected<CorpusCase, std::string> read_corpus_case(const std::string& file) {
  const auto input = manifest::read_files({file});
  if (!input) return std::unexpected(manifest::to_string(input.error()));
  const auto question = manifest::to_case(*input);
  if (!question) {
    manifest::Error error = question.error();  // which knows the field, but not whose
    if (error.where.file.empty()) error.where.file = file;
    return std::unexpected(manifest::to_string(error));
  }

  if (const std::string wrong = absent_node(*input); !wrong.empty())
    return std::unexpected(file + ": " + wrong);

  CorpusCase corpus_case{.spec = *input->case_spec, .judged = {}};
  const manifest::CaseSpec& spec = corpus_case.spec;
  if (spec.expect || spec.expect_for.empty()) {
    corpus_case.judged.push_back({*question, spec.expect.value_or(manifest::Expectation{})});
  }
  for (const auto& [name, expected] : spec.expect_for) {
    const auto policy = manifest::find_policy(name);
    if (!policy) return std::unexpected(file + ": expectFor: " + policy.error().message);
    Judged judged{*question, expected};
    judged.question.policy = *policy;
    corpus_case.judged.push_back(std::move(judged));
  }
  return corpus_case;
}

std::optional<InCorpus> find_in_corpus(const std::string& path, std::string_view name,
                                       std::string_view policy_name, const std::optional<Policy>& policy) {
  for (const std::string& file : corpus_files(path)) {
    const auto corpus_case = read_corpus_case(file);
    if (!corpus_case) continue;
    for (const Judged& judged : corpus_case->judged) {
      if (judged.question.name != name) continue;
      InCorpus found{.question = judged.question, .file = file};
      if (policy) found.question.policy = *policy;
      if (found.question.policy.name == policy_name) return found;
    }
  }
  return std::nullopt;
}

manifest::Expectation expectation_of(const Decision& decision) {
  manifest::Expectation expected;
  expected.outcome = decision.outcome;
  if (decision.outcome == Outcome::kIneligible) expected.reason = decision.reason;
  if (decision.outcome == Outcome::kNominated) expected.nominated = decision.nominated;
  if (!decision.cleared.empty()) expected.cleared = decision.cleared;
  expected.decided_by = decision.decided_by;
  for (const NodeDecision& node : decision.nodes) {
    if (node.status == NodeStatus::kCandidate) {
      expected.candidates[node.node] = {.victims = node.victims, .violations = node.violations};
    } else {
      expected.nodes[node.node] = node.status;
    }
  }
  return expected;
}

std::string find_corpus() {
  std::error_code failed;
  const auto is_corpus = [&](const fs::path& folder) {
    return fs::is_regular_file(folder / "README.md", failed);
  };
  if (is_corpus("corpus")) return "corpus";
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  for (fs::path up = self.parent_path(); up.has_relative_path(); up = up.parent_path()) {
    if (is_corpus(up / "corpus")) return (up / "corpus").lexically_normal().string();
  }
  return {};
}

}  // namespace reprieve::cli
