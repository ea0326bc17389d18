// Which pods are equally important under a policy, so that their order is arbitrary upstream.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"

namespace reprieve::compare {

/// Knows the pods of a case by "namespace/name". Refers to the case, which must outlive it.
class Importance {
 public:
  explicit Importance(const Case& question);

  /// Whether every importance criterion of the policy is equal. Two missing start times are equal:
  /// both mean "now". Pods that the case does not have are equal to nothing.
  bool tied(std::string_view left, std::string_view right) const;

  /// The names with each run of tied pods sorted by name, so that two lists that differ only in the
  /// order of tied pods become the same.
  std::vector<std::string> canonical(std::vector<std::string> names) const;

 private:
  const Policy& policy_;
  std::map<std::string, const Pod*, std::less<>> pods_;
};

}  // namespace reprieve::compare
