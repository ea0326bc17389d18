#include "reprieve/smt/theorems/witness.h"

#include <fmt/format.h>

#include <algorithm>

#include "reprieve/smt/theorems/plan.h"
#include "reprieve/smt/theorems/two_nodes.h"

namespace reprieve::smt {
namespace {

// --- The decision by the rules, on constants: every formula folds to what it says here. -------------

struct Decided {
  std::vector<std::string> victims;
  direct::Levels levels;
  bool candidate = false;
};

std::int64_t number(Int value) { return Terms::current().node(value.term()).value; }

Decided decide(const Plan& plan, const std::vector<std::int64_t>& asked,
               const std::vector<std::int64_t>& allowed, Charging charging) {
  Question question;
  question.budgets.charging = charging;
  for (const std::int64_t each : allowed) question.budgets.allowed.emplace_back(each);
  std::vector<direct::Pod> pods;
  for (const Holder& holder : plan.pods) {
    question.budgets.selects.emplace_back(holder.in.begin(), holder.in.end());
    question.budgets.disrupted.emplace_back(holder.disrupted.begin(), holder.disrupted.end());
    question.resources.held.emplace_back(holder.holds.begin(), holder.holds.end());
    pods.push_back({.priority = Int(holder.priority),
                    .start_given = Bool(true),
                    .start = Int(holder.start.value_or(0))});
  }
  question.resources.asked.assign(asked.begin(), asked.end());
  question.resources.allocatable.assign(plan.allocatable.begin(), plan.allocatable.end());
  question.resources.others.assign(plan.others.begin(), plan.others.end());
  question.resources.nominated.assign(plan.nominated.begin(), plan.nominated.end());

  Decided decided;
  decided.candidate =
      direct::fits(question.resources, direct::Bools(pods.size(), Bool(false))).term() == Terms::kTrue;
  if (!decided.candidate) return decided;
  const DirectAnswer by_rule = answer(question);
  decided.levels = direct::levels(pods, by_rule.evicted, by_rule.violations);
  for (std::size_t p = 0; p < pods.size(); ++p) {
    if (by_rule.evicted[p].term() == Terms::kTrue) decided.victims.push_back("default/" + plan.pods[p].name);
  }
  return decided;
}

manifest::Expectation expectation(const std::vector<Plan>& plans, const std::vector<std::int64_t>& asked,
                                  const std::vector<std::int64_t>& allowed, const Policy& policy) {
  manifest::Expectation expected;
  std::vector<std::size_t> tie;
  std::vector<Decided> all;
  for (const Plan& plan : plans) all.push_back(decide(plan, asked, allowed, policy.charging));
  const auto better = [&](std::size_t a, std::size_t b) {
    return direct::better(all[a].levels, all[b].levels, policy.node_order).term() == Terms::kTrue;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].candidate) continue;
    expected.candidates[plans[i].node] = {.victims = all[i].victims,
                                          .violations = number(all[i].levels.violations)};
    bool beaten = false;
    for (std::size_t j = 0; j < all.size(); ++j) beaten = beaten || (all[j].candidate && better(j, i));
    if (!beaten) tie.push_back(i);
  }
  expected.outcome = tie.empty() ? Outcome::kNoCandidate : Outcome::kNominated;
  if (tie.empty()) return expected;
  expected.nominated.emplace();
  for (const std::size_t i : tie) expected.nominated->push_back(plans[i].node);
  if (expected.candidates.size() == 2 && tie.size() == 1) {
    const std::size_t best = tie[0], other = 1 - best;
    for (const NodeCriterion level : policy.node_order) {
      if (direct::better(all[best].levels, all[other].levels, level).term() == Terms::kFalse) continue;
      expected.decided_by = level;
      break;
    }
  }
  return expected;
}

// --- Reading the model ----------------------------------------------------------------------------

struct Reading {
  std::vector<Plan> plans;
  std::vector<std::int64_t> asked, allowed;
};

Reading read_node(const Reader& read, const Bounds& bounds) {
  Reading result;
  Plan plan{.node = "n1"};
  const auto list = [&](const std::string& prefix) {
    std::vector<std::int64_t> amounts;
    for (int r = 0; r < bounds.resources; ++r) amounts.push_back(read.integer(prefix + resource_name(r)));
    return amounts;
  };
  // Without resources only the classes are in question: then every pod has to go.
  const bool all_go = bounds.resources == 0;
  // Without budgets only the order of reprieve is: those of the first group are put under a spent one.
  const bool classes_given = bounds.budgets == 0;
  if (classes_given) result.allowed = {0};
  for (int b = 1; b <= bounds.budgets; ++b)
    result.allowed.push_back(read.integer(fmt::format("budget{}.allowed", b)));
  result.asked = all_go ? std::vector<std::int64_t>{bounds.pods} : list("preemptor.");
  plan.allocatable = all_go ? result.asked : list("node.");
  plan.others = all_go ? std::vector<std::int64_t>{0} : list("others.");
  plan.nominated = all_go ? std::vector<std::int64_t>{0} : list("nominated.");
  for (int i = 1; i <= bounds.pods; ++i) {
    const std::string name = fmt::format("pod{}", i);
    Holder holder{.name = name, .priority = bounds.pods - i + 1};
    holder.holds = all_go ? std::vector<std::int64_t>{1} : list(name + ".");
    for (int b = 1; b <= bounds.budgets; ++b) {
      holder.in.push_back(read.boolean(fmt::format("{}.in.budget{}", name, b)));
      holder.disrupted.push_back(read.boolean(fmt::format("{}.disrupted.budget{}", name, b)));
    }
    if (classes_given) {
      holder.in.push_back(read.boolean(fmt::format("violating{}", i)));
      holder.disrupted.push_back(false);
    }
    plan.pods.push_back(holder);
  }
  result.plans = {plan};
  return result;
}

