// One decoder for each kind. Each reads the whole object, apiVersion and kind included, applies the
// defaults that need nothing but the object, and throws DecodeError. Internal to manifest/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reprieve/manifest/decoder.h"
#include "reprieve/manifest/read.h"
#include "reprieve/model/cluster.h"
#include "reprieve/model/extender.h"
#include "reprieve/model/policy.h"

namespace reprieve::manifest {

inline constexpr std::string_view kIgnoredOfObject[] = {"apiVersion", "kind"};

Node decode_node(Decoder& decoder, Element value);
Namespace decode_namespace(Decoder& decoder, Element value);
DisruptionBudget decode_budget(Decoder& decoder, Element value);
PriorityClass decode_priority_class(Decoder& decoder, Element value);
PersistentVolumeClaim decode_claim(Decoder& decoder, Element value);
PersistentVolume decode_volume(Decoder& decoder, Element value);
CsiNode decode_csi_node(Decoder& decoder, Element value);
CsiDriver decode_csi_driver(Decoder& decoder, Element value);
VolumeAttachment decode_volume_attachment(Decoder& decoder, Element value);

/// A StorageClass and what its admission plugin sorts the default ones by.
struct DecodedStorageClass {
  StorageClass storage_class;
  std::optional<TimeUs> creation_time_us;
};
DecodedStorageClass decode_storage_class(Decoder& decoder, Element value);

/// A Pod, and what its defaults need that only the whole input knows.
struct DecodedPod {
  Pod pod;
  bool has_priority = false;
  bool has_preemption_policy = false;
  std::string priority_class_name;
};
DecodedPod decode_pod(Decoder& decoder, Element value);
/// A term with its matchLabelKeys, which need the pod's labels.
struct AffinityTerm {
  PodAffinityTerm term;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;
};

struct AffinityTerms {
  std::vector<AffinityTerm> affinity;
  std::vector<AffinityTerm> anti_affinity;
};

void decode_affinity(Decoder& decoder, Element value, Affinity& affinity, AffinityTerms& terms);
void merge_label_keys(AffinityTerm& term, const Labels& labels);
Toleration decode_toleration(Decoder& decoder, Element value);
TopologySpreadConstraint decode_spread(Decoder& decoder, Element value);
/// Whether a required term selects namespaces by label, which takes the Namespace objects to decide.
bool selects_namespaces_by_label(const Pod& pod);

/// requests from limits, host ports, pod-level requests: pkg/apis/core/v1/defaults.go. The limits are
/// those of the containers, init containers and the pod, in that order.
struct PodLimits {
  std::vector<ResourceList> containers;
  std::vector<ResourceList> init_containers;
  ResourceList pod_level;
};
void default_pod_resources(Pod& pod, const PodLimits& limits);

/// A policy: the name of a built-in one, a PreemptionPolicy document, or what stands under its spec.
Policy decode_policy(Decoder& decoder, Element value);
/// A built-in policy; nothing when there is none of that name.
std::optional<Policy> builtin_policy(std::string_view name);
NodeCriterion decode_node_criterion(Decoder& decoder, Element value);
CaseSpec decode_case(Decoder& decoder, Element value);
std::vector<Extender> decode_extenders(Decoder& decoder, Element value);

}  // namespace reprieve::manifest
