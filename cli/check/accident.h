// A stage whose run died, as something that was found: on which case, the smallest on which it still dies,
// and how to see it again.
#pragma once

#include "reprieve/cli/check/guard.h"
#include "reprieve/cli/check/stage.h"

namespace reprieve::cli {

/// The report of a stage that died. Whatever the threads were at is asked again, alone, in processes that may
/// die too; what does so is shrunk, unless the run is to fail fast.
StageReport report_accident(const Stage& stage, const CheckOptions& options, const Accident& accident);

}  // namespace reprieve::cli
