// The changes of one field, by what they are about.
#include <algorithm>
#include <array>
#include <limits>

#include "reprieve/fuzz/mutate.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve::fuzz {
namespace {

using generators::Random;

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
constexpr TimeUs kEpochUs = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z
constexpr TimeUs kMinuteUs = 60'000'000;

template <class T>
T* any_of(std::vector<T>& items, Random& random) {
  return items.empty() ? nullptr
                       : &items[static_cast<std::size_t>(random.below(static_cast<int>(items.size())))];
}

Pod* preemptor_of(Case& question) {
  const auto found = std::ranges::find(question.cluster.pods, question.preemptor, full_name);
  return found == question.cluster.pods.end() ? nullptr : &*found;
}

std::string free_pod_name(const Cluster& cluster) {
  for (int number = 1;; ++number) {
    std::string name = "p" + std::to_string(number);
    if (std::ranges::find(cluster.pods, name, &Pod::name) == cluster.pods.end()) return name;
  }
}
std::string free_node_name(const Cluster& cluster) {
  for (int number = 1;; ++number) {
    std::string name = "n" + std::to_string(number);
    if (std::ranges::find(cluster.nodes, name, &Node::name) == cluster.nodes.end()) return name;
  }
}

std::int32_t shifted(std::int32_t value, int by) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(std::int64_t{value} + by, kLowest, kHighest));
}

void change_priority(Case& question, Random& random) {
  auto& pods = question.cluster.pods;
  Pod& pod = *any_of(pods, random);
  switch (random.below(5)) {
    case 0: pod.priority = any_of(pods, random)->priority; break;
    case 1: pod.priority = shifted(pod.priority, random.coin() ? 1 : -1); break;
    case 2: pod.priority = shifted(any_of(pods, random)->priority, random.between(-1, 1)); break;
    case 3: pod.priority = random.below(4) * 10; break;
    default: {
      static constexpr std::array kEdges = {kLowest, kLowest + 1, -1, 0, 1'000'000'000, kHighest};
      pod.priority = random.pick(kEdges);
    }
  }
}

void change_start_time(Case& question, Random& random) {
  Pod& pod = *any_of(question.cluster.pods, random);
  switch (random.below(3)) {
    case 0: pod.start_time_us.reset(); break;
    case 1: pod.start_time_us = any_of(question.cluster.pods, random)->start_time_us; break;
    default: pod.start_time_us = kEpochUs + random.below(4) * kMinuteUs;
  }
}

/// To another one of the case, or by a step of what it is.
void change_amount(Quantity& amount, const Quantity& another, Random& random) {
  const bool small = amount.units < (std::int64_t{1} << 40);
  const std::int64_t milli = small ? to_milli(amount) : 0;
  const std::int64_t step = milli % 1000 == 0 ? 1000 : milli % 250 == 0 ? 250 : 1;
  switch (random.below(4)) {
    case 0: amount = another; break;
    case 1: amount = {}; break;
    case 2:
      if (small) amount = quantity_from_milli(milli + step);
      break;
    default:
      if (small) amount = quantity_from_milli(std::max<std::int64_t>(0, milli - step));
  }
}

ResourceList* any_list(Case& question, Random& random) {
  if (random.percent(30)) return &any_of(question.cluster.nodes, random)->allocatable;
  Pod& pod = *any_of(question.cluster.pods, random);
  Container* container = any_of(
      random.percent(20) && !pod.init_containers.empty() ? pod.init_containers : pod.containers, random);
  return container == nullptr ? nullptr : &container->requests;
}

void change_resources(Case& question, Random& random) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "cpu", "cpu", "memory", "example.com/gpu", "hugepages-2Mi", "ephemeral-storage"};
  ResourceList* list = any_list(question, random);
  const ResourceList* other = any_list(question, random);
  if (list == nullptr || other == nullptr) return;
  std::string name(random.pick(kNames));
  if (!list->empty() && random.percent(80)) {
    name = std::next(list->begin(), random.below(static_cast<int>(list->size())))->first;
    if (random.percent(10)) return void(list->erase(name));
  }
  const auto same = other->find(name);
  change_amount((*list)[name], same == other->end() ? Quantity{.units = 1} : same->second, random);
}

