// PreemptionCase documents: the question and what is expected of the answer.
#include <fmt/core.h>

#include <algorithm>

#include "reprieve/manifest/decode_kinds.h"
#include "reprieve/manifest/policy.h"

namespace reprieve::manifest {
namespace {

constexpr std::pair<std::string_view, Outcome> kOutcomes[] = {{"fits", Outcome::kFits},
                                                              {"ineligible", Outcome::kIneligible},
                                                              {"nominated", Outcome::kNominated},
                                                              {"no-candidate", Outcome::kNoCandidate},
                                                              {"error", Outcome::kError}};

constexpr std::pair<std::string_view, NodeStatus> kStatuses[] = {
    {"fits", NodeStatus::kFits},
    {"candidate", NodeStatus::kCandidate},
    {"unschedulable", NodeStatus::kUnschedulable},
    {"unresolvable", NodeStatus::kUnresolvable}};

/// "namespace/name"; a bare name is of the namespace "default".
std::string pod_name(std::string_view text) {
  return text.find('/') == std::string_view::npos ? "default/" + std::string(text) : std::string(text);
}

/// The pod that is asked about: nothing when it is "".
std::string decode_preemptor(Decoder& decoder, Element value) {
  const std::string_view text = decoder.text(value);
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const bool named = slash == std::string_view::npos || (slash > 0 && slash + 1 < text.size());
  if (!named || std::ranges::count(text, '/') > 1) decoder.fail("expected NAME or NAMESPACE/NAME");
  return pod_name(text);
}

/// A list of pods.
std::vector<std::string> decode_pods(Decoder& decoder, Element value) {
  std::vector<std::string> pods = decoder.texts(value);
  for (std::string& pod : pods) pod = pod_name(pod);
  return pods;
}

/// {victims: [...], violations: N}.
template <class Victims>
void decode_victims(Decoder& decoder, Element value, Victims& victims) {
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "victims") {
      victims.victims = decode_pods(decoder, field);
    } else if (key == "violations") {
      victims.violations = decoder.int32(field);
    } else {
      decoder.fail("unknown field; allowed are victims, violations");
    }
  });
}

Expectation decode_expectation(Decoder& decoder, Element value) {
  Expectation expect;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "outcome") {
      expect.outcome = decoder.choice(field, kOutcomes);
    } else if (key == "reason") {
      expect.reason = decoder.text(field);
    } else if (key == "nominated") {
      expect.nominated = decoder.texts(field);
    } else if (key == "decidedBy") {
      expect.decided_by = decode_node_criterion(decoder, field);
    } else if (key == "cleared") {
      expect.cleared = decode_pods(decoder, field);
    } else if (key == "candidates") {
      decoder.fields(field, [&](std::string_view node, Element candidate) {
        decode_victims(decoder, candidate, expect.candidates[std::string(node)]);
      });
    } else if (key == "nodes") {
      decoder.fields(field, [&](std::string_view node, Element status) {
        expect.nodes[std::string(node)] = decoder.choice(status, kStatuses);
      });
    } else if (key == "reasons") {
      decoder.fields(field, [&](std::string_view node, Element reasons) {
        expect.reasons[std::string(node)] = decoder.texts(reasons);
      });
    } else {
      decoder.fail(
          "unknown field; allowed are outcome, reason, nominated, decidedBy, cleared, candidates, nodes, "
          "reasons");
    }
  });
  return expect;
}

/// Names, or entries as in a KubeSchedulerConfiguration: {name: example.com/gpu}.
std::vector<std::string> decode_managed_resources(Decoder& decoder, Element value) {
  std::vector<std::string> names;
  decoder.elements(value, [&](Element element) {
    if (!element.is_object()) {
      names.emplace_back(decoder.text(element));
      return;
    }
    std::string& name = names.emplace_back();
    decoder.fields(element, [&](std::string_view key, Element field) {
      if (key == "name") name = decoder.text(field);
    });
    if (name.empty()) decoder.fail_at("name", "is required");
  });
  return names;
}

Extender decode_extender(Decoder& decoder, Element value) {
  Extender extender;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "name") {
      extender.name = decoder.text(field);
    } else if (key == "ignorable") {
      extender.ignorable = decoder.boolean(field);
    } else if (key == "supportsPreemption") {
      extender.supports_preemption = decoder.boolean(field);
    } else if (key == "nodeCacheCapable") {
      extender.node_cache_capable = decoder.boolean(field);
    } else if (key == "managedResources") {
      extender.managed_resources = decode_managed_resources(decoder, field);
    } else if (key == "answer") {
      auto& answer = extender.answer.emplace();
      decoder.fields(field, [&](std::string_view node, Element victims) {
        ExtenderVictims& its_victims = answer[std::string(node)];
        if (victims.is_array()) {
          its_victims.victims = decode_pods(decoder, victims);
        } else {
          decode_victims(decoder, victims, its_victims);
        }
      });
    } else if (key == "error") {
      extender.error = decoder.text(field);
    } else if (key == "url") {
      extender.url = decoder.text(field);
    } else {
      decoder.fail(
          "unknown field; allowed are name, ignorable, supportsPreemption, nodeCacheCapable, "
          "managedResources, "
          "answer, error, url");
    }
  });
  const int ways = (extender.answer ? 1 : 0) + (extender.error ? 1 : 0) + (extender.url ? 1 : 0);
  // One that does not take part in preemption is never asked.
  if (ways > 1 || (ways == 0 && extender.supports_preemption)) {
    decoder.fail("an extender has exactly one of answer, error and url");
  }
  return extender;
}

}  // namespace

std::vector<Extender> decode_extenders(Decoder& decoder, Element value) {
  std::vector<Extender> extenders;
  decoder.elements(value, [&](Element element) { extenders.push_back(decode_extender(decoder, element)); });
  return extenders;
}

CaseSpec decode_case(Decoder& decoder, Element value) {
  CaseSpec spec;
  spec.policy = *builtin_policy("kubernetes");
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kRead, metadata);
      spec.name = std::move(metadata.name);
      const auto description = metadata.annotations.find("reprieve.dev/description");
      if (description != metadata.annotations.end()) spec.description = description->second;
    } else if (key == "spec") {
      decoder.fields(field, [&](std::string_view spec_key, Element part) {
        if (spec_key == "preemptor") {
          spec.preemptor = decode_preemptor(decoder, part);
        } else if (spec_key == "policy") {
          spec.policy = decode_policy(decoder, part);
        } else if (spec_key == "extenders") {
          spec.extenders = decode_extenders(decoder, part);
        } else {
          decoder.fail("unknown field; allowed are preemptor, policy, extenders");
        }
      });
    } else if (key == "expect") {
      spec.expect = decode_expectation(decoder, field);
    } else if (key == "expectFor") {
      decoder.fields(field, [&](std::string_view policy, Element expectation) {
        if (!builtin_policy(policy)) decoder.fail("unknown policy; expectFor goes by built-in names");
        spec.expect_for[std::string(policy)] = decode_expectation(decoder, expectation);
      });
    } else if (key == "apiVersion") {
      if (decoder.text(field) != "reprieve.dev/v1alpha1") decoder.fail("expected reprieve.dev/v1alpha1");
    } else if (key != "kind") {
      decoder.fail("unknown field; allowed are apiVersion, kind, metadata, spec, expect, expectFor");
    }
  });
  require_name(decoder, spec.name);
  if (spec.preemptor.empty()) decoder.fail_at("spec.preemptor", "is required");
  return spec;
}

}  // namespace reprieve::manifest
