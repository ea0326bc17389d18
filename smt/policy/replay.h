// A cluster that a model describes, decided by engine and reference.
#pragma once

#include <string>
#include <vector>

#include "reprieve/model/case.h"

namespace reprieve::smt {

/// What a formula says of one node under the policy of a case.
struct Foreseen {
  bool candidate = false;
  std::vector<bool> evicted;  // by pod
  std::int64_t violations = 0;
};

/// How engine or reference decide otherwise, by node; empty: they do not.
std::string contradiction(const Case& question, const std::vector<Foreseen>& foreseen);

}  // namespace reprieve::smt
