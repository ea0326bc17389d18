// Claims, volumes and the storage objects around them.
#include <algorithm>

#include "reprieve/manifest/decode_kinds.h"

namespace reprieve::manifest {
namespace {

constexpr std::string_view kBetaStorageClass = "volume.beta.kubernetes.io/storage-class";

constexpr std::pair<std::string_view, AccessMode> kAccessModes[] = {
    {"ReadWriteOnce", AccessMode::kReadWriteOnce},
    {"ReadOnlyMany", AccessMode::kReadOnlyMany},
    {"ReadWriteMany", AccessMode::kReadWriteMany},
    {"ReadWriteOncePod", AccessMode::kReadWriteOncePod}};

constexpr std::pair<std::string_view, std::string_view> kVolumeModes[] = {{"Filesystem", "Filesystem"},
                                                                          {"Block", "Block"}};

constexpr std::pair<std::string_view, bool> kBindingModes[] = {{"Immediate", false},
                                                               {"WaitForFirstConsumer", true}};

constexpr std::pair<std::string_view, std::string_view> kClaimPhases[] = {
    {"", ""}, {"Pending", "Pending"}, {"Bound", "Bound"}, {"Lost", "Lost"}};

constexpr std::pair<std::string_view, std::string_view> kVolumePhases[] = {
    {"", ""},           {"Pending", "Pending"},   {"Available", "Available"},
    {"Bound", "Bound"}, {"Released", "Released"}, {"Failed", "Failed"}};

std::vector<AccessMode> decode_access_modes(Decoder& decoder, Element value) {
  std::vector<AccessMode> modes;
  decoder.elements(value, [&](Element element) { modes.push_back(decoder.choice(element, kAccessModes)); });
  return modes;
}

/// `storage` of a resource list.
Quantity decode_storage_amount(Decoder& decoder, Element value) {
  const ResourceList resources = decoder.resources(value);
  const auto found = resources.find("storage");
  return found == resources.end() ? Quantity{} : found->second;
}

/// status.phase, one of the allowed words.
template <std::size_t N>
std::string decode_phase(Decoder& decoder, Element value,
                         const std::pair<std::string_view, std::string_view> (&allowed)[N]) {
  std::string phase;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "phase") phase = decoder.choice(field, allowed);
  });
  return phase;
}

void decode_claim_spec(Decoder& decoder, Element value, PersistentVolumeClaim& claim) {
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "accessModes") {
      claim.access_modes = decode_access_modes(decoder, field);
    } else if (key == "storageClassName") {
      claim.storage_class_name = decoder.text(field);
    } else if (key == "volumeName") {
      claim.volume_name = decoder.text(field);
    } else if (key == "selector") {
      claim.selector = decode_label_selector(decoder, field);
    } else if (key == "volumeMode") {
      claim.volume_mode = decoder.choice(field, kVolumeModes);
    } else if (key == "resources") {
      decoder.fields(field, [&](std::string_view resources_key, Element requests) {
        if (resources_key == "requests") claim.storage_request = decode_storage_amount(decoder, requests);
      });
    }
  });
}

void decode_claim_reference(Decoder& decoder, Element value, PersistentVolume& volume) {
  volume.has_claim_ref = true;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "namespace") {
      volume.claim_namespace = decoder.text(field);
    } else if (key == "name") {
      volume.claim_name = decoder.text(field);
    } else if (key == "uid") {
      volume.claim_uid = decoder.text(field);
    }
  });
}

/// The field names of PersistentVolumeSource, of which one is set.
bool is_volume_source(std::string_view key) {
  static constexpr std::string_view kSources[] = {"gcePersistentDisk",
                                                  "awsElasticBlockStore",
                                                  "hostPath",
                                                  "glusterfs",
                                                  "nfs",
                                                  "rbd",
                                                  "iscsi",
                                                  "cinder",
                                                  "cephfs",
                                                  "fc",
                                                  "flocker",
                                                  "flexVolume",
                                                  "azureFile",
                                                  "azureDisk",
                                                  "vsphereVolume",
                                                  "quobyte",
                                                  "photonPersistentDisk",
                                                  "scaleIO",
                                                  "local",
                                                  "portworxVolume",
                                                  "storageos",
                                                  "csi"};
  return std::ranges::find(kSources, key) != std::end(kSources);
}

