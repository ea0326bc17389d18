// The writing half of the subject protocol.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/write_objects.h"

namespace reprieve::manifest {
namespace {

// Responses are on the hot path of every subject, so they are appended as text, without a tree.

void append_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out += ',';
  out += '"';
  out += key;
  out += "\":";
}

void append_strings(std::string& out, const std::vector<std::string>& values) {
  out += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(out, values[i]);
  }
  out += ']';
}

void append_node(std::string& out, const NodeDecision& node) {
  out += "{\"status\":";
  append_json_string(out, to_string(node.status));
  switch (node.status) {
    case NodeStatus::kFits: break;
    case NodeStatus::kCandidate:
      append_key(out, "victims");
      append_strings(out, node.victims);
      append_key(out, "violations");
      fmt::format_to(std::back_inserter(out), "{}", node.violations);
      break;
    case NodeStatus::kUnschedulable:
    case NodeStatus::kUnresolvable:
      append_key(out, "reasons");
      append_strings(out, node.reasons);
      break;
  }
  out += '}';
}

}  // namespace

std::string write_request(const Case& question) {
  std::string out = "{\"id\":";
  append_json_string(out, question.name);
  append_key(out, "policy");
  append_json(out, policy_reference(question.policy), -1);
  append_key(out, "preemptor");
  append_json_string(out, question.preemptor);
  append_key(out, "objects");
  out += '[';
  bool first = true;
  for_each_object(question.cluster, Detail::kDefaulted, [&](const Document& object) {
    if (!first) out += ',';
    first = false;
    append_json(out, object, -1);
  });
  out += ']';
  if (!question.extenders.empty()) {
    append_key(out, "extenders");
    append_json(out, extenders_document(question.extenders), -1);
  }
  out += '}';
  return out;
}

std::string write_response(std::string_view id, const Decision& decision) {
  std::string id_json;
  append_json_string(id_json, id);
  return write_response_to(id_json, decision);
}

std::string write_response_to(std::string_view id_json, const Decision& decision) {
  std::string out;
  out.reserve(128 + 96 * decision.nodes.size());
  out += "{\"id\":";
  out += id_json;
  append_key(out, "outcome");
  append_json_string(out, to_string(decision.outcome));
  if (!decision.reason.empty()) {
    append_key(out, "reason");
    append_json_string(out, decision.reason);
  }
  append_key(out, "nominated");
  append_strings(out, decision.nominated);
  append_key(out, "cleared");
  append_strings(out, decision.cleared);
  if (decision.decided_by) {
    append_key(out, "decidedBy");
    append_json_string(out, to_string(*decision.decided_by));
  }
  append_key(out, "nodes");
  out += '{';
  for (const NodeDecision& node : decision.nodes) {
    if (out.back() != '{') out += ',';
    append_json_string(out, node.node);
    out += ':';
    append_node(out, node);
  }
  out += "}}";
  return out;
}

std::string write_error_response(const RequestError& error) {
  std::string out = "{\"id\":" + error.id_json;
  append_key(out, "outcome");
  append_json_string(out, to_string(Outcome::kError));
  append_key(out, "reason");
  append_json_string(out, error.message);
  out += '}';
  return out;
}

}  // namespace reprieve::manifest
