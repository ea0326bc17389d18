#include <fmt/format.h>

#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/codec/encoder.h"
#include "reprieve/fuzz/codec/exact.h"
#include "reprieve/fuzz/codec/layout_cluster.h"
#include "reprieve/fuzz/codec/presets.h"

namespace reprieve::fuzz {
namespace {

/// Every amount of the given resources in the case.
template <class Visit>
void for_each_amount(const Case& question, const Visit& visit) {
  const auto list = [&](const ResourceList& resources) {
    for (const auto& [name, quantity] : resources) visit(name, quantity);
  };
  for (const Node& node : question.cluster.nodes) list(node.allocatable);
  for (const Pod& pod : question.cluster.pods) {
    for (const Container& container : pod.containers) list(container.requests);
    for (const Container& container : pod.init_containers) list(container.requests);
  }
}

/// The first part in which two cases differ; empty: none.
std::string_view first_difference(const Case& left, const Case& right) {
  if (left.preemptor != right.preemptor) return "preemptor";
  if (left.policy != right.policy) return "policy";
  if (left.extenders != right.extenders) return "extenders";
  const Cluster& a = left.cluster;
  const Cluster& b = right.cluster;
  if (a.nodes != b.nodes) return "nodes";
  if (a.pods != b.pods) return "pods";
  if (a.budgets != b.budgets) return "budgets";
  if (a.priority_classes != b.priority_classes) return "priority classes";
  if (a.namespaces != b.namespaces) return "namespaces";
  if (a.claims != b.claims) return "claims";
  if (a.volumes != b.volumes) return "volumes";
  if (a.storage_classes != b.storage_classes) return "storage classes";
  if (a.csi_nodes != b.csi_nodes) return "CSI nodes";
  if (a.csi_drivers != b.csi_drivers) return "CSI drivers";
  if (a.volume_attachments != b.volume_attachments) return "attachments";
  return "";
}

/// The first item that differs, for a message.
template <class Item, class Name>
std::string first_item(const std::vector<Item>& left, const std::vector<Item>& right, const Name& name) {
  if (left.size() > right.size()) return fmt::format("{} of them, at most {}", left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!(left[i] == right[i])) return name(left[i]);
  }
  return "";
}

}  // namespace

/// Those by which most amounts are small steps.
void Encoder::choose_units() {
  Units& units = encoding_.units;
  std::array<int, pools::kCpuUnits_milli.size()> cpu{};
  std::array<int, pools::kByteUnits_milli.size()> bytes{};
  for_each_amount(question_, [&](std::string_view name, Quantity quantity) {
    if (name == "cpu") {
      for (std::size_t i = 0; i < cpu.size(); ++i) {
        cpu[i] += byte_of({.cpu = static_cast<std::uint8_t>(i)}, name, quantity) != 0 ? 1 : 0;
      }
    } else if (name == "memory" || name == "ephemeral-storage") {
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] += byte_of({.bytes = static_cast<std::uint8_t>(i)}, name, quantity) != 0 ? 1 : 0;
      }
    }
  });
  units.cpu = static_cast<std::uint8_t>(std::max_element(cpu.begin(), cpu.end()) - cpu.begin());
  units.bytes = static_cast<std::uint8_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

void Encoder::header() {
  const Policy& policy = question_.policy;
  const auto preset = preset_of(policy);
  record(Kind::kHeader, [&](RecordWriter& io) {
    io.byte(preset.value_or(0));
    io.byte(encoding_.units.cpu);
    io.byte(encoding_.units.bytes);
    layout::sampling(io, policy.sampling);
  });
  if (!preset) record(Kind::kPolicy, [&](RecordWriter& io) { layout::policy(io, policy); });
}

void Encoder::texts() {
  for (std::string_view text : encoding_.texts) {
    Kind kind = Kind::kText;
    do {
      const std::string_view now = text.substr(0, kRecordBytes - 1);
      record(kind, [&](RecordWriter& io) {
        for (const char c : now) io.byte(static_cast<std::uint8_t>(c));
      });
      text.remove_prefix(now.size());
      kind = Kind::kTextMore;
    } while (!text.empty());
  }
}

void Encoder::exact_numbers() {
  std::vector<ExactNumber> numbers;
  numbers.swap(encoding_.exact);
  for (const ExactNumber& number : numbers) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + kRecordBytes);
    bytes_[at] = static_cast<std::uint8_t>(Kind::kNumber);
    bytes_[at + 1] = static_cast<std::uint8_t>(number.field);
    put_little_endian(&bytes_[at + kNumberAt], 8, static_cast<std::uint64_t>(number.value));
  }
}

Bytes Encoder::run() {
  const Cluster& cluster = question_.cluster;
  bytes_.reserve((cluster.pods.size() * 2 + cluster.nodes.size() + 8) * kRecordBytes);
  for (const Node& node : cluster.nodes) encoding_.node_names.push_back(node.name);
  if (!question_.extenders.empty()) {
    for (const Pod& pod : cluster.pods) encoding_.pod_names.push_back(full_name(pod));
  }
  choose_units();
  header();
  for (const Node& item : cluster.nodes) node(item);
  for (const Pod& item : cluster.pods) pod(item);
  for (const DisruptionBudget& item : cluster.budgets) budget(item);
  for (const Namespace& item : cluster.namespaces) name_space(item);
  for (const PriorityClass& item : cluster.priority_classes) priority_class(item);
  storage();
  for (const Extender& item : question_.extenders) extender(item);
  texts();
  return std::move(bytes_);
}

Bytes encode_roughly(const Case& question) { return Encoder(question).run(); }

std::expected<Bytes, std::string> encode(const Case& question) {
  Bytes bytes = encode_roughly(question);
  const Case back = decode(bytes);
  const std::string_view what = first_difference(question, back);
  if (what.empty()) return bytes;
  std::string which;
  if (what == "nodes") {
    which =
        first_item(question.cluster.nodes, back.cluster.nodes, [](const Node& node) { return node.name; });
  } else if (what == "pods") {
    which =
        first_item(question.cluster.pods, back.cluster.pods, [](const Pod& pod) { return full_name(pod); });
  }
  return std::unexpected(
      fmt::format("out of the codec's bounds: {}{}{}", what, which.empty() ? "" : ": ", which));
}

}  // namespace reprieve::fuzz
