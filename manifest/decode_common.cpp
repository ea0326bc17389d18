// Metadata and selectors.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "reprieve/manifest/decoder.h"

namespace reprieve::manifest {
namespace {

/// The uid of the controller in metadata.ownerReferences, when the controller is a Pod
/// (metav1.IsControlledBy, for claims of ephemeral volumes).
std::string controlling_pod(Decoder& decoder, Element value) {
  std::string uid;
  decoder.elements(value, [&](Element reference) {
    bool controller = false, is_pod = false;
    std::string_view its_uid;
    decoder.fields(reference, [&](std::string_view key, Element field) {
      if (key == "kind") is_pod = decoder.text(field) == "Pod";
      if (key == "controller") controller = decoder.boolean(field);
      if (key == "uid") its_uid = decoder.text(field);
    });
    if (controller && is_pod && uid.empty()) uid = its_uid;
  });
  return uid;
}

constexpr bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// validation.IsValidLabelValue and the name part of IsQualifiedName: at most 63 characters of
/// [A-Za-z0-9_.-], the first and the last alphanumeric.
bool is_label_word(std::string_view word) {
  if (word.empty() || word.size() > 63) return false;
  if (!is_alphanumeric(word.front()) || !is_alphanumeric(word.back())) return false;
  return std::ranges::all_of(word,
                             [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_label_value(std::string_view value) { return value.empty() || is_label_word(value); }

/// validation.IsQualifiedName, with a prefix judged by its characters.
bool is_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return is_label_word(key);
  const std::string_view prefix = key.substr(0, slash);
  const bool good_prefix = !prefix.empty() && prefix.size() <= 253 && is_alphanumeric(prefix.front()) &&
                           is_alphanumeric(prefix.back()) && std::ranges::all_of(prefix, [](char c) {
                             return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
                           });
  return good_prefix && is_label_word(key.substr(slash + 1));
}

bool is_int64(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Whether labels.NewRequirement accepts it.
bool is_valid(const SelectorRequirement& requirement) {
  switch (requirement.op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn:
      if (requirement.values.empty()) return false;
      break;
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist:
      if (!requirement.values.empty()) return false;
      break;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt:
      if (requirement.values.size() != 1 || !is_int64(requirement.values.front())) return false;
      break;
    case SelectorOperator::kInvalid: return false;
  }
  return is_label_key(requirement.key) && std::ranges::all_of(requirement.values, is_label_value);
}

SelectorRequirement decode_requirement(Decoder& decoder, Element value) {
  SelectorRequirement requirement;
  requirement.op = SelectorOperator::kInvalid;  // until it is named
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "key") {
      requirement.key = decoder.text(field);
    } else if (key == "operator") {
      const std::string_view word = decoder.text(field);
      requirement.op = word == "In"             ? SelectorOperator::kIn
                       : word == "NotIn"        ? SelectorOperator::kNotIn
                       : word == "Exists"       ? SelectorOperator::kExists
                       : word == "DoesNotExist" ? SelectorOperator::kDoesNotExist
                       : word == "Gt"           ? SelectorOperator::kGt
                       : word == "Lt"           ? SelectorOperator::kLt
                                                : SelectorOperator::kInvalid;
    } else if (key == "values") {
      requirement.values = decoder.texts(field);
    }
  });
  return requirement;
}

/// The real scheduler meets an invalid selector at run time and goes on without it, so it is no error
/// here (plugins/defaultpreemption: filterPodsWithPDBViolation).
constexpr std::string_view kInvalidSelector =
    "invalid selector: the scheduler takes it for one that cannot be used";

/// A part of namespace/name, as pods are named everywhere. Of what the API server would refuse
/// (apimachinery/pkg/api/validation: NameIsDNSSubdomain) only what would mislead a reader is refused.
void require_plain(const Decoder& decoder, std::string_view word) {
  if (word.find('/') != std::string_view::npos) decoder.fail("must not contain \"/\"");
  if (std::ranges::any_of(word, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }))
    decoder.fail("must not contain control characters");
}

}  // namespace

