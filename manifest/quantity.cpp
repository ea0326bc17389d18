#include "reprieve/manifest/quantity.h"

#include <fmt/core.h>

#include <cstddef>
#include <limits>

#include "reprieve/mutants/mutant.h"

namespace reprieve::manifest {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A suffix as powers: the value is number * 10^ten * 2^two. suffix.go.
struct Scale {
  std::int64_t ten = 0;
  int two = 0;
};

/// "e3", "E-2": strconv.ParseInt of what follows the letter. Exponents beyond any use are clamped,
/// which keeps "0e999999999999" zero and "1e999999999999" too large.
bool parse_exponent(std::string_view digits, std::int64_t& out) {
  bool negative = false;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) {
    negative = digits[0] == '-';
    digits.remove_prefix(1);
  }
  if (digits.empty()) return false;
  std::int64_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return false;
    if (value < 1'000'000'000) value = value * 10 + (c - '0');
  }
  out = negative ? -value : value;
  return true;
}

bool parse_suffix(std::string_view suffix, Scale& scale) {
  if (suffix.empty()) return true;
  static constexpr std::string_view kBinary = "KMGTPE";
  static constexpr std::string_view kDecimal = "kMGTPE";
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const std::size_t at = kBinary.find(suffix[0]);
    if (at == std::string_view::npos) return false;
    scale.two = static_cast<int>(REPRIEVE_MUTANT("binary-suffix-one-power-less", 10 * (at + 1), 10 * at));
    return true;
  }
  if (suffix.size() == 1) {
    switch (suffix[0]) {
      case 'n': scale.ten = -9; return true;
      case 'u': scale.ten = -6; return true;
      case 'm': scale.ten = -3; return true;
      default: break;
    }
    const std::size_t at = kDecimal.find(suffix[0]);
    if (at == std::string_view::npos) return false;
    scale.ten = static_cast<std::int64_t>(3 * (at + 1));
    return true;
  }
  return (suffix[0] == 'e' || suffix[0] == 'E') && parse_exponent(suffix.substr(1), scale.ten);
}

/// Doubles a decimal number `times` times, in place. `digits` holds one digit a byte, most
/// significant first.
void shift_left(std::string& digits, int times) {
  while (times > 0) {
    const int step = times < 30 ? times : 30;
    times -= step;
    std::uint64_t carry = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      carry += static_cast<std::uint64_t>(digits[i] - '0') << step;
      digits[i] = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    std::string front;
    for (; carry > 0; carry /= 10) front.insert(front.begin(), static_cast<char>('0' + carry % 10));
    digits.insert(0, front);
  }
}

/// In quotes, and cut: it may be megabytes of digits.
std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 40;
  return fmt::format("\"{}{}\"", text.substr(0, kShown), text.size() > kShown ? "..." : "");
}

std::unexpected<std::string> too_large(std::string_view text) {
  return std::unexpected(fmt::format("quantity {} is too large: it must fit into 64 bits", shown(text)));
}

std::unexpected<std::string> malformed(std::string_view text) {
  return std::unexpected(fmt::format(
      "{} is not a quantity: expected a number with an optional suffix, such as 2, 500m, 1.5Gi or 1e3",
      shown(text)));
}

/// A whole number of thousandths, rounded up, of which `whole` tells the units and `milli` the rest.
std::expected<Quantity, std::string> checked(std::string_view text, Int128 milli, bool cpu) {
  const Int128 limit = cpu ? Int128{kMax} : Int128{kMax} * 1000;
  if (milli > limit) return too_large(text);
  return Quantity{.units = static_cast<std::int64_t>(milli / 1000),
                  .milli = static_cast<std::int32_t>(milli % 1000)};
}

/// The general case, on decimal digits: exact for any number of them.
std::expected<Quantity, std::string> parse_slowly(std::string_view text, std::string digits,
                                                  std::int64_t fraction_digits, Scale scale, bool cpu) {
  shift_left(digits, scale.two);
  // The decimal point stands behind this many digits, once the unit is a thousandth.
  const std::int64_t point = static_cast<std::int64_t>(digits.size()) - fraction_digits + scale.ten + 3;
  Int128 milli = 0;
  bool rest = false;
  std::int64_t position = 0;
  for (const char c : digits) {
    if (position < point) {
      milli = milli * 10 + (c - '0');
      if (milli > Int128{kMax} * 1000) return too_large(text);
    } else if (c != '0') {
      rest = true;
    }
    ++position;
  }
  if (milli > 0) {
    for (; position < point; ++position) {
      milli *= 10;
      if (milli > Int128{kMax} * 1000) return too_large(text);
    }
  }
  if (REPRIEVE_MUTANT("quantity-rounded-down", rest, false)) ++milli;
  return checked(text, milli, cpu);
}

}  // namespace

std::expected<Quantity, std::string> parse_quantity(std::string_view text, bool cpu) {
  if (text.empty()) return malformed(text);
  std::size_t at = 0;
  bool negative = false;
  if (text[0] == '+' || text[0] == '-') {
    negative = text[0] == '-';
    ++at;
  }
  const std::size_t whole_begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  std::string_view whole = text.substr(whole_begin, at - whole_begin);
  std::string_view fraction;
  if (at < text.size() && text[at] == '.') {
    const std::size_t begin = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    fraction = text.substr(begin, at - begin);
  }
  // parseQuantityString lets a number without any digit pass as zero ("+", "m"); its own grammar and
  // the slow path of ParseQuantity do not, so it is taken for the accident it is.
  if (whole.empty() && fraction.empty()) return malformed(text);
  Scale scale;
  if (!parse_suffix(text.substr(at), scale)) return malformed(text);

  while (!whole.empty() && whole.front() == '0') whole.remove_prefix(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (whole.empty() && fraction.empty()) return Quantity{};
  if (negative) return std::unexpected(fmt::format("quantity {} must not be negative", shown(text)));

  // Nearly every quantity of a dump: a short whole number with a plain suffix.
  if (fraction.empty() && whole.size() <= 15 && scale.ten >= -3 && scale.ten <= 6 && scale.two <= 40) {
    Int128 milli = 0;
    for (const char c : whole) milli = milli * 10 + (c - '0');
    for (std::int64_t i = -3; i < scale.ten; ++i) milli *= 10;
    return checked(text, milli << scale.two, cpu);
  }
  std::string digits(whole);
  digits += fraction;
  return parse_slowly(text, std::move(digits), static_cast<std::int64_t>(fraction.size()), scale, cpu);
}

std::string format_quantity(Quantity quantity) {
  if (quantity.milli == 0) return fmt::format("{}", quantity.units);
  // Thousandths as one number, which may be longer than 64 bits hold.
  if (quantity.units == 0) return fmt::format("{}m", quantity.milli);
  return fmt::format("{}{:03}m", quantity.units, quantity.milli);
}

}  // namespace reprieve::manifest
