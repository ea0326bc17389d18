// A scheduler extender that takes part in preemption: scripted in the case, or a URL.
// Source: kube-scheduler extender/v1, pkg/scheduler/extender.go.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace reprieve {

/// What an extender answers for one node. Its victims need not be among those it was given.
struct ExtenderVictims {
  std::vector<std::string> victims;  // "namespace/name", in the answer's order
  std::int64_t violations = 0;       // numPDBViolations

  bool operator==(const ExtenderVictims&) const = default;
};

struct Extender {
  std::string name;
  bool ignorable = false;
  bool supports_preemption = true;  // has a preemptVerb
  bool node_cache_capable = false;
  std::vector<std::string> managed_resources;  // empty: interested in every pod

  // Exactly one of the three says how it answers.
  std::optional<std::map<std::string, ExtenderVictims, std::less<>>>
      answer;                        // by node; identity restricted to nodes given
  std::optional<std::string> error;  // it fails with this text
  std::optional<std::string> url;    // ask over HTTP (subjects/)

  bool operator==(const Extender&) const = default;
};

}  // namespace reprieve
