// Spellings of the enumerations in manifests and output, and the built-in kubernetes policies.
#include <string>
#include <string_view>
#include <utility>

#include "reprieve/model/decision.h"
#include "reprieve/model/policy.h"
#include "reprieve/model/share.h"

namespace reprieve {

Policy kubernetes_policy(Release release) {
  Policy policy;
  policy.release = release;
  policy.name = "kubernetes-" + std::string(to_string(release));
  policy.charging = release == Release::k1_36 ? Charging::kEveryBudget : Charging::kUntilViolated;
  return policy;
}

std::string_view to_string(NodeCriterion criterion) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return "pdbViolations";
    case NodeCriterion::kHighestPriority: return "highestPriority";
    case NodeCriterion::kPrioritySum: return "prioritySum";
    case NodeCriterion::kVictimCount: return "victimCount";
    case NodeCriterion::kLatestStart: return "latestStart";
    case NodeCriterion::kRequestedShare: return "requestedShare";
    case NodeCriterion::kBudgetsTouched: return "budgetsTouched";
  }
  std::unreachable();
}

std::string_view to_string(ImportanceCriterion criterion) {
  switch (criterion) {
    case ImportanceCriterion::kPriority: return "priority";
    case ImportanceCriterion::kStartTime: return "startTime";
    case ImportanceCriterion::kRequestedShare: return "requestedShare";
    case ImportanceCriterion::kTerminationGracePeriod: return "terminationGracePeriod";
  }
  std::unreachable();
}

std::string_view to_string(Release release) {
  switch (release) {
    case Release::k1_36: return "1.36";
    case Release::k1_37: return "1.37";
  }
  std::unreachable();
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFits: return "fits";
    case Outcome::kIneligible: return "ineligible";
    case Outcome::kNominated: return "nominated";
    case Outcome::kNoCandidate: return "no-candidate";
    case Outcome::kError: return "error";
  }
  std::unreachable();
}

std::string_view to_string(NodeStatus status) {
  switch (status) {
    case NodeStatus::kFits: return "fits";
    case NodeStatus::kCandidate: return "candidate";
    case NodeStatus::kUnschedulable: return "unschedulable";
    case NodeStatus::kUnresolvable: return "unresolvable";
  }
  std::unreachable();
}

std::string to_string(const Share& share) {
  return std::to_string(share.requested) + "/" + std::to_string(share.allocatable);
}

}  // namespace reprieve
