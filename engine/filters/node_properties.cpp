#include "reprieve/engine/filters/node_properties.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

bool tolerated(const Taint& taint, std::span<const Toleration> tolerations) {
  return std::ranges::any_of(tolerations, [&](const Toleration& toleration) {
    const bool other_effect = toleration.effect != TaintEffect::kAny && toleration.effect != taint.effect;
    if (REPRIEVE_MUTANT("taint-effect-ignored", other_effect, false)) return false;
    if (!toleration.key.empty() && toleration.key != taint.key) return false;
    if (toleration.key.empty()) REPRIEVE_MARK("engine/taints/empty-key");
    switch (toleration.op) {
      case TolerationOperator::kEqual:
        return REPRIEVE_MUTANT("taint-value-ignored", toleration.value == taint.value, true);
      case TolerationOperator::kExists: return true;
      case TolerationOperator::kGt:
      case TolerationOperator::kLt: REPRIEVE_MARK("engine/taints/numeric-operator"); return false;
      case TolerationOperator::kInvalid: break;
    }
    return false;
  });
}

bool tolerates_taints(const Cycle& cycle, NodeId node) {
  return std::ranges::all_of(cycle.node(node).taints, [&](const Taint& taint) {
    return tolerated(taint, cycle.preemptor().tolerations);
  });
}

bool matches_node_affinity(const Cycle& cycle, NodeId node) {
  const NodeRecord& record = cycle.node(node);
  const Preemptor& preemptor = cycle.preemptor();
  for (const Label& label : preemptor.node_selector) {
    const bool other = label_value(record.labels, label.key) != label.value;
    if (REPRIEVE_MUTANT("node-selector-ignored", other, false)) return false;
  }
  return !preemptor.node_affinity ||
         preemptor.node_affinity->matches(record.labels, record.name_id, cycle.index->strings);
}

// node_affinity.go, PreFilter. It reads the terms unparsed: an In of several names restricts, though
// the filter later takes it for invalid.
bool read_named_nodes(const Cycle& cycle, NamedNodes& named) {
  named.restricted = false;
  named.names.clear();
  const auto& affinity = cycle.preemptor().node_affinity_source;
  if (!affinity || affinity->terms.empty()) return true;
  std::set<std::string_view> all;
  for (const NodeSelectorTerm& term : affinity->terms) {
    std::optional<std::set<std::string_view>> of_term;
    for (const SelectorRequirement& field : term.match_fields) {
      if (field.key != "metadata.name" || field.op != SelectorOperator::kIn) continue;
      std::set<std::string_view> values(field.values.begin(), field.values.end());
      if (REPRIEVE_MUTANT("names-of-a-term-not-intersected", of_term.has_value(), false)) {
        REPRIEVE_MARK("engine/node-affinity/two-name-fields");
        std::set<std::string_view> both;
        std::ranges::set_intersection(*of_term, values, std::inserter(both, both.end()));
        values = std::move(both);
      }
      of_term = std::move(values);
    }
    if (!of_term) return true;  // a term without a name: every node is eligible
    all.merge(*of_term);
  }
  if (all.empty()) return false;
  named.restricted = true;
  for (const std::string_view name : all) {
    if (const StringId id = cycle.index->strings.find(name); id != kNoString) named.names.push_back(id);
  }
  std::ranges::sort(named.names);
  return true;
}

Verdict check_node_properties(const Cycle& cycle, NodeId node) {
  const NodeRecord& record = cycle.node(node);
  const Preemptor& preemptor = cycle.preemptor();
  if (REPRIEVE_MUTANT("cordon-ignored", record.unschedulable, false)) {
    static const Taint kUnschedulableTaint{
        .key = "node.kubernetes.io/unschedulable", .value = "", .effect = TaintEffect::kNoSchedule};
    if (!tolerated(kUnschedulableTaint, preemptor.tolerations)) {
      return {Code::kUnresolvable, Plugin::kNodeUnschedulable};
    }
    REPRIEVE_MARK("engine/cordon/is-tolerated");
  }
  if (!record.taints.empty() && !tolerates_taints(cycle, node)) {
    return {Code::kUnresolvable, Plugin::kTaintToleration};
  }
  if ((preemptor.node_affinity || !preemptor.node_selector.empty()) && !matches_node_affinity(cycle, node)) {
    return {Code::kUnresolvable, Plugin::kNodeAffinity};
  }
  return {};
}

bool has_declared_features(const Cycle& cycle, NodeId node) {
  // component-helpers nodedeclaredfeatures/featureset.go (mapSorted) merges the node's list with the
  // registered names as if both were sorted: whatever stands behind a greater name is passed over.
  const std::vector<std::string>& declared = cycle.node(node).declared_features;
  return std::ranges::all_of(cycle.preemptor().needed_features, [&](const std::string& feature) {
    const auto not_less = std::ranges::find_if(declared, [&](const std::string& name) {
      return REPRIEVE_MUTANT("declared-features-searched", name >= feature, name == feature);
    });
    if (not_less != declared.end() && *not_less == feature) return true;
    if (std::ranges::find(declared, feature) != declared.end()) {
      REPRIEVE_MARK("engine/features/behind-a-greater-name");
    }
    return false;
  });
}

}  // namespace reprieve::engine
