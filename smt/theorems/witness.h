// A counterexample as a cluster: what a model says of the variables of question.h and two_nodes.h
// becomes nodes, pods and budgets, with the decision that the rules give. Engine, reference and the
// real kube-scheduler then say whether it is so; a case on which they decide otherwise is a fault of
// the encoding.
#pragma once

#include <optional>
#include <string>

#include "reprieve/manifest/read.h"
#include "reprieve/model/case.h"
#include "reprieve/smt/theorems/theorem.h"

namespace reprieve::smt {

struct Witness {
  Case question;            // under the theorem's release
  manifest::CaseSpec spec;  // with what both releases are expected to decide (not of kListedPods)
};

/// "not-" and the theorem's name: of the case and its file in corpus/theorems/.
std::string case_name(const Theorem& theorem);

/// `bounds` are those that the model is of. Nothing when the theorem shows no cluster.
std::optional<Witness> witness(const Theorem& theorem, const Bounds& bounds, const Terms& terms,
                               const Assignment& model);

}  // namespace reprieve::smt
