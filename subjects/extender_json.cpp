#include "reprieve/subjects/extender_json.h"

#include <fmt/format.h>
#include <strings.h>  // strcasecmp

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "reprieve/manifest/document.h"
#include "reprieve/manifest/write.h"

namespace reprieve::subjects {
namespace {

using engine::ExtenderNodes;
using manifest::append_json_string;
using nlohmann::json;

// The API server gives every pod a uid, a person who writes a case rarely does.
std::string uid_of(const Pod& pod) { return pod.uid.empty() ? full_name(pod) : pod.uid; }

std::string whole(const Pod& pod) {
  if (!pod.uid.empty()) return manifest::write_json(pod);
  Pod named = pod;
  named.uid = full_name(pod);
  return manifest::write_json(named);
}

const Pod* find_pending(const Cluster& cluster, std::string_view name) {
  const auto at = std::ranges::find_if(
      cluster.pods, [&](const Pod& pod) { return pod.node_name.empty() && full_name(pod) == name; });
  return at == cluster.pods.end() ? nullptr : &*at;
}

// By full name; only of the nodes concerned, as a cluster has many more.
using Pods = std::unordered_map<std::string, const Pod*>;

Pods pods_on(const Cluster& cluster, const ExtenderNodes& nodes) {
  Pods pods;
  for (const Pod& pod : cluster.pods) {
    if (!pod.node_name.empty() && nodes.contains(pod.node_name)) pods.emplace(full_name(pod), &pod);
  }
  return pods;
}

void append_victim(std::string& out, const Pods& pods, const std::string& name, bool only_uid) {
  const auto at = pods.find(name);
  const Pod* pod = at == pods.end() ? nullptr : at->second;
  if (only_uid) {
    out += "{\"UID\":";
    append_json_string(out, pod == nullptr ? name : uid_of(*pod));
    out += '}';
  } else {
    out += pod == nullptr ? "null" : whole(*pod);
  }
}

// convertToMetaVictims, or the Victims as they are.
void append_nodes(std::string& out, const Pods& pods, const ExtenderNodes& nodes, bool only_uid) {
  out += '{';
  for (const auto& [node, victims] : nodes) {
    if (out.back() != '{') out += ',';
    append_json_string(out, node);
    out += ":{\"Pods\":[";
    for (const std::string& name : victims.victims) {
      if (out.back() != '[') out += ',';
      append_victim(out, pods, name, only_uid);
    }
    out += fmt::format("],\"NumPDBViolations\":{}}}", victims.violations);
  }
  out += '}';
}

// As encoding/json finds a field: by its name, else by its name in other letters. Null and absent
// are the same there: both leave the field at its zero value.
const json* field(const json& object, const char* name) {
  const json* found = nullptr;
  if (const auto exact = object.find(name); exact != object.end()) {
    found = &*exact;
  } else {
    for (const auto& [key, value] : object.items()) {
      if (strcasecmp(key.c_str(), name) == 0) found = &value;
    }
  }
  return found == nullptr || found->is_null() ? nullptr : found;
}

/// What the cluster knows of the nodes that an answer names.
class Directory {
 public:
  // Of several pods with one uid the first on the node counts, as in convertPodUIDToPod.
  Directory(const Cluster& cluster, const json& answer) {
    for (const Node& node : cluster.nodes) {
      if (answer.contains(node.name)) uids_[node.name];
    }
    for (const Pod& pod : cluster.pods) {
      if (pod.node_name.empty()) continue;
      const auto node = uids_.find(pod.node_name);
      if (node != uids_.end()) node->second.emplace(uid_of(pod), &pod);
    }
  }

  using Uids = std::unordered_map<std::string, const Pod*>;
  const Uids* find(const std::string& node) const {
    const auto at = uids_.find(node);
    return at == uids_.end() ? nullptr : &at->second;
  }

