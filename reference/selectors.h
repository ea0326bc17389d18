// What selectors match, as the scheduler parses them at run time.
// Source: apimachinery pkg/labels/selector.go, pkg/apis/meta/v1/helpers.go
// (LabelSelectorAsSelector), component-helpers scheduling/corev1/nodeaffinity/nodeaffinity.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reprieve/model/labels.h"
#include "reprieve/model/node.h"
#include "reprieve/model/pod.h"

namespace reprieve::reference {

/// A qualified name: an optional DNS subdomain and '/', then at most 63 of [-A-Za-z0-9_.] that
/// start and end with a letter or digit.
bool is_qualified_name(std::string_view text);

/// labels.NewRequirement would accept it: a valid key, values that are label values, and as many
/// values as the operator wants. kGt and kLt are valid here; label selectors exclude them.
bool is_valid(const SelectorRequirement& requirement);

/// Whether every requirement of the selector is valid. An invalid selector is an error at run time,
/// and each caller has its own way to take that error.
bool is_valid(const LabelSelector& selector);

/// Selects every object.
bool is_empty(const LabelSelector& selector);

/// Whether a valid requirement or selector matches the labels.
bool matches(const SelectorRequirement& requirement, const Labels& labels);
bool matches(const LabelSelector& selector, const Labels& labels);

/// Whether any term matches a node of these labels and name. A term that is empty or does not
/// parse matches nothing. An empty name (as VolumeBinding asks) leaves match_fields unchecked.
bool matches(const NodeSelector& selector, const Labels& node_labels, const std::string& node_name);

/// spec.nodeSelector and the required node affinity together (RequiredNodeAffinity.Match).
bool matches_required_node_affinity(const Pod& pod, const Node& node);

}  // namespace reprieve::reference
