// Label selectors and node selectors, parsed once into interned ids.
//
// Source: apimachinery pkg/labels/selector.go and meta/v1 helpers.go (LabelSelectorAsSelector);
// component-helpers scheduling/corev1/nodeaffinity/nodeaffinity.go.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/engine/intern.h"
#include "reprieve/model/labels.h"

namespace reprieve::engine {

struct Label {
  StringId key = kNoString;
  StringId value = kNoString;

  friend bool operator==(const Label&, const Label&) = default;
};

/// Sorted by key id; keys are unique.
using LabelSet = std::vector<Label>;

LabelSet intern_labels(const Labels& labels, Interner& strings);
void intern_labels(const Labels& labels, Interner& strings, LabelSet& set);

/// The value of `key`, or kNoString.
StringId label_value(const LabelSet& labels, StringId key);

struct Requirement {
  StringId key = kNoString;
  SelectorOperator op = SelectorOperator::kIn;
  std::vector<StringId> values;  // sorted; kIn and kNotIn
  std::int64_t number = 0;       // kGt and kLt

  bool matches(const LabelSet& labels, const Interner& strings) const;
};

/// A parsed selector. `nothing` (from an absent one) matches no object and is not empty; without
/// requirements it is empty and matches everything. The difference decides what a budget and a
/// spread constraint do with it.
struct Selector {
  bool nothing = false;
  std::vector<Requirement> requirements;

  bool empty() const { return !nothing && requirements.empty(); }
  bool matches(const LabelSet& labels, const Interner& strings) const;
};

/// LabelSelectorAsSelector. The error is what the kube-scheduler would say of an invalid selector.
std::expected<Selector, std::string> compile(const std::optional<LabelSelector>& selector, Interner& strings);
std::expected<Selector, std::string> compile(const LabelSelector& selector, Interner& strings);

/// One term of a node selector. An invalid term matches no node, but spoils no other term
/// (LazyErrorNodeSelector).
struct CompiledNodeTerm {
  bool valid = true;
  std::vector<Requirement> expressions;
  struct Field {
    bool is_name = false;  // key is metadata.name; any other field reads as ""
    bool equal = true;     // In with one value, else NotIn
    StringId value = kNoString;
    bool value_is_empty = false;
  };
  std::vector<Field> fields;
};

/// Terms are alternatives; those without expressions and fields were dropped, for they match nothing.
struct CompiledNodeSelector {
  std::vector<CompiledNodeTerm> terms;

  /// `name` is kNoString when the node's fields are not looked at (a volume's node affinity).
  bool matches(const LabelSet& labels, StringId name, const Interner& strings) const;
};

CompiledNodeSelector compile(const NodeSelector& selector, Interner& strings);

/// The requirements of an expression list without fields, or nothing when one is invalid.
std::optional<std::vector<Requirement>> compile(const std::vector<SelectorRequirement>& expressions,
                                                Interner& strings);

/// strconv.ParseInt(text, 10, 64).
std::optional<std::int64_t> parse_int64(std::string_view text);

bool is_label_key(std::string_view text);    // content.IsLabelKey: a qualified name
bool is_label_value(std::string_view text);  // content.IsLabelValue

}  // namespace reprieve::engine
