// Two subjects side by side: ask both, compare, and make a finding of a difference.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reprieve/cli/check/stage.h"
#include "reprieve/manifest/read.h"
#include "reprieve/model/case.h"
#include "reprieve/properties/compare/compare.h"
#include "reprieve/properties/shrink/shrink.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::cli {

/// The subject of a run and the one that it is held against; for one thread.
class Pair {
 public:
  static std::expected<Pair, std::string> make(const CheckOptions& options);
  Pair clone() const { return Pair(subject_->clone(), against_->clone(), options_); }

  subjects::Subject& subject() { return *subject_; }
  subjects::Subject& against() { return *against_; }

  /// How the two answers to a case differ, a missing answer included. Stories are compared when
  /// both tell them, the deciding level when both name one or neither is external. With choice_only:
  /// the outcome, the chosen node and its victims.
  std::vector<compare::Difference> differences(const Case& question, const Decision& subject,
                                               const Decision& against) const;

  /// Asks both about the case.
  std::vector<compare::Difference> ask(const Case& question);

  /// The same of two that have decided nothing before, where that costs nothing: what is shown on a case
  /// alone must not take what was kept from another one.
  std::vector<compare::Difference> ask_anew(const Case& question);

  /// A finding from a case on which the two differ: shrunk as far as they still do, unless the run is to
  /// fail fast.
  Finding finding(const Case& question, std::string repeat);

  /// Of two decisions, the one that tells more; of the one held to be right if both do.
  const Decision& fuller(const Decision& subject, const Decision& against) const {
    return against_->tells_story() || !subject_->tells_story() ? against : subject;
  }

  /// The release that the pair can decide: as told, or when one of the two is a real kube-scheduler.
  std::optional<Release> only_release() const;
  /// Whether the pair can decide under this policy: all of them, or kubernetes' of one release.
  bool decides(const Policy& policy) const;

  /// The options of the command line that name the two and what they are asked, for a command that repeats
  /// a finding.
  static std::string repeat_options(const CheckOptions& options);

 private:
  Pair(std::unique_ptr<subjects::Subject> subject, std::unique_ptr<subjects::Subject> against,
       CheckOptions options)
      : subject_(std::move(subject)), against_(std::move(against)), options_(std::move(options)) {}

  bool is_external() const { return !subject_->tells_story() || !against_->tells_story(); }

  /// The smallest case on which they still differ in this kind.
  Case smallest(const Case& question, const std::string& kind);

  std::unique_ptr<subjects::Subject> subject_;
  std::unique_ptr<subjects::Subject> against_;
  CheckOptions options_;
};

/// Said of what does not show again when nothing else was decided before.
inline constexpr const char* kAgreeAlone =
    "Asked alone, with nothing decided before, all is as it should be: a subject keeps something from one "
    "decision to the next, or is not deterministic.\n";

/// How a decision fails an expectation; an answer that did not come fails it altogether. The
/// deciding level and the cleared nominations of an external subject count only where it tells them.
std::vector<compare::Difference> unmet(const Case& question, const manifest::Expectation& expected,
                                       const Decision& decision, bool external);

/// How long a finding is shrunk: a program outside, which tells no story, is slower to ask.
shrink::Settings shrink_settings(bool tells_story);

}  // namespace reprieve::cli
