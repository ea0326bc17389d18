// What is said when something was found, before the process ends. Internal to fuzz/.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "reprieve/model/case.h"

namespace reprieve::fuzz {

/// What is wrong with a case, as text of several lines; empty: nothing. `kind` stays the same while the
/// case shrinks.
struct Fault {
  std::string kind;
  std::string details;
  explicit operator bool() const { return !kind.empty(); }
};

/// Shrinks the case as far as `look` still finds the same kind of fault, prints it, and ends the process.
[[noreturn]] void found(const Case& question, const Fault& fault,
                        const std::function<Fault(const Case&)>& look);

/// The same for an input that is no case, or whose bytes matter.
[[noreturn]] void found(const Fault& fault, std::string_view input);

}  // namespace reprieve::fuzz
