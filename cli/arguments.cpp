#include "reprieve/cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <system_error>

namespace reprieve::cli {

std::function<std::string(const std::string&)> whole_number(std::uint64_t min, std::uint64_t max) {
  return [min, max](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);  // takes no sign
    if (error == std::errc() && stop == end && number >= min && number <= max) return {};
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
