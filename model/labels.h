// Labels and the selectors over them, as plain data. What a selector matches is decided twice, in
// engine/ and in reference/, and on purpose not here.
// Source: apimachinery meta/v1 LabelSelector, core/v1 NodeSelector.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace reprieve {

using Labels = std::map<std::string, std::string, std::less<>>;

/// Operators of label selectors and of node selectors together; a label selector that uses kGt or
/// kLt is invalid. kInvalid stands for any operator the API does not know: the real scheduler
/// meets such a selector at run time and treats it as an error of that selector.
enum class SelectorOperator { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt, kInvalid };

struct SelectorRequirement {
  std::string key;
  SelectorOperator op = SelectorOperator::kIn;
  std::vector<std::string> values;

  bool operator==(const SelectorRequirement&) const = default;
};

/// All of match_labels and match_expressions must hold. Empty selects everything; an absent
/// selector (std::optional without value, where it occurs) selects nothing.
struct LabelSelector {
  Labels match_labels;
  std::vector<SelectorRequirement> match_expressions;

  bool operator==(const LabelSelector&) const = default;
};

/// All expressions and all fields must hold; a term with neither matches nothing.
/// The only field is "metadata.name".
struct NodeSelectorTerm {
  std::vector<SelectorRequirement> match_expressions;
  std::vector<SelectorRequirement> match_fields;

  bool operator==(const NodeSelectorTerm&) const = default;
};

/// Any of the terms must match; no terms match nothing.
struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;

  bool operator==(const NodeSelector&) const = default;
};

}  // namespace reprieve