void require_name(const Decoder& decoder, const std::string& name) {
  if (name.empty()) decoder.fail_at("metadata.name", "is required");
}

void decode_metadata(Decoder& decoder, Element value, Annotations annotations, Metadata& metadata) {
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "name") {
      metadata.name = decoder.text(field);
      require_plain(decoder, metadata.name);
    } else if (key == "namespace") {
      if (const std::string_view text = decoder.text(field); !text.empty()) metadata.namespace_ = text;
      require_plain(decoder, metadata.namespace_);
    } else if (key == "uid") {
      metadata.uid = decoder.text(field);
    } else if (key == "labels") {
      decoder.labels(field, metadata.labels);
    } else if (key == "creationTimestamp") {
      metadata.creation_time_us = decoder.time(field);
    } else if (key == "deletionTimestamp") {
      metadata.deletion_time_us = decoder.time(field);
    } else if (key == "ownerReferences") {
      if (annotations == Annotations::kRead) metadata.owner_pod_uid = controlling_pod(decoder, field);
    } else if (key == "annotations") {
      if (annotations == Annotations::kRead) decoder.labels(field, metadata.annotations);
    }
  });
}

LabelSelector decode_label_selector(Decoder& decoder, Element value) {
  LabelSelector selector;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key == "matchLabels") {
      decoder.labels(field, selector.match_labels);
    } else if (key == "matchExpressions") {
      decoder.elements(field, [&](Element element) {
        selector.match_expressions.push_back(decode_requirement(decoder, element));
      });
    } else {
      decoder.fail_unknown_field();  // a slip here would select every pod
    }
  });
  if (!decoder.wants_warnings()) return selector;
  const bool valid =
      std::ranges::all_of(
          selector.match_labels,
          [](const auto& label) { return is_label_key(label.first) && is_label_value(label.second); }) &&
      std::ranges::all_of(selector.match_expressions, [](const SelectorRequirement& requirement) {
        return is_valid(requirement) && requirement.op != SelectorOperator::kGt &&
               requirement.op != SelectorOperator::kLt;
      });
  if (!valid) decoder.warn(kInvalidSelector);
  return selector;
}

NodeSelectorTerm decode_node_selector_term(Decoder& decoder, Element value) {
  NodeSelectorTerm term;
  decoder.fields(value, [&](std::string_view key, Element field) {
    const auto add_to = [&](std::vector<SelectorRequirement>& requirements) {
      decoder.elements(
          field, [&](Element element) { requirements.push_back(decode_requirement(decoder, element)); });
    };
    if (key == "matchExpressions") {
      add_to(term.match_expressions);
    } else if (key == "matchFields") {
      add_to(term.match_fields);
    } else {
      decoder.fail_unknown_field();
    }
  });
  if (!decoder.wants_warnings()) return term;
  // component-helpers/scheduling/corev1/nodeaffinity: of fields only metadata.name is known, with In
  // or NotIn and one value.
  const bool valid =
      std::ranges::all_of(term.match_expressions, is_valid) &&
      std::ranges::all_of(term.match_fields, [](const SelectorRequirement& requirement) {
        return requirement.key == "metadata.name" && requirement.values.size() == 1 &&
               (requirement.op == SelectorOperator::kIn || requirement.op == SelectorOperator::kNotIn);
      });
  if (!valid) decoder.warn(kInvalidSelector);
  return term;
}

NodeSelector decode_node_selector(Decoder& decoder, Element value) {
  NodeSelector selector;
  decoder.fields(value, [&](std::string_view key, Element field) {
    if (key != "nodeSelectorTerms") decoder.fail_unknown_field();
    decoder.elements(field, [&](Element element) {
      selector.terms.push_back(decode_node_selector_term(decoder, element));
    });
  });
  return selector;
}

}  // namespace reprieve::manifest
