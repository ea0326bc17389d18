// What a filter says about a node. Source: kube-scheduler framework Status
// (k8s.io/kube-scheduler/framework/interface.go).
#pragma once

#include <string>
#include <utility>

#include "reprieve/model/decision.h"

namespace reprieve::reference {

enum class Code {
  kSuccess,
  kUnschedulable,  // evicting pods might help
  kUnresolvable,   // UnschedulableAndUnresolvable: no eviction on this node can help
  kError,          // the plugin could not tell; the whole attempt fails
};

struct Status {
  Code code = Code::kSuccess;
  FilterFailure failure;  // reasons; the plugin's name is filled in by whoever runs the plugin

  bool ok() const { return code == Code::kSuccess; }
};

inline Status rejected(Code code, std::string reason) {
  return {.code = code, .failure = {.reasons = {std::move(reason)}}};
}
inline Status unschedulable(std::string reason) { return rejected(Code::kUnschedulable, std::move(reason)); }
inline Status unresolvable(std::string reason) { return rejected(Code::kUnresolvable, std::move(reason)); }
inline Status error(std::string reason) { return rejected(Code::kError, std::move(reason)); }

}  // namespace reprieve::reference
