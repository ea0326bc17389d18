// Effective requests: what a pod asks of a node, and what it holds there.
// Source: component-helpers resource/helpers.go (PodRequests; 1.36 and 1.37 differ when a container
// was resized in place), pkg/scheduler/framework/types.go (Resource.Add, CalculateResource).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "reprieve/model/node.h"
#include "reprieve/model/pod.h"
#include "reprieve/model/policy.h"

namespace reprieve::reference {

/// Amounts by resource name: CPU in millicores, all else in whole units, rounded up.
using Amounts = std::map<std::string, std::int64_t, std::less<>>;

/// What a pod that is running or nominated holds: its spec and its status.
Amounts held_by(const Pod& pod, Release release);

/// What the preemptor asks: its spec alone.
Amounts asked_by(const Pod& preemptor);

/// Rounds each quantity, once, after all sums (Resource.Add). Only CPU, memory, ephemeral storage
/// and scalar resources remain: the filter reads no other name. "pods" is not an amount here.
Amounts rounded(const ResourceList& list);

/// Extended, huge pages, *kubernetes.io/*, attachable volumes: pkg/scheduler/util/utils.go
/// IsScalarResourceName.
bool is_scalar_resource_name(std::string_view name);

}  // namespace reprieve::reference
