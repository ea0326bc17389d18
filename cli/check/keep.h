// What a run has found, on disk: each case as a file that can be asked again, and everything in full.
#pragma once

#include <string>
#include <vector>

#include "reprieve/cli/check/report.h"

namespace reprieve::cli {

/// Writes each finding's case to a file of its own in `folder`, or in a new one under the folder for
/// temporary files when it is empty, and says in the finding where. What went wrong, as one sentence; empty:
/// nothing, or nothing to write.
std::string keep_cases(const std::string& folder, std::vector<NamedReport>& reports);

}  // namespace reprieve::cli
