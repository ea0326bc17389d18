#include "reprieve/manifest/decoder.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "reprieve/manifest/quantity.h"

namespace reprieve::manifest {
namespace {

std::string_view type_name(Element value) {
  using simdjson::dom::element_type;
  switch (value.type()) {
    case element_type::ARRAY: return "a list";
    case element_type::OBJECT: return "an object";
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE: return "a number";
    case element_type::STRING: return "a string";
    case element_type::BOOL: return "true or false";
    case element_type::NULL_VALUE: return "null";
  }
  return "something else";
}

/// A word as it may be shown in a message.
std::string shown(std::string_view word) {
  constexpr std::size_t kShown = 60;
  if (word.size() <= kShown) return fmt::format("\"{}\"", word);
  while (!word.empty() && find_invalid_utf8(word.substr(0, kShown)) != std::string_view::npos) {
    word = word.substr(0, find_invalid_utf8(word.substr(0, kShown)));
  }
  return fmt::format("\"{}...\"", word.substr(0, kShown));
}

}  // namespace

Position JsonSourceText::position_of_offset(std::size_t offset) const {
  const Position within = manifest::position_of(text_, offset);
  return {.line = begin_.line + within.line - 1,
          .column = within.line == 1 ? begin_.column + within.column - 1 : within.column};
}

Position JsonSourceText::position(std::span<const Step> path) const {
  return position_of_offset(find_value(text_, path));
}

std::string JsonSourceText::written(std::span<const Step> path) const {
  const std::size_t begin = find_value(text_, path);
  const std::size_t end = value_end(text_, begin);
  return std::string(text_.substr(begin, end == kIncomplete || end == kHopeless ? kIncomplete : end - begin));
}

std::vector<Warning> WarningList::take() {
  std::vector<Warning> warnings;
  warnings.reserve(warnings_.size());
  for (auto& [message, warning] : warnings_) warnings.push_back(std::move(warning));
  warnings_.clear();
  return warnings;
}

bool KeySet::insert(std::string_view key) {
  if (count_ < few_.size()) {
    // A key whose length and ends were not seen before is new; most are.
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(key[at]); };
    const std::size_t mixed = key.empty() ? 0 : key.size() + 7U * byte(0) + 29U * byte(key.size() - 1);
    const std::uint64_t bit = std::uint64_t{1} << (mixed % 64);
    if ((seen_ & bit) != 0) {
      for (std::size_t i = 0; i < count_; ++i) {
        if (few_[i] == key) return false;
      }
    }
    seen_ |= bit;
    few_[count_++] = {key.data(), key.size()};
    return true;
  }
  if (!many_) {
    many_ = std::make_unique<std::unordered_set<std::string_view>>();
    for (const Key& first : few_) many_->insert({first.data, first.size});
  }
  return many_->insert(key).second;
}

void Decoder::begin(std::string_view file, const SourceText& text, std::string_view prefix) {
  if (file_ != file) file_ = file;
  prefix_ = prefix;
  text_ = &text;
  path_.clear();
}

std::string Decoder::path() const {
  std::string field = prefix_;
  append_path(field, path_);
  return field;
}

Location Decoder::here() const {
  const Position position = text_->position(path_);
  return {.file = file_, .line = position.line, .column = position.column, .field = path()};
}

Location Decoder::at(std::span<const Step> field) const {
  std::vector<Step> steps = path_;
  steps.insert(steps.end(), field.begin(), field.end());
  const Position position = text_->position(steps);
  Location where{.file = file_, .line = position.line, .column = position.column, .field = prefix_};
  append_path(where.field, steps);
  return where;
}

Location Decoder::at(std::string_view field) const {
  std::vector<Step> steps;
  while (!field.empty()) {
    const std::size_t dot = std::min(field.find('.'), field.size());
    steps.push_back({.key = field.substr(0, dot)});
    field.remove_prefix(std::min(dot + 1, field.size()));
  }
  return at(steps);
}

void Decoder::fail(std::string message) const {
  throw DecodeError{Error{.where = here(), .message = std::move(message)}};
}

void Decoder::fail_at(std::string_view field, std::string message) const {
  throw DecodeError{Error{.where = at(field), .message = std::move(message)}};
}

void Decoder::fail_at(std::span<const Step> field, std::string message) const {
  throw DecodeError{Error{.where = at(field), .message = std::move(message)}};
}

void Decoder::fail_type(std::string_view expected, Element value) const {
  std::string message = fmt::format("expected {}, got {}", expected, type_name(value));
  // The usual slip in YAML: `app: 1`, `release: yes`.
  if (expected == "a string" && !value.is_object() && !value.is_array()) message += "; put it in quotes";
  fail(std::move(message));
}

void Decoder::fail_unknown_field() const { fail("unknown field"); }

void Decoder::fail_unknown_word(std::string_view word, std::string_view allowed) const {
  fail(fmt::format("unknown value {}; allowed are {}", shown(word), allowed));
}

void Decoder::warn(std::string_view message) {
  if (warnings_ != nullptr) warnings_->add(message, [&] { return here(); });
}

void Decoder::ignore(std::string_view key, std::span<const std::string_view> cannot_matter,
                     std::string_view warning) {
  if (warnings_ == nullptr) return;
  if (std::ranges::find(cannot_matter, key) == cannot_matter.end()) warn(warning);
}

