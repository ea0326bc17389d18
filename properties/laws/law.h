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
#include "reprieve/properties/laws/facts.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::laws {

enum class Verdict {
  kHolds,
  kBroken,
  kSilent,  // the law says nothing about this case: its premise is not met, or an exception covers it
};

/// One place where a law is broken. `node` and `pods` say where, for the exceptions; a law that is about
/// the whole decision leaves them empty.
struct Breach {
  std::string why;  // one sentence that names the node, the pods, the numbers
  const NodeDecision* node = nullptr;
  Pods pods;
};

struct Exception;

struct Judgement {
  Verdict verdict = Verdict::kSilent;
  std::vector<Breach> breaches;           // when broken, or silent because of an exception
  const Exception* excused_by = nullptr;  // the exception, when it is silent because of one

  const std::string& why() const { return breaches.front().why; }
};

inline Judgement holds() { return {.verdict = Verdict::kHolds}; }
inline Judgement silent() { return {}; }
inline Judgement broken(std::string why) {
  return {.verdict = Verdict::kBroken, .breaches = {{.why = std::move(why)}}};
}

/// What a judge may look at and ask. `decision` is the subject's answer to `question`; it is never
/// Outcome::kError (a law is silent about those).
struct Inquiry {
  const Case& question;
  const Decision& decision;
  /// Who gave the decision, to be asked about related cases. Only laws of kTwoDecisions may.
  subjects::Subject& subject;
  /// Which relation is drawn (which node order, which new label). Laws of one decision draw nothing.
  generators::Random& random;
  /// What the laws look up about this question and this decision; shared by all of them.
  Facts& facts;
};

enum class Arity { kOneDecision, kTwoDecisions };

/// A condition under which a law is not claimed, with the smallest case on which it is broken there. The
/// tests hold the bare judge against that case and fail when it is no longer broken: then the exception can
/// go.
struct Exception {
  std::string_view name;  // "required-affinity-to-a-potential-victim"
  std::string_view when;  // one sentence
  /// Whether the exception covers this breach. Reads the case and the decision, asks nobody.
  bool (*covers)(const Inquiry&, const Breach&);
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
  /// What else it takes to see that the law is broken, as lines of text; of the same draws as the judge's.
  /// Only of laws whose judge draws more than the case shows.
  std::string (*explain)(const Inquiry&) = nullptr;
};

/// The laws of each arity, in the order of a report; one_decision.cpp and two_decisions.cpp list them.
std::span<const Law* const> one_decision_laws();
std::span<const Law* const> two_decisions_laws();
/// Every law, those of one decision first. Names are unique.
std::span<const Law* const> all_laws();
/// nullptr when there is none of that name.
const Law* find_law(std::string_view name);

/// The law held against one decision: silent when the policy is not claimed, the decision is an error,
/// the subject does not tell the story that the law needs, or every breach is as one of the exceptions
/// says. (Exceptions are asked only when the law is broken: they cost more than most laws.) A broken law
/// leaves only the breaches that none covers.
Judgement hold(const Law& law, const Inquiry& inquiry);

}  // namespace reprieve::laws
