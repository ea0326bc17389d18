#include "reprieve/smt/theorems/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {
namespace {

constexpr std::int32_t kAbovePreemptor = 2'000'000'001;

Container container(const std::vector<std::int64_t>& amounts) {
  Container result{.name = "c"};
  for (std::size_t resource = 0; resource < amounts.size(); ++resource) {
    if (amounts[resource] == 0) continue;
    const std::string name = resource_name(resource);
    result.requests[name == "cpu" || name == "memory" ? name : "example.com/" + name] = {
        .units = amounts[resource]};
  }
  return result;
}

Pod pod_of(const std::string& name, std::int32_t priority, const std::vector<std::int64_t>& amounts) {
  Pod pod;
  pod.name = name;
  pod.uid = "uid-" + name;
  pod.priority = priority;
  pod.containers = {container(amounts)};
  return pod;
}

std::string budget_name(std::size_t budget) { return fmt::format("budget{}", budget + 1); }

}  // namespace

std::int64_t Reader::integer(const std::string& name) const {
  const Variable* variable = terms_.find_variable(name);
  if (!variable) return 0;
  const auto number = static_cast<std::size_t>(terms_.node(variable->term).value);
  return number < model_.size() ? model_[number] : 0;
}

Case cluster_of(const std::vector<Plan>& plans, const std::vector<std::int64_t>& asked,
                const std::vector<std::int64_t>& allowed, std::int32_t priority) {
  Case result;
  const auto is_used = [&](std::size_t budget) {
    return std::ranges::any_of(plans, [&](const Plan& plan) {
      return std::ranges::any_of(plan.pods, [&](const Holder& holder) { return holder.in[budget]; });
    });
  };
  for (std::size_t b = 0; b < allowed.size(); ++b) {
    if (!is_used(b)) continue;
    const LabelSelector selector{.match_labels = {{budget_name(b), "in"}}};
    result.cluster.budgets.push_back({.name = budget_name(b),
                                      .selector = selector,
                                      .disruptions_allowed = static_cast<std::int32_t>(allowed[b])});
  }
  for (const Plan& plan : plans) {
    Node node{.name = plan.node};
    node.allocatable = container(plan.allocatable).requests;
    node.allocatable["pods"] = {.units = 110};
    result.cluster.nodes.push_back(node);
    const auto run = [&](Pod pod, std::optional<TimeUs> start) {
      pod.node_name = plan.node;
      pod.phase = PodPhase::kRunning;
      pod.start_time_us = start;
      result.cluster.pods.push_back(std::move(pod));
    };
    for (const Holder& holder : plan.pods) {
      Pod pod = pod_of(holder.name, holder.priority, holder.holds);
      for (std::size_t b = 0; b < allowed.size(); ++b) {
        if (holder.in[b]) pod.labels[budget_name(b)] = "in";
        if (holder.in[b] && holder.disrupted[b]) {
          const auto budget =
              std::ranges::find(result.cluster.budgets, budget_name(b), &DisruptionBudget::name);
          budget->disrupted_pods.insert(holder.name);
        }
      }
      pod.termination_grace_period_s = holder.grace_s;
      run(pod, holder.start);
    }
    const auto something = [](const std::vector<std::int64_t>& amounts) {
      return std::ranges::any_of(amounts, [](std::int64_t amount) { return amount > 0; });
    };
    if (something(plan.others)) run(pod_of("above", kAbovePreemptor, plan.others), kNewYear);
    if (something(plan.nominated)) {
      Pod pod = pod_of("nominated", kAbovePreemptor, plan.nominated);
      pod.nominated_node_name = plan.node;
      result.cluster.pods.push_back(pod);
    }
  }
  result.cluster.pods.push_back(pod_of("preemptor", priority, asked));
  result.preemptor = "default/preemptor";
  return result;
}

}  // namespace reprieve::smt
