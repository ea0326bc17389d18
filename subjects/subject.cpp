#include "reprieve/subjects/subject.h"

#include <fmt/format.h>

namespace reprieve::subjects {

namespace {

// Part of the reason, not a field of Decision: the model knows nothing of programs.
constexpr std::string_view kFailurePrefix = "subject failed: ";

}  // namespace

std::vector<Decision> Subject::decide_all(std::span<const Case> questions) {
  std::vector<Decision> decisions;
  decisions.reserve(questions.size());
  for (const Case& question : questions) decisions.push_back(decide(question));
  return decisions;
}

Decision subject_failure(std::string_view subject, std::string_view case_name, std::string_view what) {
  Decision decision;
  decision.outcome = Outcome::kError;
  decision.reason = fmt::format("{}{}: case {}: {}", kFailurePrefix, subject,
                                case_name.empty() ? "(unnamed)" : case_name, what);
  return decision;
}

bool is_subject_failure(const Decision& decision) {
  return decision.outcome == Outcome::kError && decision.reason.starts_with(kFailurePrefix);
}

}  // namespace reprieve::subjects
