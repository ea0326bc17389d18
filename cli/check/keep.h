// What a run has found, on disk: each case as a file that can be asked again, and everything in full.
#pragma once

#include <string>
#include <utility>

#include "reprieve/cli/check/report.h"

namespace reprieve::cli {

/// The folder of one run.
class CaseFiles {
 public:
  /// Empty: a new one under the folder for temporary files. It is made when there is something to write.
  explicit CaseFiles(std::string folder) : folder_(std::move(folder)) {}

  /// Writes each finding's case to a file of its own, and says in the finding where. What went wrong, as one
  /// sentence; empty: nothing.
  std::string keep(NamedReport& report);

 private:
  std::string folder_;
  std::string into_;  // where it is; empty: not made yet
};

}  // namespace reprieve::cli
