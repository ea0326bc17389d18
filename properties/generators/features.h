// What a generated case may contain. Each feature can be switched off by name, so that a campaign
// can be steered, and each case switches a random part of them off by itself (swarm testing: Groce,
// Zhang, Eide, Chen, Regehr, "Swarm testing", ISSTA 2012).
#pragma once

#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>

#include "reprieve/model/case.h"

namespace reprieve::generators {

enum class Feature : std::uint8_t {
  // What pods request, and of what.
  kMemory,
  kEphemeralStorage,
  kHugePages,
  kExtendedResources,
  kPodLimit,      // the node's pod count is nearly reached
  kZeroRequests,  // explicit zeros, absent requests, overcommitted nodes
  kFractions,     // thousandths of bytes, odd millicores, memory by the byte: what is rounded, and when
  kContainers,    // more than one
  kInitContainers,
  kSidecars,
  kOverhead,
  kPodLevelResources,
  kResize,  // statuses of in-place resize, some infeasible
  // Preemption itself.
  kBudgets,
  kBudgetSelectors,  // every operator, empty and absent selectors
  kDisruptedPods,
  kInvalidSelectors,  // those that can be stored, or that hand-written manifests have
  kNegativePriorities,
  kExtremePriorities,
  kMissingStartTimes,
  kNominatedPods,
  kOwnNomination,  // of the preemptor
  kGatedPods,
  kOtherSchedulers,
  kTerminatingPods,
  kNeverPreempts,
  kAbsentNodes,  // pods on nodes, and nominations to nodes, that are not there
  kNamespaces,   // pods, budgets and preemptor in several
  // Where a pod may run.
  kTaints,
  kUnschedulable,
  kNodeSelector,
  kNodeAffinity,
  kMatchFields,
  kHostPorts,
  kDeclaredFeatures,
  // What depends on other nodes' pods.
  kPodAffinity,
  kPodAntiAffinity,
  kExistingAntiAffinity,
  kNamespaceSelectors,
  kTopologySpread,
  // Volumes.
  kClaims,
  kReadWriteOncePod,
  kAttachLimits,
  kVolumeZones,
  kVolumeNodeAffinity,
  kUnboundClaims,
  kBrokenClaims,  // absent, deleting, lost, bound to nothing
  kInTreeDisks,
  kEphemeralVolumes,
  // Around the algorithm.
  kExtenders,
  kSampling,
};
inline constexpr int kFeatureCount = static_cast<int>(Feature::kSampling) + 1;
static_assert(kFeatureCount <= 64);

class FeatureSet {
 public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet(std::initializer_list<Feature> features) {
    for (const Feature feature : features) insert(feature);
  }
  static constexpr FeatureSet range(Feature first, Feature last) {
    FeatureSet set;
    for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) insert_index(set, i);
    return set;
  }

  constexpr bool has(Feature feature) const { return (bits_ & bit(feature)) != 0; }
  constexpr void insert(Feature feature) { bits_ |= bit(feature); }
  constexpr void erase(Feature feature) { bits_ &= ~bit(feature); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr FeatureSet operator|(FeatureSet other) const { return FeatureSet(bits_ | other.bits_); }
  constexpr FeatureSet operator&(FeatureSet other) const { return FeatureSet(bits_ & other.bits_); }
  constexpr FeatureSet operator-(FeatureSet other) const { return FeatureSet(bits_ & ~other.bits_); }
  bool operator==(const FeatureSet&) const = default;

 private:
  explicit constexpr FeatureSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(Feature feature) {
    return std::uint64_t{1} << static_cast<int>(feature);
  }
  static constexpr void insert_index(FeatureSet& set, int index) { set.bits_ |= std::uint64_t{1} << index; }

  std::uint64_t bits_ = 0;
};

constexpr FeatureSet resource_features() { return FeatureSet::range(Feature::kMemory, Feature::kResize); }
constexpr FeatureSet preemption_features() {
  return FeatureSet::range(Feature::kBudgets, Feature::kNamespaces);
}
constexpr FeatureSet placement_features() {
  return FeatureSet::range(Feature::kTaints, Feature::kDeclaredFeatures);
}
constexpr FeatureSet topology_features() {
  return FeatureSet::range(Feature::kPodAffinity, Feature::kTopologySpread);
}
constexpr FeatureSet volume_features() {
  return FeatureSet::range(Feature::kClaims, Feature::kEphemeralVolumes);
}
constexpr FeatureSet surrounding_features() {
  return FeatureSet::range(Feature::kExtenders, Feature::kSampling);
}
/// Everything that a node's own pods decide.
constexpr FeatureSet node_local_features() {
  return resource_features() | preemption_features() | placement_features();
}
constexpr FeatureSet all_features() { return FeatureSet::range(Feature::kMemory, Feature::kSampling); }

/// "memory", "budget-selectors", ...: the enumerator in kebab case.
std::string_view to_string(Feature feature);

/// Which features show up in a case, wherever it comes from.
FeatureSet features_present(const Case& question);

/// Parses a comma-separated list of features and groups ("resources", "preemption", "placement",
/// "topology", "volumes", "surroundings", "node-local", "all"); "-NAME" takes away, left to right.
/// A list that starts with "-" starts from `all`. The error names the unknown word and the known ones.
std::expected<FeatureSet, std::string> parse_features(std::string_view list);

}  // namespace reprieve::generators
