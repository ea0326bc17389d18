// The laws of two decisions, each defined in the file of its small family in two_decisions/.
#pragma once

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

// orders.cpp
extern const Law kNodeOrder;
extern const Law kPodOrder;
extern const Law kBudgetOrder;
extern const Law kListOrder;
// names.cpp
extern const Law kNodeNames;
extern const Law kPodNames;
extern const Law kNamespaceNames;
extern const Law kLabelNames;
// bystanders.cpp
extern const Law kBystanderNode;
extern const Law kBystanderNamespace;
extern const Law kBystanderBudget;
extern const Law kBystanderLabel;
extern const Law kBystanderPod;
extern const Law kBystanderStorage;
extern const Law kBystanderResource;
extern const Law kUnreadFields;
// scales.cpp
extern const Law kResourcesScaled;
extern const Law kPrioritiesShifted;
extern const Law kTimesShifted;
extern const Law kPrioritiesAboveAlike;
extern const Law kContainersSplit;
// budgets.cpp
extern const Law kRoomyBudget;
extern const Law kDisruptedIsUnselected;
// nodes.cpp
extern const Law kLosingNodeCordoned;
extern const Law kLosingNodeRemoved;
extern const Law kWinnerDuplicated;
extern const Law kMoreRoomKeepsCandidates;
extern const Law kHigherPriorityKeepsCandidates;
// extenders.cpp
extern const Law kIdentityExtender;
extern const Law kUnaskedExtender;
extern const Law kIgnorableExtender;
// samples.cpp
extern const Law kSamplingAll;
extern const Law kSampled;
// sequels.cpp
extern const Law kEvictedThenFits;
extern const Law kTerminatingThenWaits;
extern const Law kTerminationUnseen;
extern const Law kUnseenNominations;
extern const Law kOwnNominationUnseen;
extern const Law kAskedTwice;
// policies.cpp
extern const Law kShorterOrder;
extern const Law kChargingRules;
extern const Law kIdleGuarantee;
extern const Law kGuaranteeNarrows;
extern const Law kActualAtMostClassified;
extern const Law kExactAtMostGreedy;
// engine_only.cpp
extern const Law kDepthsAgree;
extern const Law kThreadsAgree;
extern const Law kWorkspaceForgets;
extern const Law kUpdatesLikeRebuilding;

}  // namespace reprieve::laws
