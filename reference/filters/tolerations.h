// Which taints a pod tolerates. Source: api core/v1/toleration.go (ToleratesTaint),
// component-helpers scheduling/corev1/helpers.go.
#pragma once

#include <vector>

#include "reprieve/model/node.h"
#include "reprieve/model/pod.h"

namespace reprieve::reference {

/// Whether any of the tolerations tolerates the taint. Gt and Lt never do: the feature gate
/// TaintTolerationComparisonOperators is off in both releases.
bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);

/// Whether a NoSchedule or NoExecute taint of the node is not tolerated.
bool has_untolerated_taint(const Node& node, const std::vector<Toleration>& tolerations);

}  // namespace reprieve::reference
