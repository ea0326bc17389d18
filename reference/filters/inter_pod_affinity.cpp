// InterPodAffinity: required affinity and anti-affinity, of the preemptor to the pods that run and
// of these to the preemptor. Source: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
// and plugin.go, k8s.io/kube-scheduler/framework/types.go (AffinityTerm).
// 1.37's InterPodAffinityHostnameFastPath is off by default and left out.
#include <map>

#include "reprieve/marks/mark.h"
#include "reprieve/reference/filters/plugins.h"
#include "reprieve/reference/selectors.h"

namespace reprieve::reference {
namespace {

struct Term {
  std::set<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;  // absent: none
  std::optional<LabelSelector> selector;            // absent: no pod
  std::string topology_key;

  bool matches_pod(const Pod& pod, const Labels& namespace_labels) const {
    const bool in_namespace = namespaces.contains(pod.namespace_) ||
                              (namespace_selector && matches(*namespace_selector, namespace_labels));
    return in_namespace && selector && matches(*selector, pod.labels);
  }
};

// GetAffinityTerms: nothing when any of the terms has an invalid selector. Without namespaces and
// namespace selector, the term means the namespace of the pod that has it.
std::optional<std::vector<Term>> parsed(const Pod& pod, const std::vector<PodAffinityTerm>& specs) {
  std::vector<Term> terms;
  for (const PodAffinityTerm& spec : specs) {
    if (spec.label_selector && !is_valid(*spec.label_selector)) return std::nullopt;
    if (spec.namespace_selector && !is_valid(*spec.namespace_selector)) return std::nullopt;
    Term term{.namespaces = {spec.namespaces.begin(), spec.namespaces.end()},
              .namespace_selector = spec.namespace_selector,
              .selector = spec.label_selector,
              .topology_key = spec.topology_key};
    if (spec.namespaces.empty() && !spec.namespace_selector) term.namespaces.insert(pod.namespace_);
    terms.push_back(term);
  }
  return terms;
}

// NewPodInfo ignores the error for pods that run: such a pod has no terms.
std::vector<Term> anti_affinity_of(const Pod& pod) {
  auto terms = parsed(pod, pod.affinity.required_pod_anti_affinity);
  if (!terms) REPRIEVE_MARK("reference/affinity/invalid-terms-of-a-running-pod");
  return std::move(terms).value_or(std::vector<Term>());
}

// Numbers of matches by (topology key, value). A pair that falls to zero is dropped: whether
// anything is left is what the rule for the first pod of a group asks.
class Counts {
 public:
  void change(const Node& node, const std::string& key, std::int64_t by) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end()) return;
    const std::pair<std::string, std::string> domain(key, label->second);
    if ((numbers_[domain] += by) == 0) numbers_.erase(domain);
  }

  std::int64_t at(const std::string& key, const std::string& value) const {
    const auto number = numbers_.find({key, value});
    return number == numbers_.end() ? 0 : number->second;
  }

  bool empty() const { return numbers_.empty(); }

 private:
  std::map<std::pair<std::string, std::string>, std::int64_t> numbers_;
};

class InterPodAffinity final : public Plugin {
 public:
  explicit InterPodAffinity(const Situation& situation) : situation_(situation) {}

  std::string_view name() const override { return "InterPodAffinity"; }
  std::unique_ptr<Plugin> clone() const override { return std::make_unique<InterPodAffinity>(*this); }

  PreFilterResult pre_filter() override {
    const Pod& pod = situation_.preemptor;
    const auto affinity = parsed(pod, pod.affinity.required_pod_affinity);
    const auto anti_affinity = parsed(pod, pod.affinity.required_pod_anti_affinity);
    if (!affinity || !anti_affinity) {
      REPRIEVE_MARK("reference/affinity/invalid-terms-of-the-preemptor");
      return {.status = unresolvable("parsing pod: invalid label selector")};
    }
    affinity_ = *affinity;
    anti_affinity_ = *anti_affinity;
    for (Term& term : affinity_) merge_namespaces(term);
    for (Term& term : anti_affinity_) merge_namespaces(term);
    for (const Namespace& candidate : situation_.cluster.namespaces) {
      if (candidate.name == pod.namespace_) namespace_labels_ = candidate.labels;
    }
    for (const NodeInfo& node : situation_.nodes) {
      for (const Pod* other : node.pods) change(*other, *node.node, 1);
    }
    // Skipped for the patches too: when no running pod has a term against the preemptor and it has
    // none itself, a nominated pod's anti-affinity is never seen.
    return {.skip = against_me_.empty() && affinity_.empty() && anti_affinity_.empty()};
  }

