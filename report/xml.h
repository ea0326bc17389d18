// Text within XML 1.0.
#pragma once

#include <string>
#include <string_view>

namespace reprieve::report {

/// For a text node, or for an attribute in double quotes. Markup is escaped; in an attribute line ends
/// and tabs too, which a reader would make spaces of.
std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);

}  // namespace reprieve::report
