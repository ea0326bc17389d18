// Gathers the objects of one or more texts into a cluster: which kind is decoded how, what occurs
// twice, and the defaults that need the whole input. Internal to manifest/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reprieve/manifest/decode_kinds.h"
#include "reprieve/manifest/decoder.h"
#include "reprieve/manifest/read.h"

namespace reprieve::manifest {

class Loader {
 public:
  /// `warnings` may be null: a request has nobody to read them, and then a duplicate is an error.
  explicit Loader(WarningList* warnings) : decoder_(warnings) {}

  Decoder& decoder() { return decoder_; }

  /// Adds the object at the decoder's place, or the objects of a List there. `list_kind` is what an
  /// object without a kind is ("Pod" inside a PodList), or empty.
  void add(Element value, std::string_view list_kind);

  /// Tells how far reading has come in a source of `size` bytes (0: nobody knows), so that the pods to come
  /// find room: a vector that doubles instead is copied, and for that while takes memory three times.
  void expect(std::size_t offset, std::size_t size);

  /// Ends the reading: applies the defaults that need every object, and warns.
  void finish();

  Cluster cluster;
  std::optional<CaseSpec> case_spec;
  Location preemptor_place;
  std::optional<Policy> policy;
  std::vector<std::string> finished_pods;
  bool saw_objects = false;  // anything at all, ignored kinds included

 private:
  struct Place {
    std::uint32_t file = 0;  // into files_
    std::uint32_t line = 0;
    std::string path;
  };
  /// An object that was read: where it stood, and where it is in its vector of the cluster.
  struct Entry {
    Place place;
    std::uint32_t position = 0;  // or kDropped
  };
  struct Duplicate {
    std::string message;
    Location where;
  };
  /// A pod whose priority or preemption policy is still to come from a class.
  struct Undecided {
    std::size_t pod = 0;
    bool needs_priority = false;
    bool needs_policy = false;
    std::string class_name;
  };

  void add_object(Element value, std::string_view kind, std::string_view group);
  bool add_storage_object(Element value, std::string_view kind);
  void add_own(Element value, std::string_view kind);
  void add_pod(Element value);
  void ignore(std::string_view kind, std::string_view group);

  template <class Object>
  void add_to(std::vector<Object>& objects, std::string_view kind, std::string_view ns, Object object);
  /// The entry of that name, and whether it was made just now.
  std::pair<Entry*, bool> enter(std::string_view kind, std::string_view ns, std::string_view name);
  void report_duplicate(std::string_view what, const Entry& first, bool identical);
  void sum_requests(const Pod& pod);
  Location location(const Place& place, std::string_view field = {}) const;

  void resolve_priorities();
  void resolve_storage_classes();
  void warn_about_nodes();
  void warn_about_absent_kinds();

  Decoder decoder_;
  std::size_t first_pod_at_ = 0;  // where in the source the pods begin
  std::size_t pods_before_ = 0;   // and how many there were then
  std::unordered_map<std::string, Entry> seen_;
  std::string key_;
  std::vector<std::string> files_;
  std::vector<const Entry*> pod_entries_;  // parallel to cluster.pods
  std::vector<Undecided> undecided_;
  std::vector<std::optional<TimeUs>> storage_class_times_;
  std::optional<Duplicate> first_duplicate_;
  std::map<std::string, Quantity, std::less<>> totals_;
};

}  // namespace reprieve::manifest
