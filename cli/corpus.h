// The corpus: folders of case files, each with the decisions that it expects.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/manifest/read.h"
#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli {

/// A case under one policy, with what is expected of it there (nothing, when the file says nothing).
struct Judged {
  Case question;
  manifest::Expectation expected;
};

struct CorpusCase {
  manifest::CaseSpec spec;
  std::vector<Judged> judged;  // the policies of expectFor, or spec.policy
};

/// The case files of a folder (*.yaml, *.yml, *.json, recursively) in order of name; the file
/// itself when `path` is one.
std::vector<std::string> corpus_files(const std::string& path);

/// The error is one line with file, line and field.
std::expected<CorpusCase, std::string> read_corpus_case(const std::string& file);

/// A case of the corpus and its file.
struct InCorpus {
  Case question;
  std::string file;
};

/// The case of that name under the policy of that name; `policy`, when given, is the one that all are asked
/// under. Nothing when there is none.
std::optional<InCorpus> find_in_corpus(const std::string& path, std::string_view name,
                                       std::string_view policy_name, const std::optional<Policy>& policy);

/// What a decision would be expected as: the outcome, the tie and what decided it, what is cleared, and each
/// node's victims or status. Reasons are left out: a case is about those only when it says so.
manifest::Expectation expectation_of(const Decision& decision);

/// The folder `corpus` of the tree that this program was built or is run in; empty when there is none.
std::string find_corpus();

}  // namespace reprieve::cli
