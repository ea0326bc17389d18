// What has nothing to do with the question changes nothing. Catch: counts over all objects instead of those
// that match, a default that matches everything, an index thrown off by one entry more.
#include "reprieve/properties/relations/bystanders.h"

#include <algorithm>

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"

namespace reprieve::laws {
namespace {

Judgement judge_node(const Inquiry& inquiry) {
  // A preemptor that tolerates everything and asks for nothing but a place finds the node full, which makes
  // it one of those that the walk of a sample goes over.
  const Pod* preemptor = inquiry.facts.preemptor();
  const bool tolerates_everything = std::ranges::any_of(
      preemptor->tolerations, [](const Toleration& toleration) { return toleration.key.empty(); });
  if (inquiry.question.policy.sampling && tolerates_everything) return silent();
  const relations::WithNode other = relations::with_bystander_node(inquiry.question, inquiry.random);
  return judge_alike(inquiry, without_node_story(inquiry.subject.decide(other.question), other.node));
}

Judgement judge_namespace(const Inquiry& inquiry) {
  return ask_alike(inquiry, relations::with_bystander_namespace(inquiry.question, inquiry.random));
}
Judgement judge_budget(const Inquiry& inquiry) {
  return ask_alike(inquiry, relations::with_bystander_budget(inquiry.question, inquiry.random));
}
Judgement judge_label(const Inquiry& inquiry) {
  return ask_alike(inquiry, relations::with_bystander_label(inquiry.question, inquiry.random));
}
Judgement judge_pod(const Inquiry& inquiry) {
  return ask_alike(inquiry, relations::with_bystander_pod(inquiry.question, inquiry.random));
}
Judgement judge_resource(const Inquiry& inquiry) {
  return ask_alike(inquiry, relations::with_bystander_resource(inquiry.question, inquiry.random));
}
Judgement judge_unread(const Inquiry& inquiry) {
  const Case other = relations::with_unread_fields_redrawn(inquiry.question, inquiry.random);
  if (other == inquiry.question) return silent();
  return ask_alike(inquiry, other);
}
bool asks_no_share(const Policy& policy) {
  return !names(policy, NodeCriterion::kRequestedShare) &&
         std::ranges::find(policy.importance, ImportanceCriterion::kRequestedShare) ==
             policy.importance.end();
}
Judgement judge_storage(const Inquiry& inquiry) {
  return ask_alike(inquiry, relations::with_bystander_storage(inquiry.question, inquiry.random));
}

}  // namespace

constinit const Law kBystanderNode = {
    .name = "bystander-node",
    .sentence = "A node that the preemptor cannot use and that is in no domain changes nothing.",
    .statement =
        "decide(c) = decide(c + n) without n; n cordoned, tainted, empty of resources, without labels",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_node,
};

constinit const Law kBystanderNamespace = {
    .name = "bystander-namespace",
    .sentence = "A namespace without pods changes nothing.",
    .statement = "decide(c) = decide(c + namespace)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_namespace,
};

constinit const Law kBystanderBudget = {
    .name = "bystander-budget",
    .sentence = "A budget that selects no pod changes nothing.",
    .statement =
        "decide(c) = decide(c + b); b of another namespace, or with a selector that is absent, empty, "
        "invalid or matches nobody",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_budget,
};

constinit const Law kBystanderLabel = {
    .name = "bystander-label",
    .sentence = "A label that nobody selects by changes nothing where there is a label already.",
    .statement = "decide(c) = decide(c with a new key on nodes, namespaces, and pods that have labels)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_label,
};

constinit const Law kBystanderPod = {
    .name = "bystander-pod",
    .sentence =
        "A pod that waits without a nomination, or is on or nominated to an absent node, changes nothing.",
    .statement = "decide(c) = decide(c + p); p a copy of any pod, on no node of c",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_pod,
};

constinit const Law kBystanderStorage = {
    .name = "bystander-storage",
    .sentence = "Volumes and claims of a class that nobody asks for change nothing.",
    .statement = "decide(c) = decide(c + class, driver, volume, claim, attachment, priority class)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_storage,
};

constinit const Law kBystanderResource = {
    .name = "bystander-resource",
    .sentence = "A resource that the preemptor does not ask for may be overcommitted.",
    .statement =
        "decide(c) = decide(c with requests and allocatable of a new resource), the preemptor's apart",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = asks_no_share,
    .claimed_for_text = "importance and nodeOrder without requestedShare",
    .judge = judge_resource,
};

constinit const Law kUnreadFields = {
    .name = "unread-fields",
    .sentence = "What a running pod itself demanded of its node decides nothing any more.",
    .statement =
        "decide(c) = decide(c with affinity, selectors, tolerations, spread constraints, nomination, "
        "scheduler of running pods redrawn, and every creation time)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_unread,
};

}  // namespace reprieve::laws
