// A case to bytes: the header, then each object in its record with the parts that do not fit into it, then
// the texts that are in no pool. Internal to codec/.
#pragma once

#include "reprieve/fuzz/codec/record.h"
#include "reprieve/model/case.h"

namespace reprieve::fuzz {

class Encoder {
 public:
  explicit Encoder(const Case& question) : question_(question) {}
  Bytes run();

 private:
  // encode.cpp
  void choose_units();
  void header();
  void texts();

  // encode_objects.cpp
  void node(const Node& node);
  void budget(const DisruptionBudget& budget);
  void name_space(const Namespace& name_space);
  void priority_class(const PriorityClass& priority_class);
  void extender(const Extender& extender);
  void storage();
  void claim(const PersistentVolumeClaim& claim);
  void volume(const PersistentVolume& volume);
  void exact_quantity();

  // encode_pod.cpp
  void pod(const Pod& pod);
  void pod_extra(const Pod& pod);
  void containers(const Pod& pod);
  void ports(const Container& container);
  void statuses(const std::vector<ContainerStatus>& statuses, bool init);
  void placement(const Pod& pod);
  void affinity_terms(const std::vector<PodAffinityTerm>& terms, bool anti);

  // encode_parts.cpp
  /// Labels but those whose keys a record has a byte for.
  void labels(const Labels& labels, std::initializer_list<std::string_view> inlined,
              bool of_node_selector = false);
  void selector(const LabelSelector& selector, bool of_namespaces);
  void requirements(const std::vector<SelectorRequirement>& requirements, std::uint8_t where);
  void node_terms(const std::vector<NodeSelectorTerm>& terms);
  /// Every amount that `inlined` bytes could not say.
  void amounts(List list, const ResourceList& resources, std::span<const std::string_view> inlined);
  void amount(List list, std::string_view resource, Quantity quantity);
  void resource_list(List list, const ResourceList& resources);

  /// A new record; `layout` writes it. What it could not say follows at once.
  template <class Layout>
  void record(Kind kind, const Layout& layout) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + kRecordBytes);
    bytes_[at] = static_cast<std::uint8_t>(kind);
    RecordWriter io(bytes_.data() + at, encoding_);
    layout(io);
    if (!encoding_.exact.empty()) exact_numbers();
  }
  void exact_numbers();

  const Case& question_;
  Bytes bytes_;
  Encoding encoding_;
};

}  // namespace reprieve::fuzz
