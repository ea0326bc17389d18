#include "reprieve/engine/selectors.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// [A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?
bool is_label_name(std::string_view text) {
  if (text.empty() || text.size() > 63) return false;
  if (!is_alphanumeric(text.front()) || !is_alphanumeric(text.back())) return false;
  return std::ranges::all_of(text,
                             [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

// validation.IsDNS1123Subdomain.
bool is_dns_subdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  const auto is_edge = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (part.empty() || !is_edge(part.front()) || !is_edge(part.back())) return false;
    if (!std::ranges::all_of(part, [&](char c) { return is_edge(c) || c == '-'; })) return false;
    if (end == text.size()) return true;
    begin = end + 1;
  }
}

std::optional<std::string> value_count_error(const SelectorRequirement& requirement) {
  const std::size_t count = requirement.values.size();
  switch (requirement.op) {
    case SelectorOperator::kIn:
    case SelectorOperator::kNotIn:
      if (count == 0) return "for 'in', 'notin' operators, values set can't be empty";
      return std::nullopt;
    case SelectorOperator::kExists:
    case SelectorOperator::kDoesNotExist:
      if (count != 0) return "values set must be empty for exists and does not exist";
      return std::nullopt;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt:
      if (count != 1) return "for 'Gt', 'Lt' operators, exactly one value is required";
      if (!parse_int64(requirement.values[0]))
        return "for 'Gt', 'Lt' operators, the value must be an integer";
      return std::nullopt;
    case SelectorOperator::kInvalid: break;
  }
  return "not a valid selector operator";
}

// labels.NewRequirement: keys and values must be well-formed label keys and values, too.
std::expected<Requirement, std::string> compile_requirement(const SelectorRequirement& requirement,
                                                            Interner& strings) {
  if (!is_label_key(requirement.key)) {
    return std::unexpected("key: Invalid value: \"" + requirement.key + "\": not a label key");
  }
  if (const auto error = value_count_error(requirement)) {
    return std::unexpected("values: Invalid value: " + *error);
  }
  Requirement compiled{
      .key = strings.intern(requirement.key), .op = requirement.op, .values = {}, .number = 0};
  for (const std::string& value : requirement.values) {
    if (!is_label_value(value)) {
      return std::unexpected("values[0][" + requirement.key + "]: Invalid value: \"" + value +
                             "\": not a label value");
    }
    compiled.values.push_back(strings.intern(value));
  }
  std::ranges::sort(compiled.values);
  if (requirement.op == SelectorOperator::kGt || requirement.op == SelectorOperator::kLt) {
    compiled.number = *parse_int64(requirement.values[0]);
  }
  return compiled;
}

bool matches_all(const std::vector<Requirement>& requirements, const LabelSet& labels,
                 const Interner& strings) {
  return std::ranges::all_of(requirements, [&](const Requirement& r) { return r.matches(labels, strings); });
}

}  // namespace

bool is_label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_label_name(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_label_name(text.substr(slash + 1));
}

bool is_label_value(std::string_view text) { return text.empty() || is_label_name(text); }

