// What a node is like and where the preemptor may go: taints, labels, selectors, ports, features.
#include <algorithm>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

constexpr std::array<std::string_view, 3> kTaintValues = {"", "v", "w"};
constexpr std::array<std::string_view, 2> kTaintKeys = {"dedicated", "gpu"};
constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

void add_taints(Draft& draft, Node& node) {
  static constexpr std::array kEffects = {TaintEffect::kNoSchedule, TaintEffect::kNoSchedule,
                                          TaintEffect::kNoExecute, TaintEffect::kPreferNoSchedule};
  const int count = draft.random.between(1, 2);
  for (int i = 0; i < count; ++i) {
    Taint taint;
    taint.key = draft.random.pick(kTaintKeys);
    taint.value =
        draft.has(Feature::kInvalidSelectors) && draft.random.coin() ? "5" : draft.random.pick(kTaintValues);
    taint.effect = draft.random.pick(kEffects);
    // Key and effect are unique on a node (validation: validateNodeTaints).
    const bool taken = std::any_of(node.taints.begin(), node.taints.end(), [&](const Taint& other) {
      return other.key == taint.key && other.effect == taint.effect;
    });
    if (!taken) node.taints.push_back(std::move(taint));
  }
}

Toleration toleration(Draft& draft) {
  static constexpr std::array kEffects = {TaintEffect::kAny, TaintEffect::kNoSchedule,
                                          TaintEffect::kNoExecute, TaintEffect::kPreferNoSchedule};
  Toleration result;
  result.effect = draft.random.pick(kEffects);
  result.key = draft.random.pick(kTaintKeys);
  if (draft.random.percent(15)) result.key = kUnschedulableTaint;
  if (draft.has(Feature::kInvalidSelectors) && draft.random.percent(25)) {
    // Behind a gate that is off: stored by a cluster that had it on, and never matching.
    result.op = draft.random.coin() ? TolerationOperator::kGt : TolerationOperator::kLt;
    result.value = draft.random.coin() ? "3" : "7";
  } else if (draft.random.percent(45)) {
    result.op = TolerationOperator::kExists;
    if (draft.random.percent(25)) result.key.clear();  // every key
  } else {
    result.value = draft.random.pick(kTaintValues);
  }
  return result;
}

/// A requirement that this node meets, so that not every affinity leaves all nodes out.
SelectorRequirement met_requirement(Draft& draft, const Node& node) {
  static constexpr std::array<std::string_view, 4> kKeys = {"zone", "topology.kubernetes.io/zone", "rank",
                                                            "kubernetes.io/hostname"};
  const std::string key(draft.random.pick(kKeys));
  const auto label = node.labels.find(key);
  if (label == node.labels.end()) {
    if (draft.random.coin()) return {.key = key, .op = SelectorOperator::kDoesNotExist, .values = {}};
    return {.key = key, .op = SelectorOperator::kNotIn, .values = {"b"}};
  }
  const std::string& value = label->second;
  if (key == "rank" && value != "x" && draft.random.percent(60)) {
    const int rank = value[0] - '0';
    if (rank > 0 && draft.random.coin()) {  // "-1" would be no label value
      return {.key = key, .op = SelectorOperator::kGt, .values = {draft.numbered("", rank - 1)}};
    }
    return {.key = key, .op = SelectorOperator::kLt, .values = {draft.numbered("", rank + 1)}};
  }
  if (draft.random.percent(25)) return {.key = key, .op = SelectorOperator::kExists, .values = {}};
  SelectorRequirement in{.key = key, .op = SelectorOperator::kIn, .values = {value}};
  if (draft.random.coin()) in.values.insert(in.values.begin(), "c");
  return in;
}

SelectorRequirement node_requirement(Draft& draft) {
  static constexpr std::array kOperators = {
      SelectorOperator::kIn,     SelectorOperator::kIn,           SelectorOperator::kNotIn,
      SelectorOperator::kExists, SelectorOperator::kDoesNotExist, SelectorOperator::kGt,
      SelectorOperator::kLt};
  static constexpr std::array<std::string_view, 3> kZones = {"a", "b", "c"};
  SelectorRequirement result;
  result.op = draft.random.pick(kOperators);
  const bool compares = result.op == SelectorOperator::kGt || result.op == SelectorOperator::kLt;
  const bool number = compares || draft.random.percent(30);
  result.key = number ? "rank" : draft.random.coin() ? "zone" : "topology.kubernetes.io/zone";
  if (result.op != SelectorOperator::kExists && result.op != SelectorOperator::kDoesNotExist) {
    const int count = compares ? 1 : draft.random.between(1, 2);
    for (int i = 0; i < count; ++i) {
      result.values.push_back(number ? draft.numbered("", draft.random.below(4))
                                     : std::string(draft.random.pick(kZones)));
    }
  }
  if (draft.now(Feature::kInvalidSelectors)) {
    switch (draft.random.below(4)) {
      case 0: result.op = SelectorOperator::kInvalid; break;
      case 1: result.values.emplace_back("not a value"); break;
      case 2: result = {.key = "rank", .op = SelectorOperator::kGt, .values = {"x"}}; break;
      default: result.values.clear(); break;
    }
  }
  return result;
}

/// metadata.name with In or NotIn and exactly one value, which is all that validation lets through.
SelectorRequirement name_requirement(Draft& draft) {
  return {.key = "metadata.name",
          .op = draft.random.percent(80) ? SelectorOperator::kIn : SelectorOperator::kNotIn,
          .values = {draft.node_name()}};
}

