// Every law of two decisions can fail: beside each stands a program with one fault, and the law finds it.
// Such a program is the reference, asked about a case that it has misread, or misquoted.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "reprieve/mutants/mutant.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/laws/testing.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

struct Fault {
  const char* law;
  const char* wrong;  // what the program does
  void (*misread)(Case&) = nullptr;
  void (*misquote)(Decision&) = nullptr;
};

Pod& preemptor_of(Case& asked) { return *std::ranges::find(asked.cluster.pods, asked.preemptor, full_name); }

void cordon_last(Case& asked) { asked.cluster.nodes.back().unschedulable = true; }
void cordon_first(Case& asked) { asked.cluster.nodes.front().unschedulable = true; }
void drop_pod(Case& asked, std::size_t at) {
  auto& pods = asked.cluster.pods;
  if (full_name(pods[at]) != asked.preemptor) pods.erase(pods.begin() + static_cast<std::ptrdiff_t>(at));
}
template <class Condition>
void drop_pods_if(Case& asked, Condition condition) {
  std::erase_if(asked.cluster.pods,
                [&](const Pod& pod) { return full_name(pod) != asked.preemptor && condition(pod); });
}
template <class T>
void drop_last(std::vector<T>& list) {
  if (!list.empty()) list.pop_back();
}

