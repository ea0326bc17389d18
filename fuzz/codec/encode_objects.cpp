// Everything but pods as records.
#include "reprieve/fuzz/codec/encoder.h"
#include "reprieve/fuzz/codec/layout_storage.h"

namespace reprieve::fuzz {

void Encoder::node(const Node& node) {
  record(Kind::kNode, [&](RecordWriter& io) { layout::node(io, node, node.name); });
  amounts(List::kOwn, node.allocatable, layout::kInlinedInNode);
  const auto own = node.labels.find(layout::kHostname);
  const bool hostname = own != node.labels.end() && own->second == node.name;
  // The flag is as good as a key with a byte.
  labels(node.labels, {"topology.kubernetes.io/zone", "zone", "rank", hostname ? layout::kHostname : "zone"});
  for (std::size_t i = layout::usual_taint(node) != 0 ? 1 : 0; i < node.taints.size(); ++i) {
    record(Kind::kTaint, [&](RecordWriter& io) { layout::taint(io, node.taints[i]); });
  }
  if (layout::declares(node, 0) || layout::declares(node, 1)) return;
  for (const std::string& feature : node.declared_features) {
    record(Kind::kFeature, [&](RecordWriter& io) { io.text(pools::kFeatures, feature); });
  }
}

void Encoder::budget(const DisruptionBudget& budget) {
  const std::vector<std::string> disrupted(budget.disrupted_pods.begin(), budget.disrupted_pods.end());
  record(Kind::kBudget, [&](RecordWriter& io) { layout::budget(io, budget, disrupted); });
  for (std::size_t i = layout::kDisruptedInBudget; i < disrupted.size(); i += layout::kDisruptedInRecord) {
    record(Kind::kDisrupted, [&](RecordWriter& io) {
      io.items(pools::kPodNames, std::span(disrupted).subspan(i), layout::kDisruptedInRecord);
    });
  }
  if (budget.selector) selector(*budget.selector, false);
}

void Encoder::name_space(const Namespace& name_space) {
  record(Kind::kNamespace, [&](RecordWriter& io) { layout::name_space(io, name_space); });
  labels(name_space.labels, {"team", layout::kNamespaceLabel});
}

void Encoder::priority_class(const PriorityClass& priority_class) {
  record(Kind::kPriorityClass, [&](RecordWriter& io) { layout::priority_class(io, priority_class); });
}

void Encoder::extender(const Extender& extender) {
  record(Kind::kExtender, [&](RecordWriter& io) { layout::extender(io, extender); });
  if (!extender.answer) return;
  for (const auto& [node, answer] : *extender.answer) {
    std::size_t from = 0;
    do {
      const auto until = std::min(answer.victims.size(), from + layout::kVictimsInAnswer);
      const std::vector<std::string> some(answer.victims.begin() + static_cast<std::ptrdiff_t>(from),
                                          answer.victims.begin() + static_cast<std::ptrdiff_t>(until));
      record(Kind::kAnswer, [&](RecordWriter& io) { layout::answer(io, node, answer.violations, some); });
      from = until;
    } while (from < answer.victims.size());
  }
}

void Encoder::storage() {
  const Cluster& cluster = question_.cluster;
  for (const StorageClass& item : cluster.storage_classes) {
    record(Kind::kStorageClass, [&](RecordWriter& io) { layout::storage_class(io, item); });
    node_terms(item.allowed_topologies);
  }
  for (const PersistentVolume& item : cluster.volumes) volume(item);
  for (const PersistentVolumeClaim& item : cluster.claims) claim(item);
  for (const CsiNode& item : cluster.csi_nodes) {
    const CsiNodeDriver first = item.drivers.empty() ? CsiNodeDriver{} : item.drivers.front();
    record(Kind::kCsiNode, [&](RecordWriter& io) {
      io.node(item.name);
      layout::csi_node_driver(io, first);
      io.items(pools::kMigratedPlugins, item.migrated_plugins, 3);
    });
    for (std::size_t i = 1; i < item.drivers.size(); ++i) {
      record(Kind::kCsiNodeDriver, [&](RecordWriter& io) { layout::csi_node_driver(io, item.drivers[i]); });
    }
  }
  for (const CsiDriver& item : cluster.csi_drivers) {
    record(Kind::kCsiDriver, [&](RecordWriter& io) { layout::csi_driver(io, item); });
  }
  for (const VolumeAttachment& item : cluster.volume_attachments) {
    record(Kind::kAttachment, [&](RecordWriter& io) { layout::attachment(io, item); });
  }
}

void Encoder::claim(const PersistentVolumeClaim& claim) {
  record(Kind::kClaim, [&](RecordWriter& io) { layout::claim(io, claim); });
  exact_quantity();
  for (const auto& [key, value] : claim.annotations) {
    if (key == layout::kBindCompleted && value == "yes") continue;
    record(Kind::kAnnotation, [&](RecordWriter& io) {
      io.text(pools::kAnnotations, key);
      io.text(pools::kAnnotationValues, value);
    });
  }
  if (!claim.selector) return;
  for (const auto& [key, value] : claim.selector->match_labels) {
    record(Kind::kSelectorLabel, [&](RecordWriter& io) { layout::selector_label(io, false, key, value); });
  }
  requirements(claim.selector->match_expressions, layout::kOfSelector);
}

void Encoder::volume(const PersistentVolume& volume) {
  record(Kind::kVolume, [&](RecordWriter& io) { layout::volume(io, volume); });
  exact_quantity();
  labels(volume.labels, {"topology.kubernetes.io/zone"});
  if (volume.node_affinity) node_terms(volume.node_affinity->terms);
}

void Encoder::exact_quantity() {
  if (!encoding_.exact_quantity) return;
  amount(List::kOwn, "storage", *encoding_.exact_quantity);
  encoding_.exact_quantity.reset();
}

}  // namespace reprieve::fuzz
