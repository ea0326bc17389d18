// The policies of policies/, compiled in, so that the program needs no file at run time.
#pragma once

#include <array>
#include <string_view>

namespace reprieve::manifest {

struct BuiltinPolicy {
  std::string_view name;
  std::string_view yaml;
};

/// Written by CMake from policies/*.yaml.
extern const std::array<BuiltinPolicy, 5> kBuiltinPolicies;

}  // namespace reprieve::manifest
