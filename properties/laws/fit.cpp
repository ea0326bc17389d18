// Does the preemptor fit where it is said to, and nowhere else? Every question is put to the filters of
// the reference, counted afresh in the cluster without the pods that are gone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/extenders.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/fit_exceptions.h"
#include "reprieve/properties/laws/one_decision.h"
#include "reprieve/properties/laws/sampling.h"

namespace reprieve::laws {
namespace {

Pods without(Pods pods, const Pod* spared) {
  std::erase(pods, spared);
  return pods;
}

Judgement fitting_is_left_alone(const Inquiry& inquiry) {
  const bool told = inquiry.decision.outcome == Outcome::kFits;
  const std::vector<Node>& nodes = inquiry.question.cluster.nodes;
  if (nodes.empty()) return silent();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (inquiry.facts.refusal_as_it_stands(i)) continue;
    if (told) return holds();
    return broken(fmt::format("the preemptor fits on {} as it stands, and the outcome is {}", nodes[i].name,
                              to_string(inquiry.decision.outcome)));
  }
  return told ? broken("the outcome is fits, but the preemptor fits on no node") : holds();
}

Judgement nodes_are_filtered(const Inquiry& inquiry) {
  Findings findings;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* told = inquiry.facts.told_of(i);
    if (told == nullptr) continue;
    findings.looked();
    const auto& refusal = inquiry.facts.refusal_as_it_stands(i);
    const bool fits = told->status == NodeStatus::kFits;
    const bool unresolvable = told->status == NodeStatus::kUnresolvable;
    if (fits == !refusal && unresolvable == (refusal && refusal->unresolvable)) continue;
    findings.breach(*told, {},
                    fmt::format("{} is {}; as it stands, the filters say {}", told->node,
                                to_string(told->status), refusal ? refusal->text : "that it fits"));
  }
  return findings.judgement();
}

Judgement fits_without_victims(const Inquiry& inquiry) {
  Findings findings;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* node = inquiry.facts.told_of(i);
    if (node == nullptr || node->status != NodeStatus::kCandidate) continue;
    const auto& victims = inquiry.facts.victims_on(i);
    if (!victims) continue;
    findings.looked();
    if (inquiry.facts.fits_without(i, *victims)) continue;
    findings.breach(
        *node, *victims,
        fmt::format("{}: without [{}] the preemptor does not fit: {}", node->node,
                    fmt::join(node->victims, " "), inquiry.facts.refusal_without(i, *victims)->text));
  }
  return findings.judgement();
}

Judgement irreducible(const Inquiry& inquiry) {
  Findings findings;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* node = inquiry.facts.told_of(i);
    if (node == nullptr || node->status != NodeStatus::kCandidate) continue;
    const auto& victims = inquiry.facts.victims_on(i);
    if (!victims) continue;
    findings.looked();
    for (const Pod* victim : *victims) {
      Pods gone = without(*victims, victim);
      if (!inquiry.facts.fits_without(i, gone)) continue;
      findings.breach(*node, std::move(gone),
                      fmt::format("{}: the preemptor fits with {} in place", node->node, full_name(*victim)));
    }
  }
  return findings.judgement();
}

// Nodes of the status that would do with every potential victim gone.
Judgement in_vain(const Inquiry& inquiry, NodeStatus status) {
  Findings findings;
  for (std::size_t i = 0; i < inquiry.question.cluster.nodes.size(); ++i) {
    const NodeDecision* node = inquiry.facts.told_of(i);
    if (node == nullptr || node->status != status) continue;
    const Pods& everybody = inquiry.facts.potential_victims_on(i);
    if (everybody.empty()) continue;
    findings.looked();
    if (!inquiry.facts.fits_without(i, everybody)) continue;
    findings.breach(*node, everybody,
                    fmt::format("{} is {}, but without its {} potential victims the preemptor fits",
                                node->node, to_string(status), everybody.size()));
  }
  return findings.judgement();
}

Judgement rejected_only_in_vain(const Inquiry& inquiry) {
  const Outcome outcome = inquiry.decision.outcome;
  if (outcome != Outcome::kNominated && outcome != Outcome::kNoCandidate) return silent();
  return in_vain(inquiry, NodeStatus::kUnschedulable);
}

Judgement unresolvable_only_in_vain(const Inquiry& inquiry) {
  return in_vain(inquiry, NodeStatus::kUnresolvable);
}

bool refused_for_guaranteed_budgets(const Inquiry& inquiry, const Breach& breach) {
  if (!guarantee_binds(inquiry) || !refused_for_budgets(*breach.node)) return false;
  const auto node = inquiry.facts.find_node(breach.node->node);
  return count_violating(inquiry.facts.classed(*node)) > 0;
}

