// Nodes, namespaces, budgets and priority classes.
#include <algorithm>

#include "reprieve/manifest/decode_kinds.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::manifest {
namespace {

constexpr std::pair<std::string_view, TaintEffect> kTaintEffects[] = {
    {"NoSchedule", TaintEffect::kNoSchedule},
    {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
    {"NoExecute", TaintEffect::kNoExecute}};

constexpr std::pair<std::string_view, PreemptionPolicy> kPreemptionPolicies[] = {
    {"PreemptLowerPriority", PreemptionPolicy::kPreemptLowerPriority}, {"Never", PreemptionPolicy::kNever}};

Taint decode_taint(Decoder& decoder, Element value) {
  Taint taint;
  bool has_effect = false;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "key") {
      taint.key = decoder.text(field);
    } else if (key == "value") {
      taint.value = decoder.text(field);
    } else if (key == "effect") {
      taint.effect = decoder.choice(field, kTaintEffects);
      has_effect = true;
    }
  });
  if (taint.key.empty()) decoder.fail_at("key", "is required");
  if (!has_effect) decoder.fail_at("effect", "is required");
  return taint;
}

}  // namespace

Node decode_node(Decoder& decoder, Element value) {
  Node node;
  bool has_allocatable = false;
  ResourceList capacity;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kSkip, metadata);
      node.name = std::move(metadata.name);
      node.labels = std::move(metadata.labels);
    } else if (key == "spec") {
      decoder.fields(field, [&](std::string_view spec_key, Element spec) {
        if (spec_key == "unschedulable") {
          node.unschedulable = decoder.boolean(spec);
        } else if (spec_key == "taints") {
          decoder.elements(spec,
                           [&](Element element) { node.taints.push_back(decode_taint(decoder, element)); });
        } else {
          static constexpr std::string_view kIgnored[] = {"configSource", "externalID", "podCIDR", "podCIDRs",
                                                          "providerID"};
          decoder.ignore(spec_key, kIgnored, "unknown field of a node's spec");
        }
      });
    } else if (key == "status") {
      decoder.fields(field, [&](std::string_view status_key, Element status) {
        if (status_key == "allocatable") {
          node.allocatable = decoder.resources(status);
          has_allocatable = true;
        } else if (status_key == "capacity") {
          capacity = decoder.resources(status);
        } else if (status_key == "declaredFeatures") {
          node.declared_features = decoder.texts(status);
        }
      });
    }
  });
  require_name(decoder, node.name);
  // SetDefaults_NodeStatus.
  if (!has_allocatable) node.allocatable = std::move(capacity);
  return node;
}

Namespace decode_namespace(Decoder& decoder, Element value) {
  Namespace result;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key != "metadata") return;
    Metadata metadata;
    decode_metadata(decoder, field, Annotations::kSkip, metadata);
    result.name = std::move(metadata.name);
    result.labels = std::move(metadata.labels);
  });
  require_name(decoder, result.name);
  // SetDefaults_Namespace: whatever the manifest says.
  result.labels["kubernetes.io/metadata.name"] = result.name;
  return result;
}

DisruptionBudget decode_budget(Decoder& decoder, Element value) {
  DisruptionBudget budget;
  bool has_status = false;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kSkip, metadata);
      budget.namespace_ = std::move(metadata.namespace_);
      budget.name = std::move(metadata.name);
    } else if (key == "spec") {
      // minAvailable and maxUnavailable are the controller's; the scheduler reads its status.
      static constexpr std::string_view kIgnored[] = {"maxUnavailable", "minAvailable",
                                                      "unhealthyPodEvictionPolicy"};
      decoder.fields(field, [&](std::string_view spec_key, Element spec) {
        if (spec_key == "selector") {
          budget.selector = decode_label_selector(decoder, spec);
        } else {
          decoder.ignore(spec_key, kIgnored, "unknown field of a budget's spec");
        }
      });
    } else if (key == "status") {
      decoder.fields(field, [&](std::string_view status_key, Element status) {
        if (status_key == "disruptionsAllowed") {
          budget.disruptions_allowed = REPRIEVE_MUTANT(
              "negative-allowance-read-as-none", decoder.int32(status), std::max(decoder.int32(status), 0));
          has_status = true;
        } else if (status_key == "disruptedPods") {
          decoder.entries(status, [&](std::string_view pod, Element time) {
            if (!time.is_null()) decoder.time(time);
            if (REPRIEVE_MUTANT("disrupted-pods-not-read", false, true)) return;
            if (!budget.disrupted_pods.emplace(pod).second) decoder.fail("the key occurs twice");
          });
        }
      });
    }
  });
  require_name(decoder, budget.name);
  if (!has_status) {
    decoder.warn("a budget without status.disruptionsAllowed allows nothing: its controller has not seen it");
  }
  return budget;
}

PriorityClass decode_priority_class(Decoder& decoder, Element value) {
  PriorityClass result;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "metadata") {
      Metadata metadata;
      decode_metadata(decoder, field, Annotations::kSkip, metadata);
      result.name = std::move(metadata.name);
    } else if (key == "value") {
      result.value = decoder.int32(field);
    } else if (key == "globalDefault") {
      result.global_default = decoder.boolean(field);
    } else if (key == "preemptionPolicy") {
      result.preemption_policy = decoder.choice(field, kPreemptionPolicies);
    }
  });
  require_name(decoder, result.name);
  return result;
}

}  // namespace reprieve::manifest
