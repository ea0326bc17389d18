#include "reprieve/cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <system_error>

namespace reprieve::cli {

std::optional<std::uint64_t> read_number(std::string_view digits) {
  std::uint64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);  // takes no sign
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

std::function<std::string(const std::string&)> whole_number(std::uint64_t min, std::uint64_t max) {
  return [min, max](const std::string& text) -> std::string {
    const auto number = read_number(text);
    if (number && *number >= min && *number <= max) return {};
    return fmt::format("'{}' is not a whole number from {} to {}", text, min, max);
  };
}

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 0) continue;  // a flag
    option->check([](const std::string& text) -> std::string {
      return text.empty() ? "the value must not be empty" : "";
    });
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) refuse_empty_values(*command);
}

}  // namespace reprieve::cli
