// The checker of certificates: whether a decision is the best choice in its cluster, decided from the model
// and a certificate by arithmetic on whole numbers alone. It searches nothing, needs no solver, and trusts
// nothing that the certificate says but its hints: which pods to look at, and with which multipliers.
//
// What is shown. A key is the policy's nodeOrder with violations counted over the victims alone. The best
// choice has a key K that no set of victims on any node is below, if the preemptor fits with exactly that
// set gone. For each node the certificate has one step for each level k of K: no set there has levels
// before k as in K and level k below K's. A step marked `worse` shows more, level k not even equal; it is
// the node's last. A step is a tree that divides the sets of victims (a pod goes or stays; there are fewer
// than n victims or not), and a leaf of it gives multipliers with which the conditions of its sets add up to
// something that is false (Farkas). The conditions are: the rows of NodeFacts, which every set that makes
// room meets whatever other filters say; and the limits that K sets.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/certificate/facts.h"
#include "reprieve/certificate/form.h"

namespace reprieve::certificate {

inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// A set of sets of victims: those that agree with `pods` and keep within the limits.
struct Region {
  States pods;  // by pod; one that a limit forbids is kept
  std::int64_t violations = kNoLimit, sum = kNoLimit, most = kNoLimit, least = 1;
  std::optional<std::int64_t> top;  // some victim has this priority
};

/// The sets that are better than `key` at level `level` of the order, or with `or_equal` not worse there,
/// and equal to it before. kNoCandidate's key is absent: all sets.
Region region(const Facts& cluster, const NodeFacts& facts, const std::optional<CandidateKey>& key,
              std::size_t level, bool or_equal);

/// A row as it stands within a region: less what the evicted pods free, in units that divide what each of
/// the free pods frees, none of which frees more than is needed. True of the same sets.
Row rest_of(const Row& row, const Region& region);

/// Whether the conditions, so multiplied, exclude every set of the region. A negative multiplier excludes
/// none.
bool excludes(const Facts& cluster, const NodeFacts& facts, const Region& region, const Multipliers& by);

/// Whether those that are evicted in every set of the region violate more than it allows.
bool violates(const Facts& cluster, const NodeFacts& facts, const Region& region);

/// The key of the evicted pods, with violations counted over them; nothing when there are none.
std::optional<CandidateKey> key_of(const Facts& cluster, const NodeFacts& facts, const States& pods);
/// Whether `a` is before `b` in the policy's order.
bool before(const Policy& policy, const CandidateKey& a, const CandidateKey& b);

/// What came of a certificate.
struct Verdict {
  std::string fault;  // the first thing that does not follow; empty: all that is claimed does
  /// What it leaves open, and says so: "node n1: needs filter NodePorts". Empty: the claim is certified.
  std::vector<std::string> open;
  bool optimal = false;  // the decision is the best choice; else the certificate shows a better one
  bool certified() const { return fault.empty() && open.empty(); }
};

/// Any certificate is safe; it must be about `question`.
Verdict check(const Case& question, const Certificate& certificate);

}  // namespace reprieve::certificate
