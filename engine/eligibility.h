// Whether the preemptor may preempt at all.
// Source: defaultpreemption/default_preemption.go, PodEligibleToPreemptOthers.
#pragma once

#include <string_view>

#include "reprieve/engine/filters/cycle.h"
#include "reprieve/engine/filters/verdict.h"

namespace reprieve::engine {

/// The kube-scheduler's reason against, or nothing. `nominated_code` is what the filters say of the
/// node that the preemptor is nominated to; it is not looked at when there is none.
std::string_view ineligible_reason(const Cycle& cycle, Code nominated_code);

/// The node that the preemptor is nominated to; kNone: none, or an absent one.
NodeId nominated_node(const Cycle& cycle);

}  // namespace reprieve::engine