NodeSelector node_affinity(Draft& draft) {
  NodeSelector selector;
  const Node& aim = draft.random.pick(draft.cluster().nodes);
  const int terms = draft.random.between(1, 3);
  for (int i = 0; i < terms; ++i) {
    NodeSelectorTerm& term = selector.terms.emplace_back();
    if (draft.has(Feature::kNodeAffinity) && draft.random.percent(80)) {
      const int count = draft.random.between(1, 2);
      for (int k = 0; k < count; ++k) {
        term.match_expressions.push_back(draft.random.percent(65) ? met_requirement(draft, aim)
                                                                  : node_requirement(draft));
      }
    }
    if (draft.now(Feature::kMatchFields)) {
      term.match_fields.push_back(name_requirement(draft));
      // Two names in one term exclude each other: "pod affinity terms conflict".
      if (draft.random.percent(15)) term.match_fields.push_back(name_requirement(draft));
    }
    // What is left without either matches nothing: allowed, and a trap.
  }
  return selector;
}

bool holds_port(const Container& container, const ContainerPort& port) {
  return std::ranges::any_of(container.ports, [&](const ContainerPort& other) {
    return other.host_port == port.host_port && other.protocol == port.protocol &&
           other.host_ip == port.host_ip;
  });
}

bool holds_port(const Pod& pod, const ContainerPort& port) {
  const auto holds = [&](const Container& container) { return holds_port(container, port); };
  return std::ranges::any_of(pod.containers, holds) || std::ranges::any_of(pod.init_containers, holds);
}

/// Those that run beside the others: sidecars hold ports too.
std::vector<Container*> running_containers(Pod& pod) {
  std::vector<Container*> containers;
  for (Container& container : pod.containers) containers.push_back(&container);
  for (Container& container : pod.init_containers) {
    if (container.restart_always) containers.push_back(&container);
  }
  return containers;
}

void add_declared_features(Draft& draft, Pod& pod) {
  if (draft.random.coin()) {
    pod.containers.front().restart_all_containers = true;
  } else {
    // Host network with a user namespace; the ports then are the host's.
    pod.host_network = true;
    pod.host_users = false;
    for (Container* container : running_containers(pod)) {
      for (ContainerPort& port : container->ports) port.host_port = port.container_port;
    }
  }
}

}  // namespace

void add_node_traits(Draft& draft, Node& node) {
  static constexpr std::array<std::string_view, 2> kZones = {"a", "b"};
  node.labels["kubernetes.io/hostname"] = node.name;
  // Some nodes lack a topology key: they count for nothing in spreading.
  if (draft.random.percent(85)) node.labels["topology.kubernetes.io/zone"] = draft.random.pick(kZones);
  if (draft.random.percent(60)) node.labels["zone"] = draft.random.pick(kZones);
  if (draft.random.percent(60)) {
    node.labels["rank"] = draft.random.percent(8) ? "x" : draft.numbered("", draft.random.below(4));
  }
  if (draft.now(Feature::kTaints)) add_taints(draft, node);
  node.unschedulable = draft.now(Feature::kUnschedulable) && draft.random.percent(50);
  // The node controller adds the taint a moment later, so both may be there, or one.
  if (node.unschedulable && draft.random.coin()) {
    node.taints.push_back(
        {.key = std::string(kUnschedulableTaint), .value = "", .effect = TaintEffect::kNoSchedule});
  }
  if (draft.has(Feature::kDeclaredFeatures)) {
    if (draft.random.percent(60)) node.declared_features.emplace_back("RestartAllContainersOnContainerExits");
    if (draft.random.percent(60)) node.declared_features.emplace_back("UserNamespacesHostNetworkSupport");
    // The API server wants the list sorted; the filter then sees less of it.
    if (draft.has(Feature::kInvalidSelectors) && draft.random.coin()) {
      std::ranges::reverse(node.declared_features);
    }
  }
}

void add_ports(Draft& draft, Pod& pod) {
  if (!draft.now(Feature::kHostPorts)) return;
  static constexpr std::array<std::string_view, 4> kProtocols = {"TCP", "TCP", "UDP", "SCTP"};
  static constexpr std::array<std::string_view, 6> kAddresses = {"",         "",         "0.0.0.0",
                                                                 "10.0.0.1", "10.0.0.2", "::"};
  pod.host_network = draft.random.percent(15);
  const int count = draft.random.between(1, 2);
  for (int i = 0; i < count; ++i) {
    ContainerPort port;
    port.container_port = 8080 + draft.random.below(2);
    port.protocol = draft.random.pick(kProtocols);
    port.host_ip = draft.random.pick(kAddresses);
    if (pod.host_network) {
      port.host_port = port.container_port;  // validation wants them equal
    } else if (draft.random.percent(85)) {
      port.host_port = 80 + draft.random.below(2);
    }
    if (port.host_port != 0 && holds_port(pod, port)) continue;  // a pod may not hold a port twice
    draft.random.pick(running_containers(pod))->ports.push_back(port);
  }
}

void add_preemptor_placement(Draft& draft, Pod& preemptor) {
  if (draft.has(Feature::kTaints) || draft.has(Feature::kUnschedulable)) {
    const int count = draft.random.below(4);
    for (int i = 0; i < count; ++i) preemptor.tolerations.push_back(toleration(draft));
  }
  static constexpr std::array<std::string_view, 2> kZones = {"a", "b"};
  if (draft.now(Feature::kNodeSelector)) preemptor.node_selector["zone"] = draft.random.pick(kZones);
  if (draft.now(Feature::kNodeAffinity) || draft.now(Feature::kMatchFields)) {
    preemptor.affinity.required_node_affinity = node_affinity(draft);
  }
  if (draft.now(Feature::kDeclaredFeatures)) add_declared_features(draft, preemptor);
}

}  // namespace reprieve::generators
