// What a pod asks for, as one row of whole numbers: CPU in millicores, all else in whole units.
//
// Source: component-helpers resource/helpers.go (PodRequests, AggregateContainerRequests) of each
// release; pkg/scheduler/framework/types.go (Resource.Add, CalculateResource);
// pkg/scheduler/framework/plugins/noderesources/fit.go (computePodResourceRequest).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reprieve/model/pod.h"
#include "reprieve/model/policy.h"

namespace reprieve::engine {

/// The resource names seen so far; a name's place is its column in every row.
class ResourceColumns {
 public:
  static constexpr int kIgnored = -1;
  static constexpr int kCpu = 0;
  static constexpr int kMemory = 1;
  static constexpr int kEphemeralStorage = 2;

  ResourceColumns();

  /// The column of `name`, added when new; kIgnored for names that the scheduler does not count
  /// ("pods", and whatever is neither built in nor a scalar resource).
  int column(std::string_view name);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t column) const { return names_[column]; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, int, Hash, std::equal_to<>> columns_;
};

/// schedutil.IsScalarResourceName: extended resources, huge pages, names with a kubernetes.io/
/// prefix, attachable volumes.
bool is_scalar_resource_name(std::string_view name);

/// Computes rows; keeps its scratch memory.
class RequestReader {
 public:
  /// The request of a pod. `with_status` for running and nominated pods (in-place resize), not for
  /// the preemptor. The row is as long as `columns` afterwards; it is valid until the next call.
  std::span<const std::int64_t> read(const Pod& pod, Release release, bool with_status,
                                     ResourceColumns& columns);

  /// Whether `with_status` makes no difference for sure: nothing is read but what containers request.
  static bool reads_alike(const Pod& pod) {
    return pod.container_statuses.empty() && pod.init_container_statuses.empty() && pod.conditions.empty() &&
           !pod.has_status_resources && !pod.status_allocated && !pod.pod_level_requests &&
           pod.overhead.empty();
  }

  /// A node's allocatable, and its pod limit ("pods").
  std::span<const std::int64_t> read_allocatable(const ResourceList& allocatable, ResourceColumns& columns,
                                                 std::int64_t& pod_limit);

 private:
  using Row = std::vector<Quantity>;

  void set(Row& row, std::string_view name, Quantity amount, ResourceColumns& columns);
  void add(Row& row, const ResourceList& list, ResourceColumns& columns);
  void raise(Row& row, const ResourceList& list, ResourceColumns& columns);
  template <class Fill>
  void aggregate(const Pod& pod, Row& result, Fill fill);
  void containers_1_36(const Pod& pod, bool with_status, ResourceColumns& columns);
  void containers_1_37(const Pod& pod, bool with_status, ResourceColumns& columns);
  void pod_level_1_36(const Pod& pod, bool with_status, ResourceColumns& columns);
  void pod_level_1_37(const Pod& pod, bool with_status, ResourceColumns& columns);
  std::span<const std::int64_t> round(std::size_t width);

  Row total_, part_, container_, restartable_, init_;
  std::vector<std::int64_t> rounded_;
};

}  // namespace reprieve::engine
