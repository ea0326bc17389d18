// The writing half of the subject protocol.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/write_objects.h"
#include "reprieve/model/share.h"

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

void append_number(std::string& out, std::string_view key, std::int64_t value) {
  append_key(out, key);
  fmt::format_to(std::back_inserter(out), "{}", value);
}

// Kubernetes' five levels follow from the victims, so they are told only beside those that do not.
void append_levels(std::string& out, const CandidateKey& key) {
  append_key(out, "levels");
  out += '{';
  append_number(out, "pdbViolations", key.violations);
  append_number(out, "highestPriority", key.highest_priority);
  append_number(out, "prioritySum", key.priority_sum);
  append_number(out, "victimCount", key.victim_count);
  append_key(out, "latestStart");
  if (key.earliest_start_us) {
    append_json_string(out, time_text(*key.earliest_start_us));
  } else {
    out += "null";
  }
  if (key.requested_share) {
    append_key(out, "requestedShare");
    append_json_string(out, to_string(*key.requested_share));
  }
  if (key.budgets_touched) append_number(out, "budgetsTouched", *key.budgets_touched);
  out += '}';
}

void append_bounds(std::string& out, const std::vector<Bound>& bounds) {
  out += '[';
  for (const Bound& bound : bounds) {
    if (out.back() != '[') out += ',';
    out += '{';
    append_key(out, "level");
    append_json_string(out, to_string(bound.level));
    append_number(out, "found", bound.found);
    append_number(out, "atLeast", bound.at_least);
    out += '}';
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
      append_number(out, "violations", node.violations);
      if (node.key && (node.key->requested_share || node.key->budgets_touched)) {
        append_levels(out, *node.key);
      }
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
  if (!decision.bounded.empty()) {
    append_key(out, "bounded");
    append_bounds(out, decision.bounded);
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
