#include "reprieve/cli/explain/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "reprieve/cli/output/time.h"
#include "reprieve/model/share.h"

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

}  // namespace

std::string amount(std::string_view resource, std::int64_t value) {
  if (resource == "cpu") return value % 1000 == 0 ? std::to_string(value / 1000) : fmt::format("{}m", value);
  return is_bytes(resource) ? bytes(value) : std::to_string(value);
}

std::int64_t difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return b > 0 ? INT64_MIN : INT64_MAX;
  return result;
}

std::string ordinal(std::size_t number) {
  const bool teens = number % 100 / 10 == 1;
  constexpr std::array kEnds = {"th", "st", "nd", "rd"};
  return fmt::format("{}{}", number, teens || number % 10 > 3 ? "th" : kEnds[number % 10]);
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

std::string_view in_words(ImportanceCriterion criterion) {
  switch (criterion) {
    case ImportanceCriterion::kPriority: return "priority";
    case ImportanceCriterion::kStartTime: return "start";
    case ImportanceCriterion::kRequestedShare: return "share of the node";
    case ImportanceCriterion::kTerminationGracePeriod: return "grace period";
  }
  return "";
}

std::string share_of(const std::optional<Share>& share) {
  if (!share) return "0 %";
  if (share->allocatable == 0) return "more than there is";
  const double percent =
      100.0 * static_cast<double>(share->requested) / static_cast<double>(share->allocatable);
  // Percent for reading, the fraction for telling two apart.
  return fmt::format("{:.3g} % ({})", percent, to_string(*share));
}

std::string_view in_words(NodeCriterion criterion) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return "fewest violations";
    case NodeCriterion::kHighestPriority: return "lowest highest priority";
    case NodeCriterion::kPrioritySum: return "smallest sum";
    case NodeCriterion::kVictimCount: return "fewest victims";
    case NodeCriterion::kLatestStart: return "latest earliest start";
    case NodeCriterion::kRequestedShare: return "smallest share";
    case NodeCriterion::kBudgetsTouched: return "fewest budgets";
  }
  return "";
}

std::string because(NodeCriterion criterion, std::string_view node, bool reordered) {
  switch (criterion) {
    case NodeCriterion::kPdbViolations: return fmt::format("{} counts fewer budget violations", node);
    case NodeCriterion::kHighestPriority:
      return fmt::format("{}'s {} has a lower priority", node,
                         reordered ? "first listed victim" : "most important victim");
    case NodeCriterion::kPrioritySum:
      return fmt::format("the priorities of {}'s victims add up to less", node);
    case NodeCriterion::kVictimCount: return fmt::format("{} has fewer victims", node);
    case NodeCriterion::kLatestStart: return fmt::format("{}'s most important victims started later", node);
    case NodeCriterion::kRequestedShare:
      return fmt::format("{}'s victims request a smaller share of the node", node);
    case NodeCriterion::kBudgetsTouched: return fmt::format("{} touches fewer budgets", node);
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
    case NodeCriterion::kRequestedShare: return share_of(key.requested_share);
    case NodeCriterion::kBudgetsTouched: return std::to_string(key.budgets_touched.value_or(0));
  }
  return "?";
}

std::string start_of(const std::optional<TimeUs>& time_us) {
  return time_us ? format_time(*time_us) : "now (none set)";
}

}  // namespace reprieve::cli::explain
