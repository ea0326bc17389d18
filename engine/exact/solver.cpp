#include "reprieve/engine/exact/solver_levels.h"

namespace reprieve::engine::exact {

template class BasicSolver<std::int64_t, DryRun, Multipliers>;

}  // namespace reprieve::engine::exact
