// What objects have in common: labels, selectors, amounts.
#include "reprieve/fuzz/codec/encoder.h"
#include "reprieve/fuzz/codec/exact.h"
#include "reprieve/fuzz/codec/layout_cluster.h"

namespace reprieve::fuzz {

void Encoder::labels(const Labels& labels, std::initializer_list<std::string_view> inlined,
                     bool of_node_selector) {
  for (const auto& [key, value] : labels) {
    if (std::find(inlined.begin(), inlined.end(), key) != inlined.end()) continue;
    record(Kind::kLabel, [&](RecordWriter& io) { layout::label(io, of_node_selector, key, value); });
  }
}

void Encoder::selector(const LabelSelector& selector, bool of_namespaces) {
  for (const auto& [key, value] : selector.match_labels) {
    // Selectors of pods have bytes for these two.
    if (!of_namespaces && (key == "app" || key == "tier")) continue;
    record(Kind::kSelectorLabel,
           [&](RecordWriter& io) { layout::selector_label(io, of_namespaces, key, value); });
  }
  requirements(selector.match_expressions, of_namespaces ? layout::kOfNamespaces : layout::kOfSelector);
}

void Encoder::requirements(const std::vector<SelectorRequirement>& requirements, std::uint8_t where) {
  for (const SelectorRequirement& requirement : requirements) {
    record(Kind::kRequirement, [&](RecordWriter& io) { layout::requirement(io, where, requirement); });
  }
}

void Encoder::node_terms(const std::vector<NodeSelectorTerm>& terms) {
  for (const NodeSelectorTerm& term : terms) {
    record(Kind::kNodeTerm, [](RecordWriter&) {});
    requirements(term.match_expressions, layout::kOfNodes);
    requirements(term.match_fields, layout::kOfNodeFields);
  }
}

void Encoder::amounts(List list, const ResourceList& resources, std::span<const std::string_view> inlined) {
  for (const auto& [name, quantity] : resources) {
    const bool said = std::find(inlined.begin(), inlined.end(), name) != inlined.end() &&
                      byte_of(encoding_.units, name, quantity) != 0;
    if (!said) amount(list, name, quantity);
  }
}

void Encoder::amount(List list, std::string_view resource, Quantity quantity) {
  const std::size_t at = bytes_.size();
  record(Kind::kAmount, [&](RecordWriter& io) {
    io.choice(list, kListCount);
    io.text(pools::kResources, resource);
  });
  put_little_endian(&bytes_[at + kAmountAt], 8, static_cast<std::uint64_t>(quantity.units));
  put_little_endian(&bytes_[at + kMilliAt], 2, static_cast<std::uint64_t>(quantity.milli));
}

void Encoder::resource_list(List list, const ResourceList& resources) {
  record(Kind::kResources, [&](RecordWriter& io) {
    io.choice(list, kListCount);
    layout::resources(io, resources);
  });
  amounts(list, resources, layout::kInlinedResources);
}

}  // namespace reprieve::fuzz
