#include "reprieve/certificate/form.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace reprieve::certificate {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kDeepest = 4096;  // no node has so many pods, and a division takes one away

// --- Writing.

Json written(const Choice& choice) {
  Json json = {{"node", choice.node}, {"victims", choice.victims}};
  if (!choice.key) return json;
  json["key"] = {{"violations", choice.key->violations},
                 {"highestPriority", choice.key->highest_priority},
                 {"prioritySum", choice.key->priority_sum},
                 {"victimCount", choice.key->victim_count}};
  if (choice.key->earliest_start_us) json["key"]["latestStart"] = *choice.key->earliest_start_us;
  return json;
}

Json written(const Multipliers& by) {
  Json json = Json::object();
  for (const auto& [resource, value] : by.rows) json["rows"][resource] = value;
  for (const auto& [budget, value] : by.budgets) json["budgets"][budget] = value;
  const auto put = [&](const char* name, std::int64_t value) {
    if (value != 0) json[name] = value;
  };
  put("violations", by.violations);
  put("sum", by.sum);
  put("most", by.most);
  put("least", by.least);
  put("top", by.top);
  return json;
}

Json written(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::kLeaf: return written(tree.by);
    case Tree::Kind::kViolating: return {{"violating", true}};
    case Tree::Kind::kPod:
      return {{"pod", tree.pod}, {"evicted", written(tree.sides[0])}, {"kept", written(tree.sides[1])}};
    case Tree::Kind::kVictims:
      return {
          {"victims", tree.victims}, {"fewer", written(tree.sides[0])}, {"others", written(tree.sides[1])}};
  }
  return {};
}

Json written(const NodeClaim& claim) {
  Json json = {{"node", claim.node}};
  if (!claim.open.empty()) return json["open"] = claim.open, json;
  if (!claim.refused.empty()) return json["refused"] = claim.refused, json;
  if (claim.worse) json["worse"] = true;
  json["steps"] = Json::array();
  for (const Tree& step : claim.steps) json["steps"].push_back(written(step));
  return json;
}

// --- Reading. What is not as it should be makes the whole none.

class Reader {
 public:
  bool failed() const { return failed_; }

  Certificate certificate(const Json& json) {
    if (text(json, "kind") != "PreemptionCertificate") failed_ = true;
    Certificate result{.preemptor = text(json, "preemptor"), .policy = text(json, "policy")};
    if (!part(json, "decision").is_null()) result.decision = choice(part(json, "decision"));
    if (text(json, "outcome") != (result.decision ? "nominated" : "no-candidate")) failed_ = true;
    if (!part(json, "better").is_null()) result.better = choice(part(json, "better"));
    for (const Json& node : list(json, "nodes")) result.nodes.push_back(claim(node));
    return result;
  }

 private:
  static const Json& part(const Json& of, const char* field) {
    static const Json kNone;
    const auto at = of.is_object() ? of.find(field) : of.end();
    return at != of.end() ? *at : kNone;
  }
  const Json& list(const Json& of, const char* field) {
    static const Json kNone = Json::array();
    const Json& json = part(of, field);
    if (json.is_array()) return json;
    failed_ = true;
    return kNone;
  }
  std::string as_text(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    failed_ = true;
    return "";
  }
  std::string text(const Json& of, const char* field) { return as_text(part(of, field)); }
  std::string text_or_none(const Json& of, const char* field) {
    return part(of, field).is_null() ? "" : text(of, field);
  }
  template <class Number>
  Number as_number(const Json& json) {
    const bool whole = json.is_number_integer();
    const bool fits = whole &&
                      (!json.is_number_unsigned() || std::in_range<Number>(json.get<std::uint64_t>())) &&
                      std::in_range<Number>(json.get<std::int64_t>());
    if (fits) return json.get<Number>();
    failed_ = true;
    return 0;
  }
  // A multiplier is 0 when it is not there.
  void read(const Json& of, const char* field, std::int64_t& to) {
    if (!part(of, field).is_null()) to = as_number<std::int64_t>(part(of, field));
  }

  Choice choice(const Json& json) {
    Choice result{.node = text(json, "node"), .victims = {}, .key = CandidateKey()};
    for (const Json& victim : list(json, "victims")) result.victims.push_back(as_text(victim));
    const Json& key = part(json, "key");
    result.key->violations = as_number<std::int64_t>(part(key, "violations"));
    result.key->highest_priority = as_number<std::int32_t>(part(key, "highestPriority"));
    result.key->priority_sum = as_number<std::int64_t>(part(key, "prioritySum"));
    result.key->victim_count = as_number<std::int64_t>(part(key, "victimCount"));
    if (!part(key, "latestStart").is_null())
      result.key->earliest_start_us = as_number<TimeUs>(part(key, "latestStart"));
    return result;
  }

  NodeClaim claim(const Json& json) {
    NodeClaim result{.node = text(json, "node"),
                     .open = text_or_none(json, "open"),
                     .refused = text_or_none(json, "refused"),
                     .worse = part(json, "worse") == true,
                     .steps = {}};
    if (!result.open.empty() || !result.refused.empty()) return result;
    for (const Json& step : list(json, "steps")) result.steps.push_back(tree(step, 0));
    return result;
  }

  Tree tree(const Json& json, int depth) {
    Tree result;
    if (!json.is_object() || depth > kDeepest) failed_ = true;
    if (failed_) return result;
    const auto divided = [&](Tree::Kind kind, const char* one, const char* other) {
      result.kind = kind;
      for (const char* side : {one, other}) result.sides.push_back(tree(part(json, side), depth + 1));
    };
    if (json.contains("pod")) {
      result.pod = text(json, "pod");
      divided(Tree::Kind::kPod, "evicted", "kept");
    } else if (json.contains("victims")) {
      result.victims = as_number<std::int64_t>(part(json, "victims"));
      divided(Tree::Kind::kVictims, "fewer", "others");
    } else if (json.contains("violating")) {
      result.kind = Tree::Kind::kViolating;
      if (part(json, "violating") != true) failed_ = true;
    } else {
      for (const bool of_rows : {true, false}) {
        for (const auto& [name, value] : part(json, of_rows ? "rows" : "budgets").items())
          (of_rows ? result.by.rows : result.by.budgets)[name] = as_number<std::int64_t>(value);
      }
      read(json, "violations", result.by.violations);
      read(json, "sum", result.by.sum);
      read(json, "most", result.by.most);
      read(json, "least", result.by.least);
      read(json, "top", result.by.top);
    }
    return result;
  }

  bool failed_ = false;
};

}  // namespace

std::string to_json(const Certificate& certificate) {
  Json json = {{"apiVersion", "reprieve.dev/v1alpha1"},
               {"kind", "PreemptionCertificate"},
               {"preemptor", certificate.preemptor},
               {"policy", certificate.policy},
               {"outcome", certificate.decision ? "nominated" : "no-candidate"}};
  if (certificate.decision) json["decision"] = written(*certificate.decision);
  if (certificate.better) json["better"] = written(*certificate.better);
  json["nodes"] = Json::array();
  for (const NodeClaim& claim : certificate.nodes) json["nodes"].push_back(written(claim));
  return json.dump(1);
}

std::optional<Certificate> from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  Reader reader;
  Certificate certificate = reader.certificate(json);
  if (reader.failed()) return std::nullopt;
  return certificate;
}

}  // namespace reprieve::certificate
