// The same case with something more in it that has nothing to do with the question.
#pragma once

#include <string>

#include "reprieve/model/case.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

struct WithNode {
  Case question;
  std::string node;  // the one that was added
};

/// A node on which the preemptor cannot run: cordoned, tainted, without any allocatable, anywhere in the
/// list. It has no label that the case knows, so it is in no domain. Pods of a namespace of their own run
/// on it, less and more important than the preemptor.
WithNode with_bystander_node(Case question, generators::Random& random);

/// A Namespace that no pod is in, with labels that others have and one that none has.
Case with_bystander_namespace(Case question, generators::Random& random);

/// A budget that selects no pod: in a namespace of its own a copy of one that is there, or in one of the
/// case's a selector by a label that nobody has, an empty one, an invalid one or none. It allows nothing.
Case with_bystander_budget(Case question, generators::Random& random);

/// A label with a new key on nodes, on namespaces, and on pods that have a label already (a first label may
/// put a pod under a budget).
Case with_bystander_label(Case question, generators::Random& random);

/// A resource that the preemptor does not ask for: on some nodes, and asked for by running pods, beyond what
/// their nodes have.
Case with_bystander_resource(Case question, generators::Random& random);

/// A copy of some pod that runs nowhere and is nominated nowhere, or that runs on or is nominated to a node
/// that is not there.
Case with_bystander_pod(Case question, generators::Random& random);

/// A class, a driver, and a volume and a claim of that class, which nobody uses; an attachment to a node
/// that is not there; a priority class.
Case with_bystander_storage(Case question, generators::Random& random);

/// Other values where nobody looks: of running pods their own affinity, node selector, tolerations, spread
/// constraints, nomination, scheduler and preemption policy; of every pod the creation time.
Case with_unread_fields_redrawn(Case question, generators::Random& random);

}  // namespace reprieve::relations
