// One pod's fate: why it was evicted and which choice would have spared it, or why it was not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/explain/changes.h"
#include "reprieve/cli/explain/rivals.h"
#include "reprieve/cli/explain/victim_sets.h"

namespace reprieve::cli::explain {

/// `fate` is stable, for machines: "evicted", "reprieved", "onOtherNode" (it could be preempted, but
/// its node was not chosen), "notLower" (its priority is not below the preemptor's), "pending",
/// "absent", "preemptor", "noEviction" (nothing is evicted at all), "sparedByExtender" (the dry run would
/// have evicted it).
struct VictimAnswer {
  std::string pod;
  std::string fate;
  std::vector<std::string> sentences;  // why
  /// With "evicted". Each spares it; all were decided.
  std::vector<std::string> other_choices;  // other sets on the node, other nodes; whole sentences
  std::vector<Change> changes;

  bool operator==(const VictimAnswer&) const = default;
};

/// A fate in words: "stays", "evicted".
std::string_view fate_in_words(std::string_view fate);

/// `found` is the search on the chosen node; null without one.
VictimAnswer answer_about(const std::string& pod, WhatIf& what_if, const Facts& facts,
                          const std::vector<std::size_t>& ranking, const BudgetBook& book,
                          const Search* found);

}  // namespace reprieve::cli::explain
