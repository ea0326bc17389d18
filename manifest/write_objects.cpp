// Nodes, budgets, priority classes, namespaces, and the parts that several kinds share.
#include "reprieve/manifest/write_objects.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "reprieve/manifest/quantity.h"

namespace reprieve::manifest {

Document object_document(std::string_view api_version, std::string_view kind) {
  Document document = Document::map();
  document.set("apiVersion", Document::text(api_version)).set("kind", Document::text(kind));
  return document;
}

Document metadata_document(std::string_view ns, std::string_view name, Detail detail) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(name));
  if (detail == Detail::kDefaulted || ns != "default") metadata.set("namespace", Document::text(ns));
  return metadata;
}

Document labels_document(const Labels& labels) {
  Document document = Document::map();
  for (const auto& [key, value] : labels) document.set(key, Document::text(value));
  return document;
}

namespace {

/// Resources that people write with binary suffixes.
bool is_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource == "storage" ||
         resource.starts_with("hugepages-");
}

}  // namespace

std::string_view effect_text(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kAny: return "";
    case TaintEffect::kNoSchedule: return "NoSchedule";
    case TaintEffect::kPreferNoSchedule: return "PreferNoSchedule";
    case TaintEffect::kNoExecute: return "NoExecute";
  }
  std::unreachable();
}

Document amount_document(std::string_view resource, Quantity quantity) {
  if (is_bytes(resource) && quantity.milli == 0 && quantity.units != 0) {
    static constexpr std::pair<std::int64_t, std::string_view> kSuffixes[] = {
        {std::int64_t{1} << 30, "Gi"}, {std::int64_t{1} << 20, "Mi"}, {std::int64_t{1} << 10, "Ki"}};
    for (const auto& [unit, suffix] : kSuffixes) {
      if (quantity.units % unit == 0) {
        return Document::amount(fmt::format("{}{}", quantity.units / unit, suffix));
      }
    }
  }
  return Document::amount(format_quantity(quantity));
}

Document resources_document(const ResourceList& resources) {
  Document document = Document::map();
  for (const auto& [name, quantity] : resources) document.set(name, amount_document(name, quantity));
  return document;
}

std::string_view operator_text(SelectorOperator op) {
  switch (op) {
    case SelectorOperator::kIn: return "In";
    case SelectorOperator::kNotIn: return "NotIn";
    case SelectorOperator::kExists: return "Exists";
    case SelectorOperator::kDoesNotExist: return "DoesNotExist";
    case SelectorOperator::kGt: return "Gt";
    case SelectorOperator::kLt: return "Lt";
    case SelectorOperator::kInvalid: return "Invalid";
  }
  std::unreachable();
}

namespace {

Document requirements_document(const std::vector<SelectorRequirement>& requirements) {
  Document list = Document::list();
  for (const SelectorRequirement& requirement : requirements) {
    Document item = Document::map();
    item.set("key", Document::text(requirement.key))
        .set("operator", Document::text(operator_text(requirement.op)))
        .set_unless_empty("values", Document::texts(requirement.values));
    list.add(std::move(item));
  }
  return list;
}

}  // namespace

Document selector_document(const LabelSelector& selector) {
  Document document = Document::map();
  document.set_unless_empty("matchLabels", labels_document(selector.match_labels))
      .set_unless_empty("matchExpressions", requirements_document(selector.match_expressions));
  return document;
}

Document node_selector_document(const NodeSelector& selector) {
  Document terms = Document::list();
  for (const NodeSelectorTerm& term : selector.terms) {
    Document item = Document::map();
    item.set_unless_empty("matchExpressions", requirements_document(term.match_expressions))
        .set_unless_empty("matchFields", requirements_document(term.match_fields));
    terms.add(std::move(item));
  }
  // Written even when empty: without terms the selector matches nothing, which is not the same as
  // having no selector.
  Document document = Document::map();
  document.set("nodeSelectorTerms", std::move(terms));
  return document;
}

std::string time_text(TimeUs time_us) {
  using namespace std::chrono;
  const sys_time<microseconds> time{microseconds{time_us}};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{floor<microseconds>(time - day)};
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", int{date.year()},
                                 unsigned{date.month()}, unsigned{date.day()}, clock.hours().count(),
                                 clock.minutes().count(), clock.seconds().count());
  if (clock.subseconds().count() != 0) text += fmt::format(".{:06}", clock.subseconds().count());
  return text + "Z";
}

