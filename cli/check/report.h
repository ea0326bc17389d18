// How a run of `check` is told: to a person and to a program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reprieve/cli/check/stage.h"

namespace reprieve::cli {

/// A stage's name and its report.
using NamedReport = std::pair<std::string, StageReport>;

/// One line, printed as soon as the stage is done.
std::string stage_line(const NamedReport& report);

/// One finding: what differs, the case, the commands that repeat it. Long ones are cut and say so.
std::string describe(const Finding& finding);

/// Everything that was found: of each stage the first few in full, the others by their titles.
std::string describe(const std::vector<NamedReport>& reports);

/// The command that shows a finding on its case alone; empty when there is none.
std::string alone(const Finding& finding);

/// What was covered and what was not, and the verdict.
std::string summary(const std::vector<NamedReport>& reports, const CheckOptions& options);

/// The verdicts as JUnit XML, one test case for each stage, law and theorem that was found wrong. Nothing is
/// written without a name. What went wrong, as one sentence; empty: nothing.
std::string write_junit(const std::string& file, const std::vector<NamedReport>& reports);

nlohmann::ordered_json to_json(const std::vector<NamedReport>& reports, const CheckOptions& options);

/// Some stage failed.
bool failed(const std::vector<NamedReport>& reports);

}  // namespace reprieve::cli