 private:
  std::unordered_map<std::string, Uids> uids_;
};

using Read = std::expected<ExtenderVictims, std::string>;

std::unexpected<std::string> malformed(std::string_view node, std::string_view what) {
  return std::unexpected(fmt::format("the answer for node {}: {}", node, what));
}

std::expected<std::string, std::string> read_uid(const std::string& node, const json& victim) {
  // Upstream panics on null here and on a null node, and takes kube-scheduler down, ignorable or not.
  if (!victim.is_object()) return malformed(node, "a pod is not an object");
  const json* uid = field(victim, "UID");
  if (uid == nullptr) return std::string();
  if (!uid->is_string()) return malformed(node, "UID is not a string");
  return uid->get<std::string>();
}

Read read_victims(const std::string& node, const json& value, const Directory::Uids& uids) {
  if (!value.is_object()) return malformed(node, "it is not an object");
  ExtenderVictims out;
  if (const json* violations = field(value, "NumPDBViolations")) {
    // nlohmann holds an integer above int64's range as unsigned, or as a float.
    const bool fits = violations->is_number_integer() &&
                      (!violations->is_number_unsigned() ||
                       violations->get<std::uint64_t>() <=
                           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    if (!fits) return malformed(node, "NumPDBViolations is not a 64-bit integer");
    out.violations = violations->get<std::int64_t>();
  }
  const json* pods = field(value, "Pods");
  if (pods == nullptr) return out;
  if (!pods->is_array()) return malformed(node, "Pods is not a list");
  for (const json& victim : *pods) {
    const auto uid = read_uid(node, victim);
    if (!uid) return std::unexpected(uid.error());
    const auto pod = uids.find(*uid);
    if (pod == uids.end()) {
      return std::unexpected(fmt::format(
          "claims to preempt pod (UID: {}) on node: {}, but the pod is not found on that node", *uid, node));
    }
    out.victims.push_back(full_name(*pod->second));
  }
  return out;
}

// convertToVictims.
std::expected<ExtenderNodes, std::string> read_nodes(const Cluster& cluster, const json& answer) {
  const Directory directory(cluster, answer);
  ExtenderNodes nodes;
  for (const auto& [node, value] : answer.items()) {
    const Directory::Uids* uids = directory.find(node);
    if (uids == nullptr) {
      return std::unexpected(fmt::format("nodeinfo not found for node name \"{}\"", node));
    }
    auto victims = read_victims(node, value, *uids);
    if (!victims) return std::unexpected(std::move(victims.error()));
    nodes.emplace(node, std::move(*victims));
  }
  return nodes;
}

}  // namespace

std::string write_preemption_args(const Cluster& cluster, const Extender& extender,
                                  std::string_view preemptor, const ExtenderNodes& nodes) {
  const Pod* pending = find_pending(cluster, preemptor);
  const Pods pods = pods_on(cluster, nodes);
  const bool only_uid = extender.node_cache_capable;
  // The types have no JSON tags, so keys are the Go names, and nothing is left out.
  std::string out = "{\"Pod\":";
  out += pending == nullptr ? "null" : whole(*pending);
  out += ",\"NodeNameToVictims\":";
  only_uid ? void(out += "null") : append_nodes(out, pods, nodes, false);
  out += ",\"NodeNameToMetaVictims\":";
  only_uid ? append_nodes(out, pods, nodes, true) : void(out += "null");
  out += '}';
  return out;
}

std::expected<ExtenderNodes, std::string> read_preemption_result(const Cluster& cluster,
                                                                 std::string_view body) {
  try {
    // As json.Decoder.Decode: one value, whatever follows it.
    std::istringstream stream{std::string(body)};
    json result;
    stream >> result;
    if (result.is_null()) return ExtenderNodes();
    if (!result.is_object()) return std::unexpected("the answer is not a JSON object");
    const json* nodes = field(result, "NodeNameToMetaVictims");
    if (nodes == nullptr) return ExtenderNodes();
    if (!nodes->is_object()) return std::unexpected("NodeNameToMetaVictims is not an object");
    return read_nodes(cluster, *nodes);
  } catch (const json::exception& e) {
    return std::unexpected(fmt::format("the answer is not JSON: {}", e.what()));
  }
}

}  // namespace reprieve::subjects
