// PreemptionPolicy documents. Every word and every field is known or refused: a slip in a policy must
// not be taken for the default.
#include <fmt/core.h>

#include <algorithm>

#include "reprieve/manifest/criteria.h"
#include "reprieve/manifest/decode_kinds.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::manifest {
namespace {

constexpr std::pair<std::string_view, VictimSearch> kSearches[] = {{"greedy", VictimSearch::kGreedy},
                                                                   {"exact", VictimSearch::kExact}};

constexpr std::pair<std::string_view, Charging> kChargings[] = {{"everyBudget", Charging::kEveryBudget},
                                                                {"untilViolated", Charging::kUntilViolated}};

constexpr std::pair<std::string_view, ViolationCount> kCounts[] = {
    {"classified", ViolationCount::kClassified}, {"actual", ViolationCount::kActual}};

Release decode_release(Decoder& decoder, Element value) {
  // 1.36 without quotes is a number in YAML, and everyone writes it so.
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) {
    if (number == 1.36) return Release::k1_36;
    if (number == 1.37) return Release::k1_37;
    decoder.fail(fmt::format("unknown release {}; allowed are \"1.36\", \"1.37\"", number));
  }
  static constexpr std::pair<std::string_view, Release> kReleases[] = {{"1.36", Release::k1_36},
                                                                       {"1.37", Release::k1_37}};
  return decoder.choice(value, kReleases);
}

BudgetGuarantee decode_guarantee(Decoder& decoder, Element value) {
  BudgetGuarantee budgets;
  if (value.is_string()) {
    static constexpr std::pair<std::string_view, bool> kWords[] = {{"bestEffort", false},
                                                                   {"guaranteed", true}};
    budgets.guaranteed = decoder.choice(value, kWords);
    return budgets;
  }
  if (!value.is_object())
    decoder.fail("expected bestEffort, guaranteed, or {guaranteed: {belowPriority: N}}");
  decoder.entries(value, [&](std::string_view key, Element guaranteed) {
    if (key != "guaranteed") decoder.fail("unknown field; allowed is guaranteed");
    budgets.guaranteed = true;
    if (guaranteed.is_null()) return;
    if (!guaranteed.is_object()) decoder.fail_type("{belowPriority: N}, or nothing", guaranteed);
    decoder.fields(guaranteed, [&](std::string_view guaranteed_key, Element field) {
      if (guaranteed_key != "belowPriority") decoder.fail("unknown field; allowed is belowPriority");
      budgets.below_priority = decoder.int32(field);
    });
  });
  if (!budgets.guaranteed) decoder.fail_at("guaranteed", "is required");
  return budgets;
}

std::optional<Sampling> decode_sampling(Decoder& decoder, Element value) {
  if (value.is_string()) {
    static constexpr std::pair<std::string_view, bool> kWords[] = {{"none", true}};
    decoder.choice(value, kWords);
    return std::nullopt;
  }
  if (!value.is_object()) decoder.fail("expected none or {minPercentage: 10, minAbsolute: 100, offset: 0}");
  Sampling sampling;
  constexpr std::int64_t kMaxInt32 = 2147483647;
  const auto number = [&](Element field, std::int64_t high) {
    return static_cast<std::int32_t>(decoder.integer(field, 0, high));
  };
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "minPercentage") {
      sampling.min_percentage =
          REPRIEVE_MUTANT("percentage-read-as-permille", number(field, 100), number(field, 100) / 10);
    } else if (key == "minAbsolute") {
      sampling.min_absolute = number(field, kMaxInt32);
    } else if (key == "offset") {
      sampling.offset = number(field, kMaxInt32);
    } else {
      decoder.fail("unknown field; allowed are minPercentage, minAbsolute, offset");
    }
  });
  return sampling;
}

template <class Criterion>
std::string names_of(std::span<const CriterionEntry<Criterion>> entries) {
  std::string names;
  for (const CriterionEntry<Criterion>& entry : entries) {
    names += (names.empty() ? "" : ", ") + std::string(to_string(entry.criterion));
  }
  return names;
}

