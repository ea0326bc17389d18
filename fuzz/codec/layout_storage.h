// The fields of the records of claims, volumes and what is around them, in order. Internal to codec/.
#pragma once

#include "reprieve/fuzz/codec/layout_cluster.h"
#include "reprieve/model/volume.h"

namespace reprieve::fuzz::layout {

constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";

/// Up to three modes as the digits of one byte in base 5; 0 is none.
template <class Io>
void access_modes(Io& io, typename Io::template Ref<std::vector<AccessMode>> modes) {
  if constexpr (Io::kReads) {
    for (int digits = io.byte() % 125; digits > 0; digits /= 5) {
      if (digits % 5 != 0) modes.push_back(static_cast<AccessMode>(digits % 5 - 1));
    }
  } else {
    int digits = 0, place = 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(modes.size(), 3); ++i, place *= 5) {
      digits += (static_cast<int>(modes[i]) + 1) * place;
    }
    io.byte(static_cast<std::uint8_t>(digits));
  }
}

template <class Io>
void claim(Io& io, typename Io::template Ref<PersistentVolumeClaim> claim) {
  const auto bound = claim.annotations.find(kBindCompleted);
  bool bind_completed = bound != claim.annotations.end() && bound->second == "yes";
  bool selector = claim.selector.has_value();
  io.text(pools::kClaimNames, claim.name);
  io.text(pools::kNamespaces, claim.namespace_);
  io.text(pools::kClaimUids, claim.uid);
  io.flags(claim.deleting, bind_completed, selector);
  io.text(pools::kOptionalTexts, claim.owner_pod_uid);
  access_modes(io, claim.access_modes);
  io.optional_text(pools::kClassReferences, claim.storage_class_name);
  io.text(pools::kVolumeReferences, claim.volume_name);
  io.text(pools::kVolumeModes, claim.volume_mode);
  io.quantity(pools::kStorageUnits_milli, claim.storage_request);
  io.text(pools::kClaimPhases, claim.phase);
  if constexpr (Io::kReads) {
    if (bind_completed) claim.annotations.emplace(kBindCompleted, "yes");
    if (selector) claim.selector.emplace();
  }
}

template <class Io>
void volume(Io& io, typename Io::template Ref<PersistentVolume> volume) {
  io.text(pools::kVolumeNames, volume.name);
  io.entry(volume.labels, "topology.kubernetes.io/zone", pools::kZones);
  bool affinity = volume.node_affinity.has_value();
  io.flags(volume.deleting, volume.has_claim_ref, affinity);
  access_modes(io, volume.access_modes);
  io.text(pools::kClassReferences, volume.storage_class_name);
  io.text(pools::kVolumeModes, volume.volume_mode);
  io.quantity(pools::kStorageUnits_milli, volume.capacity);
  io.text(pools::kSourceKinds, volume.source_kind);
  io.text(pools::kDrivers, volume.csi_driver);
  io.text(pools::kHandles, volume.csi_volume_handle);
  io.text(pools::kClaimNamespaces, volume.claim_namespace);
  io.text(pools::kClaimReferences, volume.claim_name);
  io.text(pools::kClaimUids, volume.claim_uid);
  io.text(pools::kVolumePhases, volume.phase);
  if constexpr (Io::kReads) {
    if (affinity) volume.node_affinity.emplace();
  }
}

template <class Io>
void storage_class(Io& io, typename Io::template Ref<StorageClass> storage_class) {
  io.text(pools::kClassNames, storage_class.name);
  io.text(pools::kProvisioners, storage_class.provisioner);
  io.flags(storage_class.wait_for_first_consumer, storage_class.is_default);
}

template <class Io>
void csi_node_driver(Io& io, typename Io::template Ref<CsiNodeDriver> driver) {
  io.text(pools::kDrivers, driver.name);
  io.number(Field::kAttachLimit, pools::kSmall, driver.allocatable_count);
}

template <class Io>
void csi_driver(Io& io, typename Io::template Ref<CsiDriver> driver) {
  io.text(pools::kDriverNames, driver.name);
  io.flags(driver.prevent_pod_scheduling_if_missing, driver.storage_capacity);
}

template <class Io>
void attachment(Io& io, typename Io::template Ref<VolumeAttachment> attachment) {
  io.text(pools::kAttachmentNames, attachment.name);
  io.text(pools::kDrivers, attachment.attacher);
  io.node(attachment.node_name);
  io.optional_text(pools::kVolumeReferences, attachment.persistent_volume_name);
}

}  // namespace reprieve::fuzz::layout
