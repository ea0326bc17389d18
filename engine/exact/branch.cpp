#include "reprieve/engine/exact/branch_search.h"

namespace reprieve::engine::exact {

template class BasicBranch<std::int64_t, Multipliers>;

}  // namespace reprieve::engine::exact
