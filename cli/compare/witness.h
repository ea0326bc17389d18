// The smallest cluster that shows a difference: shrunk, as a case file, and in words.
#pragma once

#include <string>
#include <vector>

#include "reprieve/cli/compare/choice.h"

namespace reprieve::cli::comparison {

struct Names {
  std::string old_policy;
  std::string new_policy;
};

struct Witness {
  std::string kind;                // Pairing::difference
  std::vector<std::string> words;  // sentences: what each decides, and what makes one of them better
  std::string case_yaml;           // under the old policy; with what both decide, where both are built in
};

/// Makes the question as small as it can be with the two policies still differing in the same kind, or
/// with `broken` while the claim is still broken.
Witness witness(subjects::Subject& subject, const Case& question, const Policy& old_policy,
                const Policy& new_policy, bool broken);

/// "kubernetes nominates n1 and evicts default/a and default/b (2 violations of budgets)."
std::string in_words(const std::string& policy, const Decision& decision,
                     const std::optional<Choice>& choice);

}  // namespace reprieve::cli::comparison
