// One question to a scheduler: may this pod preempt, where, and whom?
#pragma once

#include <string>
#include <vector>

#include "reprieve/model/cluster.h"
#include "reprieve/model/extender.h"
#include "reprieve/model/policy.h"

namespace reprieve {

struct Case {
  std::string name;
  Cluster cluster;
  std::string preemptor;  // "namespace/name" of a pending pod in cluster.pods
  Policy policy;
  std::vector<Extender> extenders;

  bool operator==(const Case&) const = default;
};

}  // namespace reprieve