std::optional<std::int64_t> parse_int64(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

LabelSet intern_labels(const Labels& labels, Interner& strings) {
  LabelSet set;
  set.reserve(labels.size());
  intern_labels(labels, strings, set);
  return set;
}

void intern_labels(const Labels& labels, Interner& strings, LabelSet& set) {
  set.clear();
  for (const auto& [key, value] : labels) set.push_back({strings.intern(key), strings.intern(value)});
  std::ranges::sort(set, {}, &Label::key);
}

StringId label_value(const LabelSet& labels, StringId key) {
  for (const Label& label : labels) {  // few labels: a scan beats a search
    if (label.key == key) return label.value;
  }
  return kNoString;
}

bool Requirement::matches(const LabelSet& labels, const Interner& strings) const {
  const StringId value = label_value(labels, key);
  const bool exists = value != kNoString;
  switch (op) {
    case SelectorOperator::kIn:
      return exists && REPRIEVE_MUTANT("in-takes-later-values", std::ranges::binary_search(values, value),
                                       values.empty() || value >= values.front());
    case SelectorOperator::kNotIn:
      return REPRIEVE_MUTANT("not-in-needs-the-label", !exists || !std::ranges::binary_search(values, value),
                             exists && !std::ranges::binary_search(values, value));
    case SelectorOperator::kExists: return exists;
    case SelectorOperator::kDoesNotExist: return !exists;
    case SelectorOperator::kGt:
    case SelectorOperator::kLt: {
      if (!exists) return false;
      const auto found = parse_int64(strings.text(value));
      return found && (op == SelectorOperator::kGt
                           ? REPRIEVE_MUTANT("greater-than-or-equal", *found > number, *found >= number)
                           : *found < number);
    }
    case SelectorOperator::kInvalid: break;
  }
  return false;
}

bool Selector::matches(const LabelSet& labels, const Interner& strings) const {
  return !nothing && matches_all(requirements, labels, strings) &&
         REPRIEVE_MUTANT("selectors-bear-no-other-label", true, labels.size() <= requirements.size());
}

std::expected<Selector, std::string> compile(const LabelSelector& selector, Interner& strings) {
  Selector compiled;
  for (const auto& [key, value] : selector.match_labels) {
    auto requirement = compile_requirement({key, SelectorOperator::kIn, {value}}, strings);
    if (!requirement) return std::unexpected(requirement.error());
    compiled.requirements.push_back(std::move(*requirement));
  }
  for (const SelectorRequirement& expression : selector.match_expressions) {
    if (expression.op == SelectorOperator::kGt || expression.op == SelectorOperator::kLt ||
        expression.op == SelectorOperator::kInvalid) {
      const char* name = expression.op == SelectorOperator::kGt   ? "Gt"
                         : expression.op == SelectorOperator::kLt ? "Lt"
                                                                  : "";
      return std::unexpected("\"" + std::string(name) + "\" is not a valid label selector operator");
    }
    auto requirement = compile_requirement(expression, strings);
    if (!requirement) return std::unexpected(requirement.error());
    compiled.requirements.push_back(std::move(*requirement));
  }
  return compiled;
}

std::expected<Selector, std::string> compile(const std::optional<LabelSelector>& selector,
                                             Interner& strings) {
  if (!selector) return Selector{.nothing = true, .requirements = {}};
  return compile(*selector, strings);
}

std::optional<std::vector<Requirement>> compile(const std::vector<SelectorRequirement>& expressions,
                                                Interner& strings) {
  std::vector<Requirement> requirements;
  for (const SelectorRequirement& expression : expressions) {
    auto requirement = compile_requirement(expression, strings);
    if (!requirement) return std::nullopt;
    requirements.push_back(std::move(*requirement));
  }
  return requirements;
}

CompiledNodeSelector compile(const NodeSelector& selector, Interner& strings) {
  CompiledNodeSelector compiled;
  for (const NodeSelectorTerm& term : selector.terms) {
    if (term.match_expressions.empty() && term.match_fields.empty()) continue;
    CompiledNodeTerm& out = compiled.terms.emplace_back();
    auto expressions = compile(term.match_expressions, strings);
    out.valid = expressions.has_value();
    if (expressions) out.expressions = std::move(*expressions);
    for (const SelectorRequirement& field : term.match_fields) {
      const bool equal = field.op == SelectorOperator::kIn;
      // nodeSelectorRequirementsAsFieldSelector: In and NotIn only, of exactly one value.
      if ((!equal && field.op != SelectorOperator::kNotIn) || field.values.size() != 1) {
        out.valid = false;
        continue;
      }
      out.fields.push_back({.is_name = field.key == "metadata.name",
                            .equal = equal,
                            .value = strings.intern(field.values[0]),
                            .value_is_empty = field.values[0].empty()});
    }
  }
  return compiled;
}

bool CompiledNodeSelector::matches(const LabelSet& labels, StringId name, const Interner& strings) const {
  return std::ranges::any_of(terms, [&](const CompiledNodeTerm& term) {
    if (!term.valid || !matches_all(term.expressions, labels, strings)) return false;
    if (name == kNoString) return true;
    return std::ranges::all_of(term.fields, [&](const CompiledNodeTerm::Field& field) {
      return (field.is_name ? field.value == name : field.value_is_empty) == field.equal;
    });
  });
}

}  // namespace reprieve::engine