template <class Criterion>
Criterion decode_criterion(Decoder& decoder, Element value,
                           std::span<const CriterionEntry<Criterion>> allowed) {
  std::string_view word;
  if (value.get(word) != simdjson::SUCCESS) decoder.fail_type("one of " + names_of(allowed), value);
  for (const CriterionEntry<Criterion>& entry : allowed) {
    if (word == to_string(entry.criterion)) return entry.criterion;
  }
  decoder.fail_unknown_word(word, names_of(allowed));
}

template <class Criterion>
std::vector<Criterion> decode_criteria(Decoder& decoder, Element value,
                                       std::span<const CriterionEntry<Criterion>> allowed) {
  std::vector<Criterion> criteria;
  if (!value.is_array()) decoder.fail_type("a list of " + names_of(allowed), value);
  decoder.elements(value, [&](Element element) {
    const Criterion criterion = decode_criterion(decoder, element, allowed);
    if (std::ranges::find(criteria, criterion) != criteria.end()) decoder.fail("occurs twice");
    criteria.push_back(criterion);
  });
  if (criteria.empty()) decoder.fail("must name at least one criterion: " + names_of(allowed));
  return criteria;
}

void decode_policy_spec(Decoder& decoder, Element value, Policy& policy) {
  std::optional<Charging> charging;
  std::optional<ViolationCount> violations;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "release") {
      policy.release = decode_release(decoder, field);
    } else if (key == "victims") {
      policy.victims = decoder.choice(field, kSearches);
    } else if (key == "budgets") {
      policy.budgets = decode_guarantee(decoder, field);
    } else if (key == "charging") {
      charging = decoder.choice(field, kChargings);
    } else if (key == "violations") {
      violations = decoder.choice(field, kCounts);
    } else if (key == "importance") {
      policy.importance = decode_criteria(decoder, field, importance_criteria());
    } else if (key == "nodeOrder") {
      policy.node_order = decode_criteria(decoder, field, node_criteria());
    } else if (key == "sampling") {
      policy.sampling = decode_sampling(decoder, field);
    } else {
      decoder.fail(
          "unknown field; allowed are release, victims, budgets, charging, violations, importance, "
          "nodeOrder, "
          "sampling");
    }
  });
  // What is not said is as the release does it; the optimum counts what is really evicted, each pod
  // charged to every budget.
  const bool exact = policy.victims == VictimSearch::kExact;
  policy.charging = charging.value_or(exact || policy.release == Release::k1_36 ? Charging::kEveryBudget
                                                                                : Charging::kUntilViolated);
  policy.violations = violations.value_or(exact ? ViolationCount::kActual : ViolationCount::kClassified);
  if (const auto error = validate(policy)) decoder.fail_at(error->where.field.substr(5), error->message);
}

}  // namespace

NodeCriterion decode_node_criterion(Decoder& decoder, Element value) {
  return decode_criterion(decoder, value, node_criteria());
}

Policy decode_policy(Decoder& decoder, Element value) {
  if (value.is_string()) {
    if (auto policy = builtin_policy(decoder.text(value))) return *std::move(policy);
    std::string names;
    for (const std::string& name : builtin_policy_names()) names += (names.empty() ? "" : ", ") + name;
    decoder.fail(fmt::format("unknown policy; built in are {}", names));
  }
  Policy policy;
  policy.name = "inline";
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) decoder.fail("expected the name of a policy, or a policy");
  Element part;
  const bool is_document = object.at_key("spec").get(part) == simdjson::SUCCESS ||
                           object.at_key("kind").get(part) == simdjson::SUCCESS ||
                           object.at_key("metadata").get(part) == simdjson::SUCCESS;
  if (!is_document) {
    decode_policy_spec(decoder, value, policy);
    return policy;
  }
  bool has_spec = false;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kSkip, metadata);
      if (!metadata.name.empty()) policy.name = std::move(metadata.name);
    } else if (key == "spec") {
      decode_policy_spec(decoder, field, policy);
      has_spec = true;
    } else if (key == "kind") {
      if (decoder.text(field) != "PreemptionPolicy") decoder.fail("expected PreemptionPolicy");
    } else if (key == "apiVersion") {
      if (decoder.text(field) != "reprieve.dev/v1alpha1") decoder.fail("expected reprieve.dev/v1alpha1");
    } else {
      decoder.fail("unknown field; allowed are apiVersion, kind, metadata, spec");
    }
  });
  if (!has_spec) decoder.fail_at("spec", "is required");
  return policy;
}

}  // namespace reprieve::manifest
