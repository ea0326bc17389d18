#include "reprieve/properties/laws/two_decisions.h"

#include <array>

namespace reprieve::laws {

std::span<const Law* const> two_decisions_laws() {
  static constexpr std::array<const Law*, 49> laws = {
      &kNodeOrder,
      &kPodOrder,
      &kBudgetOrder,
      &kListOrder,
      &kNodeNames,
      &kPodNames,
      &kNamespaceNames,
      &kLabelNames,
      &kBystanderNode,
      &kBystanderNamespace,
      &kBystanderBudget,
      &kBystanderLabel,
      &kBystanderPod,
      &kBystanderStorage,
      &kBystanderResource,
      &kUnreadFields,
      &kResourcesScaled,
      &kPrioritiesShifted,
      &kTimesShifted,
      &kPrioritiesAboveAlike,
      &kContainersSplit,
      &kRoomyBudget,
      &kDisruptedIsUnselected,
      &kLosingNodeCordoned,
      &kLosingNodeRemoved,
      &kWinnerDuplicated,
      &kMoreRoomKeepsCandidates,
      &kHigherPriorityKeepsCandidates,
      &kIdentityExtender,
      &kUnaskedExtender,
      &kIgnorableExtender,
      &kSamplingAll,
      &kSampled,
      &kEvictedThenFits,
      &kTerminatingThenWaits,
      &kTerminationUnseen,
      &kUnseenNominations,
      &kOwnNominationUnseen,
      &kAskedTwice,
      &kShorterOrder,
      &kChargingRules,
      &kIdleGuarantee,
      &kGuaranteeNarrows,
      &kActualAtMostClassified,
      &kExactAtMostGreedy,
      &kDepthsAgree,
      &kThreadsAgree,
      &kWorkspaceForgets,
      &kUpdatesLikeRebuilding,
  };
  return laws;
}

}  // namespace reprieve::laws
