// Whether two decisions say the same, relationally: what Kubernetes leaves arbitrary (which node of
// a tie, the order of equally important victims, the order of reasons) is not a difference.
// `check`, the corpus tests and comparisons with other schedulers all use this one judge.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reprieve/manifest/read.h"
#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::compare {

/// One field in which two answers differ, with both values as text.
struct Difference {
  std::string field;  // "outcome", "nominated", "nodes.n1.victims", ...
  std::string left;
  std::string right;

  bool operator==(const Difference&) const = default;
};

/// What to look at. The defaults suit engine against reference; a recorded or external answer may
/// not carry everything.
struct Options {
  bool cleared = true;
  bool decided_by = true;
  bool reasons = true;
  /// Compare only nodes that both answers tell of: for the engine's depth `answer`, which tells only
  /// of the tie. Otherwise a node that is missing on one side is a difference.
  bool common_nodes_only = false;
  /// The right side names one node of the tie, not all of it: it must be in the left one.
  bool chosen_only = false;
  /// Each node's story too: the failures, the potential victims with their charges, the key.
  bool story = false;
};

/// The differences, in the order of the fields of a Decision; none: the answers agree.
///
/// - `nominated` is compared as a set, since a tie is arbitrary upstream.
/// - victims are compared in order, but those whose importance is equal (by the case's policy) in
///   any order among themselves.
/// - of the levels of a candidate those that Kubernetes does not know, where both tell them; all with a
///   story. A decision that is bounded differs from one that is proved.
/// - cleared nominations are compared when both chose the same node of the tie, or tell a story.
/// - reasons and cleared nominations are sets. Of "parsing pod: ..." (an invalid selector of the pod's own)
///   the rest is not compared: it is the API machinery's prose. The reason of an ineligible pod is compared,
///   and that of no candidate when the policy guarantees budgets; that of an error is not: two honest errors
///   agree. Whoever asked a program must first see whether it answered at all (subjects::is_subject_failure).
std::vector<Difference> compare(const Case& question, const Decision& left, const Decision& right,
                                const Options& options = {});

/// The expectation on the left, the decision on the right; what is absent from the expectation is
/// not compared. Victims are compared as above, `nominated` and `cleared` as sets.
std::vector<Difference> compare(const Case& question, const manifest::Expectation& expected,
                                const Decision& decision);

/// "nodes.n1.victims" as "nodes.*.victims", and without the place in a list: the same fault may move to
/// another node, or up a list, as a case shrinks.
std::string kind_of(const Difference& difference);

/// A table of the differences, one line each: the field, then each side under its name.
std::string to_string(const std::vector<Difference>& differences, std::string_view left_name,
                      std::string_view right_name);

}  // namespace reprieve::compare
