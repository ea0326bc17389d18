// Kubernetes quantities as text: the whole grammar of apimachinery/pkg/api/resource/quantity.go.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "reprieve/model/quantity.h"

namespace reprieve::manifest {

/// Parses "250m", "1.5Gi", "1e3", "+2", "100k", ... exactly and rounds what is finer than a thousandth
/// up (away from zero), as the API server does. An error (text, without location) for anything outside the
/// grammar, for negative amounts, and for amounts that do not fit into int64 (in thousandths, when `cpu`).
std::expected<Quantity, std::string> parse_quantity(std::string_view text, bool cpu);

/// Canonical text that parses back to the same quantity: "2", "1500m".
std::string format_quantity(Quantity quantity);

}  // namespace reprieve::manifest
