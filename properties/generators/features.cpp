#include "reprieve/properties/generators/features.h"

#include <array>
#include <optional>
#include <utility>

namespace reprieve::generators {
namespace {

constexpr std::array<std::string_view, kFeatureCount> kNames = {
    "memory",
    "ephemeral-storage",
    "huge-pages",
    "extended-resources",
    "pod-limit",
    "zero-requests",
    "fractions",
    "containers",
    "init-containers",
    "sidecars",
    "overhead",
    "pod-level-resources",
    "resize",
    "budgets",
    "budget-selectors",
    "disrupted-pods",
    "invalid-selectors",
    "negative-priorities",
    "extreme-priorities",
    "missing-start-times",
    "nominated-pods",
    "own-nomination",
    "gated-pods",
    "other-schedulers",
    "terminating-pods",
    "never-preempts",
    "absent-nodes",
    "namespaces",
    "taints",
    "unschedulable",
    "node-selector",
    "node-affinity",
    "match-fields",
    "host-ports",
    "declared-features",
    "pod-affinity",
    "pod-anti-affinity",
    "existing-anti-affinity",
    "namespace-selectors",
    "topology-spread",
    "claims",
    "read-write-once-pod",
    "attach-limits",
    "volume-zones",
    "volume-node-affinity",
    "unbound-claims",
    "broken-claims",
    "in-tree-disks",
    "ephemeral-volumes",
    "extenders",
    "sampling",
};

constexpr std::array<std::pair<std::string_view, FeatureSet>, 8> kGroups = {{
    {"resources", resource_features()},
    {"preemption", preemption_features()},
    {"placement", placement_features()},
    {"topology", topology_features()},
    {"volumes", volume_features()},
    {"surroundings", surrounding_features()},
    {"node-local", node_local_features()},
    {"all", all_features()},
}};

std::optional<FeatureSet> find(std::string_view word) {
  for (const auto& [name, features] : kGroups) {
    if (name == word) return features;
  }
  for (int i = 0; i < kFeatureCount; ++i) {
    if (kNames[static_cast<std::size_t>(i)] == word) return FeatureSet{static_cast<Feature>(i)};
  }
  return std::nullopt;
}

std::string known_words() {
  std::string words;
  for (const auto& [name, features] : kGroups) words.append(words.empty() ? "" : ", ").append(name);
  for (const std::string_view name : kNames) words.append(", ").append(name);
  return words;
}

}  // namespace

std::string_view to_string(Feature feature) { return kNames[static_cast<std::size_t>(feature)]; }

std::expected<FeatureSet, std::string> parse_features(std::string_view list) {
  FeatureSet set = list.starts_with('-') ? all_features() : FeatureSet{};
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view word = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    const bool take_away = word.starts_with('-');
    if (take_away) word.remove_prefix(1);
    const std::optional<FeatureSet> found = find(word);
    if (!found) {
      return std::unexpected("unknown feature \"" + std::string(word) + "\"; known: " + known_words());
    }
    set = take_away ? set - *found : set | *found;
  }
  return set;
}

}  // namespace reprieve::generators
