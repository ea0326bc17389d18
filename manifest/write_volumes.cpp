// Storage objects as manifests.
#include <utility>

#include "reprieve/manifest/write_objects.h"

namespace reprieve::manifest {
namespace {

std::string_view mode_text(AccessMode mode) {
  switch (mode) {
    case AccessMode::kReadWriteOnce: return "ReadWriteOnce";
    case AccessMode::kReadOnlyMany: return "ReadOnlyMany";
    case AccessMode::kReadWriteMany: return "ReadWriteMany";
    case AccessMode::kReadWriteOncePod: return "ReadWriteOncePod";
  }
  std::unreachable();
}

Document modes_document(const std::vector<AccessMode>& modes) {
  Document list = Document::list();
  for (const AccessMode mode : modes) list.add(Document::text(mode_text(mode)));
  return list;
}

Document storage_document(Quantity quantity) {
  Document document = Document::map();
  document.set("storage", amount_document("storage", quantity));
  return document;
}

void set_text(Document& map, std::string_view key, std::string_view value) {
  if (!value.empty()) map.set(key, Document::text(value));
}

void set_deleting(Document& metadata, bool deleting) {
  // Only that there is a time matters to a filter, not which.
  if (deleting) metadata.set("deletionTimestamp", Document::text("2026-01-01T00:00:00Z"));
}

Document phase_document(const std::string& phase) {
  Document status = Document::map();
  set_text(status, "phase", phase);
  return status;
}

/// The source field of a PersistentVolume: CSI in full, the others with what their kind requires.
Document volume_source(const PersistentVolume& volume) {
  Document source = Document::map();
  const std::string& kind = volume.source_kind;
  if (kind == "csi") {
    source.set("driver", Document::text(volume.csi_driver))
        .set("volumeHandle", Document::text(volume.csi_volume_handle));
  } else if (kind == "local" || kind == "hostPath") {
    source.set("path", Document::text("/" + volume.name));
  } else if (kind == "gcePersistentDisk") {
    source.set("pdName", Document::text(volume.name));
  } else if (kind == "awsElasticBlockStore") {
    source.set("volumeID", Document::text(volume.name));
  } else if (kind == "azureDisk") {
    source.set("diskName", Document::text(volume.name)).set("diskURI", Document::text(volume.name));
  }
  return source;
}

}  // namespace

Document claim_document(const PersistentVolumeClaim& claim, Detail detail) {
  Document metadata = metadata_document(claim.namespace_, claim.name, detail);
  set_text(metadata, "uid", claim.uid);
  Document annotations = Document::map();
  for (const auto& [key, value] : claim.annotations) annotations.set(key, Document::text(value));
  metadata.set_unless_empty("annotations", std::move(annotations));
  if (!claim.owner_pod_uid.empty()) {
    Document owner = Document::map();
    owner.set("apiVersion", Document::text("v1"))
        .set("kind", Document::text("Pod"))
        .set("name", Document::text("owner"))
        .set("uid", Document::text(claim.owner_pod_uid))
        .set("controller", Document::boolean(true));
    metadata.set("ownerReferences", Document::list().add(std::move(owner)));
  }
  set_deleting(metadata, claim.deleting);

  Document spec = Document::map();
  spec.set_unless_empty("accessModes", modes_document(claim.access_modes));
  // "" and absent differ: the first asks for no class, the second for the default one.
  if (claim.storage_class_name) spec.set("storageClassName", Document::text(*claim.storage_class_name));
  set_text(spec, "volumeName", claim.volume_name);
  if (claim.selector) spec.set("selector", selector_document(*claim.selector));
  if (detail == Detail::kDefaulted || claim.volume_mode != "Filesystem") {
    spec.set("volumeMode", Document::text(claim.volume_mode));
  }
  if (!is_zero(claim.storage_request)) {
    Document resources = Document::map();
    resources.set("requests", storage_document(claim.storage_request));
    spec.set("resources", std::move(resources));
  }
  Document document = object_document("v1", "PersistentVolumeClaim");
  document.set("metadata", std::move(metadata))
      .set("spec", std::move(spec))
      .set_unless_empty("status", phase_document(claim.phase));
  return document;
}

Document volume_document(const PersistentVolume& volume, Detail detail) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(volume.name))
      .set_unless_empty("labels", labels_document(volume.labels));
  set_deleting(metadata, volume.deleting);

  Document spec = Document::map();
  if (!is_zero(volume.capacity)) spec.set("capacity", storage_document(volume.capacity));
  spec.set_unless_empty("accessModes", modes_document(volume.access_modes));
  set_text(spec, "storageClassName", volume.storage_class_name);
  if (detail == Detail::kDefaulted || volume.volume_mode != "Filesystem") {
    spec.set("volumeMode", Document::text(volume.volume_mode));
  }
  if (!volume.source_kind.empty()) spec.set(volume.source_kind, volume_source(volume));
  if (volume.has_claim_ref) {
    Document reference = Document::map();
    reference.set("kind", Document::text("PersistentVolumeClaim"))
        .set("namespace", Document::text(volume.claim_namespace))
        .set("name", Document::text(volume.claim_name));
    set_text(reference, "uid", volume.claim_uid);
    spec.set("claimRef", std::move(reference));
  }
  if (volume.node_affinity) {
    Document affinity = Document::map();
    affinity.set("required", node_selector_document(*volume.node_affinity));
    spec.set("nodeAffinity", std::move(affinity));
  }
  Document document = object_document("v1", "PersistentVolume");
  document.set("metadata", std::move(metadata))
      .set("spec", std::move(spec))
      .set_unless_empty("status", phase_document(volume.phase));
  return document;
}

