#include "reprieve/reference/selectors.h"

#include <algorithm>
#include <charconv>

namespace reprieve::reference {
namespace {

bool is_lower_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z'); }

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9], at most 63 characters.
bool is_name_part(std::string_view text) {
  return !text.empty() && text.size() <= 63 && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::ranges::all_of(text, [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

// Dot-separated labels of [-a-z0-9] that start and end with a letter or digit; at most 253 in all.
bool is_dns_subdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  std::string_view rest = text;
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string_view label = rest.substr(0, dot);
    if (label.empty() || !is_lower_alphanumeric(label.front()) || !is_lower_alphanumeric(label.back())) {
      return false;
    }
    if (!std::ranges::all_of(label, [](char c) { return is_lower_alphanumeric(c) || c == '-'; }))
      return false;
    if (dot == std::string_view::npos) return true;
    rest.remove_prefix(dot + 1);
  }
}

bool is_label_value(std::string_view text) { return text.empty() || is_name_part(text); }

// strconv.ParseInt(text, 10, 64): an optional sign, then digits only.
std::optional<std::int64_t> parse_int(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::ranges::find(values, value) != values.end();
}

// nodeSelectorRequirementsAsFieldSelector: only In and NotIn, each with one value.
bool is_valid_field(const SelectorRequirement& field) {
  return (field.op == SelectorOperator::kIn || field.op == SelectorOperator::kNotIn) &&
         field.values.size() == 1;
}

// fields.Set knows only metadata.name; every other field reads as "".
bool matches_field(const SelectorRequirement& field, const std::string& node_name) {
  const std::string& actual = field.key == "metadata.name" ? node_name : std::string();
  return (actual == field.values[0]) == (field.op == SelectorOperator::kIn);
}

bool matches_term(const NodeSelectorTerm& term, const Labels& node_labels, const std::string& node_name) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  for (const SelectorRequirement& label : term.match_expressions) {
    if (!is_valid(label)) return false;
  }
  for (const SelectorRequirement& field : term.match_fields) {
    if (!is_valid_field(field)) return false;
  }
  for (const SelectorRequirement& label : term.match_expressions) {
    if (!matches(label, node_labels)) return false;
  }
  if (node_name.empty()) return true;
  for (const SelectorRequirement& field : term.match_fields) {
    if (!matches_field(field, node_name)) return false;
  }
  return true;
}

}  // namespace

bool is_qualified_name(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_name_part(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_name_part(text.substr(slash + 1));
}

bool is_valid(const SelectorRequirement& requirement) {
  if (!is_qualified_name(requirement.key)) return false;
  if (!std::ranges::all_of(requirement.values, is_label_value)) return false;
  switch (requirement.op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn: return !requirement.values.empty();
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist: return requirement.values.empty();
    case SelectorOperator::kGt:
    case SelectorOperator::kLt:
      return requirement.values.size() == 1 && parse_int(requirement.values[0]).has_value();
    case SelectorOperator::kInvalid: return false;
  }
  return false;
}

bool is_valid(const LabelSelector& selector) {
  for (const auto& [key, value] : selector.match_labels) {
    if (!is_valid(SelectorRequirement{.key = key, .op = SelectorOperator::kIn, .values = {value}}))
      return false;
  }
  for (const SelectorRequirement& requirement : selector.match_expressions) {
    if (requirement.op == SelectorOperator::kGt || requirement.op == SelectorOperator::kLt) return false;
    if (!is_valid(requirement)) return false;
  }
  return true;
}

bool is_empty(const LabelSelector& selector) {
  return selector.match_labels.empty() && selector.match_expressions.empty();
}

bool matches(const SelectorRequirement& requirement, const Labels& labels) {
  const auto label = labels.find(requirement.key);
  const bool exists = label != labels.end();
  switch (requirement.op) {
    case SelectorOperator::kIn: return exists && contains(requirement.values, label->second);
    case SelectorOperator::kNotIn: return !exists || !contains(requirement.values, label->second);
    case SelectorOperator::kExists: return exists;
    case SelectorOperator::kDoesNotExist: return !exists;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt: {
      if (!exists || requirement.values.size() != 1) return false;
      const auto actual = parse_int(label->second);
      const auto wanted = parse_int(requirement.values[0]);
      if (!actual || !wanted) return false;
      return requirement.op == SelectorOperator::kGt ? *actual > *wanted : *actual < *wanted;
    }
    case SelectorOperator::kInvalid: return false;
  }
  return false;
}

bool matches(const LabelSelector& selector, const Labels& labels) {
  for (const auto& [key, value] : selector.match_labels) {
    const auto label = labels.find(key);
    if (label == labels.end() || label->second != value) return false;
  }
  for (const SelectorRequirement& requirement : selector.match_expressions) {
    if (!matches(requirement, labels)) return false;
  }
  return true;
}

bool matches(const NodeSelector& selector, const Labels& node_labels, const std::string& node_name) {
  for (const NodeSelectorTerm& term : selector.terms) {
    if (matches_term(term, node_labels, node_name)) return true;
  }
  return false;
}

bool matches_required_node_affinity(const Pod& pod, const Node& node) {
  // SelectorFromSet does not validate spec.nodeSelector: plain equality.
  for (const auto& [key, value] : pod.node_selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return false;
  }
  const std::optional<NodeSelector>& affinity = pod.affinity.required_node_affinity;
  return !affinity || matches(*affinity, node.labels, node.name);
}

}  // namespace reprieve::reference
