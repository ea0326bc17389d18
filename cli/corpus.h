// The corpus: folders of case files, each with the decisions that it expects.
#pragma once

#include <expected>
#include <string>
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

/// What a decision would be expected as: the outcome, the tie and what decided it, what is cleared, and each
/// node's victims or status. Reasons are left out: a case is about those only when it says so.
manifest::Expectation expectation_of(const Decision& decision);

/// The folder `corpus` of the tree that this program was built or is run in; empty when there is none.
std::string find_corpus();

}  // namespace reprieve::cli