void decode_volume_spec(Decoder& decoder, Element value, PersistentVolume& volume) {
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "capacity") {
      volume.capacity = decode_storage_amount(decoder, field);
    } else if (key == "accessModes") {
      volume.access_modes = decode_access_modes(decoder, field);
    } else if (key == "storageClassName") {
      volume.storage_class_name = decoder.text(field);
    } else if (key == "volumeMode") {
      volume.volume_mode = decoder.choice(field, kVolumeModes);
    } else if (key == "claimRef") {
      decode_claim_reference(decoder, field, volume);
    } else if (key == "nodeAffinity") {
      decoder.fields(field, [&](std::string_view affinity_key, Element required) {
        if (affinity_key == "required") volume.node_affinity = decode_node_selector(decoder, required);
      });
    } else if (is_volume_source(key)) {
      if (!volume.source_kind.empty())
        decoder.fail("a volume has one source; there is " + volume.source_kind + " too");
      volume.source_kind = key;
      if (key != "csi") return;
      decoder.fields(field, [&](std::string_view csi_key, Element csi) {
        if (csi_key == "driver") volume.csi_driver = decoder.text(csi);
        if (csi_key == "volumeHandle") volume.csi_volume_handle = decoder.text(csi);
      });
    }
  });
}

NodeSelectorTerm decode_topology_term(Decoder& decoder, Element value) {
  NodeSelectorTerm term;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key != "matchLabelExpressions") decoder.fail_unknown_field();
    decoder.elements(field, [&](Element element) {
      SelectorRequirement& requirement = term.match_expressions.emplace_back();
      decoder.fields(element, [&](std::string_view requirement_key, Element part) {
        if (requirement_key == "key") requirement.key = decoder.text(part);
        if (requirement_key == "values") requirement.values = decoder.texts(part);
      });
    });
  });
  return term;
}

CsiNodeDriver decode_node_driver(Decoder& decoder, Element value) {
  CsiNodeDriver driver;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "name") {
      driver.name = decoder.text(field);
    } else if (key == "allocatable") {
      decoder.fields(field, [&](std::string_view allocatable_key, Element count) {
        if (allocatable_key == "count") driver.allocatable_count = decoder.int32(count);
      });
    }
  });
  if (driver.name.empty()) decoder.fail_at("name", "is required");
  return driver;
}

}  // namespace

PersistentVolumeClaim decode_claim(Decoder& decoder, Element value) {
  PersistentVolumeClaim claim;
  Metadata metadata;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      decode_metadata(decoder, field, Annotations::kRead, metadata);
    } else if (key == "spec") {
      decode_claim_spec(decoder, field, claim);
    } else if (key == "status") {
      claim.phase = decode_phase(decoder, field, kClaimPhases);
    }
  });
  require_name(decoder, metadata.name);
  claim.namespace_ = std::move(metadata.namespace_);
  claim.name = std::move(metadata.name);
  claim.uid = std::move(metadata.uid);
  claim.deleting = metadata.deletion_time_us.has_value();
  claim.owner_pod_uid = std::move(metadata.owner_pod_uid);
  // GetPersistentVolumeClaimClass of component-helpers: the annotation comes first.
  if (const auto beta = metadata.annotations.find(kBetaStorageClass); beta != metadata.annotations.end()) {
    claim.storage_class_name = beta->second;
  }
  // Those that pkg/scheduler/framework/plugins/volumebinding/binder.go reads.
  for (const std::string_view kept :
       {"pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller",
        "volume.kubernetes.io/selected-node"}) {
    if (const auto found = metadata.annotations.find(kept); found != metadata.annotations.end()) {
      claim.annotations.emplace(kept, found->second);
    }
  }
  return claim;
}

