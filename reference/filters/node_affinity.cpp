// NodeAffinity: spec.nodeSelector and the required node affinity.
// Source: pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go.
#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/selectors.h"

namespace reprieve::reference {
namespace {

// The nodes that a term names by `metadata.name In [...]`: the intersection of all such fields;
// nothing when the term has none and so may match any node.
std::optional<std::set<std::string>> named_by(const NodeSelectorTerm& term) {
  std::optional<std::set<std::string>> names;
  for (const SelectorRequirement& field : term.match_fields) {
    if (field.key != "metadata.name" || field.op != SelectorOperator::kIn) continue;
    const std::set<std::string> values(field.values.begin(), field.values.end());
    if (names) {
      REPRIEVE_MARK("reference/node-affinity/two-name-fields");
      std::erase_if(*names, [&values](const std::string& name) { return !values.contains(name); });
    } else {
      names = values;
    }
  }
  return names;
}

class NodeAffinity final : public Plugin {
 public:
  explicit NodeAffinity(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "NodeAffinity"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<NodeAffinity>(*this); }

  PreFilterResult pre_filter() override {
    const Pod& pod = situation_.preemptor;
    const std::optional<NodeSelector>& affinity = pod.affinity.required_node_affinity;
    if (!affinity && pod.node_selector.empty()) return {.skip = true};
    if (!affinity || affinity->terms.empty()) return {};

    // Terms are ORed: only when every one of them names nodes is the pod restricted to these.
    std::set<std::string> names;
    for (const NodeSelectorTerm& term : affinity->terms) {
      const std::optional<std::set<std::string>> named = named_by(term);
      if (!named) return {};
      names.insert(named->begin(), named->end());
    }
    if (names.empty()) {
      REPRIEVE_MARK("reference/node-affinity/names-conflict");
      return {.status = unresolvable("pod affinity terms conflict")};
    }
    return {.nodes = names};
  }

  Status filter(const NodeInfo& node) const override {
    if (matches_required_node_affinity(situation_.preemptor, *node.node)) return {};
    return unresolvable("node(s) didn't match Pod's node affinity/selector");
  }

 private:
  const Situation& situation_;
};

}  // namespace

std::unique_ptr<Plugin> make_node_affinity(const Situation& situation) {
  return std::make_unique<NodeAffinity>(situation);
}

}  // namespace reprieve::reference
