// Where the algorithm does something that a person would not expect, and where its answer depends
// on something arbitrary.
#pragma once

#include <string>
#include <vector>

#include "reprieve/cli/explain/facts.h"
#include "reprieve/cli/explain/victim_sets.h"
#include "reprieve/cli/explain/what_if.h"

namespace reprieve::cli::explain {

/// `kind` is stable, for machines:
///   requiredAffinity     the preemptor requires affinity to a lower-priority pod and so loses its node
///   importanceInversion  a more important pod is evicted where less important ones would have done
///   betterVictims        other victims on the same node would be better on the policy's own levels
///   violationsReported   the count of violations differs from what evicting the victims violates
///   budgetOrder          another order of the budgets decides otherwise (1.37)
///   importanceTie        pods of equal importance: which of them goes is arbitrary
///   nodeTie              nodes equal on every level: which of them is chosen is arbitrary
///   extenderVictims      an extender evicts other pods than the dry run found, or dropped the node
///   extenderOrder        level 2 reads the first victim listed, and an extender put a lesser one there
///   portStillHeld        the victims do not free the host port that the preemptor wants
///   releaseDiffers       the other release of kube-scheduler decides otherwise
///   sampling             the real scheduler may look at fewer nodes
///   partial              the search for the above was cut short
struct Warning {
  std::string kind;
  std::string text;      // whole sentences
  std::string searched;  // how it was established, one clause; may be empty
  std::vector<std::string> nodes;
  std::vector<std::string> pods;
  std::vector<std::string> budgets;
  std::vector<std::string> alternative;  // the set of victims that would have done as well

  bool operator==(const Warning&) const = default;
};

/// Of a node that was tried in vain: affinity to a pod that the first step takes off.
std::vector<Warning> warn_of_required_affinity(WhatIf& what_if);

/// Of the chosen node's victims; `found` is search(chosen).
std::vector<Warning> warn_of_victims(WhatIf& what_if, const NodeDecision& chosen, const BudgetBook& book,
                                     const Search& found);

/// Of counted and real violations; `ranking` as of ranked().
std::vector<Warning> warn_of_violations(WhatIf& what_if, const std::vector<std::size_t>& ranking,
                                        const BudgetBook& book);

/// Of what extenders made of candidates.
std::vector<Warning> warn_of_extenders(WhatIf& what_if, const Facts& facts,
                                       const std::vector<std::size_t>& ranking);

/// Of a host port on the chosen node that another pod goes on holding.
std::vector<Warning> warn_of_ports(WhatIf& what_if, const Facts& facts, const NodeDecision& chosen);

std::vector<Warning> warn_of_release(WhatIf& what_if);

std::vector<Warning> warn_of_budget_order(WhatIf& what_if, const BudgetBook& book);

std::vector<Warning> warn_of_ties(WhatIf& what_if);

std::vector<Warning> warn_of_sampling(const Case& question, const Decision& decision);

}  // namespace reprieve::cli::explain
