#include "reprieve/certificate/facts.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <limits>
#include <optional>

namespace reprieve::certificate {
namespace {

constexpr auto kNow = std::numeric_limits<TimeUs>::max();

using Requirements = std::vector<SelectorRequirement>;

// A label's key or value, or a resource's name, that is valid beyond doubt.
bool plain(std::string_view text) {
  const auto alphanumeric = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto allowed = [&](char c) { return alphanumeric(c) || std::string_view("-_./").contains(c); };
  return !text.empty() && text.size() <= 63 && alphanumeric(text.front()) && alphanumeric(text.back()) &&
         std::ranges::all_of(text, allowed) && std::ranges::count(text, '/') <= 1 && !text.contains("..");
}
bool plain_value(std::string_view text) { return plain(text) && !text.contains('/'); }

Requirements requirements(const Labels& equal, Requirements others = {}) {
  for (const auto& [key, value] : equal)
    others.push_back({.key = key, .op = SelectorOperator::kIn, .values = {value}});
  return others;
}
Requirements requirements(const LabelSelector& selector) {
  return requirements(selector.match_labels, selector.match_expressions);
}

bool understood(const SelectorRequirement& asked) {
  const bool of_values = asked.op == SelectorOperator::kIn || asked.op == SelectorOperator::kNotIn;
  const bool of_keys = asked.op == SelectorOperator::kExists || asked.op == SelectorOperator::kDoesNotExist;
  return plain(asked.key) && (of_values || of_keys) && of_values != asked.values.empty() &&
         std::ranges::all_of(asked.values, plain_value);
}

// One that is understood: without values it asks about the key alone.
bool met(const SelectorRequirement& asked, const Labels& labels) {
  const auto label = labels.find(asked.key);
  const bool found =
      label != labels.end() && (asked.values.empty() || std::ranges::count(asked.values, label->second) > 0);
  return found == (asked.op == SelectorOperator::kIn || asked.op == SelectorOperator::kExists);
}

bool all_met(const Requirements& asked, const Labels& labels) {
  return std::ranges::all_of(asked, [&](const SelectorRequirement& each) { return met(each, labels); });
}

// Nothing: it is not understood.
std::optional<bool> wants_node(const Pod& pod, const Node& node) {
  if (!all_met(requirements(pod.node_selector), node.labels)) return false;
  if (!pod.affinity.required_node_affinity) return true;
  bool any = false;
  for (const NodeSelectorTerm& term : pod.affinity.required_node_affinity->terms) {
    if (!term.match_fields.empty() || term.match_expressions.empty() ||
        !std::ranges::all_of(term.match_expressions, understood))
      return std::nullopt;
    any = any || all_met(term.match_expressions, node.labels);
  }
  return any;
}

bool tolerates(const Pod& pod, const Taint& taint) {
  return std::ranges::any_of(pod.tolerations, [&](const Toleration& toleration) {
    return (toleration.effect == TaintEffect::kAny || toleration.effect == taint.effect) &&
           (toleration.key.empty() || toleration.key == taint.key) &&
           (toleration.op == TolerationOperator::kExists ||
            (toleration.op == TolerationOperator::kEqual && toleration.value == taint.value));
  });
}

std::string refusal(const Pod& pod, const Node& node) {
  const Taint cordon{.key = "node.kubernetes.io/unschedulable"};
  if (node.unschedulable && !tolerates(pod, cordon)) return "NodeUnschedulable";
  for (const Taint& taint : node.taints) {
    if (taint.effect != TaintEffect::kPreferNoSchedule && !tolerates(pod, taint)) return "TaintToleration";
  }
  return wants_node(pod, node) == std::optional(false) ? "NodeAffinity" : "";
}

void add(ResourceList& to, const ResourceList& what) {
  for (const auto& [name, quantity] : what) to[name] = to[name] + quantity;
}

// component-helpers resource/helpers.go PodRequests, without in-place resize.
ResourceList requests(const Pod& pod) {
  ResourceList sum, sidecars, peak;
  for (const Container& container : pod.init_containers) {
    ResourceList now = sidecars;
    add(now, container.requests);
    if (container.restart_always) sidecars = now;
    for (const auto& [name, quantity] : now) peak[name] = std::max(peak[name], quantity);
  }
  for (const Container& container : pod.containers) add(sum, container.requests);
  add(sum, sidecars);
  for (const auto& [name, quantity] : peak) sum[name] = std::max(sum[name], quantity);
  if (pod.pod_level_requests) {
    for (const auto& [name, quantity] : *pod.pod_level_requests) {
      if (name == "cpu" || name == "memory" || name.starts_with("hugepages-")) sum[name] = quantity;
    }
  }
  add(sum, pod.overhead);
  return sum;
}

// In-place resize: the status says something else than the spec.
bool is_resized(const Pod& pod) {
  const auto differs = [](const std::vector<Container>& containers, const ContainerStatus& status) {
    const auto container = std::ranges::find(containers, status.name, &Container::name);
    const auto other = [&](const std::optional<ResourceList>& list) {
      return list && (container == containers.end() || *list != container->requests);
    };
    return other(status.requests) || other(status.allocated_resources);
  };
  return pod.has_status_resources || pod.status_requests || pod.status_allocated ||
         std::ranges::count(pod.conditions, "PodResizePending", &PodCondition::type) > 0 ||
         std::ranges::any_of(pod.container_statuses, std::bind_front(differs, std::cref(pod.containers))) ||
         std::ranges::any_of(pod.init_container_statuses,
                             std::bind_front(differs, std::cref(pod.init_containers)));
}

std::int64_t amount(const ResourceList& list, std::string_view name) {
  const auto at = list.find(name);
  if (at == list.end()) return 0;
  return name == "cpu" ? to_milli(at->second) : ceil_units(at->second);
}

}  // namespace

Facts::Facts(const Case& question) : question_(question) {
  const Policy& policy = question.policy;
  if (policy.importance != Policy{}.importance) needs_ = "an importance other than priority and start time";
  if (policy.sampling) needs_ = "sampling";
  if (!question.extenders.empty()) needs_ = "extenders";
  const auto place = [&](NodeCriterion level) { return std::ranges::find(policy.node_order, level); };
  if (place(NodeCriterion::kLatestStart) < place(NodeCriterion::kHighestPriority))
    needs_ = "a highest priority before the latest start";
  for (const NodeCriterion level : {NodeCriterion::kRequestedShare, NodeCriterion::kBudgetsTouched}) {
    if (place(level) != policy.node_order.end()) needs_ = "level " + std::string(to_string(level));
  }
  for (const Pod& pod : question.cluster.pods) {
    if (full_name(pod) == question.preemptor) preemptor_ = &pod;
  }
  if (!preemptor_) {
    needs_ = "the preemptor";
    return;
  }
  for (const Pod& pod : question.cluster.pods) {
    if (!pod.affinity.required_pod_anti_affinity.empty()) anti_affinity_ = true;
    if (!pod.node_name.empty()) {
      running_[pod.node_name].push_back(&pod);
    } else if (&pod != preemptor_ && pod.priority >= preemptor_->priority &&
               !pod.nominated_node_name.empty() && pod.scheduler_name == "default-scheduler" &&
               (pod.scheduling_gates.empty() || policy.release != Release::k1_36)) {
      nominated_[pod.nominated_node_name].push_back(&pod);
    }
  }
  selectors_.resize(question.cluster.budgets.size());
  for (std::size_t i = 0; i < selectors_.size(); ++i) {
    const DisruptionBudget& budget = question.cluster.budgets[i];
    if (!budget.selector || *budget.selector == LabelSelector()) continue;
    selectors_[i] = requirements(*budget.selector);
    if (!std::ranges::all_of(selectors_[i], understood)) needs_ = "the selector of budget " + budget_name(i);
    budgets_of_namespace_[budget.namespace_].push_back(i);
  }
  // The filter reads "cpu", "memory", "ephemeral-storage" and scalar names (IsScalarResourceName).
  for (const auto& [name, quantity] : requests(*preemptor_)) {
    if (name != "cpu" && name != "memory" && name != "ephemeral-storage" && !name.starts_with("hugepages-") &&
        (!plain(name) || !name.contains('/') || name.starts_with("requests.")))
      needs_ = "the resource name " + name;
  }
}

NodeFacts Facts::of(const Node& node) const {
  NodeFacts facts{.node = node.name};
  std::vector<const Pod*> others;
  if (const auto at = running_.find(node.name); at != running_.end()) {
    for (const Pod* pod : at->second)
      (pod->priority < preemptor_->priority ? facts.pods : others).push_back(pod);
  }
  if (const auto at = nominated_.find(node.name); at != nominated_.end())
    others.insert(others.end(), at->second.begin(), at->second.end());
  std::ranges::stable_sort(facts.pods, [](const Pod* a, const Pod* b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    return a->start_time_us.value_or(kNow) < b->start_time_us.value_or(kNow);
  });
  for (const auto* list : {&facts.pods, &others}) {
    for (const Pod* pod : *list) {
      if (is_resized(*pod)) facts.needs = "the requests of a pod that is resized in place";
    }
  }
  // Between two missing start times 1.36 reads the clock, and here their order would be a guess.
  for (std::size_t i = 1; i < facts.pods.size() && policy().release == Release::k1_36; ++i) {
    const Pod &a = *facts.pods[i - 1], &b = *facts.pods[i];
    if (a.priority == b.priority && !a.start_time_us && !b.start_time_us)
      facts.needs = "the order of two missing start times";
  }
  std::vector<ResourceList> of_others, of_pods;
  for (const Pod* pod : others) of_others.push_back(requests(*pod));
  for (const Pod* pod : facts.pods) of_pods.push_back(requests(*pod));
  const auto add_row = [&](const std::string& name, std::int64_t asked, auto held) {
    Row row{.resource = name, .need = asked - amount(node.allocatable, name)};
    for (const ResourceList& each : of_others) row.need += held(each);
    for (const ResourceList& each : of_pods) row.need += row.frees.emplace_back(held(each));
    if (row.need > 0) facts.rows.push_back(std::move(row));
  };
  add_row("pods", 1, [](const ResourceList&) { return std::int64_t{1}; });
  for (const auto& [name, quantity] : requests(*preemptor_)) {
    const std::int64_t asked = amount({{name, quantity}}, name);
    if (asked > 0) add_row(name, asked, [&name](const ResourceList& each) { return amount(each, name); });
  }
  for (const Pod* pod : facts.pods) {
    std::vector<std::size_t>& budgets = facts.budgets.emplace_back();
    const auto at = budgets_of_namespace_.find(pod->namespace_);
    if (pod->labels.empty() || at == budgets_of_namespace_.end()) continue;
    for (const std::size_t i : at->second) {
      if (!question_.cluster.budgets[i].disrupted_pods.contains(pod->name) &&
          all_met(selectors_[i], pod->labels))
        budgets.push_back(i);
    }
  }
  facts.refused = refusal(*preemptor_, node);
  const Pod& pod = *preemptor_;
  const auto need = [&](bool condition, const char* filter) {
    if (condition) facts.needs_to_fit.emplace_back(filter);
  };
  const auto any_container = [&](auto has) {
    return std::ranges::any_of(pod.containers, has) || std::ranges::any_of(pod.init_containers, has);
  };
  const auto binds_port = [](const ContainerPort& port) { return port.host_port != 0; };
  need(!wants_node(pod, node), "NodeAffinity");
  need(any_container([&](const Container& c) { return std::ranges::any_of(c.ports, binds_port); }),
       "NodePorts");
  need(std::ranges::any_of(pod.volumes, [](const PodVolume& v) { return v.kind != VolumeKind::kOther; }),
       "VolumeBinding and the other filters of volumes");
  need(!pod.topology_spread_constraints.empty(), "PodTopologySpread");
  need(!pod.affinity.required_pod_affinity.empty() || anti_affinity_, "InterPodAffinity");
  need(pod.host_users || any_container([](const Container& c) { return c.restart_all_containers; }),
       "NodeDeclaredFeatures");
  need(!pod.resource_claims.empty(), "DynamicResources");
  return facts;
}

std::size_t NodeFacts::find(std::string_view name) const {
  std::size_t i = 0;
  while (i < pods.size() && full_name(*pods[i]) != name) ++i;
  return i;
}

bool Facts::guarantee_binds() const {
  const BudgetGuarantee& budgets = policy().budgets;
  return budgets.guaranteed && (!budgets.below_priority || preemptor_->priority < *budgets.below_priority);
}

std::int64_t Facts::allowed(std::size_t budget) const {
  return std::max(question_.cluster.budgets[budget].disruptions_allowed, 0);
}

std::string Facts::budget_name(std::size_t budget) const {
  return question_.cluster.budgets[budget].namespace_ + "/" + question_.cluster.budgets[budget].name;
}

std::int64_t Facts::violations(const NodeFacts& facts, const States& pods) const {
  std::map<std::size_t, std::int64_t> charged;
  std::int64_t count = 0;
  for (std::size_t pod = 0; pod < facts.pods.size(); ++pod) {
    bool violating = false;
    for (const std::size_t budget : facts.budgets[pod]) {
      if (pods[pod] != State::kEvicted) continue;
      if (violating && question_.policy.charging == Charging::kUntilViolated) break;
      if (++charged[budget] > question_.cluster.budgets[budget].disruptions_allowed) violating = true;
    }
    count += violating ? 1 : 0;
  }
  return count;
}

}  // namespace reprieve::certificate
