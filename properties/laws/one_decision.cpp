#include "reprieve/properties/laws/one_decision.h"

#include <array>

namespace reprieve::laws {

std::span<const Law* const> one_decision_laws() {
  static constexpr std::array kLaws = {
      &kNodesToldOnce,
      &kOutcomeAgrees,
      &kNominatedAreCandidates,
      &kRefusalsHaveReasons,
      &kOnlyTheIneligibleWait,
      &kNeverEvictsNothing,
      &kNothingHappensWithoutPreemption,
      &kFittingIsLeftAlone,
      &kNodesAreFiltered,
      &kFitsWithoutVictims,
      &kIrreducible,
      &kRejectedOnlyInVain,
      &kUnresolvableOnlyInVain,
      &kFreesNothingIsSpared,
      &kVictimsRunOnTheNode,
      &kVictimsHaveLowerPriority,
      &kVictimsAreListedOnce,
      &kVictimsByImportance,
      &kChargesAddUp,
      &kViolationsAreCounted,
      &kViolationsAreNotHidden,
      &kViolationsAreVictims,
      &kZeroIsFound,
      &kGuaranteeIsKept,
      &kRefusalsAreNeeded,
      &kNoCandidateSaysWhy,
      &kExactIsOptimal,
      &kChosenIsUnbeaten,
      &kTieIsComplete,
      &kFirstOfTheTie,
      &kKeyIsTheVictimsKey,
      &kDecidedByIsRight,
      &kLowerNominationsAreCleared,
      &kOwnNominationIsCleared,
      &kPotentialVictimsAreTold,
      &kEvictedAreTheVictims,
      &kStoriesAreConsistent,
      &kWhatMightHelpIsTried,
      &kShortfallsAddUp,
  };
  return kLaws;
}

}  // namespace reprieve::laws
