// The laws of one decision, each defined in the file of its name or of its small family.
#pragma once

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

// outcome.cpp
extern const Law kNodesToldOnce;
extern const Law kOutcomeAgrees;
extern const Law kNominatedAreCandidates;
extern const Law kRefusalsHaveReasons;
// eligibility.cpp
extern const Law kOnlyTheIneligibleWait;
extern const Law kNeverEvictsNothing;
extern const Law kNothingHappensWithoutPreemption;
// fit.cpp
extern const Law kFittingIsLeftAlone;
extern const Law kNodesAreFiltered;
extern const Law kFitsWithoutVictims;
extern const Law kIrreducible;
extern const Law kRejectedOnlyInVain;
extern const Law kUnresolvableOnlyInVain;
// uncontested.cpp
extern const Law kFreesNothingIsSpared;
// victims.cpp
extern const Law kVictimsRunOnTheNode;
extern const Law kVictimsHaveLowerPriority;
extern const Law kVictimsAreListedOnce;
extern const Law kVictimsByImportance;
// budgets.cpp
extern const Law kChargesAddUp;
extern const Law kViolationsAreCounted;
extern const Law kViolationsAreNotHidden;
extern const Law kViolationsAreVictims;
extern const Law kZeroIsFound;
// guarantee.cpp
extern const Law kGuaranteeIsKept;
extern const Law kRefusalsAreNeeded;
extern const Law kNoCandidateSaysWhy;
// exact.cpp
extern const Law kExactIsOptimal;
// ranking.cpp
extern const Law kChosenIsUnbeaten;
extern const Law kTieIsComplete;
extern const Law kFirstOfTheTie;
extern const Law kKeyIsTheVictimsKey;
extern const Law kDecidedByIsRight;
// nominations.cpp
extern const Law kLowerNominationsAreCleared;
extern const Law kOwnNominationIsCleared;
// story.cpp
extern const Law kPotentialVictimsAreTold;
extern const Law kEvictedAreTheVictims;
extern const Law kStoriesAreConsistent;
extern const Law kWhatMightHelpIsTried;
extern const Law kShortfallsAddUp;

}  // namespace reprieve::laws
