#include "reprieve/properties/shrink/tidy.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "reprieve/properties/shrink/walk.h"

namespace reprieve::shrink {
namespace {

constexpr TimeUs kMinuteUs = 60'000'000;

/// Calls `visit(name, quantity)` for every amount of every resource.
template <class F>
void for_each_amount(Case& question, F visit) {
  const auto all = [&](ResourceList& list) {
    for (auto& [name, quantity] : list) visit(name, quantity);
  };
  const auto maybe = [&](std::optional<ResourceList>& list) {
    if (list) all(*list);
  };
  for (Node& node : question.cluster.nodes) all(node.allocatable);
  for (Pod& pod : question.cluster.pods) {
    for (auto* containers : {&pod.containers, &pod.init_containers}) {
      for (Container& container : *containers) all(container.requests);
    }
    for (auto* statuses : {&pod.container_statuses, &pod.init_container_statuses}) {
      for (ContainerStatus& status : *statuses) {
        maybe(status.requests);
        maybe(status.allocated_resources);
      }
    }
    all(pod.overhead);
    maybe(pod.pod_level_requests);
    maybe(pod.status_requests);
    maybe(pod.status_allocated);
  }
}

bool fits_milli(Quantity quantity) { return quantity.units < INT64_MAX / 1000; }

}  // namespace

std::int64_t round_amount_milli(std::string_view resource) {
  constexpr std::int64_t kGi = std::int64_t{1} << 30;
  if (resource == "hugepages-2Mi") return (kGi / 512) * 1000;
  if (resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-")) {
    return kGi * 1000;
  }
  return 1000;
}

void round_amounts(Case& question) {
  std::map<std::string, std::int64_t, std::less<>> divisors;
  for_each_amount(question, [&](const std::string& name, Quantity& quantity) {
    if (name == "pods" || !fits_milli(quantity)) return;
    std::int64_t& divisor = divisors[name];
    divisor = std::gcd(divisor, to_milli(quantity));
  });
  for_each_amount(question, [&](const std::string& name, Quantity& quantity) {
    const auto found = divisors.find(name);
    if (found == divisors.end() || found->second == 0 || !fits_milli(quantity)) return;
    const std::int64_t multiple = to_milli(quantity) / found->second;
    const std::int64_t base = round_amount_milli(name);
    if (multiple < INT64_MAX / base / 64) quantity = quantity_from_milli(multiple * base);
  });
}

std::map<std::string, std::set<Quantity, std::greater<>>> distinct_amounts(const Case& question) {
  std::map<std::string, std::set<Quantity, std::greater<>>> result;
  Case copy = question;
  for_each_amount(copy, [&](const std::string& name, Quantity& quantity) {
    if (name != "pods") result[name].insert(quantity);
  });
  return result;
}

void replace_amount(Case& question, const std::string& resource, Quantity from, Quantity to) {
  for_each_amount(question, [&](const std::string& name, Quantity& quantity) {
    if (name == resource && quantity == from) quantity = to;
  });
}

void rank_priorities(Case& question) {
  std::set<std::int32_t> values;
  for (const Pod& pod : question.cluster.pods) values.insert(pod.priority);
  for (Pod& pod : question.cluster.pods) {
    const auto rank = std::distance(values.begin(), values.find(pod.priority));
    pod.priority = static_cast<std::int32_t>(rank * 10);
  }
}

void rank_times(Case& question) {
  std::set<TimeUs> values;
  const auto for_each_time = [&](auto visit) {
    for (Pod& pod : question.cluster.pods) {
      for (auto* time : {&pod.start_time_us, &pod.creation_time_us, &pod.deletion_time_us}) {
        if (time->has_value()) visit(**time);
      }
    }
  };
  for_each_time([&](TimeUs& time) { values.insert(time); });
  for_each_time(
      [&](TimeUs& time) { time = kEpochUs + std::distance(values.begin(), values.find(time)) * kMinuteUs; });
}

namespace {

/// What `renamed` says, or the name itself.
void rename(const std::map<std::string, std::string>& renamed, std::string& name) {
  const auto found = renamed.find(name);
  if (found != renamed.end()) name = found->second;
}

void rename_nodes(Case& question) {
  std::map<std::string, std::string> renamed;
  for (Node& node : question.cluster.nodes) {
    renamed.emplace(node.name, "n" + std::to_string(renamed.size() + 1));
    for (auto& [key, value] : node.labels) {
      if (value == node.name) value = renamed[node.name];
    }
    rename(renamed, node.name);
  }
  for (Pod& pod : question.cluster.pods) {
    rename(renamed, pod.node_name);
    rename(renamed, pod.nominated_node_name);
    if (!pod.affinity.required_node_affinity) continue;
    for (NodeSelectorTerm& term : pod.affinity.required_node_affinity->terms) {
      for (SelectorRequirement& field : term.match_fields) {
        for (std::string& value : field.values) rename(renamed, value);
      }
    }
  }
  for (CsiNode& csi_node : question.cluster.csi_nodes) rename(renamed, csi_node.name);
  for (VolumeAttachment& attachment : question.cluster.volume_attachments)
    rename(renamed, attachment.node_name);
  for (Extender& extender : question.extenders) {
    if (!extender.answer) continue;
    std::map<std::string, ExtenderVictims, std::less<>> answer;
    for (auto& [node, victims] : *extender.answer) {
      std::string name = node;
      rename(renamed, name);
      answer.emplace(std::move(name), std::move(victims));
    }
    extender.answer = std::move(answer);
  }
}

void rename_pods(Case& question) {
  // By full name; claims of ephemeral volumes are named after their pod, so those pods keep theirs.
  std::map<std::string, std::string> renamed;
  std::map<std::string, std::string> disrupted;  // "namespace/name" to the new name alone
  int number = 0;
  for (Pod& pod : question.cluster.pods) {
    const std::string before = full_name(pod);
    const bool named_claims =
        std::any_of(pod.volumes.begin(), pod.volumes.end(),
                    [](const PodVolume& volume) { return volume.kind == VolumeKind::kEphemeral; });
    if (before == question.preemptor) {
      if (!named_claims) pod.name = "preemptor";
    } else {
      ++number;
      if (!named_claims) pod.name = "p" + std::to_string(number);
    }
    renamed.emplace(before, full_name(pod));
    disrupted.emplace(before, pod.name);
  }
  rename(renamed, question.preemptor);
  for (Extender& extender : question.extenders) {
    if (!extender.answer) continue;
    for (auto& [node, answer] : *extender.answer) {
      for (std::string& victim : answer.victims) rename(renamed, victim);
    }
  }
  for (DisruptionBudget& budget : question.cluster.budgets) {
    std::set<std::string, std::less<>> names;
    for (const std::string& name : budget.disrupted_pods) {
      const auto found = disrupted.find(budget.namespace_ + "/" + name);
      names.insert(found == disrupted.end() ? name : found->second);
    }
    budget.disrupted_pods = std::move(names);
  }
}

void rename_containers(Pod& pod) {
  const auto all = [](std::vector<Container>& containers, std::vector<ContainerStatus>& statuses,
                      char prefix) {
    std::map<std::string, std::string> renamed;
    for (Container& container : containers) {
      renamed.emplace(container.name, prefix + std::to_string(renamed.size() + 1));
      rename(renamed, container.name);
    }
    for (ContainerStatus& status : statuses) rename(renamed, status.name);
  };
  all(pod.containers, pod.container_statuses, 'c');
  all(pod.init_containers, pod.init_container_statuses, 'i');
}

}  // namespace

void rename_all(Case& question) {
  rename_nodes(question);
  rename_pods(question);
  for (Pod& pod : question.cluster.pods) rename_containers(pod);
  int number = 0;
  for (DisruptionBudget& budget : question.cluster.budgets) budget.name = "b" + std::to_string(++number);
}

void merge_namespaces(Case& question) {
  const std::string preemptor = question.preemptor;
  for (Pod& pod : question.cluster.pods) {
    const bool is_preemptor = full_name(pod) == preemptor;
    pod.namespace_ = "default";
    if (is_preemptor) question.preemptor = full_name(pod);
  }
  for (DisruptionBudget& budget : question.cluster.budgets) budget.namespace_ = "default";
  for (PersistentVolumeClaim& claim : question.cluster.claims) claim.namespace_ = "default";
  for (PersistentVolume& volume : question.cluster.volumes) {
    if (volume.has_claim_ref) volume.claim_namespace = "default";
  }
}

void usual_policy(Case& question) {
  const std::optional<Sampling> sampling = question.policy.sampling;
  if (!sampling) question.policy = kubernetes_policy(question.policy.release);
}

void order_pods(Case& question) {
  std::map<std::string, std::size_t> position;
  for (const Node& node : question.cluster.nodes) position.emplace(node.name, position.size());
  const auto key = [&](const Pod& pod) {
    if (full_name(pod) == question.preemptor) return position.size() + 2;
    if (pod.node_name.empty()) return position.size() + 1;
    const auto found = position.find(pod.node_name);
    return found == position.end() ? position.size() : found->second;
  };
  std::stable_sort(question.cluster.pods.begin(), question.cluster.pods.end(),
                   [&](const Pod& a, const Pod& b) { return key(a) < key(b); });
}

}  // namespace reprieve::shrink
