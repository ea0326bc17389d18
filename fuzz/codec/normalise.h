// What a fair question must satisfy, and what API server and manifests make of what is written:
// properties/generators/valid.h, pkg/apis/core/v1/defaults.go and validation. Internal to codec/.
#pragma once

#include "reprieve/model/case.h"

namespace reprieve::fuzz {

/// Makes a decoded case valid, changing only what is not. Names are unique already.
void normalise(Case& question);

/// Of normalise(): the pods, and the storage objects.
void normalise_pod(Pod& pod, bool preemptor);
void normalise_storage(Cluster& cluster);

}  // namespace reprieve::fuzz
