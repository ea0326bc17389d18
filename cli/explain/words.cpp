#include "reprieve/cli/explain/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "reprieve/cli/output/time.h"

namespace reprieve::cli::explain {

namespace {

bool is_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

std::string bytes(std::int64_t value) {
  static constexpr std::array kUnits = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  double scaled = static_cast<double>(value);
  std::size_t unit = 0;
  while (std::abs(scaled) >= (unit == 0 ? 1024 : 1023.95) && unit + 1 < kUnits.size()) {
    scaled /= 1024;
    ++unit;
  }
  std::string text = fmt::format("{:.1f}", scaled);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text + kUnits[unit];
}

// Sums in a Decision fit into int64, their difference may not when a node is overcommitted.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return b > 0 ? INT64_MIN : INT64_MAX;
  return result;
}

}  // namespace

std::string amount(std::string_view resource, std::int64_t value) {
  if (resource == "cpu") return value % 1000 == 0 ? std::to_string(value / 1000) : fmt::format("{}m", value);
  return is_bytes(resource) ? bytes(value) : std::to_string(value);
}

std::string in_words(const Shortfall& shortfall) {
  const std::string& resource = shortfall.resource;
  const std::int64_t free = minus(shortfall.allocatable, shortfall.used);
  const std::int64_t missing = minus(shortfall.requested, free);
  std::string needs = amount(resource, shortfall.requested);
  std::string has = amount(resource, free);
  // "needs 1.4Gi, 1.4Gi free" would explain nothing.
  if (needs == has) {
    needs = std::to_string(shortfall.requested);
    has = std::to_string(free);
  }
  if (free < 0)
    has = fmt::format("none free as {} too much is in use", amount(resource, minus(0, free)));
  else
    has += " free";
  return fmt::format("{}: needs {}, {}, short by {}", resource, needs, has, amount(resource, missing));
}

std::string in_words(const FilterFailure& failure) {
  std::vector<std::string> parts;
  for (const Shortfall& shortfall : failure.shortfalls) parts.push_back(in_words(shortfall));
  if (parts.empty()) parts = failure.reasons;
  std::string text = fmt::format("{}: {}", failure.plugin, fmt::join(parts, "; "));
  if (failure.with_nominated) text += " (counting the pods nominated to this node)";
  return text;
}

std::string count(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& names, std::size_t limit) {
  if (names.empty()) return "none";
  if (names.size() == 1) return names.front();
  if (names.size() > limit && limit > 0) {
    return fmt::format("{} and {} more",
                       fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(limit), ", "),
                       names.size() - limit);
  }
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string_view in_words(NodeCriterion criterion) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return "fewest violations";
    case NodeCriterion::kHighestPriority: return "lowest top priority";
    case NodeCriterion::kPrioritySum: return "smallest sum";
    case NodeCriterion::kVictimCount: return "fewest victims";
    case NodeCriterion::kLatestStart: return "latest start";
    case NodeCriterion::kRequestedShare: return "smallest share";
    case NodeCriterion::kBudgetsTouched: return "fewest budgets";
  }
  return "";
}

std::string_view because(NodeCriterion criterion) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return "it counts fewer budget violations";
    case NodeCriterion::kHighestPriority: return "its most important victim has a lower priority";
    case NodeCriterion::kPrioritySum: return "the priorities of its victims add up to less";
    case NodeCriterion::kVictimCount: return "it has fewer victims";
    case NodeCriterion::kLatestStart: return "its most important victims started later";
    case NodeCriterion::kRequestedShare: return "its victims request a smaller share of the node";
    case NodeCriterion::kBudgetsTouched: return "it touches fewer budgets";
  }
  return "";
}

std::string value_on(const CandidateKey& key, NodeCriterion criterion) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return std::to_string(key.violations);
    case NodeCriterion::kHighestPriority: return std::to_string(key.highest_priority);
    case NodeCriterion::kPrioritySum: {
      // Upstream adds 2^31 to each priority; the plain sum says more, the shift must not be hidden.
      const std::int64_t shift = key.victim_count << 31;
      return fmt::format("{} + {} x 2^31", key.priority_sum - shift, key.victim_count);
    }
    case NodeCriterion::kVictimCount: return std::to_string(key.victim_count);
    case NodeCriterion::kLatestStart: return start_of(key.earliest_start_us);
    case NodeCriterion::kRequestedShare:
    case NodeCriterion::kBudgetsTouched: break;
  }
  return "?";
}

std::string start_of(const std::optional<TimeUs>& time_us) {
  return time_us ? format_time(*time_us) : "now (none set)";
}

}  // namespace reprieve::cli::explain
