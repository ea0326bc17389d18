// A name is only a name. Catch: names compared where identity is meant, sorting by name, a prefix taken for
// the whole, a namespace forgotten.
#include "reprieve/properties/relations/names.h"

#include <algorithm>

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"

namespace reprieve::laws {
namespace {

Judgement judge_renamed(const Inquiry& inquiry, const relations::Renamed& other) {
  const Decision decision = inquiry.subject.decide(other.question);
  return judge_alike(inquiry, relations::renamed(decision, relations::inverse(other.names)));
}

Judgement judge_nodes(const Inquiry& inquiry) {
  return judge_renamed(inquiry, relations::with_nodes_renamed(inquiry.question, inquiry.random));
}
Judgement judge_pods(const Inquiry& inquiry) {
  // A reason that names a claim called like a pod does not say which it means.
  const auto& claims = inquiry.question.cluster.claims;
  const auto called_like_a_pod = [&](const PersistentVolumeClaim& claim) {
    return inquiry.facts.find_pod(claim.namespace_ + "/" + claim.name) != nullptr;
  };
  if (std::ranges::any_of(claims, called_like_a_pod)) return silent();
  return judge_renamed(inquiry, relations::with_pods_renamed(inquiry.question, inquiry.random));
}
Judgement judge_namespaces(const Inquiry& inquiry) {
  return judge_renamed(inquiry, relations::with_namespaces_renamed(inquiry.question, inquiry.random));
}
Judgement judge_labels(const Inquiry& inquiry) {
  return ask_alike(inquiry, relations::with_labels_renamed(inquiry.question, inquiry.random));
}

}  // namespace

constinit const Law kNodeNames = {
    .name = "node-names",
    .sentence = "Nodes may be called anything.",
    .statement = "rename(decide(c)) = decide(rename(c)), for every renaming of the nodes",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_nodes,
};

constinit const Law kPodNames = {
    .name = "pod-names",
    .sentence = "Pods may be called anything.",
    .statement = "rename(decide(c)) = decide(rename(c)), for every renaming of the pods within a namespace",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_pods,
};

constinit const Law kNamespaceNames = {
    .name = "namespace-names",
    .sentence = "Namespaces may be called anything.",
    .statement = "rename(decide(c)) = decide(rename(c)), for every renaming of the namespaces",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_namespaces,
};

constinit const Law kLabelNames = {
    .name = "label-names",
    .sentence = "Labels may be called anything, but for zones, numbers and what volumes name.",
    .statement = "decide(c) = decide(rename(c)), for every one-to-one renaming of label keys and values",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_labels,
};

}  // namespace reprieve::laws