PersistentVolume decode_volume(Decoder& decoder, Element value) {
  PersistentVolume volume;
  Metadata metadata;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      decode_metadata(decoder, field, Annotations::kRead, metadata);
    } else if (key == "spec") {
      decode_volume_spec(decoder, field, volume);
    } else if (key == "status") {
      volume.phase = decode_phase(decoder, field, kVolumePhases);
    }
  });
  require_name(decoder, metadata.name);
  volume.name = std::move(metadata.name);
  volume.labels = std::move(metadata.labels);
  volume.deleting = metadata.deletion_time_us.has_value();
  // GetPersistentVolumeClass.
  if (const auto beta = metadata.annotations.find(kBetaStorageClass); beta != metadata.annotations.end()) {
    volume.storage_class_name = beta->second;
  }
  return volume;
}

DecodedStorageClass decode_storage_class(Decoder& decoder, Element value) {
  DecodedStorageClass decoded;
  StorageClass& storage_class = decoded.storage_class;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kRead, metadata);
      storage_class.name = std::move(metadata.name);
      decoded.creation_time_us = metadata.creation_time_us;
      // pkg/volume/util IsDefaultAnnotation.
      for (const std::string_view name : {"storageclass.kubernetes.io/is-default-class",
                                          "storageclass.beta.kubernetes.io/is-default-class"}) {
        const auto found = metadata.annotations.find(name);
        if (found != metadata.annotations.end() && found->second == "true") storage_class.is_default = true;
      }
    } else if (key == "provisioner") {
      storage_class.provisioner = decoder.text(field);
    } else if (key == "volumeBindingMode") {
      storage_class.wait_for_first_consumer = decoder.choice(field, kBindingModes);
    } else if (key == "allowedTopologies") {
      decoder.elements(field, [&](Element element) {
        storage_class.allowed_topologies.push_back(decode_topology_term(decoder, element));
      });
    }
  });
  require_name(decoder, storage_class.name);
  return decoded;
}

CsiNode decode_csi_node(Decoder& decoder, Element value) {
  CsiNode csi_node;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kRead, metadata);
      csi_node.name = std::move(metadata.name);
      const auto plugins = metadata.annotations.find("storage.alpha.kubernetes.io/migrated-plugins");
      if (plugins == metadata.annotations.end()) return;
      for (std::string_view rest = plugins->second; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        if (comma > 0) csi_node.migrated_plugins.emplace_back(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    } else if (key == "spec") {
      decoder.fields(field, [&](std::string_view spec_key, Element drivers) {
        if (spec_key != "drivers") return;
        decoder.elements(drivers, [&](Element element) {
          csi_node.drivers.push_back(decode_node_driver(decoder, element));
        });
      });
    }
  });
  require_name(decoder, csi_node.name);
  return csi_node;
}

CsiDriver decode_csi_driver(Decoder& decoder, Element value) {
  CsiDriver driver;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kSkip, metadata);
      driver.name = std::move(metadata.name);
    } else if (key == "spec") {
      decoder.fields(field, [&](std::string_view spec_key, Element spec) {
        if (spec_key == "storageCapacity") driver.storage_capacity = decoder.boolean(spec);
        if (spec_key == "preventPodSchedulingIfMissing") {
          driver.prevent_pod_scheduling_if_missing = decoder.boolean(spec);
        }
      });
    }
  });
  require_name(decoder, driver.name);
  return driver;
}

VolumeAttachment decode_volume_attachment(Decoder& decoder, Element value) {
  VolumeAttachment attachment;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kSkip, metadata);
      attachment.name = std::move(metadata.name);
    } else if (key == "spec") {
      decoder.fields(field, [&](std::string_view spec_key, Element spec) {
        if (spec_key == "attacher") {
          attachment.attacher = decoder.text(spec);
        } else if (spec_key == "nodeName") {
          attachment.node_name = decoder.text(spec);
        } else if (spec_key == "source") {
          decoder.fields(spec, [&](std::string_view source_key, Element source) {
            if (source_key == "persistentVolumeName")
              attachment.persistent_volume_name = decoder.text(source);
          });
        }
      });
    }
  });
  require_name(decoder, attachment.name);
  return attachment;
}

}  // namespace reprieve::manifest
