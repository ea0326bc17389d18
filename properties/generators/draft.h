// A case in the making: the random source, what is switched on for this case, and the small pools
// that values are drawn from so that ties and matches happen. Internal to generators/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/properties/generators/features.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::generators {

inline constexpr TimeUs kSecondUs = 1'000'000;
inline constexpr TimeUs kEpochUs = 1'767'225'600 * kSecondUs;  // 2026-01-01T00:00:00Z

/// A resource in play. Amounts are whole multiples of `unit_milli`, so that sums hit capacities
/// exactly.
struct ResourceInPlay {
  std::string name;
  std::int64_t unit_milli = 1000;  // thousandths of a core, byte or piece
  bool container_only = false;     // may not stand in pod-level resources
};

inline constexpr int kMaxResources = 5;
/// Units by index into Draft::resources.
using Units = std::array<int, kMaxResources>;

struct Draft {
  Draft(std::uint64_t seed, const GeneratorSettings& generator_settings);

  Random random;
  const GeneratorSettings& settings;
  Case result;

  FeatureSet on;                             // for this case
  std::array<int, kFeatureCount> intensity;  // percent, by feature
  Flavour flavour = Flavour::kForced;
  std::optional<Feature> conflict;  // of Flavour::kConflicts: what is in the way
  bool own_policy = false;          // the policy is drawn, and the case made to suit it
  bool generous_budgets = false;    // add budgets that nothing violates, one for each "app" of a namespace

  std::vector<ResourceInPlay> resources;  // [0] is cpu
  std::vector<std::int32_t> priorities;   // of running pods
  std::int32_t preemptor_priority = 0;
  std::vector<std::string> namespaces;  // [0] is "default"
  int same_size_units = 0;              // > 0: every container asks for this much
  bool memory_by_the_byte = false;      // each request asks for up to two bytes more

  bool has(Feature feature) const { return on.has(feature); }
  /// Whether a feature that this case has shows up here.
  bool now(Feature feature) {
    return on.has(feature) && random.percent(intensity[static_cast<std::size_t>(feature)]);
  }

  Cluster& cluster() { return result.cluster; }
  std::string numbered(std::string_view prefix, int number) const;
  Quantity amount(int resource, int units) const;
  const std::string& a_namespace() {
    return has(Feature::kNamespaces) ? random.pick(namespaces) : namespaces.front();
  }
  /// Whether the policy was drawn and names the criterion.
  bool weighs(ImportanceCriterion criterion) const;
  std::string node_name();  // of a node of the cluster, or of none (kAbsentNodes)
  /// "p1", "p2", ...; at times the last one again in another namespace, because what goes by name
  /// alone gets that wrong.
  std::string new_pod_name(const std::string& ns);

 private:
  int pod_number_ = 0;
  std::string number_namespace_;  // where pod_number_ was given out; empty: may not be given again
};

// pods.cpp
/// A pod with name, labels, priority and times; no requests yet.
Pod plain_pod(Draft& draft);
Pod running_pod(Draft& draft, const std::string& node);
void add_pending_pods(Draft& draft);
void make_terminating(Draft& draft, Pod& pod);
Labels pod_labels(Draft& draft);

// policies.cpp
void draw_policy(Draft& draft);
/// Which preemptors a guarantee binds, once their priorities are known.
void bind_guarantee(Draft& draft);

// resources.cpp
void choose_resources(Draft& draft);
/// Gives the pod containers and requests. Returns about what the pod will count for; only for
/// steering capacities: the exact rules are engine's and reference's.
Units add_requests(Draft& draft, Pod& pod);
/// Gives a pod one container that asks for exactly this.
void add_requests_exactly(Draft& draft, Pod& pod, const Units& units);
void set_allocatable(Draft& draft, Node& node, const Units& units, int pods);

// selectors.cpp
std::string label_value(Draft& draft, std::string_view key);
LabelSelector pod_selector(Draft& draft);
LabelSelector namespace_selector(Draft& draft);
/// Makes a valid selector one that the API machinery refuses to parse.
void spoil(Draft& draft, LabelSelector& selector);

// budgets.cpp
void add_budgets(Draft& draft);

// placement.cpp
void add_node_traits(Draft& draft, Node& node);
void add_ports(Draft& draft, Pod& pod);
void add_preemptor_placement(Draft& draft, Pod& preemptor);

// topology.cpp
void add_running_affinity(Draft& draft, Pod& pod);
void add_preemptor_topology(Draft& draft, Pod& preemptor);
/// Pods that a spread constraint of the preemptor counts, nominated to one node of the least domain, so that
/// the second least domain decides. Only where the preemptor has such a constraint.
void crowd_the_least_domain(Draft& draft, Random& random);

// volumes.cpp
void add_storage(Draft& draft);
void add_pod_volumes(Draft& draft, Pod& pod);

// surroundings.cpp
void add_extenders(Draft& draft);
void add_sampling(Draft& draft);

// levels.cpp
/// Nodes and running pods that tie up to a chosen level; returns what the preemptor has to ask for.
Units add_tied_nodes(Draft& draft);

}  // namespace reprieve::generators
