#include "reprieve/report/junit.h"

#include <fmt/format.h>

#include <fstream>

#include "reprieve/report/xml.h"

namespace reprieve::report {
namespace {

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double time_s = 0;

  void add(const Case& each) {
    ++tests;
    if (each.outcome == Outcome::kFailed) ++failures;
    if (each.outcome == Outcome::kError) ++errors;
    if (each.outcome == Outcome::kSkipped) ++skipped;
    time_s += each.time_s;
  }
  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests, failures,
                       errors, skipped, time_s);
  }
};

std::string result_of(const Case& each) {
  const std::string message = xml_attribute(each.message);
  switch (each.outcome) {
    case Outcome::kPassed: break;
    case Outcome::kSkipped: return fmt::format("      <skipped message=\"{}\"/>\n", message);
    case Outcome::kFailed:
      return fmt::format("      <failure message=\"{}\" type=\"failure\">{}</failure>\n", message,
                         xml_text(each.details));
    case Outcome::kError:
      return fmt::format("      <error message=\"{}\" type=\"error\">{}</error>\n", message,
                         xml_text(each.details));
  }
  return "";
}

}  // namespace

std::string junit_xml(std::string_view name, const std::vector<Suite>& suites) {
  Counts all;
  for (const Suite& suite : suites) {
    for (const Case& each : suite.cases) all.add(each);
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"{}\" {}>\n", xml_attribute(name), all.attributes());
  for (const Suite& suite : suites) {
    Counts counts;
    for (const Case& each : suite.cases) counts.add(each);
    text += fmt::format("  <testsuite name=\"{}\" {}>\n", xml_attribute(suite.name), counts.attributes());
    for (const Case& each : suite.cases) {
      text += fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"",
                          xml_attribute(each.name), xml_attribute(each.class_name), each.time_s);
      std::string inside = result_of(each);
      if (!each.output.empty())
        inside += fmt::format("      <system-out>{}</system-out>\n", xml_text(each.output));
      text += inside.empty() ? "/>\n" : fmt::format(">\n{}    </testcase>\n", inside);
    }
    text += "  </testsuite>\n";
  }
  text += "</testsuites>\n";
  return text;
}

bool write_junit(const std::string& path, std::string_view name, const std::vector<Suite>& suites) {
  std::ofstream out(path, std::ios::binary);
  out << junit_xml(name, suites);
  out.close();
  return static_cast<bool>(out);
}

}  // namespace reprieve::report
