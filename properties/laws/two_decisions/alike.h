// The judge that most laws of two decisions share: the other case is decided as this one was.
#pragma once

#include <functional>
#include <string_view>

#include "reprieve/properties/compare/compare.h"
#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

/// How a subject's answers are compared: with the story and the deciding level where it tells them.
compare::Options options_for(const subjects::Subject& subject);

/// What the other decision says otherwise, one breach for each difference; `other` must be told in the
/// names and units of the question. Charges are compared in any order. Whose nominations are cleared counts
/// only when both chose the same node of a tie. Silent when a search ended at its limit in either.
Judgement judge_alike(const Inquiry& inquiry, const Decision& other, compare::Options options);
Judgement judge_alike(const Inquiry& inquiry, const Decision& other);

/// The same for two decisions neither of which is the inquiry's.
Judgement judge_alike(const Inquiry& inquiry, const Decision& left, const Decision& right,
                      compare::Options options);

/// Asks the subject about the other case.
Judgement ask_alike(const Inquiry& inquiry, const Case& other);

/// Every candidate of the decision is one of the other too, or the other fits. Silent when the other is an
/// error.
Judgement judge_candidates_kept(const Inquiry& inquiry, const Decision& other);

const NodeDecision* find_node(const Decision& decision, std::string_view name);
const Pod* find_pod(const Case& question, std::string_view full_name);

/// The decision without a node that only one of the two cases has.
Decision without_node_story(Decision decision, std::string_view node);

/// The decision without the charges that were passed over: where charging stops early, the order decides
/// which of them are told.
Decision without_disrupted_charges(Decision decision);

/// Whether an extender may have a say in preemption.
bool asks_extenders(const Case& question);

}  // namespace reprieve::laws