std::string_view Decoder::text(Element value) const {
  std::string_view result;
  if (value.get(result) != simdjson::SUCCESS) fail_type("a string", value);
  return result;
}

bool Decoder::boolean(Element value) const {
  bool result = false;
  if (value.get(result) != simdjson::SUCCESS) fail_type("true or false", value);
  return result;
}

std::int64_t Decoder::integer(Element value, std::int64_t low, std::int64_t high) const {
  std::int64_t result = 0;
  if (value.type() == simdjson::dom::element_type::UINT64)
    fail(fmt::format("must be between {} and {}", low, high));
  if (value.type() == simdjson::dom::element_type::DOUBLE) fail("expected a whole number");
  if (value.get(result) != simdjson::SUCCESS) fail_type("a whole number", value);
  if (result < low || result > high) fail(fmt::format("must be between {} and {}", low, high));
  return result;
}

std::int32_t Decoder::int32(Element value) const {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(integer(value, Limits::min(), Limits::max()));
}

Quantity Decoder::quantity(Element value, bool cpu) const {
  // Quantity.UnmarshalJSON: null is zero, a number is read by its digits, blanks around are dropped.
  if (value.is_null()) return {};
  std::string_view text;
  std::string digits;
  std::int64_t whole = 0;
  if (value.get(text) == simdjson::SUCCESS) {
    constexpr std::string_view kBlanks = " \t\n\r\v\f";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
      text = {};
    } else {
      text = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
    }
  } else if (value.get(whole) == simdjson::SUCCESS) {
    digits = std::to_string(whole);
    text = digits;
  } else if (value.is_number()) {
    digits = text_->written(path_);  // no double comes between what was written and what is meant
    text = digits;
  } else {
    fail_type("a quantity", value);
  }
  auto quantity = parse_quantity(text, cpu);
  if (!quantity) fail(std::move(quantity.error()));
  return *quantity;
}

std::vector<std::string> Decoder::texts(Element value) {
  std::vector<std::string> result;
  elements(value, [&](Element element) {
    result.emplace_back(element.is_null() ? std::string_view{} : text(element));
  });
  return result;
}

void Decoder::labels(Element value, Labels& out) {
  entries(value, [&](std::string_view key, Element entry) {
    // Go reads null into a map of strings as "".
    const bool is_new = out.emplace(key, entry.is_null() ? std::string_view{} : text(entry)).second;
    if (!is_new) fail("the key occurs twice");
  });
}

ResourceList Decoder::resources(Element value) {
  ResourceList result;
  entries(value, [&](std::string_view key, Element entry) {
    if (key.empty()) fail("a resource needs a name");
    if (!result.emplace(key, quantity(entry, key == "cpu")).second) fail("the key occurs twice");
  });
  return result;
}

namespace {

/// Reads a fixed number of digits; false if there are others.
bool read_digits(std::string_view& text, std::size_t count, int& out) {
  if (text.size() < count) return false;
  out = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return true;
}

bool read_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

constexpr bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/// Days from 1970-01-01, by the civil calendar.
constexpr std::int64_t days_from_civil(int year, int month, int day) {
  const int y = month <= 2 ? year - 1 : year;
  const int era = (y >= 0 ? y : y - 399) / 400;
  const int year_of_era = y - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return std::int64_t{era} * 146097 + day_of_era - 719468;
}

}  // namespace

// time.Parse(time.RFC3339, ...)
std::optional<TimeUs> parse_time(std::string_view text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!read_digits(text, 4, year) || !read_char(text, '-') || !read_digits(text, 2, month) ||
      !read_char(text, '-') || !read_digits(text, 2, day) || !read_char(text, 'T') ||
      !read_digits(text, 2, hour) || !read_char(text, ':') || !read_digits(text, 2, minute) ||
      !read_char(text, ':') || !read_digits(text, 2, second)) {
    return std::nullopt;
  }
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  if (day > kDays[month - 1] + (month == 2 && is_leap(year) ? 1 : 0)) return std::nullopt;
  std::int64_t micros = 0;
  if (read_char(text, '.') || read_char(text, ',')) {
    std::int64_t unit = 100'000;
    std::size_t digits = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits) {
      micros += unit * (text.front() - '0');
      unit /= 10;
    }
    if (digits == 0) return std::nullopt;
  }
  std::int64_t offset_minutes = 0;
  if (!read_char(text, 'Z')) {
    const bool west = !text.empty() && text.front() == '-';
    int offset_hour = 0, offset_minute = 0;
    if (!(read_char(text, '+') || read_char(text, '-')) || !read_digits(text, 2, offset_hour) ||
        !read_char(text, ':') || !read_digits(text, 2, offset_minute) || offset_hour > 24 ||
        offset_minute > 60) {
      return std::nullopt;
    }
    offset_minutes = (std::int64_t{offset_hour} * 60 + offset_minute) * (west ? -1 : 1);
  }
  if (!text.empty()) return std::nullopt;
  const std::int64_t minutes = (days_from_civil(year, month, day) * 24 + hour) * 60 + minute - offset_minutes;
  return (minutes * 60 + second) * 1'000'000 + micros;
}

TimeUs Decoder::time(Element value) const {
  const std::string_view written = text(value);
  const std::optional<TimeUs> result = parse_time(written);
  if (!result) {
    fail(fmt::format("{} is not a time; expected RFC 3339, such as 2026-01-31T12:00:00Z", shown(written)));
  }
  return *result;
}

}  // namespace reprieve::manifest
