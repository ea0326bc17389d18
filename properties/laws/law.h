// What a law is: one sentence about a decision, or about the decisions of related cases, that any
// subject can be held to. The registry (all_laws) is what property tests, fuzz targets, `check` and
// external subjects use; nobody else needs to know a law by name.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/generators/random.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::laws {

enum class Verdict {
  kHolds,
  kBroken,
  kSilent,  // the law says nothing about this case: its premise is not met, or an exception covers it
};

struct Judgement {
  Verdict verdict = Verdict::kSilent;
  std::string why;  // when broken: one sentence that names the node, the pods, the numbers
};

inline Judgement holds() { return {Verdict::kHolds, {}}; }
inline Judgement silent() { return {Verdict::kSilent, {}}; }
inline Judgement broken(std::string why) { return {Verdict::kBroken, std::move(why)}; }

/// What a judge may look at and ask. `decision` is the subject's answer to `question`; it is never
/// Outcome::kError (a law is silent about those).
struct Inquiry {
  const Case& question;
  const Decision& decision;
  /// Who gave the decision, to be asked about related cases. Only laws of kTwoDecisions may.
  subjects::Subject& subject;
  /// Which relation is drawn (which node order, which new label). Laws of one decision draw nothing.
  generators::Random& random;
};

enum class Arity { kOneDecision, kTwoDecisions };

/// A condition under which a law is not claimed, with the smallest case outside it. The tests hold the
/// bare judge against that case and fail when it is no longer broken: then the exception can go.
struct Exception {
  std::string_view name;  // "required-affinity-to-a-potential-victim"
  std::string_view when;  // one sentence
  /// Whether the exception covers the case. Reads the case and the decision, asks nobody.
  bool (*covers)(const Inquiry&);
  std::string_view smallest;  // the case on which the bare judge says kBroken: a file in corpus/laws
};

struct Law {
  std::string_view name;       // "victims-have-lower-priority"; unique
  std::string_view sentence;   // for a report
  std::string_view statement;  // as an equation or a formula
  std::string_view theorem;    // the theorem that proves it, or "tested only"
  Arity arity = Arity::kOneDecision;
  /// Needs each node's story (failures, potential victims, key), which a protocol line does not tell.
  bool needs_story = false;
  /// The policies for which it is claimed, and the same in words ("all", "charging: everyBudget").
  bool (*claimed_for)(const Policy&) = nullptr;
  std::string_view claimed_for_text;
  std::span<const Exception> exceptions;
  /// The bare judge: knows nothing of exceptions or policies.
  Judgement (*judge)(const Inquiry&) = nullptr;
};

/// Every law, in the order of a report. Names are unique.
std::span<const Law* const> all_laws();
/// nullptr when there is none of that name.
const Law* find_law(std::string_view name);

/// The law held against one decision: silent when the policy is not claimed, an exception covers the
/// case, the decision is an error, or the subject does not tell the story that the law needs.
Judgement hold(const Law& law, const Inquiry& inquiry);

}  // namespace reprieve::laws