bool left_out_by_extender(const Inquiry& inquiry, const Breach& breach) {
  return extender_dropped(inquiry, *breach.node);
}

bool left_out_by_the_sample(const Inquiry& inquiry, const Breach& breach) {
  if (!inquiry.question.policy.sampling) return false;
  // An extender's answer hides what the walk found, and with it where it ended. A candidate that it
  // found too late is in nobody's answer.
  if (asks_extenders(inquiry)) {
    return !breach.node->tried ||
           std::ranges::any_of(breach.node->potential_victims, &PotentialVictim::evicted);
  }
  return !breach.node->tried && std::ranges::count(walk(inquiry).after, breach.node) > 0;
}

template <auto Condition, const char* Plugin>
bool by(const Inquiry& inquiry, const Breach& breach) {
  return Condition(inquiry, breach, Plugin);
}

constexpr char kPorts[] = "NodePorts";
constexpr char kRestrictions[] = "VolumeRestrictions";
constexpr char kLimits[] = "NodeVolumeLimits";
constexpr char kSpread[] = "PodTopologySpread";
constexpr char kAffinity[] = "InterPodAffinity";

bool spreads_over_all_pods(const Inquiry& inquiry) {
  const auto& constraints = inquiry.facts.preemptor()->topology_spread_constraints;
  return std::ranges::any_of(constraints, [](const TopologySpreadConstraint& constraint) {
    return constraint.label_selector == LabelSelector{};
  });
}

bool spread_counts_all_pods(const Inquiry& inquiry, const Breach& breach) {
  return spreads_over_all_pods(inquiry) && only_patches_fit(inquiry, breach, kSpread);
}

bool spread_forgets_terminating(const Inquiry& inquiry, const Breach& breach) {
  const bool terminates =
      std::ranges::any_of(breach.pods, [](const Pod* pod) { return pod->deletion_time_us.has_value(); });
  return terminates && !spreads_over_all_pods(inquiry) && only_patches_fit(inquiry, breach, kSpread);
}

constexpr Exception extenders_answer(std::string_view smallest) {
  return {.name = "extenders-answer",
          .when = "An extender said who the victims are.",
          .covers = in_extenders_answer,
          .smallest = smallest};
}

constexpr std::array kIrreducibleExceptions = {
    extenders_answer("laws/an-extender-evicts-a-pod-that-frees-nothing.yaml"),
    Exception{.name = "a-volume-is-shared-with-a-pod-put-back-later",
              .when = "Attach limits refused the victim while a pod was still away that uses the preemptor's "
                      "volume: once that is back, the volume needs no attachment of its own.",
              .covers = by<refused_when_put_back, kLimits>,
              .smallest = "laws/a-victim-could-stay-once-the-sharer-of-a-volume-is-back.yaml"},
    Exception{.name = "claim-users-are-patched",
              .when = "A nominated pod counts as a user of the ReadWriteOncePod claim by name alone, and "
                      "each victim takes "
                      "one off by name alone: one in another namespace must go too.",
              .covers = by<patches_refuse, kRestrictions>,
              .smallest = "laws/a-user-of-a-claim-of-that-name-elsewhere-must-go-too.yaml"},
};

constexpr std::array kRejectedExceptions = {
    Exception{.name = "left-out-by-an-extender",
              .when = "An extender left the node out of its answer, or without victims.",
              .covers = left_out_by_extender,
              .smallest = "laws/an-extender-leaves-a-candidate-out.yaml"},
    Exception{.name = "left-out-by-the-sample",
              .when =
                  "The policy samples, and the node comes after the end of the walk, or is found when the "
                  "sample is full.",
              .covers = left_out_by_the_sample,
              .smallest = "laws/a-node-behind-the-sample-is-not-tried.yaml"},
    Exception{.name = "a-nominated-user-is-seen-because-of-a-victim",
              .when =
                  "A nominated pod uses the ReadWriteOncePod claim too. VolumeRestrictions looks at it only "
                  "because a potential victim uses the claim: without any user it is skipped.",
              .covers = by<patches_refuse, kRestrictions>,
              .smallest = "laws/a-nominated-user-of-a-claim-is-seen-because-of-a-victim.yaml"},
    Exception{.name = "nominated-anti-affinity-is-seen-because-of-a-victim",
              .when = "A nominated pod repels the preemptor. InterPodAffinity looks at it only because a "
                      "potential victim repels it as well: without any such running pod it is skipped.",
              .covers = by<patches_refuse, kAffinity>,
              .smallest = "laws/nominated-anti-affinity-is-seen-because-of-a-victim.yaml"},
    Exception{.name = "refused-for-guaranteed-budgets",
              .when = "Budgets are guaranteed, and evicting enough would violate one.",
              .covers = refused_for_guaranteed_budgets,
              .smallest = "laws/a-guarantee-refuses-a-node-that-eviction-would-free.yaml"},
};

}  // namespace

