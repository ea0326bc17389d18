#include "reprieve/cli/commands/prove_files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "reprieve/cli/certify.h"
#include "reprieve/cli/command.h"
#include "reprieve/cli/output/document.h"
#include "reprieve/engine/decide.h"
#include "reprieve/manifest/read.h"
#include "reprieve/subjects/http_extender.h"

namespace reprieve::cli {
namespace {

int show(const nlohmann::ordered_json& json, const std::string& words, bool held, const std::string& output) {
  fmt::print("{}", output == "json" ? render(json, Format::kJson) : words);
  return held ? kHeld : kFound;
}

int check_certificate(const Case& question, const std::string& path, const std::string& output) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in) return fail(fmt::format("cannot read {}", path));
  Certification given{.certificate = text, .verdict = verdict_on(question, text)};
  const certificate::Verdict& verdict = given.verdict;
  nlohmann::ordered_json json = {{"case", question.name}, {"certified", verdict.certified()}};
  std::string words = "The certificate is accepted: the decision that it names is the best choice.\n";
  if (!verdict.fault.empty()) {
    json["fault"] = verdict.fault;
    words = fmt::format("The certificate is rejected: {}.\n", verdict.fault);
  } else if (!verdict.open.empty()) {
    json["open"] = verdict.open;
    words =
        fmt::format("The certificate is accepted, but for what it leaves open: {}{}.\n", verdict.open.front(),
                    verdict.open.size() == 1 ? "" : fmt::format(" and {} more", verdict.open.size() - 1));
  } else if (!verdict.optimal) {
    words = "The certificate is accepted: it names a better choice than the decision, and the best one.\n";
  }
  if (verdict.fault.empty()) json["optimal"] = verdict.optimal;
  return show(json, words, verdict.certified() && verdict.optimal, output);
}

int prove_case(const Case& question, const std::string& output) {
  const Decision decision =
      engine::decide(question, engine::Depth::kFull, subjects::ask_over_http(question.cluster));
  if (decision.outcome == Outcome::kError)
    return fail(fmt::format("{} cannot be decided: {}", question.name, decision.reason));
  const auto certified = certify(question, decision);
  nlohmann::ordered_json json = {{"case", question.name}, {"policy", question.policy.name}};
  if (!certified) {
    json.update({{"certified", false}, {"fault", certified.error()}});
    return show(json, fmt::format("Nothing to certify: {}.\n", certified.error()), true, output);
  }
  json.update(to_json(*certified));
  return show(json, in_words(*certified, question.cluster.nodes.size()),
              certified->verdict.certified() && !certified->better, output);
}

}  // namespace

int prove_file(const std::string& path, const std::string& certificate, const PolicyOptions& options) {
  const auto input = load({path});
  if (!input) return kWrongInput;
  if (!input->case_spec && input->policy && certificate.empty()) return prove_policy(*input->policy, options);
  if (!input->case_spec) {
    return fail(fmt::format("{} has no document of kind PreemptionCase{}", path,
                            certificate.empty() ? " or PreemptionPolicy" : ""));
  }
  const auto question = manifest::to_case(*input);
  if (!question) return fail(manifest::to_string(question.error()));
  return certificate.empty() ? prove_case(*question, options.output)
                             : check_certificate(*question, certificate, options.output);
}

}  // namespace reprieve::cli
