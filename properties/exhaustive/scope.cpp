#include "reprieve/properties/exhaustive/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace reprieve::exhaustive {
namespace {

// Beyond these nobody could wait for the end, and the numbers of the enumeration would not hold.
constexpr int kMaxNodes = 4;
constexpr int kMaxPods = 8;
constexpr int kMaxBudgets = 3;
constexpr int kMaxSizes = 4;
constexpr int kMaxSize = 100;
constexpr int kMaxPriorities = 4;
constexpr int kMaxStarts = 4;

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The text up to the separator, which is taken off with it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

std::string read_int(std::string_view key, std::string_view text, int least, int most, int& into) {
  const auto value = number(text);
  if (!value || *value < least || *value > most) {
    return fmt::format("{}={}: a number from {} to {}", key, text, least, most);
  }
  into = *value;
  return {};
}

std::string read_sizes(std::string_view text, std::vector<int>& into) {
  into.clear();
  if (text.find(':') == std::string_view::npos) {
    int count = 0;
    if (auto wrong = read_int("sizes", text, 1, kMaxSizes, count); !wrong.empty()) return wrong;
    for (int size = 1; size <= count; ++size) into.push_back(size);
    return {};
  }
  const std::string wrong =
      fmt::format("sizes={}: how many, from 1 to {}, or which, ascending: 1:3", text, kMaxSizes);
  for (std::string_view rest = text; !rest.empty();) {
    const auto size = number(take(rest, ':'));
    if (!size || *size < 1 || *size > kMaxSize || (!into.empty() && *size <= into.back())) return wrong;
    into.push_back(*size);
  }
  return into.empty() || into.size() > kMaxSizes ? wrong : std::string();
}

std::string read_key(std::string_view key, std::string_view value, Scope& scope) {
  if (key == "nodes") return read_int(key, value, 1, kMaxNodes, scope.nodes);
  if (key == "pods") return read_int(key, value, 0, kMaxPods, scope.pods);
  if (key == "budgets") return read_int(key, value, 0, kMaxBudgets, scope.budgets);
  if (key == "sizes") return read_sizes(value, scope.sizes);
  if (key == "priorities") return read_int(key, value, 1, kMaxPriorities, scope.priorities);
  if (key == "peers") return read_int(key, value, 0, kMaxPods, scope.peers);
  if (key == "starts") {
    scope.missing_starts = value.ends_with('+');
    if (scope.missing_starts) value.remove_suffix(1);
    return read_int(key, value, 1, kMaxStarts, scope.starts);
  }
  return fmt::format("there is no '{}': nodes, pods, budgets, sizes, priorities, starts, peers", key);
}

}  // namespace

std::expected<Scope, std::string> parse_scope(std::string_view text) {
  Scope scope;
  while (!text.empty()) {
    std::string_view value = take(text, ',');
    const std::string_view key = take(value, '=');
    if (auto wrong = read_key(key, value, scope); !wrong.empty()) return std::unexpected(std::move(wrong));
  }
  return scope;
}

std::string to_string(const Scope& scope) {
  const int count = static_cast<int>(scope.sizes.size());
  std::string sizes = fmt::format("{}{}", fmt::join(scope.sizes, ":"), count == 1 ? ":" : "");
  if (scope.sizes.back() == count) sizes = fmt::format("{}", count);  // 1, 2, ...
  return fmt::format("nodes={},pods={},budgets={},sizes={},priorities={},starts={}{},peers={}", scope.nodes,
                     scope.pods, scope.budgets, sizes, scope.priorities, scope.starts,
                     scope.missing_starts ? "+" : "", scope.peers);
}

}  // namespace reprieve::exhaustive
