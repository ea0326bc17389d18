// Small cases that find mistakes: nearly full nodes, equal keys, budgets at the edge, and every
// feature of the model in odd combinations. Big realistic clusters come from big.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reprieve/model/case.h"
#include "reprieve/properties/generators/features.h"

namespace reprieve::generators {

enum class Flavour {
  kForced,     // the preemptor fits nowhere as things stand, and eviction often helps
  kConflicts,  // the same, but another filter than resources is in the way
  kLevels,     // several candidates, alike up to a chosen one of the five levels (or altogether)
  kAnything,   // sizes and capacities unrelated
};

/// Under which policies the cases are asked.
enum class Policies {
  kKubernetes,  // kubernetes-1.36 or kubernetes-1.37 by the seed
  kAny,         // a random policy for each case, of both releases and every knob
  kMixed,       // some cases of each; those under Kubernetes' own are the same as with kKubernetes
};

/// How large a case may become and what may be in it. The bounds are small by default, because a
/// mistake that only a large cluster shows is rare and a small one is quick to decide and to read.
struct GeneratorSettings {
  int max_nodes = 4;          // 1 .. max_nodes
  int max_pods_per_node = 5;  // 0 .. max_pods_per_node running on each
  int max_budgets = 3;
  int max_pending = 2;  // nominated and other pending pods beside the preemptor
  FeatureSet features = all_features();
  std::optional<Flavour> flavour;  // absent: mixed
  /// Where exact is drawn a node has at most max_pods_per_node + 1 potential victims, and it is drawn
  /// only up to max_pods_per_node = 10: the reference enumerates.
  Policies policies = Policies::kKubernetes;
  /// The policy of every case, whatever `policies` says.
  std::optional<Policy> policy;
};

/// The case of a seed: the same on every platform and in every build. Its name is "seed-SEED".
///
/// It is valid in the sense of model/cluster.h, and nothing in it would be refused by the API
/// server's validation (invalid selectors, and operators behind gates, apart: feature
/// invalid-selectors). The preemptor is a pending pod of the default scheduler. On a node with more
/// than 12 potential victims importance is distinct, since beyond that Go's sort is not stable and
/// the real answer arbitrary.
Case generate(std::uint64_t seed, const GeneratorSettings& settings);

}  // namespace reprieve::generators
