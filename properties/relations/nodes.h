// Relations about nodes that are or are not the answer.
#pragma once

#include <optional>
#include <string>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/generators/random.h"
#include "reprieve/properties/relations/names.h"

namespace reprieve::relations {

/// A candidate outside the tie; nothing when there is none.
std::optional<std::string> losing_candidate(const Decision& decision, generators::Random& random);

/// The node cordoned. It stays in every count and every domain.
Case with_node_cordoned(Case question, std::string_view node);
/// Whether the preemptor may tolerate that a node is cordoned.
bool may_tolerate_cordon(const Case& question);

/// The node gone, with the pods that run on it.
Case without_node(Case question, std::string_view node);

struct Duplicated {
  Case question;
  std::string copy;  // the new node
};
/// A second node like it, with copies of the pods that run on it or are nominated to it, and of its CSINode
/// and attachments. Budgets that list such a pod as disrupted list its copy too, and so do the answers of
/// extenders. Claims of ephemeral volumes are not copied.
Duplicated with_node_duplicated(Case question, std::string_view node, generators::Random& random);

/// More of every resource on every node, and more pods allowed.
Case with_more_room(Case question, generators::Random& random);

/// The preemptor with a higher priority; nothing when it has the highest.
std::optional<Case> with_higher_priority(Case question, generators::Random& random);

}  // namespace reprieve::relations
