// docs/THEOREMS.md, from the registry alone: the same on every machine.
#pragma once

#include <string>

namespace reprieve::smt {

std::string theorems_markdown();

}  // namespace reprieve::smt
