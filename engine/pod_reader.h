// Reads of a model Pod what the snapshot keeps.
#pragma once

#include "reprieve/engine/index.h"
#include "reprieve/model/pod.h"

namespace reprieve::engine {

/// Everything in the record but its name, its places in the index, its request and its preemptor part.
void read_pod(const Pod& pod, Interner& strings, PodRecord& record);

/// The PodFlags of a pod whose record was read.
std::uint8_t read_flags(const Pod& pod, const PodRecord& record);

/// What a pending pod brings as a preemptor, but its request; all that was there before is replaced.
void read_preemptor(const Pod& pod, Interner& strings, Preemptor& preemptor);

}  // namespace reprieve::engine
