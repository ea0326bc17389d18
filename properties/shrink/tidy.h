// Edits of the whole case at once, which no sequence of small ones would reach: all amounts of a
// resource over their common divisor, priorities and times in small steps, canonical names.
// Internal to shrink/.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "reprieve/model/case.h"

namespace reprieve::shrink {

/// The amount of a resource that reads as "one", in thousandths: a core, a piece, 1Gi, a huge page.
std::int64_t round_amount_milli(std::string_view resource);
/// Each resource's amounts as small multiples of that, in the same proportions.
void round_amounts(Case& question);
/// The distinct amounts of a resource in the whole case, highest first; "pods" is not a resource here.
std::map<std::string, std::set<Quantity, std::greater<>>> distinct_amounts(const Case& question);
/// Every amount of the resource that is `from` becomes `to`: a request and the capacity that it
/// just exceeds can only shrink together.
void replace_amount(Case& question, const std::string& resource, Quantity from, Quantity to);
/// Priorities 0, 10, 20, ... in the same order.
void rank_priorities(Case& question);
/// Times a minute apart from 2026-01-01T00:00:00Z on, in the same order; missing ones stay missing.
void rank_times(Case& question);
/// Nodes n1, n2, ...; pods p1, p2, ... and "preemptor"; budgets b1, b2, ...; containers c1, c2, ...;
/// and what refers to them.
void rename_all(Case& question);
/// Everything of other namespaces into "default".
void merge_namespaces(Case& question);
/// The built-in policy of the case's release, unless it samples.
void usual_policy(Case& question);
/// Pods node by node in the order of the nodes, then the pending ones, the preemptor last.
void order_pods(Case& question);

}  // namespace reprieve::shrink
