// What is Reprieve's own: policies, scripted extenders, the PreemptionCase document.
#include <utility>

#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/write_objects.h"

namespace reprieve::manifest {
namespace {

constexpr std::string_view kApiVersion = "reprieve.dev/v1alpha1";

Document budgets_document(const BudgetGuarantee& budgets) {
  if (!budgets.guaranteed) return Document::text("bestEffort");
  Document guarantee = Document::map();
  if (budgets.below_priority) guarantee.set("belowPriority", Document::number(*budgets.below_priority));
  Document document = Document::map();
  document.set("guaranteed", std::move(guarantee));
  return document;
}

Document sampling_document(const std::optional<Sampling>& sampling) {
  if (!sampling) return Document::text("none");
  Document document = Document::map();
  document.set("minPercentage", Document::number(sampling->min_percentage))
      .set("minAbsolute", Document::number(sampling->min_absolute))
      .set("offset", Document::number(sampling->offset));
  return document;
}

template <class Criterion>
Document criteria_document(const std::vector<Criterion>& criteria) {
  Document list = Document::list();
  for (const Criterion criterion : criteria) list.add(Document::text(to_string(criterion)));
  return list;
}

Document victims_document(const std::vector<std::string>& victims, std::int64_t violations) {
  Document document = Document::map();
  document.set("victims", Document::texts(victims)).set("violations", Document::number(violations));
  return document;
}

Document expectation_document(const Expectation& expectation) {
  Document document = Document::map();
  if (expectation.outcome) document.set("outcome", Document::text(to_string(*expectation.outcome)));
  if (expectation.reason) document.set("reason", Document::text(*expectation.reason));
  if (expectation.nominated) document.set("nominated", Document::texts(*expectation.nominated));
  if (expectation.decided_by) document.set("decidedBy", Document::text(to_string(*expectation.decided_by)));
  if (expectation.cleared) document.set("cleared", Document::texts(*expectation.cleared));
  Document candidates = Document::map();
  for (const auto& [node, candidate] : expectation.candidates) {
    candidates.set(node, victims_document(candidate.victims, candidate.violations));
  }
  Document nodes = Document::map();
  for (const auto& [node, status] : expectation.nodes) nodes.set(node, Document::text(to_string(status)));
  Document reasons = Document::map();
  for (const auto& [node, texts] : expectation.reasons) reasons.set(node, Document::texts(texts));
  document.set_unless_empty("candidates", std::move(candidates))
      .set_unless_empty("nodes", std::move(nodes))
      .set_unless_empty("reasons", std::move(reasons));
  return document;
}

}  // namespace

Document policy_document(const Policy& policy) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(policy.name));
  Document spec = Document::map();
  spec.set("release", Document::text(to_string(policy.release)))
      .set("victims", Document::text(policy.victims == VictimSearch::kGreedy ? "greedy" : "exact"))
      .set("budgets", budgets_document(policy.budgets))
      .set("charging",
           Document::text(policy.charging == Charging::kEveryBudget ? "everyBudget" : "untilViolated"))
      .set("violations",
           Document::text(policy.violations == ViolationCount::kClassified ? "classified" : "actual"))
      .set("importance", criteria_document(policy.importance))
      .set("nodeOrder", criteria_document(policy.node_order))
      .set("sampling", sampling_document(policy.sampling));
  Document document = object_document(kApiVersion, "PreemptionPolicy");
  document.set("metadata", std::move(metadata)).set("spec", std::move(spec));
  return document;
}

Document policy_reference(const Policy& policy) {
  // The two that nearly every request names, without asking the registry.
  bool known = policy == kubernetes_policy(Release::k1_36) || policy == kubernetes_policy(Release::k1_37);
  if (!known) {
    for (const std::string& name : builtin_policy_names()) {
      if (name != policy.name) continue;
      const auto builtin = find_policy(name);
      known = builtin && *builtin == policy;
    }
  }
  return known ? Document::text(policy.name) : policy_document(policy);
}

Document extenders_document(const std::vector<Extender>& extenders) {
  Document list = Document::list();
  for (const Extender& extender : extenders) {
    Document item = Document::map();
    item.set("name", Document::text(extender.name));
    if (extender.ignorable) item.set("ignorable", Document::boolean(true));
    if (!extender.supports_preemption) item.set("supportsPreemption", Document::boolean(false));
    if (extender.node_cache_capable) item.set("nodeCacheCapable", Document::boolean(true));
    item.set_unless_empty("managedResources", Document::texts(extender.managed_resources));
    if (extender.answer) {
      Document answer = Document::map();
      for (const auto& [node, victims] : *extender.answer) {
        answer.set(node, victims.violations == 0 ? Document::texts(victims.victims)
                                                 : victims_document(victims.victims, victims.violations));
      }
      item.set("answer", std::move(answer));
    }
    if (extender.error) item.set("error", Document::text(*extender.error));
    if (extender.url) item.set("url", Document::text(*extender.url));
    list.add(std::move(item));
  }
  return list;
}

Document case_document(const Case& question, const CaseSpec* spec) {
  Document metadata = Document::map();
  metadata.set("name", Document::text(question.name));
  if (spec != nullptr && !spec->description.empty()) {
    Document annotations = Document::map();
    annotations.set("reprieve.dev/description", Document::text(spec->description));
    metadata.set("annotations", std::move(annotations));
  }
  Document body = Document::map();
  body.set("preemptor", Document::text(question.preemptor))
      .set("policy", policy_reference(question.policy))
      .set_unless_empty("extenders", extenders_document(question.extenders));

  Document document = object_document(kApiVersion, "PreemptionCase");
  document.set("metadata", std::move(metadata)).set("spec", std::move(body));
  if (spec == nullptr) return document;
  if (spec->expect) document.set("expect", expectation_document(*spec->expect));
  Document by_policy = Document::map();
  for (const auto& [policy, expectation] : spec->expect_for) {
    by_policy.set(policy, expectation_document(expectation));
  }
  document.set_unless_empty("expectFor", std::move(by_policy));
  return document;
}

}  // namespace reprieve::manifest
