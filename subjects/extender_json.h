// What a scheduler and its extender say to each other about preemption, as JSON.
// Source: kube-scheduler extender/v1/types.go, pkg/scheduler/extender.go.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "reprieve/engine/extender_call.h"
#include "reprieve/model/cluster.h"
#include "reprieve/model/extender.h"

namespace reprieve::subjects {

/// An ExtenderPreemptionArgs: the preemptor, and the candidates with whole pods, or with their uids
/// when the extender is nodeCacheCapable. A pod without a uid goes by "namespace/name". Of the pods
/// there is what Reprieve keeps of them; fields that no rule reads are absent.
std::string write_preemption_args(const Cluster& cluster, const Extender& extender,
                                  std::string_view preemptor, const engine::ExtenderNodes& nodes);

/// The candidates of an ExtenderPreemptionResult, or why it cannot be used: it is not JSON or of
/// another shape, names a node that the cluster does not have, or a uid that is not on its node.
/// Whether a node without victims is an error is for the caller to say.
std::expected<engine::ExtenderNodes, std::string> read_preemption_result(const Cluster& cluster,
                                                                         std::string_view body);

}  // namespace reprieve::subjects
