// What two policies choose for the same pod, and which choice is better: the unit that a comparison
// counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::cli::comparison {

/// The levels by which choices are judged, whoever made them: a policy whose violations are counted over
/// the victims. It is the one of the two that seeks the optimum, if one does, else the new one with every
/// budget charged.
Policy judge_of(const Policy& old_policy, const Policy& new_policy);

/// Which of the two can never be worse by the judge, because it looks at everything that the other may
/// choose: exact, by the same release, without sampling, and free to violate budgets (or as bound as the
/// other). Where extenders have their say nothing is claimed.
enum class Side { kOld, kNew };
std::optional<Side> never_worse(const Policy& old_policy, const Policy& new_policy);

/// A nomination, judged.
struct Choice {
  std::string node;
  std::vector<std::string> victims;
  std::int64_t reported = 0;  // violations by the policy's own count
  CandidateKey key;           // by the judge; violations are those that evicting the victims causes
};

/// One question under both policies.
struct Pairing {
  Decision old_decision;
  Decision new_decision;
  /// Both or neither: where both nominate. Of a tie that both know the same node is taken.
  std::optional<Choice> old_choice;
  std::optional<Choice> new_choice;
  bool same_node = false;  // some node is in both ties
  bool same_victims = false;
  /// Negative: the new choice is better by the judge, positive: the old one; and by which level. Who
  /// nominates is better than who finds no candidate; then there is no level.
  int better = 0;
  std::optional<NodeCriterion> by;
  bool proved = true;  // neither search ran into its limit
  bool has_extenders = false;

  bool both_nominate() const { return old_choice.has_value(); }
  /// "outcome no-candidate, nominated", "new better by pdbViolations", "other victims", "other node",
  /// "other count"; empty: they decide alike.
  std::string difference() const;
};

/// Asks the subject twice about the question, whose policy is changed on the way.
Pairing pair(subjects::Subject& subject, Case& question, const Policy& old_policy, const Policy& new_policy,
             const Policy& judge);

/// Whether a pairing breaks what `never_worse` says.
bool breaks(const Pairing& pairing, std::optional<Side> never_worse);

/// How much better the new choice is on a level, in the level's unit: priorities without their shift,
/// parts per million of the node, seconds. Nothing when one start is "now" or a share is beyond all.
std::optional<std::int64_t> gain(NodeCriterion level, const CandidateKey& old_key,
                                 const CandidateKey& new_key);

/// "violations", "priority", ...: what `gain` is counted in.
std::string_view unit_of(NodeCriterion level);

}  // namespace reprieve::cli::comparison