// Every pod holds one CPU and the preemptor asks for all of them, on either node.
Reading read_two_nodes(const Reader& read, const Bounds& bounds) {
  Reading result;
  result.asked = {bounds.pods};
  for (int b = 1; b <= bounds.budgets; ++b)
    result.allowed.push_back(read.integer(fmt::format("budget{}.allowed", b)));
  for (const char* prefix : {"a", "b"}) {
    Plan plan{
        .node = fmt::format("node-{}", prefix), .allocatable = result.asked, .others = {0}, .nominated = {0}};
    for (int i = 1; i <= bounds.pods; ++i) {
      const std::string name = fmt::format("{}.pod{}", prefix, i);
      if (!read.boolean(name + ".there")) continue;
      Holder holder{.name = fmt::format("{}{}", prefix, i),
                    .priority = static_cast<std::int32_t>(read.integer(name + ".priority")),
                    .start = kNewYear + read.integer(name + ".start") * kMinute,
                    .holds = {1}};
      for (int b = 1; b <= bounds.budgets; ++b) {
        holder.in.push_back(read.boolean(fmt::format("{}.in.budget{}", name, b)));
        holder.disrupted.push_back(false);
      }
      plan.pods.push_back(holder);
    }
    result.plans.push_back(plan);
  }
  return result;
}

// Pods in the order of the list, one CPU each, of which one has to go.
Reading read_listed_pods(const Reader& read) {
  Reading result{.plans = {{.node = "n1", .pods = {}, .allocatable = {3}, .others = {0}, .nominated = {0}}},
                 .asked = {1},
                 .allowed = {}};
  for (int i = 1; i <= 3; ++i) {
    const std::string name = fmt::format("pod{}", i);
    Holder holder{
        .name = name, .priority = static_cast<std::int32_t>(read.integer(name + ".priority")), .holds = {1}};
    if (read.boolean(name + ".start.given")) {
      // The model's instants are any; a minute apart is as good, in a year that Kubernetes knows.
      holder.start =
          kNewYear + std::clamp<std::int64_t>(read.integer(name + ".start"), -1000, 1000) * kMinute;
    } else {
      holder.start.reset();
    }
    result.plans[0].pods.push_back(holder);
  }
  return result;
}

Reading read_model(const Reader& read, const Bounds& bounds, Shows shows) {
  if (shows == Shows::kNode) return read_node(read, bounds);
  return shows == Shows::kTwoNodes ? read_two_nodes(read, bounds) : read_listed_pods(read);
}

// With the change that a statement is about: "budget1.allowed.then" is what the budget allows afterwards.
std::string description(const Theorem& theorem, const Terms& terms, const Reader& read) {
  std::string then;
  for (const Variable& variable : terms.variables()) {
    const bool changed = variable.name.ends_with(".then");
    if (!changed && variable.name != "raised.by") continue;
    const std::string what =
        changed ? variable.name.substr(0, variable.name.size() - 5) : "every priority raised by";
    const std::int64_t value = read.integer(variable.name);
    if (changed && read.integer(what) == value) continue;
    then += fmt::format("{}{} {}", then.empty() ? "" : ", ", what, value);
  }
  return fmt::format("The smallest cluster on which this is false: {}{}", theorem.sentence,
                     then.empty() ? "" : fmt::format(" Compared with {}.", then));
}

}  // namespace

std::string case_name(const Theorem& theorem) {
  std::string name = "not-" + theorem.name;
  std::ranges::replace(name, '.', '-');
  return name;
}

std::optional<Witness> witness(const Theorem& theorem, const Bounds& bounds, const Terms& terms,
                               const Assignment& model) {
  if (theorem.shows == Shows::kNothing) return std::nullopt;
  const Reader read(terms, model);
  const Reading reading = read_model(read, bounds, theorem.shows);
  Witness result;
  result.question = cluster_of(reading.plans, reading.asked, reading.allowed);
  result.question.name = case_name(theorem);
  result.question.policy = kubernetes_policy(theorem.release);
  result.spec = {.name = result.question.name,
                 .description = description(theorem, terms, read),
                 .preemptor = result.question.preemptor,
                 .policy = result.question.policy};
  if (theorem.shows == Shows::kListedPods) return result;  // the list is not in order of importance
  Terms constants;
  TermsScope scope(constants);
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    const Policy policy = kubernetes_policy(release);
    result.spec.expect_for[policy.name] = expectation(reading.plans, reading.asked, reading.allowed, policy);
  }
  return result;
}

}  // namespace reprieve::smt
