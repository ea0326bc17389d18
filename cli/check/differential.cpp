#include "reprieve/cli/check/differential.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "reprieve/cli/check/again.h"
#include "reprieve/cli/check/in_a_child.h"
#include "reprieve/manifest/write.h"

namespace reprieve::cli {

namespace {

/// What stands for "no answer": never equal to anything, not even to itself.
std::optional<compare::Difference> no_answer(const Decision& left, const Decision& right) {
  if (!subjects::is_subject_failure(left) && !subjects::is_subject_failure(right)) return std::nullopt;
  const auto text = [](const Decision& decision) {
    return subjects::is_subject_failure(decision) ? decision.reason : std::string("an answer");
  };
  return compare::Difference{"answer", text(left), text(right)};
}

}  // namespace

std::expected<Pair, std::string> Pair::make(const CheckOptions& options) {
  const int time_out_ms = options.time_out_ms.value_or(kOutsideTimeOutMs);
  auto subject = subjects::make_subject(options.subject, time_out_ms);
  if (!subject) return std::unexpected(subject.error());
  auto against = subjects::make_subject(options.against, time_out_ms);
  if (!against) return std::unexpected(against.error());
  return Pair(std::move(*subject), std::move(*against), options);
}

std::optional<Release> Pair::only_release() const {
  if (options_.release) return options_.release;
  for (const subjects::Subject* subject : {subject_.get(), against_.get()}) {
    for (const Release release : {Release::k1_36, Release::k1_37}) {
      if (subject->name() == "kube-scheduler-" + std::string(to_string(release))) return release;
    }
  }
  return std::nullopt;
}

bool Pair::decides(const Policy& policy) const {
  const auto release = only_release();
  if (!release) return true;
  Policy real = kubernetes_policy(*release);
  real.name = policy.name;  // a name decides nothing
  real.sampling = policy.sampling;
  return policy == real;
}

std::vector<compare::Difference> Pair::differences(const Case& question, const Decision& subject,
                                                   const Decision& against) const {
  if (auto missing = no_answer(subject, against)) return {*missing};
  compare::Options options;
  if (options_.choice_only) {
    options = {.cleared = false,
               .decided_by = false,
               .reasons = false,
               .common_nodes_only = true,
               .chosen_only = true,
               .story = false};
    // The side that names one node of a tie goes to the right; then back to where it stands in print.
    auto found = compare::compare(question, against, subject, options);
    for (compare::Difference& difference : found) std::swap(difference.left, difference.right);
    return found;
  }
  options.story = subject_->tells_story() && against_->tells_story();
  options.decided_by = options.story || (subject.decided_by && against.decided_by);
  return compare::compare(question, subject, against, options);
}

std::vector<compare::Difference> Pair::ask(const Case& question) {
  return differences(question, subject_->decide(question), against_->decide(question));
}

Finding Pair::finding(const Case& question, std::string repeat) {
  const auto first = ask_anew(question);
  Finding finding;
  finding.title =
      fmt::format("{} and {} differ on case {}", subject_->name(), against_->name(), question.name);
  finding.repeat = std::move(repeat);
  if (first.empty()) {
    const auto again = ask(question);
    finding.details = compare::to_string(again, subject_->name(), against_->name()) + kAgreeAlone;
    finding.case_yaml = manifest::write_case_yaml(question);
    return finding;
  }
  finding.alone = "reprieve check --only corpus" + repeat_options(options_);
  const Case shown = options_.fail_fast ? question : smallest(question, compare::kind_of(first.front()));
  finding.details = compare::to_string(ask_anew(shown), subject_->name(), against_->name());
  finding.case_yaml = manifest::write_case_yaml(shown);
  return finding;
}

shrink::Settings shrink_settings(bool tells_story) {
  return {.max_calls = tells_story ? 4000 : 1000, .longest = std::chrono::seconds{30}};
}

std::vector<compare::Difference> Pair::ask_anew(const Case& question) {
  return is_external() ? ask(question) : clone().ask(question);
}

Case Pair::smallest(const Case& question, const std::string& kind) {
  const bool external = is_external();
  const auto differ = [&](const Case& smaller) {
    return std::ranges::any_of(ask_anew(smaller),
                               [&](const auto& difference) { return compare::kind_of(difference) == kind; });
  };
  const shrink::Result shrunk = shrink::shrink(
      question,
      [&](const Case& smaller) { return holds_of_smaller(!external, [&] { return differ(smaller); }); },
      shrink_settings(!external));
  Case smallest = shrunk.smallest;
  smallest.name = question.name;
  return smallest;
}

std::string Pair::repeat_options(const CheckOptions& options) {
  std::string text;
  if (options.subject != "engine") text += " --subject " + shell_quoted(full_command(options.subject));
  if (options.against != "reference") text += " --against " + shell_quoted(full_command(options.against));
  if (options.choice_only) text += " --choice-only";
  if (options.release) text += fmt::format(" --release {}", to_string(*options.release));
  if (options.pods_per_node) text += fmt::format(" --pods-per-node {}", *options.pods_per_node);
  if (options.policy) {
    std::error_code failed;
    const bool file = std::filesystem::is_regular_file(options.policy_name, failed);
    text += " --policy " + (file ? full_path(options.policy_name) : shell_quoted(options.policy_name));
  }
  return text;
}

std::vector<compare::Difference> unmet(const Case& question, const manifest::Expectation& expected,
                                       const Decision& decision, bool external) {
  if (subjects::is_subject_failure(decision)) return {{"answer", "an answer", decision.reason}};
  if (!external) return compare::compare(question, expected, decision);
  manifest::Expectation told = expected;
  if (!decision.decided_by) told.decided_by.reset();
  return compare::compare(question, told, decision);
}

}  // namespace reprieve::cli