const Fault kFaults[] = {
    {"node-order", "passes over the last node", cordon_last},
    {"pod-order", "passes over the first pod", [](Case& asked) { drop_pod(asked, 0); }},
    {"budget-order", "reads one budget",
     [](Case& asked) {
       asked.cluster.budgets.resize(std::min<std::size_t>(asked.cluster.budgets.size(), 1));
     }},
    {"list-order", "reads one toleration",
     [](Case& asked) {
       for (Pod& pod : asked.cluster.pods) {
         pod.tolerations.resize(std::min<std::size_t>(pod.tolerations.size(), 1));
       }
     }},
    {"node-names", "passes over the node with the greatest name",
     [](Case& asked) {
       std::ranges::max_element(asked.cluster.nodes, {}, &Node::name)->unschedulable = true;
     }},
    {"pod-names", "sees only pods called p",
     [](Case& asked) { drop_pods_if(asked, [](const Pod& pod) { return !pod.name.starts_with('p'); }); }},
    {"namespace-names", "reads budgets of the namespace default only",
     [](Case& asked) {
       std::erase_if(asked.cluster.budgets,
                     [](const auto& budget) { return budget.namespace_ != "default"; });
     }},
    {"label-names", "reads the label app only",
     [](Case& asked) {
       for (Pod& pod : asked.cluster.pods) {
         std::erase_if(pod.labels, [](const auto& label) { return label.first != "app"; });
       }
     }},
    {"bystander-node", "passes over the last node", cordon_last},
    {"bystander-namespace", "takes the labels of the last namespace for those of all",
     [](Case& asked) {
       for (Namespace& name_space : asked.cluster.namespaces) {
         name_space.labels = Labels(asked.cluster.namespaces.back().labels);
       }
     }},
    {"bystander-budget", "passes over the last budget",
     [](Case& asked) { drop_last(asked.cluster.budgets); }},
    {"bystander-label", "reads one label",
     [](Case& asked) {
       for (Pod& pod : asked.cluster.pods) {
         if (pod.labels.size() > 1) pod.labels = {*pod.labels.rbegin()};
       }
     }},
    {"bystander-pod", "passes over the first pod", [](Case& asked) { drop_pod(asked, 0); }},
    {"bystander-storage", "passes over the last claim", [](Case& asked) { drop_last(asked.cluster.claims); }},
    {"bystander-resource", "refuses a node that is short of anything",
     [](Case& asked) {
       for (const Pod& pod : asked.cluster.pods) {
         for (const auto& [name, quantity] : pod.containers.front().requests) {
           preemptor_of(asked).containers.front().requests.try_emplace(name, Quantity{.units = 1});
         }
       }
     }},
    {"unread-fields", "does not see pods of other schedulers",
     [](Case& asked) {
       drop_pods_if(asked, [](const Pod& pod) { return pod.scheduler_name != "default-scheduler"; });
     }},
    {"resources-scaled", "reads no more than 8 CPUs",
     [](Case& asked) {
       for (Node& node : asked.cluster.nodes) {
         Quantity& cpu = node.allocatable["cpu"];
         cpu.units = std::min<std::int64_t>(cpu.units, 8);
       }
     }},
    {"priorities-shifted", "reads negative priorities as 0",
     [](Case& asked) {
       for (Pod& pod : asked.cluster.pods) pod.priority = std::max(pod.priority, 0);
     }},
    {"times-shifted", "knows no time before 2026",
     [](Case& asked) {
       for (Pod& pod : asked.cluster.pods) {
         if (pod.start_time_us && *pod.start_time_us < 1'767'225'600'000'000) pod.start_time_us.reset();
       }
     }},
    {"priorities-above-alike", "does not see pods far above the preemptor",
     [](Case& asked) {
       const std::int64_t most = std::int64_t{preemptor_of(asked).priority} + 1000;
       drop_pods_if(asked, [&](const Pod& pod) { return pod.priority > most; });
     }},
    {"containers-split", "counts the first container",
     [](Case& asked) {
       for (Pod& pod : asked.cluster.pods) pod.containers.resize(1);
     }},
    {"roomy-budget-is-none", "reads a large allowance as none",
     [](Case& asked) {
       for (DisruptionBudget& budget : asked.cluster.budgets) {
         if (budget.disruptions_allowed > 4) budget.disruptions_allowed = 0;
       }
     }},
    {"disrupted-is-unselected", "does not read disruptedPods",
     [](Case& asked) {
       for (DisruptionBudget& budget : asked.cluster.budgets) budget.disrupted_pods.clear();
     }},
    {"losing-node-cordoned", "passes over the first node when one is cordoned",
     [](Case& asked) {
       if (std::ranges::any_of(asked.cluster.nodes, &Node::unschedulable)) cordon_first(asked);
     }},
    {"losing-node-removed", "passes over the first of an odd number of nodes",
     [](Case& asked) {
       if (asked.cluster.nodes.size() % 2 == 1) cordon_first(asked);
     }},
    {"winner-duplicated", "tells one node of a tie", nullptr,
     [](Decision& decision) {
       decision.nominated.resize(std::min<std::size_t>(decision.nominated.size(), 1));
     }},
    {"more-room-keeps-candidates", "halves odd amounts",
     [](Case& asked) {
       for (Node& node : asked.cluster.nodes) {
         for (auto& [name, quantity] : node.allocatable) {
           if (quantity.units % 2 == 1) quantity.units /= 2;
         }
       }
     }},
    {"higher-priority-keeps-candidates", "reads odd priorities of preemptors as the lowest",
     [](Case& asked) {
       std::int32_t& priority = preemptor_of(asked).priority;
       if (priority % 2 != 0) priority = std::numeric_limits<std::int32_t>::min();
     }},
    {"identity-extender", "loses the violations that an extender tells",
     [](Case& asked) {
       for (Extender& extender : asked.extenders) {
         if (!extender.answer) continue;
         for (auto& [node, answer] : *extender.answer) answer.violations = 0;
       }
     }},
    {"unasked-extender", "asks every extender",
     [](Case& asked) {
       for (Extender& extender : asked.extenders) {
         extender.managed_resources.clear();
         extender.supports_preemption = true;
       }
     }},
    {"failing-ignorable-extender", "ignores no failure",
     [](Case& asked) {
       for (Extender& extender : asked.extenders) extender.ignorable = false;
     }},
    {"sampling-all-is-no-sampling", "begins behind the offset and does not wrap around",
     [](Case& asked) {
       if (asked.policy.sampling && asked.policy.sampling->offset > 0) cordon_first(asked);
     }},
    {"sampled-as-in-full", "reads no budgets for a sample",
     [](Case& asked) {
       if (asked.policy.sampling) asked.cluster.budgets.clear();
     }},
    {"evicted-then-fits", "forgets the last victim", nullptr,
     [](Decision& decision) {
       for (NodeDecision& node : decision.nodes) drop_last(node.victims);
     }},
    {"terminating-then-waits", "reads no conditions",
     [](Case& asked) {
       for (Pod& pod : asked.cluster.pods) pod.conditions.clear();
     }},
    {"termination-unseen", "does not see pods that terminate",
     [](Case& asked) {
       drop_pods_if(asked, [](const Pod& pod) { return pod.deletion_time_us.has_value(); });
     }},
    {"unseen-nominations", "keeps room for every nominated pod",
     [](Case& asked) {
       const std::int32_t priority = preemptor_of(asked).priority;
       for (Pod& pod : asked.cluster.pods) {
         if (!pod.node_name.empty() || pod.nominated_node_name.empty()) continue;
         pod.priority = std::max(pod.priority, priority);
         pod.scheduler_name = "default-scheduler";
         pod.scheduling_gates.clear();
       }
     }},
    {"own-nomination-unseen", "counts the preemptor's own nomination",
     [](Case& asked) {
       Pod own = preemptor_of(asked);
       if (own.nominated_node_name.empty()) return;
       own.name = "own";
       own.uid.clear();
       asked.cluster.pods.push_back(std::move(own));
     }},
    {"asked-twice", "passes over the first node every second time",
     [](Case& asked) {
       static bool second = false;
       second = !second;
       if (!second) cordon_first(asked);
     }},
    {"shorter-order-ties-more", "reads a short order backwards",
     [](Case& asked) {
       if (asked.policy.node_order.size() < 5) std::ranges::reverse(asked.policy.node_order);
     }},
    {"charging-rules-agree", "reads no budgets when charging stops early",
     [](Case& asked) {
       if (asked.policy.charging == Charging::kUntilViolated) asked.cluster.budgets.clear();
     }},
    {"idle-guarantee", "guarantees budgets whatever the priority",
     [](Case& asked) { asked.policy.budgets.below_priority.reset(); }},
    {"guarantee-narrows", "keeps a guarantee by reading no budgets",
     [](Case& asked) {
       if (asked.policy.budgets.guaranteed) asked.cluster.budgets.clear();
     }},
    {"actual-at-most-classified", "lets no budget allow anything when counting what is real",
     [](Case& asked) {
       if (asked.policy.violations != ViolationCount::kActual) return;
       for (DisruptionBudget& budget : asked.cluster.budgets) budget.disruptions_allowed = 0;
     }},
    {"exact-no-worse-than-greedy", "passes over the first node when it searches",
     [](Case& asked) {
       if (asked.policy.victims == VictimSearch::kExact) cordon_first(asked);
     }},
};

class Faults : public ::testing::TestWithParam<Fault> {};

TEST_P(Faults, IsFound) {
  const Fault& fault = GetParam();
  const Law* law = find_law(fault.law);
  ASSERT_NE(law, nullptr);
  subjects::ReferenceSubject reference;
  testing::ScriptedSubject wrong([&](const Case& question) {
    Case asked = question;
    if (fault.misread != nullptr) fault.misread(asked);
    Decision decision = reference.decide(asked);
    if (fault.misquote != nullptr) fault.misquote(decision);
    return decision;
  });
  constexpr std::uint64_t kCases = 12000;
  generators::GeneratorSettings settings;
  if (!law->claimed_for(Policy{})) settings.policies = generators::Policies::kAny;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    const Case question = generators::generate(seed, settings);
    if (testing::hold_against(*law, question, wrong, seed).verdict == Verdict::kBroken) return;
  }
  ADD_FAILURE() << "a program that " << fault.wrong << " keeps the law on " << kCases << " cases";
}