void change_budget(Case& question, Random& random) {
  Cluster& cluster = question.cluster;
  DisruptionBudget* budget = any_of(cluster.budgets, random);
  if (budget == nullptr || random.percent(15)) {
    // Over the pods that are like one that is there.
    const Pod& pod = *any_of(cluster.pods, random);
    DisruptionBudget added{.namespace_ = pod.namespace_,
                           .name = "b" + std::to_string(cluster.budgets.size() + 1)};
    added.selector.emplace();
    if (!pod.labels.empty()) added.selector->match_labels.insert(*pod.labels.begin());
    added.disruptions_allowed = random.below(3);
    cluster.budgets.push_back(std::move(added));
    return;
  }
  switch (random.below(7)) {
    case 0: budget->disruptions_allowed = random.below(4); break;
    case 1: budget->disruptions_allowed = std::max(0, budget->disruptions_allowed - 1); break;
    case 2: {
      const std::string& name = any_of(cluster.pods, random)->name;
      if (budget->disrupted_pods.erase(name) == 0) budget->disrupted_pods.insert(name);
      break;
    }
    case 3: budget->selector = any_of(cluster.budgets, random)->selector; break;
    case 4: std::swap(*budget, *any_of(cluster.budgets, random)); break;
    case 5: cluster.budgets.erase(cluster.budgets.begin() + (budget - cluster.budgets.data())); break;
    default: {
      const Pod& pod = *any_of(cluster.pods, random);
      if (budget->selector && !pod.labels.empty()) {
        budget->selector->match_labels = {*pod.labels.begin()};
        budget->namespace_ = pod.namespace_;
      }
    }
  }
}

void change_label(Case& question, Random& random) {
  static constexpr std::array<std::string_view, 4> kKeys = {"app", "app", "tier", "team"};
  static constexpr std::array<std::string_view, 5> kValues = {"a", "b", "x", "web", ""};
  static constexpr std::array<std::string_view, 3> kNodeKeys = {"zone", "topology.kubernetes.io/zone",
                                                                "rank"};
  static constexpr std::array<std::string_view, 5> kNodeValues = {"a", "b", "c", "1", "2"};
  const bool of_node = random.percent(25);
  Labels& labels = of_node ? any_of(question.cluster.nodes, random)->labels
                           : any_of(question.cluster.pods, random)->labels;
  const std::string_view key = of_node ? random.pick(kNodeKeys) : random.pick(kKeys);
  if (random.percent(20)) return void(labels.erase(std::string(key)));
  labels[std::string(key)] = of_node ? random.pick(kNodeValues) : random.pick(kValues);
}

void change_nomination(Case& question, Random& random) {
  Pod& pod = *any_of(question.cluster.pods, random);
  if (!pod.nominated_node_name.empty() && random.coin()) return pod.nominated_node_name.clear();
  pod.nominated_node_name = any_of(question.cluster.nodes, random)->name;
  // Only pods that do not run count as nominated.
  if (random.percent(60)) pod.node_name.clear();
}

void change_termination(Case& question, Random& random) {
  Pod& pod = *any_of(question.cluster.pods, random);
  if (pod.deletion_time_us && random.coin()) {
    pod.deletion_time_us.reset();
    pod.conditions.clear();
    return;
  }
  pod.deletion_time_us = kEpochUs + 60 * kMinuteUs;
  if (random.percent(70)) {
    pod.conditions = {{.type = "DisruptionTarget", .status = "True", .reason = "PreemptionByScheduler"}};
  }
}

void change_pods(Case& question, Random& random) {
  auto& pods = question.cluster.pods;
  const auto index = random.below(static_cast<int>(pods.size()));
  Pod& pod = pods[static_cast<std::size_t>(index)];
  const bool preemptor = full_name(pod) == question.preemptor;
  switch (random.below(4)) {
    case 0:
      if (!preemptor) pods.erase(pods.begin() + index);
      break;
    case 1: {
      Pod copy = pod;
      copy.name = free_pod_name(question.cluster);
      if (preemptor || random.coin()) copy.node_name = any_of(question.cluster.nodes, random)->name;
      pods.insert(pods.begin() + random.below(static_cast<int>(pods.size()) + 1), std::move(copy));
      break;
    }
    case 2:
      if (!preemptor) pod.node_name = any_of(question.cluster.nodes, random)->name;
      break;
    default: std::swap(pod, *any_of(pods, random));
  }
}

void change_nodes(Case& question, Random& random) {
  Cluster& cluster = question.cluster;
  const auto index = random.below(static_cast<int>(cluster.nodes.size()));
  Node& node = cluster.nodes[static_cast<std::size_t>(index)];
  switch (random.below(5)) {
    case 0: {
      if (cluster.nodes.size() == 1) break;
      std::erase_if(cluster.pods, [&](const Pod& pod) { return pod.node_name == node.name; });
      cluster.nodes.erase(cluster.nodes.begin() + index);
      break;
    }
    case 1: {  // with copies of its pods: a tie
      const std::string from = node.name;
      Node copy = node;
      copy.name = free_node_name(cluster);
      const auto hostname = copy.labels.find("kubernetes.io/hostname");
      if (hostname != copy.labels.end()) hostname->second = copy.name;
      const std::string to = copy.name;
      cluster.nodes.push_back(std::move(copy));
      for (std::size_t i = 0, end = cluster.pods.size(); i < end; ++i) {
        if (cluster.pods[i].node_name != from) continue;
        Pod twin = cluster.pods[i];
        twin.name = free_pod_name(cluster);
        twin.node_name = to;
        cluster.pods.push_back(std::move(twin));
      }
      break;
    }
    case 2: node.unschedulable = !node.unschedulable; break;
    case 3: std::swap(node, *any_of(cluster.nodes, random)); break;
    default:
      if (random.coin()) {
        node.taints.clear();
      } else {
        node.taints.push_back({.key = "dedicated", .value = "", .effect = TaintEffect::kNoSchedule});
      }
  }
}

