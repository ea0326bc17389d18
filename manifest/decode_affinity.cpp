// What a pod asks of its node and its neighbours: tolerations, affinity, topology spread.
#include <algorithm>

#include "reprieve/manifest/decode_kinds.h"

namespace reprieve::manifest {
namespace {

template <class Value>
using Word = std::pair<std::string_view, Value>;

constexpr Word<TaintEffect> kTolerationEffects[] = {{"", TaintEffect::kAny},
                                                    {"NoSchedule", TaintEffect::kNoSchedule},
                                                    {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
                                                    {"NoExecute", TaintEffect::kNoExecute}};

// Lt and Gt are behind a gate that is off; a pod that was stored with them is met by a scheduler that
// never lets them match.
constexpr Word<TolerationOperator> kTolerationOperators[] = {{"", TolerationOperator::kEqual},
                                                             {"Equal", TolerationOperator::kEqual},
                                                             {"Exists", TolerationOperator::kExists},
                                                             {"Lt", TolerationOperator::kLt},
                                                             {"Gt", TolerationOperator::kGt}};

constexpr Word<UnsatisfiableAction> kActions[] = {{"DoNotSchedule", UnsatisfiableAction::kDoNotSchedule},
                                                  {"ScheduleAnyway", UnsatisfiableAction::kScheduleAnyway}};

constexpr Word<NodeInclusionPolicy> kInclusionPolicies[] = {{"Honor", NodeInclusionPolicy::kHonor},
                                                            {"Ignore", NodeInclusionPolicy::kIgnore}};

AffinityTerm decode_affinity_term(Decoder& decoder, Element value) {
  AffinityTerm result;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "labelSelector") {
      result.term.label_selector = decode_label_selector(decoder, field);
    } else if (key == "namespaces") {
      result.term.namespaces = decoder.texts(field);
    } else if (key == "namespaceSelector") {
      result.term.namespace_selector = decode_label_selector(decoder, field);
    } else if (key == "topologyKey") {
      result.term.topology_key = decoder.text(field);
    } else if (key == "matchLabelKeys") {
      result.match_label_keys = decoder.texts(field);
    } else if (key == "mismatchLabelKeys") {
      result.mismatch_label_keys = decoder.texts(field);
    } else {
      decoder.fail_unknown_field();
    }
  });
  if (result.term.topology_key.empty()) decoder.fail_at("topologyKey", "is required");
  return result;
}

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

}  // namespace

Toleration decode_toleration(Decoder& decoder, Element value) {
  Toleration toleration;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "key") {
      toleration.key = decoder.text(field);
    } else if (key == "operator") {
      toleration.op = decoder.choice(field, kTolerationOperators);
    } else if (key == "value") {
      toleration.value = decoder.text(field);
    } else if (key == "effect") {
      toleration.effect = decoder.choice(field, kTolerationEffects);
    }
  });
  return toleration;
}

/// applyMatchLabelKeysAndMismatchLabelKeys of pkg/registry/core/pod/strategy.go. In a dump the keys
/// stand beside what the API server has merged already.
void merge_label_keys(AffinityTerm& term, const Labels& labels) {
  if (!term.term.label_selector) return;
  std::vector<SelectorRequirement>& expressions = term.term.label_selector->match_expressions;
  const auto merge = [&](const std::vector<std::string>& keys, SelectorOperator op) {
    for (const std::string& key : keys) {
      const auto label = labels.find(key);
      if (label == labels.end()) continue;
      SelectorRequirement requirement{.key = key, .op = op, .values = {label->second}};
      if (std::ranges::find(expressions, requirement) == expressions.end()) {
        expressions.push_back(std::move(requirement));
      }
    }
  };
  merge(term.match_label_keys, SelectorOperator::kIn);
  merge(term.mismatch_label_keys, SelectorOperator::kNotIn);
}

void decode_affinity(Decoder& decoder, Element value, Affinity& affinity, AffinityTerms& terms) {
  // Preferred terms filter nothing.
  const auto required = [&](Element kind, const auto& decode) {
    decoder.fields(kind, [&](std::string_view key, Element field) {
      if (key == kRequired) {
        decode(field);
      } else if (key != kPreferred) {
        decoder.fail_unknown_field();
      }
    });
  };
  const auto into = [&](std::vector<AffinityTerm>& list) {
    return [&](Element field) {
      decoder.elements(field,
                       [&](Element element) { list.push_back(decode_affinity_term(decoder, element)); });
    };
  };
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "nodeAffinity") {
      required(field, [&](Element selector) {
        affinity.required_node_affinity = decode_node_selector(decoder, selector);
      });
    } else if (key == "podAffinity") {
      required(field, into(terms.affinity));
    } else if (key == "podAntiAffinity") {
      required(field, into(terms.anti_affinity));
    } else {
      decoder.fail_unknown_field();
    }
  });
}

TopologySpreadConstraint decode_spread(Decoder& decoder, Element value) {
  TopologySpreadConstraint constraint;
  bool has_skew = false, has_action = false;
  constexpr std::int64_t kMaxInt32 = 2147483647;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "maxSkew") {
      constraint.max_skew = static_cast<std::int32_t>(decoder.integer(field, 1, kMaxInt32));
      has_skew = true;
    } else if (key == "topologyKey") {
      constraint.topology_key = decoder.text(field);
    } else if (key == "whenUnsatisfiable") {
      constraint.when_unsatisfiable = decoder.choice(field, kActions);
      has_action = true;
    } else if (key == "labelSelector") {
      constraint.label_selector = decode_label_selector(decoder, field);
    } else if (key == "minDomains") {
      constraint.min_domains = static_cast<std::int32_t>(decoder.integer(field, 1, kMaxInt32));
    } else if (key == "nodeAffinityPolicy") {
      constraint.node_affinity_policy = decoder.choice(field, kInclusionPolicies);
    } else if (key == "nodeTaintsPolicy") {
      constraint.node_taints_policy = decoder.choice(field, kInclusionPolicies);
    } else if (key == "matchLabelKeys") {
      constraint.match_label_keys = decoder.texts(field);
    } else {
      decoder.fail_unknown_field();
    }
  });
  if (!has_skew) decoder.fail_at("maxSkew", "is required");
  if (constraint.topology_key.empty()) decoder.fail_at("topologyKey", "is required");
  if (!has_action) decoder.fail_at("whenUnsatisfiable", "is required");
  return constraint;
}

bool selects_namespaces_by_label(const Pod& pod) {
  const auto by_label = [](const PodAffinityTerm& term) {
    return term.namespace_selector && *term.namespace_selector != LabelSelector{};
  };
  return std::ranges::any_of(pod.affinity.required_pod_affinity, by_label) ||
         std::ranges::any_of(pod.affinity.required_pod_anti_affinity, by_label);
}

}  // namespace reprieve::manifest
