// Renaming labels: which keys and values may be renamed, and everything that names them.
#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "reprieve/properties/relations/fresh.h"
#include "reprieve/properties/relations/names.h"

namespace reprieve::relations {
namespace {

using generators::Random;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Surely a valid name or value. Others stay as they are, so that what is refused is refused still.
bool is_plain(std::string_view text) {
  return !text.empty() && text.size() < 40 && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}
/// A DNS subdomain: lower case, and each of its parts a name.
bool is_plain_prefix(std::string_view text) {
  if (std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'Z'; })) return false;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_plain(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_plain(text);
}
bool is_plain_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return is_plain(key);
  return is_plain_prefix(key.substr(0, slash)) && is_plain(key.substr(slash + 1));
}

/// The labels of one kind of object, and the selectors over them.
class LabelNames {
 public:
  LabelNames(Random& random, std::set<std::string, std::less<>> fixed)
      : random_(random), fixed_(std::move(fixed)) {}

  void key(std::string& name) {
    if (fixed_.contains(name) || !is_plain_key(name)) return;
    name = fresh(keys_, name);
  }
  /// `key` is the old one.
  void value(std::string_view key, std::string& text) {
    if (fixed_.contains(key) || !is_plain_key(key) || !is_plain(text)) return;
    text = fresh(values_, text);
  }
  void labels(Labels& labels) {
    Labels out;
    for (const auto& [old_key, old_value] : labels) {
      std::string new_key = old_key;
      std::string new_value = old_value;
      key(new_key);
      value(old_key, new_value);
      out.emplace(std::move(new_key), std::move(new_value));
    }
    labels = std::move(out);
  }
  void requirements(std::vector<SelectorRequirement>& list) {
    for (SelectorRequirement& requirement : list) {
      for (std::string& text : requirement.values) value(requirement.key, text);
      key(requirement.key);
    }
  }
  void selector(std::optional<LabelSelector>& selector) {
    if (!selector) return;
    labels(selector->match_labels);
    requirements(selector->match_expressions);
  }

 private:
  std::string fresh(NameMap& map, const std::string& name) {
    const auto found = map.find(name);
    if (found != map.end()) return found->second;
    return map.emplace(name, fresh_name(random_)).first->second;
  }

  Random& random_;
  std::set<std::string, std::less<>> fixed_;
  NameMap keys_;
  NameMap values_;
};

using Keys = std::set<std::string, std::less<>>;

void collect(const std::vector<NodeSelectorTerm>& terms, Keys& keys) {
  for (const NodeSelectorTerm& term : terms) {
    for (const SelectorRequirement& requirement : term.match_expressions) keys.insert(requirement.key);
  }
}

/// Keys of node labels that mean more than equality with a selector.
Keys fixed_node_keys(const Cluster& cluster) {
  Keys keys = {"topology.kubernetes.io/zone", "topology.kubernetes.io/region",
               "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"};
  for (const Pod& pod : cluster.pods) {
    if (!pod.affinity.required_node_affinity) continue;
    for (const NodeSelectorTerm& term : pod.affinity.required_node_affinity->terms) {
      for (const SelectorRequirement& requirement : term.match_expressions) {
        const bool number =
            requirement.op == SelectorOperator::kGt || requirement.op == SelectorOperator::kLt;
        if (number) keys.insert(requirement.key);
      }
    }
  }
  for (const PersistentVolume& volume : cluster.volumes) {
    for (const auto& [key, value] : volume.labels) keys.insert(key);
    if (volume.node_affinity) collect(volume.node_affinity->terms, keys);
  }
  for (const StorageClass& storage_class : cluster.storage_classes) {
    collect(storage_class.allowed_topologies, keys);
  }
  return keys;
}

}  // namespace

Case with_labels_renamed(Case question, Random& random) {
  Cluster& cluster = question.cluster;
  LabelNames of_pods(random, {});
  LabelNames of_nodes(random, fixed_node_keys(cluster));
  LabelNames of_namespaces(random, {"kubernetes.io/metadata.name"});

  for (Node& node : cluster.nodes) of_nodes.labels(node.labels);
  for (Namespace& name_space : cluster.namespaces) of_namespaces.labels(name_space.labels);
  for (DisruptionBudget& budget : cluster.budgets) of_pods.selector(budget.selector);
  for (Pod& pod : cluster.pods) {
    of_pods.labels(pod.labels);
    of_nodes.labels(pod.node_selector);
    if (pod.affinity.required_node_affinity) {
      for (NodeSelectorTerm& term : pod.affinity.required_node_affinity->terms) {
        of_nodes.requirements(term.match_expressions);
      }
    }
    for (auto* terms : {&pod.affinity.required_pod_affinity, &pod.affinity.required_pod_anti_affinity}) {
      for (PodAffinityTerm& term : *terms) {
        of_pods.selector(term.label_selector);
        of_namespaces.selector(term.namespace_selector);
        of_nodes.key(term.topology_key);
      }
    }
    for (TopologySpreadConstraint& constraint : pod.topology_spread_constraints) {
      of_pods.selector(constraint.label_selector);
      of_nodes.key(constraint.topology_key);
      for (std::string& key : constraint.match_label_keys) of_pods.key(key);
    }
  }
  return question;
}

}  // namespace reprieve::relations
