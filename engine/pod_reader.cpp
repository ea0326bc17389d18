#include "reprieve/engine/pod_reader.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

// schedutil.GetHostPorts: sidecars first, then containers; other init containers hold none.
std::vector<HostPort> read_ports(const Pod& pod, Interner& strings) {
  std::vector<HostPort> ports;
  const auto read = [&](const Container& container) {
    for (const ContainerPort& port : container.ports) {
      if (port.host_port <= 0) continue;
      ports.push_back({.ip = strings.intern(port.host_ip.empty() ? "0.0.0.0" : port.host_ip),
                       .protocol = strings.intern(port.protocol.empty() ? "TCP" : port.protocol),
                       .port = port.host_port});
    }
  };
  for (const Container& container : pod.init_containers) {
    if (REPRIEVE_MUTANT("sidecar-ports-not-read", container.restart_always, false)) read(container);
  }
  for (const Container& container : pod.containers) read(container);
  return ports;
}

// GetAffinityTerms: one invalid term spoils the whole list.
std::expected<std::vector<AffinityTerm>, std::string> read_terms(const Pod& pod,
                                                                 const std::vector<PodAffinityTerm>& terms,
                                                                 Interner& strings) {
  std::vector<AffinityTerm> compiled;
  for (const PodAffinityTerm& term : terms) {
    auto selector = compile(term.label_selector, strings);
    if (!selector) return std::unexpected(selector.error());
    auto namespaces = compile(term.namespace_selector, strings);
    if (!namespaces) return std::unexpected(namespaces.error());
    AffinityTerm& out = compiled.emplace_back();
    out.selector = std::move(*selector);
    out.namespace_selector = std::move(*namespaces);
    out.topology_key = strings.intern(term.topology_key);
    if (term.namespaces.empty() && !term.namespace_selector) {
      out.namespaces.push_back(strings.intern(
          REPRIEVE_MUTANT("affinity-in-the-default-namespace", pod.namespace_, std::string("default"))));
    }
    for (const std::string& name : term.namespaces) out.namespaces.push_back(strings.intern(name));
  }
  return compiled;
}

bool reads_storage(const PodVolume& volume) {
  return volume.kind != VolumeKind::kOther && volume.kind != VolumeKind::kOtherMigratable;
}

// podtopologyspread/common.go, filterTopologySpreadConstraints: only those that filter.
std::expected<std::vector<SpreadConstraint>, std::string> read_spread(const Pod& pod, Interner& strings) {
  std::vector<SpreadConstraint> constraints;
  for (const TopologySpreadConstraint& constraint : pod.topology_spread_constraints) {
    if (constraint.when_unsatisfiable != UnsatisfiableAction::kDoNotSchedule) continue;
    auto selector = compile(constraint.label_selector, strings);
    if (!selector) return std::unexpected(selector.error());
    SpreadConstraint& out = constraints.emplace_back();
    out.selector = std::move(*selector);
    // mergeLabelSetWithSelector: the preemptor's values of these keys are required too; an absent
    // selector keeps matching nothing.
    for (const std::string& key : constraint.match_label_keys) {
      const auto label = pod.labels.find(key);
      if (label == pod.labels.end() || out.selector.nothing) continue;
      REPRIEVE_MARK("engine/spread/match-label-keys");
      out.selector.requirements.push_back({.key = strings.intern(key),
                                           .op = SelectorOperator::kIn,
                                           .values = {strings.intern(label->second)},
                                           .number = 0});
    }
    out.max_skew = constraint.max_skew;
    out.min_domains = constraint.min_domains.value_or(1);
    out.topology_key = strings.intern(constraint.topology_key);
    out.honor_affinity = constraint.node_affinity_policy == NodeInclusionPolicy::kHonor;
    out.honor_taints = constraint.node_taints_policy == NodeInclusionPolicy::kHonor;
  }
  return constraints;
}

// component-helpers nodedeclaredfeatures/features: those that a pod can need at scheduling.
std::vector<std::string> read_needed_features(const Pod& pod) {
  std::vector<std::string> features;
  const auto restarts_all = [](const Container& container) { return container.restart_all_containers; };
  if (std::ranges::any_of(pod.containers, restarts_all) ||
      std::ranges::any_of(pod.init_containers, restarts_all)) {
    features.emplace_back("RestartAllContainersOnContainerExits");
  }
  if (pod.host_network && pod.host_users && !*pod.host_users) {
    features.emplace_back("UserNamespacesHostNetworkSupport");
  }
  return features;
}

}  // namespace