std::string fault_name(const ::testing::TestParamInfo<Fault>& info) {
  std::string name(info.param.law);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(TwoDecisions, Faults, ::testing::ValuesIn(kFaults), fault_name);

TEST(Faults, HaveOneForEveryLawButThoseOfTheEnginesApi) {
  for (const Law* law : two_decisions_laws()) {
    const bool of_the_engine = law->name == "depths-agree" || law->name == "threads-agree" ||
                               law->name == "workspace-forgets" || law->name == "updates-like-rebuilding";
    EXPECT_EQ(std::ranges::count(kFaults, law->name, &Fault::law), of_the_engine ? 0 : 1) << law->name;
  }
}

#ifdef REPRIEVE_MUTANTS
// The laws of the engine's own API see only its own faults.
TEST(Faults, OfTheEngineAreFoundByTheLawsOfItsApi) {
  const auto finds = [](std::string_view name, std::string_view mutant) {
    const mutants::Active active(mutant);
    subjects::EngineSubject engine(subjects::EngineDepths::kFull);
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
      const Case question = generators::generate(seed, {});
      if (testing::hold_against(*find_law(name), question, engine, seed).verdict == Verdict::kBroken)
        return true;
    }
    return false;
  };
  EXPECT_TRUE(finds("depths-agree", "bound-beaten-by-an-equal"));
  EXPECT_TRUE(finds("depths-agree", "bound-of-the-highest"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "budget-change-not-seen"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "removed-pod-keeps-its-load"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "changed-pod-moves-to-the-end"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "node-label-change-not-seen"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "moved-node-counts-where-it-was"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "removed-node-counts-with-its-pods"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "removed-budget-keeps-its-pods"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "swept-nodes-get-anothers-room"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "swept-nodes-get-anothers-load"));
  EXPECT_TRUE(finds("updates-like-rebuilding", "swept-budgets-allow-nothing"));
}
#endif

}  // namespace
}  // namespace reprieve::laws