constinit const std::array<Exception, 5> kFitsExceptions = {
    extenders_answer("laws/an-extender-evicts-too-few.yaml"),
    Exception{
        .name = "host-ports-are-a-set",
        .when = "A victim and a pod that stays hold the same host port: taking one off frees it for all.",
        .covers = by<only_patches_fit, kPorts>,
        .smallest = "evicting-one-of-two-holders-frees-the-host-port.yaml"},
    Exception{.name = "claim-users-are-patched",
              .when =
                  "A ReadWriteOncePod claim counts once however many use it, but each victim takes one off, "
                  "a user of a claim of that name in another namespace too.",
              .covers = by<only_patches_fit, kRestrictions>,
              .smallest = "a-claim-of-the-same-name-in-another-namespace-counts-as-freed.yaml"},
    Exception{.name = "spread-forgets-terminating-pods",
              .when = "Topology spread did not count a terminating pod, and subtracts it as a victim.",
              .covers = spread_forgets_terminating,
              .smallest = "removing-a-terminating-pod-subtracts-what-was-not-counted.yaml"},
    Exception{.name = "an-empty-spread-selector",
              .when = "An empty selector of topology spread counts no pod, and subtracts every victim.",
              .covers = spread_counts_all_pods,
              .smallest = "laws/an-empty-spread-selector-makes-room-beside-a-nominated-pod.yaml"},
};

// Catches a preemption that comes before the last node is filtered, and a "fits" that no node keeps.
constinit const Law kFittingIsLeftAlone = {
    .name = "a-fitting-cluster-is-left-alone",
    .sentence = "The outcome is fits exactly when the preemptor fits on some node as the cluster stands.",
    .statement = "outcome = fits <=> some n: fits(n without {})",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = fitting_is_left_alone,
};

// Catches a filter that is wrong about one node while another hides it from the outcome.
constinit const Law kNodesAreFiltered = {
    .name = "nodes-are-filtered-as-they-stand",
    .sentence =
        "A node fits, or is unresolvable, exactly when the filters say so of the cluster as it stands.",
    .statement = "status(n) in {fits, unresolvable} <=> filters(n) = status(n)",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = nodes_are_filtered,
};

// Catches a victim set that is too small: a resource, a port or a nominated pod that is not looked at.
constinit const Law kFitsWithoutVictims = {
    .name = "the-preemptor-fits-without-the-victims",
    .sentence = "Once the victims of a candidate are gone, every filter passes.",
    .statement = "n is a candidate => fits(n without victims(n))",
    .theorem = "engine-keeps-fitting, reference-keeps-fitting",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kFitsExceptions,
    .judge = fits_without_victims,
};

// Catches a victim set that is too large: a reprieve that stops early, passes over a pod, or does not
// take off what it has just put back in vain.
constinit const Law kIrreducible = {
    .name = "no-victim-can-be-spared",
    .sentence = "With any one of the victims in place the preemptor does not fit.",
    .statement = "v in victims(n) => not fits(n without victims(n) - {v})",
    .theorem = "engine-irreducible, reference-irreducible",
    .claimed_for = removing_never_hurts,
    .claimed_for_text = kRemovingNeverHurts,
    .exceptions = kIrreducibleExceptions,
    .judge = irreducible,
};

// Catches a dry run that gives a node up too early: pods of some kind are never taken off, or nominated
// pods of lower priority are counted in.
constinit const Law kRejectedOnlyInVain = {
    .name = "a-node-is-rejected-only-in-vain",
    .sentence =
        "A node that was tried is rejected only if the preemptor does not fit with every potential victim "
        "gone.",
    .statement = "status(n) = unschedulable => not fits(n without potentialVictims(n))",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .exceptions = kRejectedExceptions,
    .judge = rejected_only_in_vain,
};

// Catches a filter that says "unresolvable" of what an eviction would resolve.
constinit const Law kUnresolvableOnlyInVain = {
    .name = "a-node-is-unresolvable-only-in-vain",
    .sentence = "A node that is not tried as unresolvable would not do with every potential victim gone.",
    .statement = "status(n) = unresolvable => not fits(n without potentialVictims(n))",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = unresolvable_only_in_vain,
};

}  // namespace reprieve::laws