void change_preemptor(Case& question, Random& random) {
  Pod* pod = preemptor_of(question);
  if (pod == nullptr) return;
  switch (random.below(4)) {
    case 0:
      pod->preemption_policy = pod->preemption_policy == PreemptionPolicy::kNever
                                   ? PreemptionPolicy::kPreemptLowerPriority
                                   : PreemptionPolicy::kNever;
      break;
    case 1: pod->priority = shifted(any_of(question.cluster.pods, random)->priority, 1); break;
    default:
      // As much as somebody who runs: then eviction can help.
      if (Container* own = any_of(pod->containers, random)) {
        const Pod& other = *any_of(question.cluster.pods, random);
        if (!other.containers.empty()) own->requests = other.containers.front().requests;
      }
  }
}

void change_policy(Case& question, Random& random) {
  Policy& policy = question.policy;
  if (random.percent(70)) {
    const auto sampling = policy.sampling;
    const Release release = policy.release == Release::k1_37 ? Release::k1_36 : Release::k1_37;
    policy = kubernetes_policy(release);
    policy.sampling = sampling;
  } else if (policy.sampling) {
    policy.sampling->offset = random.below(4);
  } else {
    policy.sampling =
        Sampling{.min_percentage = random.below(3) * 50, .min_absolute = 1, .offset = random.below(4)};
  }
}

void change_extenders(Case& question, Random& random) {
  Extender* extender = any_of(question.extenders, random);
  if (extender == nullptr) {
    Extender& added = question.extenders.emplace_back();
    added.name = "e1";
    added.answer.emplace();
    for (const Node& node : question.cluster.nodes) {
      ExtenderVictims& answer = (*added.answer)[node.name];
      for (const Pod& pod : question.cluster.pods) {
        if (pod.node_name == node.name) answer.victims.push_back(full_name(pod));
      }
      answer.violations = random.below(2);
    }
    return;
  }
  switch (random.below(4)) {
    case 0: extender->ignorable = !extender->ignorable; break;
    case 1:
      question.extenders.erase(question.extenders.begin() + (extender - question.extenders.data()));
      break;
    case 2: extender->node_cache_capable = !extender->node_cache_capable; break;
    default:
      if (extender->answer && !extender->answer->empty()) {
        auto answer =
            std::next(extender->answer->begin(), random.below(static_cast<int>(extender->answer->size())));
        if (random.coin()) return void(extender->answer->erase(answer));
        answer->second.violations = random.below(3);
        if (!answer->second.victims.empty()) answer->second.victims.pop_back();
      }
  }
}

/// What a generated pod has of one sort, given to a pod of this case.
void graft(Case& question, Random& random) {
  generators::GeneratorSettings settings;
  settings.max_nodes = 2;
  settings.max_pods_per_node = 2;
  settings.policies = generators::Policies::kMixed;
  Case donor = generators::generate(random.next(), settings);
  const Pod* from = random.coin() ? preemptor_of(donor) : any_of(donor.cluster.pods, random);
  Pod* to = random.coin() ? preemptor_of(question) : any_of(question.cluster.pods, random);
  if (from == nullptr || to == nullptr) return;
  switch (random.below(7)) {
    case 0: to->affinity = from->affinity; break;
    case 1: to->tolerations = from->tolerations; break;
    case 2: to->topology_spread_constraints = from->topology_spread_constraints; break;
    case 3:
      to->volumes = from->volumes;
      question.cluster.claims = donor.cluster.claims;
      question.cluster.volumes = donor.cluster.volumes;
      question.cluster.storage_classes = donor.cluster.storage_classes;
      question.cluster.csi_nodes = donor.cluster.csi_nodes;
      break;
    case 4:
      to->containers = from->containers;
      to->init_containers = from->init_containers;
      to->overhead = from->overhead;
      to->pod_level_requests = from->pod_level_requests;
      break;
    case 5: question.policy = donor.policy; break;
    default: question.cluster.budgets = donor.cluster.budgets;
  }
}

using Change = void (*)(Case&, Random&);

}  // namespace

void change(Case& question, Random& random) {
  // What preemption is about comes more often.
  static constexpr std::array<Change, 20> kChanges = {
      change_priority,    change_priority,  change_resources, change_resources, change_resources,
      change_budget,      change_budget,    change_budget,    change_label,     change_label,
      change_start_time,  change_pods,      change_pods,      change_nodes,     change_nomination,
      change_termination, change_preemptor, change_policy,    change_extenders, graft};
  if (question.cluster.nodes.empty() || question.cluster.pods.empty()) return;
  random.pick(kChanges)(question, random);
}

}  // namespace reprieve::fuzz
