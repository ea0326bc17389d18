// How amounts, names and failed filters are put into words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/decision.h"
#include "reprieve/model/policy.h"

namespace reprieve::cli::explain {

/// An amount of a Shortfall as people write it: "500m" and "2" for CPU (given in millicores),
/// "1.5Gi" for bytes, plain numbers for the rest. Rounded to one decimal place.
std::string amount(std::string_view resource, std::int64_t value);

/// "cpu: needs 500m, 200m free, short by 300m".
std::string in_words(const Shortfall& shortfall);

/// "NodeResourcesFit: cpu: needs 500m, 200m free, short by 300m", or the scheduler's own reasons
/// where a filter has no amounts.
std::string in_words(const FilterFailure& failure);

/// "1 pod", "2 pods"; the plural is made with "s".
std::string count(std::size_t number, std::string_view noun);

/// "a", "a and b", "a, b and c"; beyond `limit` names: "a, b and 7 more".
std::string listed(const std::vector<std::string>& names, std::size_t limit = 6);

/// A criterion of the order of nodes, for people: "fewest violations". Short enough for a table.
std::string_view in_words(NodeCriterion criterion);

/// Why a node is better by a criterion, after "because": "its most important victim has a lower
/// priority".
std::string_view because(NodeCriterion criterion);

/// The value of a candidate on one level as shown: "2", "-100", "2026-01-01T00:00:00Z", "now".
/// "?" for a criterion whose value a Decision does not carry.
std::string value_on(const CandidateKey& key, NodeCriterion criterion);

/// A missing start time is read as the present moment.
std::string start_of(const std::optional<TimeUs>& time_us);

}  // namespace reprieve::cli::explain
