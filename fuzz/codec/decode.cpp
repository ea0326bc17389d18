#include <algorithm>
#include <cstring>

#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/codec/decoder.h"
#include "reprieve/fuzz/codec/layout_cluster.h"
#include "reprieve/fuzz/codec/names.h"
#include "reprieve/fuzz/codec/normalise.h"
#include "reprieve/fuzz/codec/presets.h"

namespace reprieve::fuzz {
namespace {

constexpr bool is_object(Kind kind) { return kind >= Kind::kHeader && kind <= Kind::kExtender; }
constexpr bool is_pod(Kind kind) { return kind == Kind::kPod || kind == Kind::kPreemptor; }

Pod pod_of_one_core(std::string_view name, std::int32_t priority, std::string_view node) {
  Pod pod;
  pod.name = name;
  pod.priority = priority;
  pod.node_name = node;
  pod.phase = layout::usual_phase(!node.empty());
  Container& container = pod.containers.emplace_back();
  container.name = pools::kContainerNames[0];
  container.requests["cpu"] = {.units = 1, .milli = 0};
  return pod;
}

}  // namespace

Case Decoder::run() {
  result_.name = "fuzzed";
  result_.policy = preset_policy(0);
  survey();
  name_nodes();
  pass(true);
  add_what_is_missing();
  if (has_extenders_) {
    decoding_.pod_names.reserve(cluster().pods.size());
    for (const Pod& pod : cluster().pods) decoding_.pod_names.push_back(full_name(pod));
  }
  pass(false);
  normalise(result_);
  return std::move(result_);
}

/// A record, filled up with zeros when it is cut off.
const std::uint8_t* Decoder::record(std::size_t index) {
  const std::size_t begin = index * kRecordBytes;
  if (begin + kRecordBytes <= bytes_.size()) return bytes_.data() + begin;
  last_.fill(0);
  std::memcpy(last_.data(), bytes_.data() + begin, bytes_.size() - begin);
  return last_.data();
}

void Decoder::survey() {
  bool header = false, text_goes_on = false;
  std::size_t nodes = 0, pods = 0;
  for (std::size_t i = 0; i < records(); ++i) {
    const std::uint8_t* bytes = record(i);
    const Kind kind = kind_of(bytes[0]);
    nodes += kind == Kind::kNode ? 1 : 0;
    pods += is_pod(kind) ? 1 : 0;
    has_extenders_ |= kind == Kind::kExtender;
    if (kind == Kind::kHeader && !header) {
      header = true;
      read_header(bytes);
    }
    if (kind == Kind::kText || kind == Kind::kTextMore) text_goes_on = read_text(kind, bytes, text_goes_on);
  }
  // Parts keep pointers to the object that they are added to.
  cluster().nodes.reserve(std::min(nodes + 1, kMaxNodes));
  cluster().pods.reserve(std::min(pods + 2, kMaxPods));
}

void Decoder::read_header(const std::uint8_t* bytes) {
  RecordReader io(bytes, decoding_);
  result_.policy = preset_policy(io.byte());
  decoding_.units.cpu = static_cast<std::uint8_t>(io.byte() % pools::kCpuUnits_milli.size());
  decoding_.units.bytes = static_cast<std::uint8_t>(io.byte() % pools::kByteUnits_milli.size());
  layout::sampling(io, result_.policy.sampling);
}

/// Whether the text goes on in the next record.
bool Decoder::read_text(Kind kind, const std::uint8_t* bytes, bool goes_on) {
  if (kind == Kind::kText) {
    if (decoding_.texts.size() == kMaxTexts) return false;
    decoding_.texts.emplace_back();
  } else if (!goes_on) {
    return false;
  }
  std::string& text = decoding_.texts.back();
  for (std::size_t i = 1; i < kRecordBytes; ++i) {
    if (bytes[i] == 0 || text.size() == kMaxTextBytes) return false;
    text += bytes[i] >= 0x20 && bytes[i] < 0x7f ? static_cast<char>(bytes[i]) : '-';
  }
  return true;
}

void Decoder::name_nodes() {
  auto& names = decoding_.node_names;
  for (std::size_t i = 0; i < records() && names.size() < kMaxNodes; ++i) {
    const std::uint8_t* bytes = record(i);
    if (kind_of(bytes[0]) != Kind::kNode) continue;
    std::string name;
    RecordReader(bytes, decoding_).text(pools::kNodeNames, name);
    make_unique(name, pools::kNodeNames, [&](std::string_view taken) {
      return std::find(names.begin(), names.end(), taken) != names.end();
    });
    names.push_back(std::move(name));
  }
  if (names.empty()) names.emplace_back(pools::kNodeNames[0]);
}

void Decoder::pass(bool nodes_and_pods) {
  bool wanted = false;
  for (std::size_t i = 0; i < records(); ++i) {
    const std::uint8_t* bytes = record(i);
    const Kind kind = kind_of(bytes[0]);
    if (is_object(kind)) {
      wanted = nodes_and_pods == (kind == Kind::kNode || is_pod(kind));
      if (!wanted) continue;
      RecordReader io(bytes, decoding_);
      begin_object(kind, io);
    } else if (wanted) {
      add_part(kind, bytes);
    }
  }
  object_ = Kind::kNothing;
}

/// A node, somebody on it, and somebody who wants that place.
void Decoder::add_what_is_missing() {
  if (cluster().nodes.empty()) {
    Node& node = cluster().nodes.emplace_back();
    node.name = decoding_.node_names.front();
    node.allocatable["cpu"] = {.units = 1, .milli = 0};
    node.allocatable["pods"] = {.units = 110, .milli = 0};
  }
  auto& pods = cluster().pods;
  if (pods.empty()) pods.push_back(pod_of_one_core(pools::kPodNames[1], 0, cluster().nodes.front().name));
  if (!result_.preemptor.empty()) return;
  pods.push_back(pod_of_one_core(pools::kPodNames[0], 1000, ""));
  make_last_unique(pods, pools::kPodNames);
  result_.preemptor = full_name(pods.back());
}

Case decode(std::span<const std::uint8_t> bytes) { return Decoder(bytes).run(); }

}  // namespace reprieve::fuzz
