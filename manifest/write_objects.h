// Each kind of object of the model as a manifest. Shared by the JSON, YAML and protocol writers;
// not for use outside manifest/.
#pragma once

#include <functional>
#include <string>

#include "reprieve/manifest/document.h"
#include "reprieve/manifest/read.h"
#include "reprieve/model/case.h"

namespace reprieve::manifest {

/// kDefaulted: as the API server stores it, what the scheduler reads spelled out. kMinimal: only
/// what differs from the default, for people. Both are read back to the same model.
enum class Detail { kDefaulted, kMinimal };

/// Calls `visit` with every object, what a decision is mostly about first: nodes, pods, budgets, then
/// what they refer to. Within a kind the order is the model's.
void for_each_object(const Cluster& cluster, Detail detail, const std::function<void(Document)>& visit);

Document node_document(const Node& node, Detail detail);
/// `classes_set_policy`: some global default PriorityClass would supply a preemptionPolicy, so the
/// pod's own has to be written.
Document pod_document(const Pod& pod, Detail detail, bool classes_set_policy);
Document budget_document(const DisruptionBudget& budget, Detail detail);
Document priority_class_document(const PriorityClass& priority_class, Detail detail);
Document namespace_document(const Namespace& ns);
Document claim_document(const PersistentVolumeClaim& claim, Detail detail);
Document volume_document(const PersistentVolume& volume, Detail detail);
Document storage_class_document(const StorageClass& storage_class, Detail detail);
Document csi_node_document(const CsiNode& csi_node);
Document csi_driver_document(const CsiDriver& csi_driver);
Document attachment_document(const VolumeAttachment& attachment);

/// A whole PreemptionPolicy.
Document policy_document(const Policy& policy);
/// The name of a built-in policy that says exactly this, else the whole PreemptionPolicy.
Document policy_reference(const Policy& policy);
Document extenders_document(const std::vector<Extender>& extenders);
/// The PreemptionCase document; `spec` may be null.
Document case_document(const Case& question, const CaseSpec* spec);

// Parts that several kinds share.
Document object_document(std::string_view api_version, std::string_view kind);
/// metadata with a name, and the namespace unless that is the default one and `detail` minimal.
Document metadata_document(std::string_view ns, std::string_view name, Detail detail);
Document labels_document(const Labels& labels);
Document resources_document(const ResourceList& resources);
Document amount_document(std::string_view resource, Quantity quantity);
Document selector_document(const LabelSelector& selector);
Document node_selector_document(const NodeSelector& selector);
std::string_view effect_text(TaintEffect effect);  // empty for kAny
std::string_view operator_text(SelectorOperator op);
/// RFC 3339 in UTC; with a fraction only when there is one.
std::string time_text(TimeUs time_us);

}  // namespace reprieve::manifest
