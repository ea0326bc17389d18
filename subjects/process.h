// A subject in another process: any program that speaks the subject protocol (docs/SUBJECTS.md),
// so that a scheduler in any language is held to the same laws.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/manifest/protocol.h"
#include "reprieve/subjects/child.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::subjects {

struct ProcessOptions {
  std::string name;               // how reports call it; empty: the command
  std::vector<std::string> argv;  // looked up in PATH
  int time_out_ms = 30'000;       // for one decision, the start of the program included
  std::size_t window = 64;        // requests under way at once in decide_all
  int give_up_after = 8;          // failures in a row without an answer between them
};

/// Starts the program at the first question and keeps it for the following ones. A time-out, a
/// death, a line that is no answer and an answer to another case each become subject_failure of
/// the case concerned; the program is then started afresh and the next case is asked.
///
/// Which case is concerned: programs may hold answers back while more requests wait, so after a
/// failure with several requests under way these are asked again one at a time. A failure that
/// does not come back then is reported with the last of them, and says so.
class ProcessSubject final : public Subject {
 public:
  explicit ProcessSubject(ProcessOptions options);

  std::string_view name() const override { return options_.name; }
  Decision decide(const Case& question) override;
  std::vector<Decision> decide_all(std::span<const Case> questions) override;
  std::unique_ptr<Subject> clone() const override { return std::make_unique<ProcessSubject>(options_); }

 private:
  struct Exchange;  // the state of one decide_all

  std::optional<std::string> pump(Exchange& exchange);  // until all is answered; else what went wrong
  std::optional<std::string> take_lines(Exchange& exchange);
  void read_error_output();
  std::string last_words() const;

  ProcessOptions options_;
  manifest::ProtocolReader reader_;
  std::optional<Child> child_;
  std::string from_child_;    // what has arrived and is not yet a whole line
  std::string error_output_;  // the tail of what it printed for people
  bool error_open_ = true;
  int failures_in_a_row_ = 0;
  std::string gave_up_because_;
};

}  // namespace reprieve::subjects
