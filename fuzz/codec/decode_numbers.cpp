// Exact numbers: which field of the last object takes one, and what it may be there.
#include <limits>

#include "reprieve/fuzz/codec/decoder.h"
#include "reprieve/fuzz/codec/exact.h"

namespace reprieve::fuzz {
namespace {

constexpr std::int64_t kLastTimeUs = 253'402'300'799'999'999;  // the end of year 9999, which RFC 3339 can say
constexpr std::int64_t kLongestGrace_s = std::int64_t{1} << 53;

std::int32_t int32(std::int64_t value, std::int64_t low = std::numeric_limits<std::int32_t>::min(),
                   std::int64_t high = std::numeric_limits<std::int32_t>::max()) {
  return static_cast<std::int32_t>(std::clamp(value, low, high));
}
TimeUs time(std::int64_t value) { return std::clamp(value, std::int64_t{0}, kLastTimeUs); }

}  // namespace

void Decoder::add_number(const std::uint8_t* bytes) {
  const auto field = static_cast<Field>(bytes[1] % kFieldCount);
  const auto value = static_cast<std::int64_t>(get_little_endian(bytes + kNumberAt, 8));
  switch (object_) {
    case Kind::kPod:
    case Kind::kPreemptor: return set_number_of_pod(field, value);
    case Kind::kBudget:
      if (field == Field::kDisruptionsAllowed) cluster().budgets.back().disruptions_allowed = int32(value, 0);
      return;
    case Kind::kPriorityClass:
      if (field == Field::kClassValue) cluster().priority_classes.back().value = int32(value);
      return;
    case Kind::kCsiNode: {
      auto& drivers = cluster().csi_nodes.back().drivers;
      if (field == Field::kAttachLimit && !drivers.empty()) drivers.back().allocatable_count = int32(value);
      return;
    }
    case Kind::kExtender:
      if (field == Field::kViolations && answer_ != nullptr) answer_->violations = int32(value);
      return;
    case Kind::kHeader: {
      if (field == Field::kBelowPriority) result_.policy.budgets.below_priority = int32(value);
      if (!result_.policy.sampling) return;
      Sampling& sampling = *result_.policy.sampling;
      if (field == Field::kMinPercentage) sampling.min_percentage = int32(value, 0, 100);
      if (field == Field::kMinAbsolute) sampling.min_absolute = int32(value, 0);
      if (field == Field::kOffset) sampling.offset = int32(value, 0);
      return;
    }
    default: return;
  }
}

void Decoder::set_number_of_pod(Field field, std::int64_t value) {
  Pod& pod = cluster().pods.back();
  switch (field) {
    case Field::kPriority: pod.priority = int32(value); return;
    case Field::kStartTime: pod.start_time_us = time(value); return;
    case Field::kCreationTime: pod.creation_time_us = time(value); return;
    case Field::kDeletionTime: pod.deletion_time_us = time(value); return;
    case Field::kGracePeriod:
      pod.termination_grace_period_s = std::clamp<std::int64_t>(value, 0, kLongestGrace_s);
      return;
    case Field::kMaxSkew:
      if (spread_ != nullptr) spread_->max_skew = int32(value, 1);
      return;
    case Field::kMinDomains:
      if (spread_ != nullptr) spread_->min_domains = int32(value, 1);
      return;
    case Field::kContainerPort:
      if (!container_->ports.empty()) container_->ports.back().container_port = int32(value, 0, 65535);
      return;
    case Field::kHostPort:
      if (!container_->ports.empty()) container_->ports.back().host_port = int32(value, 0, 65535);
      return;
    default: return;
  }
}

}  // namespace reprieve::fuzz
