// How much of a node some requests take: the share that importance and nodeOrder speak of.
// docs/SEMANTICS.md, "Criteria"; there is no Kubernetes source.
#pragma once

#include "reprieve/model/decision.h"
#include "reprieve/reference/node_info.h"

namespace reprieve::reference {

/// The largest of requested / allocatable over the resources of which more than 0 is requested, in
/// lowest terms: 0/1 when there is none, 1/0 when the node has nothing of one of them.
Share share_of(const Amounts& requested, const NodeInfo& node);

/// By cross-multiplication in 128 bits, so that 1/0 is above all others and equal to itself.
bool is_smaller(const Share& a, const Share& b);

}  // namespace reprieve::reference
