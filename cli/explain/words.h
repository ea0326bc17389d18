// How amounts, names and failed filters are put into words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/decision.h"
#include "reprieve/model/policy.h"

namespace reprieve::cli::explain {

/// An amount of a Shortfall as people write it: "500m" and "2" for CPU (given in millicores),
/// "1.5Gi" for bytes, plain numbers for the rest. Rounded to one decimal place.
std::string amount(std::string_view resource, std::int64_t value);

/// a - b, at the ends of the range instead of beyond: sums in a Decision fit into int64, their
/// difference may not when a node is overcommitted.
std::int64_t difference(std::int64_t a, std::int64_t b);

/// "1st", "2nd", "3rd", "11th".
std::string ordinal(std::size_t number);

/// "1 pod", "2 pods"; the plural is made with "s".
std::string count(std::size_t number, std::string_view noun);

/// "a", "a and b", "a, b and c"; beyond `limit` names: "a, b and 7 more".
std::string listed(const std::vector<std::string>& names, std::size_t limit = 6);

/// A criterion of the order of nodes, for people: "fewest violations". Short enough for a table.
std::string_view in_words(NodeCriterion criterion);

/// Why `node` is better by a criterion, after "because": "n1's most important victim has a lower
/// priority". Level 2 reads the first victim listed; `reordered` says that an extender made that
/// another one than the most important.
std::string because(NodeCriterion criterion, std::string_view node, bool reordered = false);

/// A criterion of importance, after "same": "priority", "share of the node".
std::string_view in_words(ImportanceCriterion criterion);

/// "75 % (3/4)"; "more than there is" for a request of what the node has none of.
std::string share_of(const std::optional<Share>& share);

/// The value of a candidate on one level as shown: "2", "-100", "2026-01-01T00:00:00Z", "75 % (3/4)".
std::string value_on(const CandidateKey& key, NodeCriterion criterion);

/// A missing start time is read as the present moment.
std::string start_of(const std::optional<TimeUs>& time_us);

}  // namespace reprieve::cli::explain
