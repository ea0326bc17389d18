#include "reprieve/bench/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace reprieve::bench {
namespace {

constexpr std::size_t kShown = 5;

const Profile* find(const std::vector<Profile>& profiles, const std::string& name) {
  const auto at = std::ranges::find(profiles, name, &Profile::name);
  return at == profiles.end() ? nullptr : &*at;
}

struct Growth {
  std::string name;
  std::int64_t base = 0;
  std::int64_t change = 0;
  std::int64_t more() const { return change - base; }
};

/// What grew, most first.
template <class Map, class Value>
std::vector<Growth> growths(const Map& base, const Map& change, Value value) {
  std::vector<Growth> result;
  for (const auto& [name, entry] : change) {
    const auto before = base.find(name);
    const Growth growth{
        .name = name, .base = before == base.end() ? 0 : value(before->second), .change = value(entry)};
    if (growth.more() > 0) result.push_back(growth);
  }
  std::ranges::sort(result, std::ranges::greater{}, &Growth::more);
  return result;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void tell(std::string& report, std::string_view what, const std::vector<Growth>& grown, std::int64_t whole) {
  for (std::size_t i = 0; i < std::min(kShown, grown.size()); ++i) {
    const Growth& growth = grown[i];
    report += fmt::format("    {} {}: {} -> {} ({:+.1f} % of the operation)\n", what, growth.name,
                          growth.base, growth.change, percent(growth.more(), whole));
  }
}

/// Whether the operation held; appends its line, and what grew when it did not.
bool judge_one(const Profile& base, const Profile& change, const Limits& limits, std::string& report) {
  const double grown = percent(change.total - base.total, base.total);
  const std::vector<Growth> parts =
      growths(base.by_part, change.by_part, [](std::int64_t count) { return count; });
  const bool part_grew =
      grown > limits.moved && !parts.empty() && percent(parts.front().more(), base.total) > limits.part;
  const bool held = grown <= limits.operation && !part_grew;
  report += fmt::format("{:<44} {:>14} {:>14} {:>+8.2f} %  {}\n", change.name, base.total, change.total,
                        grown, held ? "" : "GREW");
  if (held) return true;
  tell(report, "part", parts, base.total);
  tell(report, "function, with what it calls:",
       growths(base.by_function, change.by_function,
               [](const Profile::Function& function) { return function.inclusive; }),
       base.total);
  return false;
}

}  // namespace

Verdict judge(const std::vector<Profile>& base, const std::vector<Profile>& change, const Limits& limits) {
  Verdict verdict;
  verdict.report = fmt::format("{:<44} {:>14} {:>14} {:>10}\n", "instructions", "base", "change", "");
  for (const Profile& profile : change) {
    const Profile* before = find(base, profile.name);
    if (before == nullptr) {
      verdict.report +=
          fmt::format("{:<44} {:>14} {:>14}  new: not judged\n", profile.name, "-", profile.total);
      continue;
    }
    if (!judge_one(*before, profile, limits, verdict.report)) verdict.held = false;
  }
  for (const Profile& profile : base) {
    if (find(change, profile.name) != nullptr) continue;
    verdict.report += fmt::format("{:<44} {:>14} {:>14}  GONE\n", profile.name, profile.total, "-");
    verdict.held = false;
  }
  return verdict;
}

}  // namespace reprieve::bench
