// The fields of the records of nodes, budgets, namespaces, selectors, policies and extenders, in order.
// Internal to codec/.
#pragma once

#include "reprieve/fuzz/codec/layout_pod.h"
#include "reprieve/model/case.h"

namespace reprieve::fuzz::layout {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kNamespaceLabel = "kubernetes.io/metadata.name";
constexpr int kDisruptedInBudget = 8;
constexpr int kDisruptedInRecord = 14;
constexpr int kVictimsInAnswer = 12;

/// The first taint in one byte, as one of a few.
struct UsualTaint {
  std::string_view key, value;
  TaintEffect effect;
};
inline constexpr std::array<UsualTaint, 6> kUsualTaints = {
    {{"dedicated", "", TaintEffect::kNoSchedule},
     {"dedicated", "v", TaintEffect::kNoSchedule},
     {"gpu", "v", TaintEffect::kNoExecute},
     {"gpu", "", TaintEffect::kNoSchedule},
     {"dedicated", "", TaintEffect::kPreferNoSchedule},
     {"node.kubernetes.io/unschedulable", "", TaintEffect::kNoSchedule}}};

inline std::uint8_t usual_taint(const Node& node) {
  if (node.taints.empty()) return 0;
  const Taint& first = node.taints.front();
  for (std::size_t i = 0; i < kUsualTaints.size(); ++i) {
    const UsualTaint& usual = kUsualTaints[i];
    if (first.key == usual.key && first.value == usual.value && first.effect == usual.effect) {
      return static_cast<std::uint8_t>(i + 1);
    }
  }
  return 0;
}

/// Declared features that are the usual ones, in their order, are two flags.
inline bool declares(const Node& node, std::size_t which) {
  const auto& features = node.declared_features;
  const bool usual =
      features.size() == 1
          ? features[0] == pools::kFeatures[0] || features[0] == pools::kFeatures[1]
          : features.size() == 2 && features[0] == pools::kFeatures[0] && features[1] == pools::kFeatures[1];
  return usual && std::find(features.begin(), features.end(), pools::kFeatures[which]) != features.end();
}

/// `name` is the node's, which is read and made unique before all records that refer to nodes.
template <class Io>
void node(Io& io, typename Io::template Ref<Node> node, const std::string& name) {
  const auto own = node.labels.find(kHostname);
  bool hostname = own != node.labels.end() && own->second == node.name;
  bool first = declares(node, 0);
  bool second = declares(node, 1);
  std::uint8_t taint = usual_taint(node);
  if constexpr (Io::kReads) {
    io.byte();
    node.name = name;
  } else {
    io.text(pools::kNodeNames, name);
  }
  io.flags(hostname, node.unschedulable, first, second);
  io.entry(node.labels, "topology.kubernetes.io/zone", pools::kZones);
  io.entry(node.labels, "zone", pools::kZones);
  io.entry(node.labels, "rank", pools::kRanks);
  io.choice(taint, 256);
  resources(io, node.allocatable);
  io.pod_count(node.allocatable);
  if constexpr (Io::kReads) {
    if (first) node.declared_features.emplace_back(pools::kFeatures[0]);
    if (second) node.declared_features.emplace_back(pools::kFeatures[1]);
    // Most nodes have no taint, so most values say so.
    if (taint != 0 && taint <= kUsualTaints.size()) {
      const UsualTaint& usual = kUsualTaints[taint - 1U];
      node.taints.push_back({std::string(usual.key), std::string(usual.value), usual.effect});
    }
    if (hostname) node.labels.insert_or_assign(std::string(kHostname), node.name);
  }
}

template <class Io>
void taint(Io& io, typename Io::template Ref<Taint> taint) {
  io.text(pools::kTaintKeys, taint.key);
  io.text(pools::kTaintValues, taint.value);
  io.choice(taint.effect, 4);
}

/// A label of the object, or an entry of a pod's node selector.
template <class Io>
void label(Io& io, typename Io::template Ref<bool> of_node_selector,
           typename Io::template Ref<std::string> key, typename Io::template Ref<std::string> value) {
  io.flags(of_node_selector);
  io.text(pools::kLabelKeys, key);
  io.text(pools::kValues, value);
}

/// `disrupted` are the first names in disruptedPods; more follow as kDisrupted.
template <class Io>
void budget(Io& io, typename Io::template Ref<DisruptionBudget> budget,
            typename Io::template Ref<std::vector<std::string>> disrupted) {
  io.text(pools::kBudgetNames, budget.name);
  io.text(pools::kNamespaces, budget.namespace_);
  selector(io, budget.selector);
  io.number(Field::kDisruptionsAllowed, pools::kSmall, budget.disruptions_allowed);
  io.items(pools::kPodNames, disrupted, kDisruptedInBudget);
}

template <class Io>
void name_space(Io& io, typename Io::template Ref<Namespace> name_space) {
  io.text(pools::kNamespaceNames, name_space.name);
  io.entry(name_space.labels, "team", pools::kApps);
}

template <class Io>
void priority_class(Io& io, typename Io::template Ref<PriorityClass> priority_class) {
  io.text(pools::kPriorityClassNames, priority_class.name);
  io.number(Field::kClassValue, pools::kPriorities, priority_class.value);
  io.flags(priority_class.global_default);
  io.choice(priority_class.preemption_policy, 2);
}

/// Where a selector's label or expression goes.
enum : std::uint8_t { kOfSelector, kOfNodes, kOfNodeFields, kOfNamespaces };

template <class Io>
void selector_label(Io& io, typename Io::template Ref<bool> of_namespaces,
                    typename Io::template Ref<std::string> key,
                    typename Io::template Ref<std::string> value) {
  io.flags(of_namespaces);
  io.text(pools::kLabelKeys, key);
  io.text(pools::kValues, value);
}

template <class Io>
void requirement(Io& io, typename Io::template Ref<std::uint8_t> where,
                 typename Io::template Ref<SelectorRequirement> requirement) {
  io.choice(where, 4);
  io.text(where == kOfNodeFields ? Pool(pools::kFieldKeys) : Pool(pools::kLabelKeys), requirement.key);
  io.choice(requirement.op, 7);
  io.items(pools::kValues, requirement.values, 10);
}

template <class Io>
void extender(Io& io, typename Io::template Ref<Extender> extender) {
  bool no_preemption = !extender.supports_preemption;
  bool fails = extender.error.has_value();
  bool silent = !extender.answer && !extender.error;
  io.text(pools::kExtenderNames, extender.name);
  io.flags(extender.ignorable, no_preemption, extender.node_cache_capable, fails, silent);
  io.items(pools::kManagedResources, extender.managed_resources, 4);
  if constexpr (Io::kReads) {
    extender.supports_preemption = !no_preemption;
    std::string error;
    io.text(pools::kErrors, error);
    if (fails) {
      extender.error = error;
    } else if (!silent || !no_preemption) {
      extender.answer.emplace();
    }
  } else {
    io.text(pools::kErrors, fails ? *extender.error : std::string(pools::kErrors[0]));
  }
}

template <class Io>
void answer(Io& io, typename Io::template Ref<std::string> node,
            typename Io::template Ref<std::int64_t> violations,
            typename Io::template Ref<std::vector<std::string>> victims) {
  io.node(node);
  io.number(Field::kViolations, pools::kSmall, violations);
  io.pods(victims, kVictimsInAnswer);
}

template <class Criterion, class Io>
void criteria(Io& io, typename Io::template Ref<std::vector<Criterion>> all, int kinds) {
  // One byte for each place: 0 is none, so that the list is as long as its criteria.
  for (std::size_t place = 0; place < static_cast<std::size_t>(kinds); ++place) {
    std::uint8_t which = place < all.size() && !Io::kReads ? static_cast<std::uint8_t>(all[place]) + 1 : 0;
    io.choice(which, kinds + 1);
    if constexpr (Io::kReads) {
      if (which == 0) continue;
      const auto criterion = static_cast<Criterion>(which - 1);
      if (std::find(all.begin(), all.end(), criterion) == all.end()) all.push_back(criterion);
    }
  }
}

template <class Io>
void sampling(Io& io, typename Io::template Ref<std::optional<Sampling>> sampling) {
  bool there = sampling.has_value();
  Sampling values = sampling.value_or(Sampling{.min_percentage = 0, .min_absolute = 0, .offset = 0});
  io.flags(there);
  io.number(Field::kMinPercentage, pools::kPercentages, values.min_percentage);
  io.number(Field::kMinAbsolute, pools::kSmall, values.min_absolute);
  io.number(Field::kOffset, pools::kSmall, values.offset);
  if constexpr (Io::kReads) {
    if (there) sampling = values;
  }
}

/// Everything of a policy but its sampling, which the header has.
template <class Io>
void policy(Io& io, typename Io::template Ref<Policy> policy) {
  bool exact = policy.victims == VictimSearch::kExact;
  bool older = policy.release == Release::k1_36;
  bool every_budget = policy.charging == Charging::kEveryBudget;
  bool actual = policy.violations == ViolationCount::kActual;
  io.text(pools::kPolicyNames, policy.name);
  io.flags(exact, older, every_budget, actual, policy.budgets.guaranteed);
  io.number(Field::kBelowPriority, pools::kPriorities, policy.budgets.below_priority);
  if constexpr (Io::kReads) {
    policy.victims = exact ? VictimSearch::kExact : VictimSearch::kGreedy;
    policy.release = older ? Release::k1_36 : Release::k1_37;
    policy.charging = every_budget ? Charging::kEveryBudget : Charging::kUntilViolated;
    policy.violations = actual ? ViolationCount::kActual : ViolationCount::kClassified;
    policy.importance.clear();
    policy.node_order.clear();
  }
  criteria<ImportanceCriterion>(io, policy.importance, 4);
  criteria<NodeCriterion>(io, policy.node_order, 7);
}

}  // namespace reprieve::fuzz::layout
