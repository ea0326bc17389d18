// Bytes to a case: one pass to see what is there and to name the nodes, one over nodes and pods, one over
// all that refers to pods; then normalise.h makes it a valid case. Internal to codec/.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reprieve/fuzz/codec/record.h"
#include "reprieve/model/case.h"

namespace reprieve::fuzz {

class Decoder {
 public:
  explicit Decoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  Case run();

 private:
  Cluster& cluster() { return result_.cluster; }
  std::size_t records() const { return (bytes_.size() + kRecordBytes - 1) / kRecordBytes; }
  const std::uint8_t* record(std::size_t index);

  // decode.cpp
  void survey();
  void name_nodes();
  void read_header(const std::uint8_t* bytes);
  bool read_text(Kind kind, const std::uint8_t* bytes, bool goes_on);
  void pass(bool nodes_and_pods);
  void add_what_is_missing();

  // decode_objects.cpp
  void begin_object(Kind kind, RecordReader& io);
  void begin_node(RecordReader& io);
  void begin_pod(Kind kind, RecordReader& io);
  void begin_budget(RecordReader& io);
  void begin_storage(Kind kind, RecordReader& io);
  template <class T>
  T* add_to(std::vector<T>& items, std::size_t most);

  // decode_parts.cpp
  void add_part(Kind kind, const std::uint8_t* bytes);
  bool add_pod_part(Kind kind, RecordReader& io);
  bool add_pod_term(Kind kind, RecordReader& io);
  void add_selector_part(Kind kind, RecordReader& io);
  void add_label(RecordReader& io);
  void add_answer(RecordReader& io);
  void add_amount(const std::uint8_t* bytes);
  void add_resources(RecordReader& io);
  ResourceList* list_of(List list);

  // decode_numbers.cpp
  void add_number(const std::uint8_t* bytes);
  void set_number_of_pod(Field field, std::int64_t value);

  std::span<const std::uint8_t> bytes_;
  std::array<std::uint8_t, kRecordBytes> last_{};
  Case result_;
  Decoding decoding_;
  bool has_extenders_ = false;  // only they refer to pods by full name

  // What parts are added to.
  Kind object_ = Kind::kNothing;       // the kind of the last object; kNothing: none
  Container* container_ = nullptr;     // of the last pod
  ContainerStatus* status_ = nullptr;  // of the last pod
  ExtenderVictims* answer_ = nullptr;  // of the last extender
  TopologySpreadConstraint* spread_ = nullptr;
  std::optional<LabelSelector>* selector_ = nullptr;  // the last one
  std::optional<LabelSelector>* namespace_selector_ = nullptr;
  std::vector<NodeSelectorTerm>* node_terms_ = nullptr;  // of the last pod, volume or class
};

}  // namespace reprieve::fuzz
