// The same case with other names: nodes, pods, namespaces, labels. Everything that refers to a renamed
// object follows, and what refers to nothing still refers to nothing. New names are either fresh, so that
// they sort otherwise, or those of the same kind dealt out anew, so that a forgotten reference hits another
// object instead of none.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

/// Old name to new name. A name that is not there stays.
using NameMap = std::map<std::string, std::string, std::less<>>;

/// What a decision names.
struct Renaming {
  NameMap nodes;    // "n1"
  NameMap pods;     // "namespace/name"
  NameMap budgets;  // "namespace/name"
  NameMap claims;   // "namespace/name"

  bool operator==(const Renaming&) const = default;
};

struct Renamed {
  Case question;
  Renaming names;  // from the old case to the new one
};

/// Node names in pods, in matchFields, of CSI nodes and attachments, in extenders' answers and in claims'
/// annotations. Labels stay, "kubernetes.io/hostname" too.
Renamed with_nodes_renamed(Case question, generators::Random& random);

/// Pod names in budgets' disruptedPods and in extenders' answers. Pods with an ephemeral volume keep their
/// name, for their claims are called after them.
Renamed with_pods_renamed(Case question, generators::Random& random);

/// Namespaces of every object, in affinity terms, and in the label "kubernetes.io/metadata.name" and
/// what selects by it.
Renamed with_namespaces_renamed(Case question, generators::Random& random);

/// Keys and values of the labels of pods, nodes and namespaces, each kind by itself, with the selectors
/// over them. What means something by its name stays: zones, regions, "kubernetes.io/metadata.name", the
/// labels that volumes and storage classes name, keys compared as numbers; and keys or values that are
/// no valid ones.
Case with_labels_renamed(Case question, generators::Random& random);

/// The other way round.
Renaming inverse(const Renaming& names);

/// The decision told in other names: what was decided about the renamed case, in the names of the first.
/// Pods and claims that a reason names by "namespace/name" are renamed there too.
Decision renamed(Decision decision, const Renaming& names);

}  // namespace reprieve::relations
