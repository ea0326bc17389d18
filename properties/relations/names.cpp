#include "reprieve/properties/relations/names.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "reprieve/properties/relations/fresh.h"

namespace reprieve::relations {
namespace {

using generators::Random;

constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr std::string_view kNamespaceName = "kubernetes.io/metadata.name";

void rename(const NameMap& map, std::string& name) {
  const auto found = map.find(name);
  if (found != map.end()) name = found->second;
}

/// Fresh names, or the same ones in another order.
NameMap draw_names(const std::set<std::string>& names, Random& random) {
  std::vector<std::string> dealt(names.begin(), names.end());
  if (random.coin()) {
    random.shuffle(dealt);
  } else {
    for (std::string& name : dealt) name = fresh_name(random);
  }
  NameMap map;
  std::size_t next = 0;
  for (const std::string& name : names) map.emplace(name, dealt[next++]);
  return map;
}

void rename_fields(const NameMap& map, std::vector<NodeSelectorTerm>& terms) {
  for (NodeSelectorTerm& term : terms) {
    for (SelectorRequirement& field : term.match_fields) {
      for (std::string& value : field.values) rename(map, value);
    }
  }
}

void rename_values(const NameMap& map, std::optional<LabelSelector>& selector, std::string_view key) {
  if (!selector) return;
  const auto label = selector->match_labels.find(key);
  if (label != selector->match_labels.end()) rename(map, label->second);
  for (SelectorRequirement& requirement : selector->match_expressions) {
    if (requirement.key != key) continue;
    for (std::string& value : requirement.values) rename(map, value);
  }
}

/// The nodes and the pods that scripted extenders answer with.
void rename_answers(std::vector<Extender>& extenders, const NameMap& nodes, const NameMap& pods) {
  for (Extender& extender : extenders) {
    if (!extender.answer) continue;
    std::map<std::string, ExtenderVictims, std::less<>> answer;
    for (auto& [node, victims] : *extender.answer) {
      std::string name = node;
      rename(nodes, name);
      for (std::string& victim : victims.victims) rename(pods, victim);
      answer.emplace(std::move(name), std::move(victims));
    }
    extender.answer = std::move(answer);
  }
}

/// "PVC default/data was not created for pod default/p (pod is not owner)", word by word.
void rename_words(const Renaming& names, std::string& reason) {
  if (reason.find('/') == std::string::npos) return;
  std::string out;
  for (std::size_t begin = 0; begin <= reason.size();) {
    const std::size_t end = std::min(reason.find(' ', begin), reason.size());
    std::string word = reason.substr(begin, end - begin);
    const bool is_pod = names.pods.contains(word);
    rename(is_pod ? names.pods : names.claims, word);
    out += word;
    if (end < reason.size()) out += ' ';
    begin = end + 1;
  }
  reason = std::move(out);
}

void rename_words(const Renaming& names, std::optional<FilterFailure>& failure) {
  if (!failure) return;
  for (std::string& reason : failure->reasons) rename_words(names, reason);
}

/// A list of namespaces may hold what no namespace can be called; as the value of a selector such a name
/// would be an error, so it is dealt to nobody.
bool may_name_a_namespace(std::string_view name) {
  const auto in_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= 63 && std::ranges::all_of(name, in_name) && name.front() != '-' &&
         name.back() != '-';
}

bool names_a_claim(const Pod& pod) {
  return std::ranges::any_of(pod.volumes,
                             [](const PodVolume& volume) { return volume.kind == VolumeKind::kEphemeral; });
}

}  // namespace

Renamed with_nodes_renamed(Case question, Random& random) {
  std::set<std::string> names;
  for (const Node& node : question.cluster.nodes) names.insert(node.name);
  const NameMap map = draw_names(names, random);
  Cluster& cluster = question.cluster;
  for (Node& node : cluster.nodes) rename(map, node.name);
  for (Pod& pod : cluster.pods) {
    rename(map, pod.node_name);
    rename(map, pod.nominated_node_name);
    if (pod.affinity.required_node_affinity) rename_fields(map, pod.affinity.required_node_affinity->terms);
  }
  for (CsiNode& csi_node : cluster.csi_nodes) rename(map, csi_node.name);
  for (VolumeAttachment& attachment : cluster.volume_attachments) rename(map, attachment.node_name);
  for (PersistentVolume& volume : cluster.volumes) {
    if (volume.node_affinity) rename_fields(map, volume.node_affinity->terms);
  }
  for (PersistentVolumeClaim& claim : cluster.claims) {
    const auto selected = claim.annotations.find(kSelectedNode);
    if (selected != claim.annotations.end()) rename(map, selected->second);
  }
  rename_answers(question.extenders, map, {});
  return {.question = std::move(question), .names = {.nodes = map, .pods = {}, .budgets = {}, .claims = {}}};
}

Renamed with_pods_renamed(Case question, Random& random) {
  std::map<std::string, std::set<std::string>> by_namespace;
  for (const Pod& pod : question.cluster.pods) {
    if (!names_a_claim(pod)) by_namespace[pod.namespace_].insert(pod.name);
  }
  std::map<std::string, NameMap> maps;
  for (const auto& [name, pods] : by_namespace) maps.emplace(name, draw_names(pods, random));

  NameMap full;
  for (Pod& pod : question.cluster.pods) {
    if (names_a_claim(pod)) continue;
    const std::string before = full_name(pod);
    rename(maps[pod.namespace_], pod.name);
    full.emplace(before, full_name(pod));
  }
  rename(full, question.preemptor);
  for (DisruptionBudget& budget : question.cluster.budgets) {
    std::set<std::string, std::less<>> disrupted;
    for (std::string name : budget.disrupted_pods) {
      rename(maps[budget.namespace_], name);
      disrupted.insert(std::move(name));
    }
    budget.disrupted_pods = std::move(disrupted);
  }
  rename_answers(question.extenders, {}, full);
  return {.question = std::move(question), .names = {.nodes = {}, .pods = full, .budgets = {}, .claims = {}}};
}

Renamed with_namespaces_renamed(Case question, Random& random) {
  Cluster& cluster = question.cluster;
  std::set<std::string> names;
  const auto for_each_term = [&cluster](auto visit) {
    for (Pod& pod : cluster.pods) {
      for (auto* terms : {&pod.affinity.required_pod_affinity, &pod.affinity.required_pod_anti_affinity}) {
        for (PodAffinityTerm& term : *terms) visit(term);
      }
    }
  };
  for (const Pod& pod : cluster.pods) names.insert(pod.namespace_);
  for (const DisruptionBudget& budget : cluster.budgets) names.insert(budget.namespace_);
  for (const Namespace& name_space : cluster.namespaces) names.insert(name_space.name);
  for (const PersistentVolumeClaim& claim : cluster.claims) names.insert(claim.namespace_);
  for (const PersistentVolume& volume : cluster.volumes) {
    if (volume.has_claim_ref) names.insert(volume.claim_namespace);
  }
  for_each_term([&names](const PodAffinityTerm& term) {
    names.insert(term.namespaces.begin(), term.namespaces.end());
  });
  std::erase_if(names, [](const std::string& name) { return !may_name_a_namespace(name); });
  const NameMap map = draw_names(names, random);

  Renaming told;
  for (Pod& pod : cluster.pods) {
    const std::string before = full_name(pod);
    rename(map, pod.namespace_);
    told.pods.emplace(before, full_name(pod));
  }
  rename(told.pods, question.preemptor);
  // An answer may name a pod that is not there, and must not name one that is once it is renamed.
  for (const Extender& extender : question.extenders) {
    if (!extender.answer) continue;
    for (const auto& [node, answer] : *extender.answer) {
      for (const std::string& pod : answer.victims) {
        const std::size_t slash = pod.find('/');
        if (slash == std::string::npos) continue;
        std::string name_space = pod.substr(0, slash);
        rename(map, name_space);
        told.pods.emplace(pod, name_space + pod.substr(slash));
      }
    }
  }
  for (DisruptionBudget& budget : cluster.budgets) {
    const std::string before = budget.namespace_ + "/" + budget.name;
    rename(map, budget.namespace_);
    told.budgets.emplace(before, budget.namespace_ + "/" + budget.name);
  }
  for (Namespace& name_space : cluster.namespaces) {
    rename(map, name_space.name);
    const auto label = name_space.labels.find(kNamespaceName);
    if (label != name_space.labels.end()) rename(map, label->second);
  }
  for (PersistentVolumeClaim& claim : cluster.claims) {
    const std::string before = claim.namespace_ + "/" + claim.name;
    rename(map, claim.namespace_);
    told.claims.emplace(before, claim.namespace_ + "/" + claim.name);
  }
  for (PersistentVolume& volume : cluster.volumes) {
    if (volume.has_claim_ref) rename(map, volume.claim_namespace);
  }
  for_each_term([&map](PodAffinityTerm& term) {
    for (std::string& name : term.namespaces) rename(map, name);
    rename_values(map, term.namespace_selector, kNamespaceName);
  });
  rename_answers(question.extenders, {}, told.pods);
  return {.question = std::move(question), .names = std::move(told)};
}

Renaming inverse(const Renaming& names) {
  const auto turned = [](const NameMap& map) {
    NameMap back;
    for (const auto& [from, to] : map) back.emplace(to, from);
    return back;
  };
  return {.nodes = turned(names.nodes),
          .pods = turned(names.pods),
          .budgets = turned(names.budgets),
          .claims = turned(names.claims)};
}

Decision renamed(Decision decision, const Renaming& names) {
  for (std::string& node : decision.nominated) rename(names.nodes, node);
  for (std::string& pod : decision.cleared) rename(names.pods, pod);
  for (NodeDecision& node : decision.nodes) {
    rename(names.nodes, node.node);
    for (std::string& victim : node.victims) rename(names.pods, victim);
    for (std::string& reason : node.reasons) rename_words(names, reason);
    rename_words(names, node.filter_failure);
    rename_words(names, node.emptied_failure);
    for (PotentialVictim& victim : node.potential_victims) {
      rename(names.pods, victim.pod);
      rename_words(names, victim.not_reprieved);
      for (Charge& charge : victim.charges) rename(names.budgets, charge.budget);
    }
  }
  return decision;
}

}  // namespace reprieve::relations
