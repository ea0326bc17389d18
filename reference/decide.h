// The slow, obviously correct one: what the kube-scheduler's preemption decides, written to be read
// beside docs/SEMANTICS.md, one short file for each step.
//
// Why it must never ship. A reference is trusted for what it leaves out. This one keeps no index and
// no cache: it adds the whole cluster up again for every decision, looks a claim up by walking all
// claims, parses every selector again for every pod and budget, asks which pods are nominated to a node
// by walking all that wait, and copies a node and the counts of every plugin before it touches them. It
// walks every node to the end, whatever it has found. A large cluster would keep it busy for seconds to
// minutes, with the scheduler waiting. Each of these could be made fast, and each time something would be
// lost that cannot be had elsewhere: that a person can read the file in a minute, hold the Kubernetes source
// beside it, and be sure.
//
// The production engine is fast because it is clever, and clever code needs a witness who is not. So
// the two share nothing but model/: no selector matching, no request arithmetic, no filter. The
// reference is never changed to agree with the engine. When they differ, the real kube-scheduler says
// who is right; when the reference differs from it, that is a defect here. A caller who wants an answer
// wants the engine; whoever links this library wants to know whether the answer is right.
//
// What it counts twice or keeps apart is on purpose: upstream counts once and *patches* the counts
// while pods go and come back, and the patches do not agree with a recount (docs/SEMANTICS.md, "Counts
// and patches"). Recounting would be simpler, and wrong.
#pragma once

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::reference {

/// Decides a case with every node's story. An absent or running preemptor is Outcome::kError, and so is
/// what cannot be decided here: an extender with a url, `victims: exact` with more than 20 potential
/// victims on one node. Never a guess.
Decision decide(const Case& question);

}  // namespace reprieve::reference
