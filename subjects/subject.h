// Anything that can decide a case: the engine, the reference, a program that speaks the subject
// protocol. Laws, comparisons and `reprieve check` know only this.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::subjects {

/// One of these belongs to one thread; `clone` makes another for the next one.
class Subject {
 public:
  virtual ~Subject() = default;

  /// "engine", "reference", "kube-scheduler-1.37", or the command line.
  virtual std::string_view name() const = 0;

  /// Never throws. A subject that cannot answer says Outcome::kError and why; see
  /// is_subject_failure for those that did not answer at all.
  virtual Decision decide(const Case& question) = 0;

  /// One decision for each case, in order. Faster than asking one by one where answers travel.
  virtual std::vector<Decision> decide_all(std::span<const Case> questions);

  /// Whether decisions carry each node's story (failures, potential victims, key) and the level
  /// that decided: those of this program do, a protocol line does not.
  virtual bool tells_story() const { return false; }

  /// A subject that decides alike, for use by another thread.
  virtual std::unique_ptr<Subject> clone() const = 0;
};

/// The answer that stands for "no answer": the program timed out, died, or broke the protocol.
/// Two of them never agree, whereas two honest kError decisions do.
Decision subject_failure(std::string_view subject, std::string_view case_name, std::string_view what);
bool is_subject_failure(const Decision& decision);

/// "engine", "reference", "kube-scheduler-1.36", "kube-scheduler-1.37" (programs that
/// `./dev kube-scheduler` builds), or else a command line; the text of the error is one sentence.
/// `time_out_ms` is for one decision of an external program.
std::expected<std::unique_ptr<Subject>, std::string> make_subject(std::string_view name_or_command,
                                                                  int time_out_ms = 30'000);

}  // namespace reprieve::subjects
