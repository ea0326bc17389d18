// A comparison as tables for people and as JSON for charts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "reprieve/cli/compare/tally.h"
#include "reprieve/cli/compare/witness.h"

namespace reprieve::cli::comparison {

struct Report {
  Policy old_policy;
  Policy new_policy;
  Policy judge;
  std::optional<Side> never_worse;
  std::string source;  // what was asked
  std::string repeat;  // the command that repeats it
  double seconds = 0;
  Tally tally;
  std::optional<Witness> witness;
  std::optional<Witness> broken;  // of the claim never_worse
};

std::string to_text(const Report& report);
nlohmann::ordered_json to_json(const Report& report);

}  // namespace reprieve::cli::comparison
