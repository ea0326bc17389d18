// A change of a cluster, told to a snapshot. Internal to fuzz/.
#pragma once

#include "reprieve/engine/snapshot.h"
#include "reprieve/properties/relations/changes.h"

namespace reprieve::fuzz {

void update(engine::Snapshot& snapshot, const relations::Change& change);

}  // namespace reprieve::fuzz
