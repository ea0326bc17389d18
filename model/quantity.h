// An exact amount of a resource, as Kubernetes' resource.Quantity holds it after the API
// server's defaulting: whole units plus thousandths, never negative.
//
// Why not a plain int64: the scheduler adds the quantities of a pod's containers exactly and
// rounds once, at the end (component-helpers/resource/helpers.go, then
// pkg/scheduler/framework/types.go Resource.Add). Two containers of 500m bytes are one byte, not
// two. Thousandths suffice because SetDefaults_ResourceList (pkg/apis/core/v1/defaults.go) rounds
// everything finer up to them.
//
// Range: manifest/ refuses input whose sum over all objects does not fit into int64 (in
// millicores for CPU), so sums of quantities from one cluster cannot overflow.
#pragma once

#include <compare>
#include <cstdint>

namespace reprieve {

struct Quantity {
  std::int64_t units = 0;  // whole units: cores, bytes, pieces
  std::int32_t milli = 0;  // 0..999, thousandths of a unit

  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
};

/// Makes a quantity from thousandths; `milli` must not be negative.
constexpr Quantity quantity_from_milli(std::int64_t milli) {
  return {.units = milli / 1000, .milli = static_cast<std::int32_t>(milli % 1000)};
}

/// Exact sum.
constexpr Quantity operator+(Quantity a, Quantity b) {
  const std::int32_t milli = a.milli + b.milli;
  return {.units = a.units + b.units + milli / 1000, .milli = milli % 1000};
}

constexpr bool is_zero(Quantity q) { return q.units == 0 && q.milli == 0; }

/// Whole units, rounded up: Quantity.Value().
constexpr std::int64_t ceil_units(Quantity q) { return q.units + (q.milli > 0 ? 1 : 0); }

/// Thousandths: Quantity.MilliValue(). Only for CPU, whose range manifest/ checks.
constexpr std::int64_t to_milli(Quantity q) { return q.units * 1000 + q.milli; }

}  // namespace reprieve