void read_pod(const Pod& pod, Interner& strings, PodRecord& record) {
  record.node_name = pod.node_name.empty() ? kNoString : strings.intern(pod.node_name);
  record.nominated_node = pod.node_name.empty() && !pod.nominated_node_name.empty()
                              ? strings.intern(pod.nominated_node_name)
                              : kNoString;
  record.scheduler = strings.intern(pod.scheduler_name);
  record.gated = !pod.scheduling_gates.empty();
  record.termination_grace_period_s = pod.termination_grace_period_s.value_or(30);  // the API's default
  record.ports = read_ports(pod, strings);
  record.anti_affinity_terms.clear();
  const auto& repelled =
      REPRIEVE_MUTANT("affinity-of-running-pods-repels", pod.affinity.required_pod_anti_affinity,
                      pod.node_name.empty() || pod.affinity.required_pod_affinity.empty()
                          ? pod.affinity.required_pod_anti_affinity
                          : pod.affinity.required_pod_affinity);
  if (!repelled.empty()) {
    // NodeInfo.AddPod ignores what does not parse: such a pod rejects nobody.
    if (auto terms = read_terms(pod, repelled, strings)) {
      record.anti_affinity_terms = std::move(*terms);
    } else {
      REPRIEVE_MARK("engine/affinity/invalid-terms-of-a-running-pod");
    }
  }
  record.storage.reset();
  if (std::ranges::any_of(pod.volumes, reads_storage)) {
    record.storage = std::make_unique<PodStorage>();
    record.storage->uid = pod.uid;
    std::ranges::copy_if(pod.volumes, std::back_inserter(record.storage->volumes), reads_storage);
  }
}

std::uint8_t read_flags(const Pod& pod, const PodRecord& record) {
  unsigned flags = 0;
  if (pod.deletion_time_us) {
    flags |= kTerminating;
    // PodTerminatingByPreemption: the first DisruptionTarget condition decides.
    for (const PodCondition& condition : pod.conditions) {
      if (condition.type != "DisruptionTarget") continue;
      if (condition.status == "True" &&
          REPRIEVE_MUTANT("any-disruption-waited-for", condition.reason == "PreemptionByScheduler", true)) {
        flags |= kTerminatingByPreemption;
      } else {
        REPRIEVE_MARK("engine/eligible/terminating-for-another-reason");
      }
      break;
    }
  }
  if (pod.start_time_us) flags |= kHasStart;
  if (!record.ports.empty()) flags |= kHasPorts;
  if (!record.anti_affinity_terms.empty()) flags |= kHasAntiAffinity;
  if (record.storage) flags |= kHasStorage;
  return static_cast<std::uint8_t>(flags);
}

void read_preemptor(const Pod& pod, Interner& strings, Preemptor& preemptor) {
  preemptor.preemption_policy = pod.preemption_policy;
  intern_labels(pod.node_selector, strings, preemptor.node_selector);
  preemptor.node_affinity_source = pod.affinity.required_node_affinity;
  preemptor.node_affinity.reset();
  if (pod.affinity.required_node_affinity) {
    preemptor.node_affinity = compile(*pod.affinity.required_node_affinity, strings);
  }
  preemptor.tolerations = pod.tolerations;
  preemptor.spread.clear();
  preemptor.spread_error.clear();
  if (auto spread = read_spread(pod, strings)) {
    preemptor.spread = std::move(*spread);
  } else {
    preemptor.spread_error = "get constraints from pod: " + spread.error();
  }
  // NewPodInfo gathers the errors of both lists.
  auto affinity = read_terms(pod, pod.affinity.required_pod_affinity, strings);
  auto anti_affinity = read_terms(pod, pod.affinity.required_pod_anti_affinity, strings);
  preemptor.affinity_terms = affinity ? std::move(*affinity) : std::vector<AffinityTerm>{};
  preemptor.anti_affinity_terms = anti_affinity ? std::move(*anti_affinity) : std::vector<AffinityTerm>{};
  preemptor.affinity_error.clear();
  if (!affinity || !anti_affinity) {
    std::string first = affinity ? "" : "requiredAffinityTerms: " + affinity.error();
    std::string second = anti_affinity ? "" : "requiredAntiAffinityTerms: " + anti_affinity.error();
    const bool both = !first.empty() && !second.empty();
    preemptor.affinity_error = "parsing pod: ";
    preemptor.affinity_error += both ? "[" + first + ", " + second + "]" : first + second;
  }
  preemptor.needed_features = read_needed_features(pod);
  preemptor.container_resources.clear();
  const auto note = [&](const Container& container) {
    for (const auto& [name, amount] : container.requests) preemptor.container_resources.push_back(name);
  };
  for (const Container& container : pod.containers) note(container);
  for (const Container& container : pod.init_containers) note(container);
}

}  // namespace reprieve::engine