Document node_document(const Node& node, Detail detail) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(node.name)).set_unless_empty("labels", labels_document(node.labels));

  Document taints = Document::list();
  for (const Taint& taint : node.taints) {
    Document item = Document::map();
    item.set("key", Document::text(taint.key));
    if (!taint.value.empty()) item.set("value", Document::text(taint.value));
    item.set("effect", Document::text(effect_text(taint.effect)));
    taints.add(std::move(item));
  }
  Document spec = Document::map();
  if (node.unschedulable) spec.set("unschedulable", Document::boolean(true));
  spec.set_unless_empty("taints", std::move(taints));

  Document status = Document::map();
  status.set("allocatable", resources_document(node.allocatable));
  if (detail == Detail::kDefaulted) status.set("capacity", resources_document(node.allocatable));
  status.set_unless_empty("declaredFeatures", Document::texts(node.declared_features));

  Document document = object_document("v1", "Node");
  document.set("metadata", std::move(metadata));
  if (detail == Detail::kDefaulted) {
    document.set("spec", std::move(spec));
  } else {
    document.set_unless_empty("spec", std::move(spec));
  }
  document.set("status", std::move(status));
  return document;
}

Document budget_document(const DisruptionBudget& budget, Detail detail) {
  Document metadata = metadata_document(budget.namespace_, budget.name, detail);

  Document spec = Document::map();
  if (budget.selector) spec.set("selector", selector_document(*budget.selector));

  Document status = Document::map();
  status.set("disruptionsAllowed", Document::number(budget.disruptions_allowed));
  Document disrupted = Document::map();
  // The times do not matter to the scheduler, only that the pod is listed
  // (plugins/defaultpreemption: filterPodsWithPDBViolation).
  for (const std::string& pod : budget.disrupted_pods) {
    disrupted.set(pod, Document::text("2026-01-01T00:00:00Z"));
  }
  status.set_unless_empty("disruptedPods", std::move(disrupted));

  Document document = object_document("policy/v1", "PodDisruptionBudget");
  document.set("metadata", std::move(metadata)).set("spec", std::move(spec)).set("status", std::move(status));
  return document;
}

Document priority_class_document(const PriorityClass& priority_class, Detail detail) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(priority_class.name));
  Document document = object_document("scheduling.k8s.io/v1", "PriorityClass");
  document.set("metadata", std::move(metadata)).set("value", Document::number(priority_class.value));
  if (priority_class.global_default) document.set("globalDefault", Document::boolean(true));
  if (priority_class.preemption_policy == PreemptionPolicy::kNever) {
    document.set("preemptionPolicy", Document::text("Never"));
  } else if (detail == Detail::kDefaulted) {
    document.set("preemptionPolicy", Document::text("PreemptLowerPriority"));
  }
  return document;
}

Document namespace_document(const Namespace& ns) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(ns.name)).set_unless_empty("labels", labels_document(ns.labels));
  Document document = object_document("v1", "Namespace");
  document.set("metadata", std::move(metadata));
  return document;
}

void for_each_object(const Cluster& cluster, Detail detail, const std::function<void(Document)>& visit) {
  bool classes_set_policy = false;
  for (const PriorityClass& item : cluster.priority_classes) {
    classes_set_policy |= item.global_default && item.preemption_policy == PreemptionPolicy::kNever;
  }
  for (const Node& item : cluster.nodes) visit(node_document(item, detail));
  for (const Pod& item : cluster.pods) visit(pod_document(item, detail, classes_set_policy));
  for (const DisruptionBudget& item : cluster.budgets) visit(budget_document(item, detail));
  for (const PriorityClass& item : cluster.priority_classes) visit(priority_class_document(item, detail));
  for (const Namespace& item : cluster.namespaces) visit(namespace_document(item));
  for (const PersistentVolumeClaim& item : cluster.claims) visit(claim_document(item, detail));
  for (const PersistentVolume& item : cluster.volumes) visit(volume_document(item, detail));
  for (const StorageClass& item : cluster.storage_classes) visit(storage_class_document(item, detail));
  for (const CsiNode& item : cluster.csi_nodes) visit(csi_node_document(item));
  for (const CsiDriver& item : cluster.csi_drivers) visit(csi_driver_document(item));
  for (const VolumeAttachment& item : cluster.volume_attachments) visit(attachment_document(item));
}

}  // namespace reprieve::manifest
