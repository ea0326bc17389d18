// PodTopologySpread: how unevenly the pods that a constraint selects may lie over the domains.
// Source: pkg/scheduler/framework/plugins/podtopologyspread/filtering.go and common.go.
//
// Pods are counted once, in PreFilter, and patched afterwards. The two do not agree:
//  - PreFilter passes over terminating pods, the patch does not;
//  - an empty selector counts nothing in PreFilter, and every pod in the patch.
// The cluster's default constraints are ScheduleAnyway and so filter nothing.
#include <algorithm>
#include <limits>
#include <map>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/filters/tolerations.h"
#include "reprieve/reference/selectors.h"

namespace reprieve::reference {
namespace {

struct Constraint {
  const TopologySpreadConstraint* spec;
  std::optional<LabelSelector> selector;      // with matchLabelKeys merged in; absent: no pod
  std::map<std::string, std::int64_t> count;  // of selected pods, by domain

  bool selects(const Labels& labels) const { return selector && matches(*selector, labels); }
};

// The pod's own values of matchLabelKeys become requirements beside those of the selector. A
// selector that is absent stays absent.
std::optional<LabelSelector> merged_selector(const TopologySpreadConstraint& spec, const Labels& pod_labels) {
  std::optional<LabelSelector> selector = spec.label_selector;
  if (!selector) return selector;
  for (const std::string& key : spec.match_label_keys) {
    const auto label = pod_labels.find(key);
    if (label == pod_labels.end()) continue;
    REPRIEVE_MARK("reference/spread/match-label-keys");
    selector->match_expressions.push_back(
        {.key = key, .op = SelectorOperator::kIn, .values = {label->second}});
  }
  return selector;
}

class PodTopologySpread final : public Plugin {
 public:
  explicit PodTopologySpread(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "PodTopologySpread"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<PodTopologySpread>(*this); }

  PreFilterResult pre_filter() override {
    const Pod& pod = situation_.preemptor;
    for (const TopologySpreadConstraint& spec : pod.topology_spread_constraints) {
      if (spec.when_unsatisfiable != UnsatisfiableAction::kDoNotSchedule) continue;
      if (spec.label_selector && !is_valid(*spec.label_selector)) {
        REPRIEVE_MARK("reference/spread/invalid-selector");
        return {.status = error("get constraints from pod: obtaining pod's hard topology spread constraints: "
                                "invalid label selector")};
      }
      constraints_.push_back({.spec = &spec, .selector = merged_selector(spec, pod.labels), .count = {}});
    }
    for (const NodeInfo& node : situation_.nodes) {
      if (!has_all_keys(*node.node)) {
        if (!constraints_.empty()) REPRIEVE_MARK("reference/spread/node-without-every-key");
        continue;
      }
      for (Constraint& constraint : constraints_) {
        if (!is_included(constraint, *node.node)) continue;
        // A domain counts as one even when no pod is in it.
        std::int64_t& count = constraint.count[domain(constraint, *node.node)];
        for (const Pod* other : node.pods) count += is_counted(constraint, *other) ? 1 : 0;
      }
    }
    return {.skip = constraints_.empty()};
  }

  void add_pod(const Pod& pod, const Node& node) override { patch(pod, node, 1); }
  void remove_pod(const Pod& pod, const Node& node) override { patch(pod, node, -1); }

  // The first constraint that fails decides.
  Status filter(const NodeInfo& info) const override {
    const Node& node = *info.node;
    for (const Constraint& constraint : constraints_) {
      if (!node.labels.contains(constraint.spec->topology_key)) {
        REPRIEVE_MARK("reference/spread/missing-label");
        return unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");
      }
      const auto here = constraint.count.find(domain(constraint, node));
      const std::int64_t count = here == constraint.count.end() ? 0 : here->second;
      const std::int64_t self = constraint.selects(situation_.preemptor.labels) ? 1 : 0;
      if (self == 0) REPRIEVE_MARK("reference/spread/does-not-select-itself");
      if (count + self - least(constraint) > constraint.spec->max_skew) {
        REPRIEVE_MARK("reference/spread/skew");
        return unschedulable("node(s) didn't match pod topology spread constraints");
      }
    }
    return {};
  }

 private:
  static const std::string& domain(const Constraint& constraint, const Node& node) {
    return node.labels.find(constraint.spec->topology_key)->second;
  }

  // A node that lacks any of the keys counts for none of the constraints.
  bool has_all_keys(const Node& node) const {
    return std::ranges::all_of(constraints_, [&node](const Constraint& constraint) {
      return node.labels.contains(constraint.spec->topology_key);
    });
  }

  bool is_included(const Constraint& constraint, const Node& node) const {
    if (constraint.spec->node_affinity_policy == NodeInclusionPolicy::kHonor &&
        !matches_required_node_affinity(situation_.preemptor, node)) {
      REPRIEVE_MARK("reference/spread/node-left-out-by-affinity");
      return false;
    }
    if (constraint.spec->node_taints_policy == NodeInclusionPolicy::kHonor &&
        has_untolerated_taint(node, situation_.preemptor.tolerations)) {
      REPRIEVE_MARK("reference/spread/node-left-out-by-taints");
      return false;
    }
    return true;
  }

  // countPodsMatchSelector.
  bool is_counted(const Constraint& constraint, const Pod& pod) const {
    if (constraint.selector && is_empty(*constraint.selector)) {
      REPRIEVE_MARK("reference/spread/empty-selector-counts-nobody");
      return false;
    }
    if (pod.namespace_ != situation_.preemptor.namespace_ || !constraint.selects(pod.labels)) return false;
    if (pod.deletion_time_us) {
      REPRIEVE_MARK("reference/spread/terminating-pod-is-not-counted");
      return false;
    }
    return true;
  }

  // updateWithPod.
  void patch(const Pod& pod, const Node& node, std::int64_t change) {
    if (pod.namespace_ != situation_.preemptor.namespace_ || !has_all_keys(node)) return;
    for (Constraint& constraint : constraints_) {
      if (!constraint.selects(pod.labels) || !is_included(constraint, node)) continue;
      if (is_empty(*constraint.selector)) REPRIEVE_MARK("reference/spread/empty-selector-is-patched");
      if (pod.deletion_time_us) REPRIEVE_MARK("reference/spread/terminating-pod-is-patched");
      constraint.count[domain(constraint, node)] += change;
    }
  }

  // minMatchNum. Upstream keeps only the two least filled domains ("critical paths"); since all
  // patches of one dry run fall into one domain, the least of them is always the true minimum.
  static std::int64_t least(const Constraint& constraint) {
    const std::int32_t min_domains = constraint.spec->min_domains.value_or(1);
    if (static_cast<std::int64_t>(constraint.count.size()) < min_domains) {
      REPRIEVE_MARK("reference/spread/fewer-than-min-domains");
      return 0;
    }
    std::int64_t least = std::numeric_limits<std::int32_t>::max();
    for (const auto& [name, count] : constraint.count) least = std::min(least, count);
    return least;
  }

  const Situation& situation_;
  std::vector<Constraint> constraints_;
};

}  // namespace

std::unique_ptr<Plugin> make_pod_topology_spread(const Situation& situation) {
  return std::make_unique<PodTopologySpread>(situation);
}

}  // namespace reprieve::reference
