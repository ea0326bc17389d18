#include "reprieve/report/xml.h"

#include <cstddef>
#include <cstdint>

namespace reprieve::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the character that begins `text`, or 0 when there is none that XML 1.0 can hold
// (https://www.w3.org/TR/xml/#charsets): not UTF-8, overlong, a surrogate, a control character.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  if (size == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF) || code >= 0xFFFE)) return 0;
  if (size == 4 && (code < 0x10000 || code > 0x10FFFF)) return 0;
  return size;
}

std::string escaped(std::string_view text, bool attribute) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = character(text);
    const char c = text.front();
    if (size == 0)
      result += kReplacement;
    else if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')  // "]]>" may not stand in a text
      result += "&gt;";
    else if (c == '"' && attribute)
      result += "&quot;";
    else if (c == '\r')
      result += "&#13;";
    else if (c == '\n' && attribute)
      result += "&#10;";
    else if (c == '\t' && attribute)
      result += "&#9;";
    else
      result += text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

}  // namespace

std::string xml_text(std::string_view text) { return escaped(text, false); }
std::string xml_attribute(std::string_view text) { return escaped(text, true); }

}  // namespace reprieve::report
