// Nodes that are not the answer do not decide, and what makes a node fit better does not lose it.
#include "reprieve/properties/relations/nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"

namespace reprieve::laws {
namespace {

/// All but the node; whoever was the runner-up may be gone with it.
Judgement judge_without(const Inquiry& inquiry, const Decision& other, std::string_view node) {
  compare::Options options = options_for(inquiry.subject);
  options.decided_by = false;
  return judge_alike(inquiry, without_node_story(inquiry.decision, node), without_node_story(other, node),
                     options);
}

Judgement judge_cordoned(const Inquiry& inquiry) {
  if (relations::may_tolerate_cordon(inquiry.question)) return silent();
  const auto loser = relations::losing_candidate(inquiry.decision, inquiry.random);
  if (!loser) return silent();
  const Case other = relations::with_node_cordoned(inquiry.question, *loser);
  return judge_without(inquiry, inquiry.subject.decide(other), *loser);
}

Judgement judge_removed(const Inquiry& inquiry) {
  const auto loser = relations::losing_candidate(inquiry.decision, inquiry.random);
  if (!loser) return silent();
  const Case other = relations::without_node(inquiry.question, *loser);
  return judge_without(inquiry, inquiry.subject.decide(other), *loser);
}

Judgement judge_duplicated(const Inquiry& inquiry) {
  if (inquiry.decision.outcome != Outcome::kNominated) return silent();
  const std::string& winner = inquiry.decision.nominated.front();
  for (const Pod& pod : inquiry.question.cluster.pods) {
    // Its claims are called after it, so a copy of the pod would have none.
    const bool there = pod.node_name == winner || pod.nominated_node_name == winner;
    const auto ephemeral = [](const PodVolume& volume) { return volume.kind == VolumeKind::kEphemeral; };
    if (there && std::ranges::any_of(pod.volumes, ephemeral)) return silent();
  }
  const relations::Duplicated other =
      relations::with_node_duplicated(inquiry.question, winner, inquiry.random);
  Decision decision = inquiry.subject.decide(other.question);
  // The copy in the tie, and the rest as before.
  const auto copy = std::ranges::find(decision.nominated, other.copy);
  if (copy == decision.nominated.end()) {
    return broken(fmt::format("{} and its copy {} do not tie: {} [{}]", winner, other.copy,
                              to_string(decision.outcome), fmt::join(decision.nominated, ", ")));
  }
  const bool chosen = copy == decision.nominated.begin();
  decision.nominated.erase(copy);
  compare::Options options = options_for(inquiry.subject);
  if (chosen) options.cleared = false;
  return judge_alike(inquiry, inquiry.decision, without_node_story(decision, other.copy), options);
}

Judgement judge_more_room(const Inquiry& inquiry) {
  if (asks_extenders(inquiry.question) || inquiry.decision.outcome != Outcome::kNominated) return silent();
  const Case other = relations::with_more_room(inquiry.question, inquiry.random);
  const Decision decision = inquiry.subject.decide(other);
  // Its nominated node was unresolvable for want of room; now it waits for a pod that terminates there.
  if (decision.outcome == Outcome::kIneligible) return silent();
  return judge_candidates_kept(inquiry, decision);
}

Judgement judge_higher_priority(const Inquiry& inquiry) {
  if (asks_extenders(inquiry.question) || inquiry.decision.outcome != Outcome::kNominated) return silent();
  const auto other = relations::with_higher_priority(inquiry.question, inquiry.random);
  if (!other) return silent();
  const Decision decision = inquiry.subject.decide(*other);
  // A pod that terminates on its nominated node may now be one to wait for.
  if (decision.outcome == Outcome::kIneligible) return silent();
  return judge_candidates_kept(inquiry, decision);
}

bool binds_no_guarantee(const Policy& policy) {
  return looks_at_every_node(policy) &&
         (!policy.budgets.guaranteed || policy.victims == VictimSearch::kExact);
}

// Exceptions. What the other case answered is in the breach's own words.

/// An ignorable extender is heard only where all of its answers can be carried out.
bool answers_as_asked(const Inquiry& inquiry, const Breach&) {
  return std::ranges::any_of(inquiry.question.extenders, [&](const Extender& extender) {
    if (!extender.ignorable || !extender.supports_preemption || !extender.answer) return false;
    for (const auto& [node, answer] : *extender.answer) {
      for (const std::string& victim : answer.victims) {
        const Pod* pod = inquiry.facts.find_pod(victim);
        if (pod == nullptr || pod->node_name != node) return true;
      }
    }
    return false;
  });
}

bool is_spread(const Inquiry& inquiry, const Breach&) {
  return std::ranges::any_of(inquiry.facts.preemptor()->topology_spread_constraints,
                             [](const TopologySpreadConstraint& constraint) {
                               return constraint.when_unsatisfiable == UnsatisfiableAction::kDoNotSchedule;
                             });
}

bool is_attracted(const Inquiry& inquiry, const Breach&) {
  return !inquiry.facts.preemptor()->affinity.required_pod_affinity.empty();
}

/// Some anti-affinity, of the preemptor or against it, has a domain of several nodes.
bool is_repelled_across_nodes(const Inquiry& inquiry, const Breach&) {
  std::set<std::string_view> keys;
  for (const Pod& pod : inquiry.question.cluster.pods) {
    for (const PodAffinityTerm& term : pod.affinity.required_pod_anti_affinity)
      keys.insert(term.topology_key);
  }
  return std::ranges::any_of(keys, [&](std::string_view key) {
    std::set<std::string_view> domains;
    for (const Node& node : inquiry.question.cluster.nodes) {
      const auto label = node.labels.find(key);
      if (label != node.labels.end() && !domains.insert(label->second).second) return true;
    }
    return false;
  });
}

/// The preemptor's, or of a pod that runs on the node or is nominated to it.
bool is_repelled_there(const Inquiry& inquiry, const Breach&) {
  const std::string& winner = inquiry.decision.nominated.front();
  return std::ranges::any_of(inquiry.question.cluster.pods, [&](const Pod& pod) {
    const bool there = pod.node_name == winner || pod.nominated_node_name == winner;
    return !pod.affinity.required_pod_anti_affinity.empty() &&
           (there || full_name(pod) == inquiry.question.preemptor);
  });
}

bool uses_claim(const Pod& pod, const PersistentVolumeClaim& claim) {
  const auto uses = [&](const PodVolume& volume) {
    return (volume.kind == VolumeKind::kClaim && volume.source == claim.name) ||
           (volume.kind == VolumeKind::kEphemeral && pod.name + "-" + volume.name == claim.name);
  };
  return claim.namespace_ == pod.namespace_ && std::ranges::any_of(pod.volumes, uses);
}

/// With more room pods request other shares: by these others are charged first, and a guarantee then refuses
/// a node for one that it did not refuse before.
bool charges_alike_with_more_room(const Policy& policy) {
  return looks_at_every_node(policy) &&
         !(policy.budgets.guaranteed &&
           std::ranges::find(policy.importance, ImportanceCriterion::kRequestedShare) !=
               policy.importance.end());
}

/// The preemptor uses a claim that only one pod in the cluster may use.
bool wants_a_claim_for_one_pod(const Inquiry& inquiry, const Breach&) {
  const Pod& preemptor = *inquiry.facts.preemptor();
  return std::ranges::any_of(inquiry.question.cluster.claims, [&](const PersistentVolumeClaim& claim) {
    return uses_claim(preemptor, claim) &&
           std::ranges::find(claim.access_modes, AccessMode::kReadWriteOncePod) != claim.access_modes.end();
  });
}

/// By its node affinity, or by a claim for which a node has been selected.
bool names_nodes(const Inquiry& inquiry, const Breach&) {
  const Pod& preemptor = *inquiry.facts.preemptor();
  const auto& affinity = preemptor.affinity.required_node_affinity;
  return (affinity &&
          std::ranges::any_of(affinity->terms,
                              [](const NodeSelectorTerm& term) { return !term.match_fields.empty(); })) ||
         std::ranges::any_of(inquiry.question.cluster.claims, [&](const PersistentVolumeClaim& claim) {
           return claim.annotations.contains("volume.kubernetes.io/selected-node") &&
                  uses_claim(preemptor, claim);
         });
}

bool depends_on_who_is_now_below(const Inquiry& inquiry, const Breach& breach) {
  return is_attracted(inquiry, breach) &&
         breach.why.find("didn't match pod affinity rules") != std::string::npos;
}

bool exceeds_the_attach_limit(const Inquiry&, const Breach& breach) {
  return breach.why.find("node(s) exceed max volume count") != std::string::npos;
}

constexpr Exception kAnswersAsAsked = {
    .name = "an-ignorable-extender-is-heard-by-what-it-is-asked",
    .when =
        "An ignorable extender answers for some node what cannot be carried out: asked about that node it "
        "counts as not asked, otherwise its answer counts.",
    .covers = answers_as_asked,
    .smallest = "laws/an-ignorable-extender-is-heard-once-the-loser-is-cordoned.yaml"};

constexpr std::array kCordonedExceptions = {kAnswersAsAsked};

constexpr std::array kRemovedExceptions = {
    kAnswersAsAsked,
    Exception{.name = "spread-counts-every-domain",
              .when = "The preemptor has a spread constraint: the pods of the loser count for their domains.",
              .covers = is_spread,
              .smallest = "laws/a-losing-node-counts-as-a-domain.yaml"},
    Exception{.name = "affinity-looks-at-every-node",
              .when = "The preemptor requires to be near pods, and the loser's are among those that count.",
              .covers = is_attracted,
              .smallest = "laws/a-losing-node-holds-the-pod-to-be-near-to.yaml"},
    Exception{.name = "anti-affinity-spans-nodes",
              .when = "Pods of the loser repel the preemptor from other nodes of their domain, or it them.",
              .covers = is_repelled_across_nodes,
              .smallest = "laws/a-losing-node-holds-a-pod-that-repels-elsewhere.yaml"},
    Exception{.name = "claim-users-count-everywhere",
              .when = "The preemptor uses a ReadWriteOncePod claim, and the loser holds users of it.",
              .covers = wants_a_claim_for_one_pod,
              .smallest = "laws/a-losing-node-holds-a-user-of-the-claim.yaml"},
};

constexpr std::array kDuplicatedExceptions = {
    Exception{.name = "spread-counts-the-copies",
              .when = "The preemptor has a spread constraint: the copies count for the domain of both.",
              .covers = is_spread,
              .smallest = "laws/the-copies-of-a-winners-pods-count-for-its-domain.yaml"},
    Exception{.name = "the-copies-repel",
              .when = "Anti-affinity of the preemptor, or of a pod of the winner, reaches over to the copy.",
              .covers = is_repelled_there,
              .smallest = "laws/the-copies-of-a-winners-pods-repel.yaml"},
    Exception{.name = "the-copies-attract",
              .when =
                  "The preemptor requires to be near pods, and the copies are near both nodes: with victims: "
                  "exact another victim may go.",
              .covers = is_attracted,
              .smallest = "laws/the-copies-of-a-winners-pods-attract.yaml"},
    Exception{.name = "the-node-is-named",
              .when = "The preemptor, or a claim of its, names nodes, and the copy is none of them.",
              .covers = names_nodes,
              .smallest = "laws/a-copy-of-the-winner-is-not-the-node-that-is-named.yaml"},
};

constexpr std::array kHigherPriorityExceptions = {
    Exception{.name = "it-depends-on-who-is-now-below",
              .when =
                  "The preemptor requires to be near a pod that now is a potential victim: the dry run takes "
                  "it off first.",
              .covers = depends_on_who_is_now_below,
              .smallest = "laws/a-higher-priority-loses-the-pod-to-be-near-to.yaml"},
    Exception{.name = "a-volume-is-shared-with-who-is-now-below",
              .when =
                  "A pod that now is a potential victim uses the preemptor's volumes: once it is taken off "
                  "they count as attachments of the preemptor's own.",
              .covers = exceeds_the_attach_limit,
              .smallest = "laws/a-higher-priority-loses-the-pod-to-share-volumes-with.yaml"},
};

}  // namespace

constinit const Law kLosingNodeCordoned = {
    .name = "losing-node-cordoned",
    .sentence = "A candidate that lost may be cordoned: the winner stays.",
    .statement = "n a candidate outside the tie => decide(c) = decide(c with n cordoned), n apart",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = looks_at_every_node,
    .claimed_for_text = kLooksAtEveryNode,
    .exceptions = kCordonedExceptions,
    .judge = judge_cordoned,
};

constinit const Law kLosingNodeRemoved = {
    .name = "losing-node-removed",
    .sentence = "A candidate that lost may be removed with its pods: the winner stays.",
    .statement = "n a candidate outside the tie => decide(c) = decide(c - n), n apart",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = looks_at_every_node,
    .claimed_for_text = kLooksAtEveryNode,
    .exceptions = kRemovedExceptions,
    .judge = judge_removed,
};

constinit const Law kWinnerDuplicated = {
    .name = "winner-duplicated",
    .sentence = "A node like the winner ties with it.",
    .statement = "n nominated, m a copy of n with its pods => tie(c + m) = tie(c) + m",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = looks_at_every_node,
    .claimed_for_text = kLooksAtEveryNode,
    .exceptions = kDuplicatedExceptions,
    .judge = judge_duplicated,
};

constinit const Law kMoreRoomKeepsCandidates = {
    .name = "more-room-keeps-candidates",
    .sentence = "With more room on the nodes a candidate stays one, unless the preemptor now fits or waits.",
    .statement =
        "allocatable' >= allocatable => fits(c') or ineligible(c') or candidates(c) <= candidates(c'), "
        "without extenders",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = charges_alike_with_more_room,
    .claimed_for_text = "sampling: none, and budgets: bestEffort or importance without requestedShare",
    .judge = judge_more_room,
};

constinit const Law kHigherPriorityKeepsCandidates = {
    .name = "higher-priority-keeps-candidates",
    .sentence = "With a higher priority the preemptor has at least the same candidates.",
    .statement =
        "priority' > priority => fits(c') or candidates(c) <= candidates(c'), without extenders and "
        "unless it now has to wait for a victim",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = binds_no_guarantee,
    .claimed_for_text = "sampling: none, and budgets: bestEffort or victims: exact",
    .exceptions = kHigherPriorityExceptions,
    .judge = judge_higher_priority,
};

}  // namespace reprieve::laws
