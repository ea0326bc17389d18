// What a run found, as JUnit XML: the one report that every CI system reads.
//
// There is no standard; what is written here is what Jenkins, GitLab and GitHub's reporters agree on
// (testsuites, testsuite, testcase; failure, error, skipped), and the attributes are those of the schema
// of the Ant task and of Jenkins' xunit plugin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprieve::report {

/// kFailed: what was asked about is wrong. kError: it could not be found out.
enum class Outcome { kPassed, kFailed, kError, kSkipped };

struct Case {
  std::string name;
  std::string class_name;  // what it is about: dots make folders in most viewers
  Outcome outcome = Outcome::kPassed;
  std::string message;  // one line: why it did not pass
  std::string details;  // of kFailed and kError: the rest, several lines; also what repeats it
  std::string output;   // what a passed case has to say as well; may be empty
  double time_s = 0;
};

struct Suite {
  std::string name;
  std::vector<Case> cases;
};

/// The whole document, UTF-8. Any bytes may stand in the texts: what XML cannot hold (control
/// characters, what is not UTF-8) becomes U+FFFD. The counts and times of suites are sums of their cases.
std::string junit_xml(std::string_view name, const std::vector<Suite>& suites);

/// The same into a file; false when it cannot be written.
bool write_junit(const std::string& path, std::string_view name, const std::vector<Suite>& suites);

}  // namespace reprieve::report