Document storage_class_document(const StorageClass& storage_class, Detail detail) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(storage_class.name));
  if (storage_class.is_default) {
    Document annotations = Document::map();
    annotations.set("storageclass.kubernetes.io/is-default-class", Document::text("true"));
    metadata.set("annotations", std::move(annotations));
  }
  Document document = object_document("storage.k8s.io/v1", "StorageClass");
  document.set("metadata", std::move(metadata)).set("provisioner", Document::text(storage_class.provisioner));
  if (storage_class.wait_for_first_consumer) {
    document.set("volumeBindingMode", Document::text("WaitForFirstConsumer"));
  } else if (detail == Detail::kDefaulted) {
    document.set("volumeBindingMode", Document::text("Immediate"));
  }
  Document topologies = Document::list();
  for (const NodeSelectorTerm& term : storage_class.allowed_topologies) {
    Document expressions = Document::list();
    for (const SelectorRequirement& requirement : term.match_expressions) {
      Document expression = Document::map();
      expression.set("key", Document::text(requirement.key))
          .set("values", Document::texts(requirement.values));
      expressions.add(std::move(expression));
    }
    Document item = Document::map();
    item.set("matchLabelExpressions", std::move(expressions));
    topologies.add(std::move(item));
  }
  document.set_unless_empty("allowedTopologies", std::move(topologies));
  return document;
}

Document csi_node_document(const CsiNode& csi_node) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(csi_node.name));
  if (!csi_node.migrated_plugins.empty()) {
    std::string plugins;
    for (const std::string& plugin : csi_node.migrated_plugins) {
      if (!plugins.empty()) plugins += ',';
      plugins += plugin;
    }
    Document annotations = Document::map();
    annotations.set("storage.alpha.kubernetes.io/migrated-plugins", Document::text(plugins));
    metadata.set("annotations", std::move(annotations));
  }
  Document drivers = Document::list();
  for (const CsiNodeDriver& driver : csi_node.drivers) {
    Document item = Document::map();
    item.set("name", Document::text(driver.name)).set("nodeID", Document::text(csi_node.name));
    if (driver.allocatable_count) {
      Document allocatable = Document::map();
      allocatable.set("count", Document::number(*driver.allocatable_count));
      item.set("allocatable", std::move(allocatable));
    }
    drivers.add(std::move(item));
  }
  Document spec = Document::map();
  spec.set("drivers", std::move(drivers));
  Document document = object_document("storage.k8s.io/v1", "CSINode");
  document.set("metadata", std::move(metadata)).set("spec", std::move(spec));
  return document;
}

Document csi_driver_document(const CsiDriver& csi_driver) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(csi_driver.name));
  Document spec = Document::map();
  if (csi_driver.storage_capacity) spec.set("storageCapacity", Document::boolean(true));
  if (csi_driver.prevent_pod_scheduling_if_missing) {
    spec.set("preventPodSchedulingIfMissing", Document::boolean(true));
  }
  Document document = object_document("storage.k8s.io/v1", "CSIDriver");
  document.set("metadata", std::move(metadata)).set("spec", std::move(spec));
  return document;
}

Document attachment_document(const VolumeAttachment& attachment) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(attachment.name));
  Document source = Document::map();
  if (attachment.persistent_volume_name) {
    source.set("persistentVolumeName", Document::text(*attachment.persistent_volume_name));
  }
  Document spec = Document::map();
  spec.set("attacher", Document::text(attachment.attacher))
      .set("nodeName", Document::text(attachment.node_name))
      .set("source", std::move(source));
  Document document = object_document("storage.k8s.io/v1", "VolumeAttachment");
  document.set("metadata", std::move(metadata)).set("spec", std::move(spec));
  return document;
}

}  // namespace reprieve::manifest
