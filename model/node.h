// A Node: what the scheduler's filters read of it. Source: core/v1 Node.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reprieve/model/labels.h"
#include "reprieve/model/quantity.h"

namespace reprieve {

/// Amounts by resource name ("cpu", "memory", "ephemeral-storage", "pods", "hugepages-2Mi",
/// "example.com/gpu", ...). CPU is in cores, the rest in bytes or pieces.
using ResourceList = std::map<std::string, Quantity, std::less<>>;

/// kAny only in a toleration, where an empty effect tolerates every one.
enum class TaintEffect { kAny, kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNoSchedule;

  bool operator==(const Taint&) const = default;
};

struct Node {
  std::string name;
  Labels labels;
  std::vector<Taint> taints;
  bool unschedulable = false;
  ResourceList allocatable;
  std::vector<std::string> declared_features;  // status.declaredFeatures

  bool operator==(const Node&) const = default;
};

}  // namespace reprieve