  void add_pod(const Pod& pod, const Node& node) override { change(pod, node, 1); }
  void remove_pod(const Pod& pod, const Node& node) override { change(pod, node, -1); }

  Status filter(const NodeInfo& info) const override {
    const Node& node = *info.node;
    if (!affinity_is_met(node)) {
      REPRIEVE_MARK("reference/affinity/is-not-met");
      return unresolvable("node(s) didn't match pod affinity rules");
    }
    for (const Term& term : anti_affinity_) {
      const auto label = node.labels.find(term.topology_key);
      if (label != node.labels.end() && unwanted_.at(term.topology_key, label->second) > 0) {
        REPRIEVE_MARK("reference/affinity/repels-a-pod");
        return unschedulable("node(s) didn't match pod anti-affinity rules");
      }
    }
    for (const auto& [key, value] : node.labels) {
      if (against_me_.at(key, value) > 0) {
        REPRIEVE_MARK("reference/affinity/is-repelled-by-a-pod");
        return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
      }
    }
    return {};
  }

 private:
  // The preemptor's namespace selectors are resolved to names once. 1.36 does so on a copy of the
  // term: the names stay, but so does the selector, which is then asked about no labels at all, so
  // that NotIn and DoesNotExist match every namespace.
  void merge_namespaces(Term& term) const {
    if (!term.namespace_selector || is_empty(*term.namespace_selector)) return;
    for (const Namespace& candidate : situation_.cluster.namespaces) {
      if (matches(*term.namespace_selector, candidate.labels)) term.namespaces.insert(candidate.name);
    }
    if (situation_.release != Release::k1_36) {
      term.namespace_selector.reset();
    } else if (matches(*term.namespace_selector, {})) {
      REPRIEVE_MARK("reference/affinity/namespace-selector-of-no-labels-1.36");
    }
  }

  bool matches_all_affinity(const Pod& pod) const {
    for (const Term& term : affinity_) {
      if (!term.matches_pod(pod, {})) return false;
    }
    return !affinity_.empty();
  }

  // updateWithPod, and the count in PreFilter: here the two agree. Terminating pods count.
  void change(const Pod& other, const Node& node, std::int64_t by) {
    for (const Term& term : anti_affinity_of(other)) {
      if (term.matches_pod(situation_.preemptor, namespace_labels_))
        against_me_.change(node, term.topology_key, by);
    }
    // One pod must match all the terms to count for any.
    if (matches_all_affinity(other)) {
      for (const Term& term : affinity_) wanted_.change(node, term.topology_key, by);
    }
    for (const Term& term : anti_affinity_) {
      if (term.matches_pod(other, {})) unwanted_.change(node, term.topology_key, by);
    }
  }

  bool affinity_is_met(const Node& node) const {
    bool everywhere = true;
    for (const Term& term : affinity_) {
      const auto label = node.labels.find(term.topology_key);
      if (label == node.labels.end()) return false;
      everywhere = everywhere && wanted_.at(term.topology_key, label->second) > 0;
    }
    // The first pod of a group that wants to be together: nobody else in the cluster matches, and
    // it matches its own terms.
    if (everywhere) return true;
    if (!wanted_.empty() || !matches_all_affinity(situation_.preemptor)) return false;
    REPRIEVE_MARK("reference/affinity/first-of-its-kind");
    return true;
  }

  const Situation& situation_;
  std::vector<Term> affinity_;       // the preemptor's
  std::vector<Term> anti_affinity_;  // the preemptor's
  Labels namespace_labels_;          // of the preemptor's namespace
  Counts wanted_;                    // pods that match all of affinity_
  Counts unwanted_;                  // pods that match a term of anti_affinity_
  Counts against_me_;                // terms of running pods' anti-affinity that match the preemptor
};

}  // namespace

std::unique_ptr<Plugin> make_inter_pod_affinity(const Situation& situation) {
  return std::make_unique<InterPodAffinity>(situation);
}

}  // namespace reprieve::reference
