// Label selectors over small pools of keys and values.
#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

constexpr std::array<std::string_view, 2> kPodKeys = {"app", "tier"};

SelectorRequirement requirement(Draft& draft, std::string_view key) {
  static constexpr std::array kOperators = {SelectorOperator::kIn, SelectorOperator::kNotIn,
                                            SelectorOperator::kExists, SelectorOperator::kDoesNotExist};
  SelectorRequirement result;
  result.key = key;
  result.op = draft.random.pick(kOperators);
  if (result.op == SelectorOperator::kIn || result.op == SelectorOperator::kNotIn) {
    const int count = draft.random.between(1, 2);
    for (int i = 0; i < count; ++i) result.values.push_back(label_value(draft, key));
  }
  return result;
}

}  // namespace

std::string label_value(Draft& draft, std::string_view key) {
  static constexpr std::array<std::string_view, 3> kApps = {"a", "b", "c"};
  static constexpr std::array<std::string_view, 2> kTiers = {"x", "y"};
  if (key == "tier") return std::string(draft.random.pick(kTiers));
  // An empty value is a value: "app" then exists.
  return draft.random.percent(4) ? std::string() : std::string(draft.random.pick(kApps));
}

LabelSelector pod_selector(Draft& draft) {
  LabelSelector selector;
  const int parts = draft.random.percent(75) ? 1 : 2;
  for (int i = 0; i < parts; ++i) {
    const std::string_view key = draft.random.percent(70) ? kPodKeys[0] : kPodKeys[1];
    if (draft.random.percent(60)) {
      selector.match_labels[std::string(key)] = label_value(draft, key);
    } else {
      selector.match_expressions.push_back(requirement(draft, key));
    }
  }
  return selector;
}

LabelSelector namespace_selector(Draft& draft) {
  LabelSelector selector;
  static constexpr std::array<std::string_view, 2> kKeys = {"team", "kubernetes.io/metadata.name"};
  if (draft.random.percent(15)) return selector;  // every namespace
  const std::string_view key = draft.random.pick(kKeys);
  const std::string value = key == "team" ? label_value(draft, "app") : draft.random.pick(draft.namespaces);
  if (draft.random.coin()) {
    selector.match_labels[std::string(key)] = value;
  } else {
    SelectorRequirement part = requirement(draft, "team");
    part.key = key;
    if (!part.values.empty()) part.values = {value};
    selector.match_expressions.push_back(std::move(part));
  }
  return selector;
}

void spoil(Draft& draft, LabelSelector& selector) {
  // Values that are no label values can be stored (validation only ratchets them:
  // AllowInvalidLabelValueInSelector); the other faults only hand-written manifests have.
  switch (draft.random.below(7)) {
    case 0: selector.match_labels["app"] = "not a value"; break;
    case 1:
      selector.match_expressions.push_back({.key = "app", .op = SelectorOperator::kIn, .values = {"-a-"}});
      break;
    case 2:
      selector.match_expressions.push_back({.key = "app", .op = SelectorOperator::kIn, .values = {}});
      break;
    case 3:
      selector.match_expressions.push_back({.key = "app", .op = SelectorOperator::kExists, .values = {"a"}});
      break;
    case 4:
      selector.match_expressions.push_back({.key = "app", .op = SelectorOperator::kGt, .values = {"1"}});
      break;
    case 5:
      selector.match_expressions.push_back({.key = "app", .op = SelectorOperator::kInvalid, .values = {"a"}});
      break;
    default:
      selector.match_expressions.push_back(
          {.key = "not a key", .op = SelectorOperator::kExists, .values = {}});
      break;
  }
}

}  // namespace reprieve::generators
