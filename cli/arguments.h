// What the values of options must look like, before anybody acts on them. CLI11 alone reads "-1" as
// the largest number or 0 and takes an empty value for an absent one.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace reprieve::cli {

inline constexpr std::uint64_t kManyThreads = 1'000'000;  // asked for; fewer are made

/// A check for CLI11: decimal digits alone, of a number from `min` to `max`.
std::function<std::string(const std::string&)> whole_number(
    std::uint64_t min = 0, std::uint64_t max = std::numeric_limits<std::uint64_t>::max());

/// The number that decimal digits alone say; nothing for any other text.
std::optional<std::uint64_t> read_number(std::string_view digits);

/// Lets no option or argument of any command have an empty value.
void refuse_empty_values(CLI::App& app);

}  // namespace reprieve::cli
