#include "reprieve/cli/certify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "reprieve/engine/decide.h"
#include "reprieve/reference/decide.h"

namespace reprieve::cli {
namespace {

using certificate::Choice;
constexpr std::size_t kMostPodsToEnumerate = 500;
constexpr std::size_t kMostOpenNamed = 5;

std::optional<Choice> choice_of(const Decision& decision) {
  if (decision.outcome != Outcome::kNominated) return std::nullopt;
  const auto node = std::ranges::find(decision.nodes, decision.nominated.front(), &NodeDecision::node);
  if (node == decision.nodes.end()) return std::nullopt;
  return Choice{.node = node->node, .victims = node->victims};
}

// What the certificate cannot say, an enumeration of all sets of victims may, by the reference's filters.
std::string by_enumeration(const Case& question, const std::optional<Choice>& best) {
  if (question.cluster.pods.size() > kMostPodsToEnumerate) return "";
  const Decision enumerated = reference::decide(question);
  if (enumerated.outcome == Outcome::kError) return "";
  const std::optional<Choice> found = choice_of(enumerated);
  if (!found && !best) return "the reference, which tries every set of victims, finds none either";
  if (found && best && std::ranges::count(enumerated.nominated, best->node) > 0)
    return "the reference, which tries every set of victims, finds none that is better";
  return fmt::format("the reference, which tries every set of victims, prefers {}",
                     found ? found->node : "no node");
}

}  // namespace

certificate::Verdict verdict_on(const Case& question, std::string_view json) {
  const auto certificate = certificate::from_json(json);
  if (!certificate) return {.fault = "it is no certificate"};
  return certificate::check(question, *certificate);
}

std::expected<Certification, std::string> certify(const Case& question, const Decision& decision) {
  if (decision.outcome != Outcome::kNominated && decision.outcome != Outcome::kNoCandidate)
    return std::unexpected(fmt::format("the outcome is {}: no choice was made", to_string(decision.outcome)));
  Certification result{.decision = choice_of(decision)};
  Case exact = question;
  exact.policy.victims = VictimSearch::kExact;
  exact.policy.violations = ViolationCount::kActual;
  const certificate::Facts cluster(question);
  std::optional<Choice> best = result.decision;
  if (question.policy.victims != VictimSearch::kExact) {
    const Decision optimum = engine::decide(exact, engine::Depth::kAnswer);
    if (optimum.outcome == Outcome::kError)
      return std::unexpected(fmt::format("the best choice is not known: {}", optimum.reason));
    if (const auto found = choice_of(optimum); found && cluster.needs().empty()) {
      const auto other = certificate::key_of(cluster, question, *found);
      const auto own = best ? certificate::key_of(cluster, question, *best) : std::nullopt;
      if (other && (!own || certificate::before(question.policy, *other, *own))) best = result.better = found;
    }
  }
  result.certificate =
      certificate::to_json(certificate::find_certificate(question, result.decision, result.better));
  const auto start = std::chrono::steady_clock::now();
  result.verdict = verdict_on(question, result.certificate);
  result.check_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!result.verdict.certified()) result.aside = by_enumeration(exact, best);
  return result;
}

std::string in_words(const Certification& certification, std::size_t nodes) {
  const certificate::Verdict& verdict = certification.verdict;
  std::string text;
  if (certification.better) {
    text = fmt::format("evicting {} from {} is better, and nothing is better than that",
                       fmt::join(certification.better->victims, ", "), certification.better->node);
  } else {
    text =
        certification.decision ? "no node and no set of victims is better" : "no set of victims makes room";
  }
  if (verdict.certified()) {
    return fmt::format("Certified: {} ({} {}, checked in {:.1f} ms).\n", text, nodes,
                       nodes == 1 ? "node" : "nodes", certification.check_ms);
  }
  if (!verdict.fault.empty()) {
    text = fmt::format("Not certified: {}.\n", verdict.fault);
  } else {
    text = fmt::format("Not certified: {}, but for what is left open:\n", text);
    for (std::size_t i = 0; i < std::min(kMostOpenNamed, verdict.open.size()); ++i)
      text += fmt::format("  {}\n", verdict.open[i]);
    if (verdict.open.size() > kMostOpenNamed)
      text += fmt::format("  and {} more\n", verdict.open.size() - kMostOpenNamed);
  }
  if (!certification.aside.empty()) text += fmt::format("Without a certificate, {}.\n", certification.aside);
  return text;
}

nlohmann::ordered_json to_json(const Certification& certification) {
  nlohmann::ordered_json json = {{"certified", certification.verdict.certified()},
                                 {"optimal", !certification.better}};
  if (!certification.verdict.fault.empty()) json["fault"] = certification.verdict.fault;
  if (!certification.verdict.open.empty()) json["open"] = certification.verdict.open;
  if (!certification.aside.empty()) json["aside"] = certification.aside;
  if (certification.better)
    json["better"] = {{"node", certification.better->node}, {"victims", certification.better->victims}};
  return json;
}

}  // namespace reprieve::cli
