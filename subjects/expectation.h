// Holds a decision against what a case file expects of it.
#pragma once

#include <string>
#include <vector>

#include "reprieve/manifest/read.h"
#include "reprieve/model/decision.h"

namespace reprieve::subjects {

/// One sentence for each expectation that the decision does not meet; empty when it meets all.
/// Sets are compared as sets (the tie, victims, cleared nominations, reasons), since the order of
/// pods of equal importance is not Kubernetes' to promise. What the file leaves out is not compared.
std::vector<std::string> unmet(const manifest::Expectation& expected, const Decision& decision);

}  // namespace reprieve::subjects
