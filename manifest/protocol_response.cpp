// The reading half of responses: what another program decided.
//
// Lenient where a subject may leave something out without being misunderstood (cleared, decidedBy,
// violations of 0), strict where guessing would hide that it did not answer.
#include <fmt/core.h>
#include <simdjson.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "reprieve/manifest/decoder.h"
#include "reprieve/manifest/protocol.h"

namespace reprieve::manifest {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

/// Reads one response. Each function returns whether it succeeded; the first failure says why.
class ResponseParser {
 public:
  std::string error;

  bool read(const object& root, ProtocolReader::Response& response) {
    for (const auto field : root) {
      if (!read_field(field.key, field.value, response)) return false;
    }
    if (!outcome_seen_) return fail("outcome", "is missing");
    const Decision& decision = response.decision;
    if (decision.outcome == Outcome::kNominated && decision.nominated.empty()) {
      return fail("nominated", "is empty although the outcome is nominated");
    }
    if (decision.outcome != Outcome::kNominated && !decision.nominated.empty()) {
      return fail("nominated",
                  fmt::format("names a node although the outcome is {}", to_string(decision.outcome)));
    }
    return true;
  }

 private:
  bool fail(std::string_view field, std::string_view what) {
    error = fmt::format("{}: {}", field, what);
    return false;
  }

  bool read_text(std::string_view field, const element& value, std::string& out) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return fail(field, "must be a string");
    out = text;
    return true;
  }

  bool read_texts(std::string_view field, const element& value, std::vector<std::string>& out) {
    if (value.is_null()) return true;
    simdjson::dom::array array;
    if (value.get(array) != simdjson::SUCCESS) return fail(field, "must be a list of strings");
    for (const element item : array) {
      if (!read_text(field, item, out.emplace_back())) return false;
    }
    return true;
  }

  template <class Enum, std::size_t N>
  bool read_enum(std::string_view field, const element& value, const std::array<Enum, N>& all, Enum& out) {
    std::string text;
    if (!read_text(field, value, text)) return false;
    for (const Enum candidate : all) {
      if (to_string(candidate) == text) {
        out = candidate;
        return true;
      }
    }
    return fail(field, fmt::format("\"{}\" is not known", text));
  }

  bool read_outcome(const element& value, Outcome& out) {
    static constexpr std::array kAll = {Outcome::kFits, Outcome::kIneligible, Outcome::kNominated,
                                        Outcome::kNoCandidate, Outcome::kError};
    outcome_seen_ = true;
    return read_enum("outcome", value, kAll, out);
  }

  bool read_criterion(std::string_view field, const element& value, NodeCriterion& out) {
    static constexpr std::array kAll = {NodeCriterion::kPdbViolations, NodeCriterion::kHighestPriority,
                                        NodeCriterion::kPrioritySum,   NodeCriterion::kVictimCount,
                                        NodeCriterion::kLatestStart,   NodeCriterion::kRequestedShare,
                                        NodeCriterion::kBudgetsTouched};
    return read_enum(field, value, kAll, out);
  }

  bool read_number(std::string_view field, const element& value, std::int64_t& out) {
    return value.get(out) == simdjson::SUCCESS || fail(field, "must be an integer");
  }

  bool read_share(std::string_view field, const element& value, std::optional<Share>& out) {
    std::string text;
    if (!read_text(field, value, text)) return false;
    Share share;
    const char* end = text.data() + text.size();
    const auto top = std::from_chars(text.data(), end, share.requested);
    if (top.ec == std::errc() && top.ptr != end && *top.ptr == '/') {
      const auto bottom = std::from_chars(top.ptr + 1, end, share.allocatable);
      if (bottom.ec == std::errc() && bottom.ptr == end && share.requested >= 0 && share.allocatable >= 0 &&
          (share.requested > 0 || share.allocatable > 0)) {
        const std::int64_t divisor = std::gcd(share.requested, share.allocatable);
        out = {.requested = share.requested / divisor, .allocatable = share.allocatable / divisor};
        return true;
      }
    }
    return fail(field, "must be a fraction such as \"3/4\"");
  }

  bool read_start(std::string_view field, const element& value, std::optional<TimeUs>& out) {
    std::string text;
    if (value.is_null()) return true;
    if (!read_text(field, value, text)) return false;
    out = parse_time(text);
    return out || fail(field, "must be a time");
  }

  bool read_levels(const std::string& where, const element& value, std::optional<CandidateKey>& out) {
    object levels;
    if (value.is_null()) return true;
    if (value.get(levels) != simdjson::SUCCESS) return fail(where, "must be an object");
    CandidateKey& key = out.emplace();
    std::int64_t priority = 0;
    // All five or none: who reads a key takes every part of it for told.
    for (const char* name : {"pdbViolations", "highestPriority", "prioritySum", "victimCount"}) {
      element level;
      if (levels.at_key(name).get(level) != simdjson::SUCCESS)
        return fail(where, fmt::format("has no {}", name));
      std::int64_t& number = name == std::string_view("pdbViolations")     ? key.violations
                             : name == std::string_view("highestPriority") ? priority
                             : name == std::string_view("prioritySum")     ? key.priority_sum
                                                                           : key.victim_count;
      if (!read_number(fmt::format("{}.{}", where, name), level, number)) return false;
    }
    if (priority < INT32_MIN || priority > INT32_MAX)
      return fail(where + ".highestPriority", "is no priority");
    key.highest_priority = static_cast<std::int32_t>(priority);
    element start;
    if (levels.at_key("latestStart").get(start) != simdjson::SUCCESS)
      return fail(where, "has no latestStart");
    if (!read_start(where + ".latestStart", start, key.earliest_start_us)) return false;
    element level;
    if (levels.at_key("requestedShare").get(level) == simdjson::SUCCESS &&
        !read_share(where + ".requestedShare", level, key.requested_share)) {
      return false;
    }
    return levels.at_key("budgetsTouched").get(level) != simdjson::SUCCESS ||
           read_number(where + ".budgetsTouched", level, key.budgets_touched.emplace());
  }

  bool read_bound(const std::string& where, const element& value, Bound& bound) {
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return fail(where, "must be an object");
    element level, found, at_least;
    if (fields.at_key("level").get(level) != simdjson::SUCCESS ||
        fields.at_key("found").get(found) != simdjson::SUCCESS ||
        fields.at_key("atLeast").get(at_least) != simdjson::SUCCESS) {
      return fail(where, "must have level, found and atLeast");
    }
    return read_criterion(where + ".level", level, bound.level) &&
           read_number(where + ".found", found, bound.found) &&
           read_number(where + ".atLeast", at_least, bound.at_least);
  }

  bool read_bounds(const element& value, std::vector<Bound>& out) {
    simdjson::dom::array array;
    if (value.is_null()) return true;
    if (value.get(array) != simdjson::SUCCESS) return fail("bounded", "must be a list");
    for (const element item : array) {
      const std::string where = fmt::format("bounded[{}]", out.size());
      if (!read_bound(where, item, out.emplace_back())) return false;
    }
    return true;
  }

  bool read_node_field(const std::string& where, std::string_view key, const element& value,
                       NodeDecision& node, bool& status_seen) {
    static constexpr std::array kAll = {NodeStatus::kFits, NodeStatus::kCandidate, NodeStatus::kUnschedulable,
                                        NodeStatus::kUnresolvable};
    if (key == "status") {
      status_seen = true;
      return read_enum(where + ".status", value, kAll, node.status);
    }
    if (key == "victims") return read_texts(where + ".victims", value, node.victims);
    if (key == "reasons") return read_texts(where + ".reasons", value, node.reasons);
    if (key == "levels") return read_levels(where + ".levels", value, node.key);
    if (key == "violations" && value.get(node.violations) != simdjson::SUCCESS) {
      return fail(where + ".violations", "must be an integer");
    }
    return true;  // a field that is not ours
  }

  bool read_node(std::string_view name, const element& value, NodeDecision& node) {
    const std::string where = "nodes." + std::string(name);
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) return fail(where, "must be an object");
    node.node = name;
    bool status_seen = false;
    for (const auto field : fields) {
      if (!read_node_field(where, field.key, field.value, node, status_seen)) return false;
    }
    return status_seen || fail(where, "has no status");
  }

  bool read_nodes(const element& value, Decision& decision) {
    if (value.is_null()) return true;
    object nodes;
    if (value.get(nodes) != simdjson::SUCCESS) return fail("nodes", "must be an object");
    std::unordered_set<std::string_view> seen;
    for (const auto field : nodes) {
      if (!seen.insert(field.key).second) return fail("nodes", fmt::format("{} is there twice", field.key));
      if (!read_node(field.key, field.value, decision.nodes.emplace_back())) return false;
    }
    return true;
  }

  bool read_field(std::string_view key, const element& value, ProtocolReader::Response& response) {
    Decision& decision = response.decision;
    if (key == "id") return value.is_null() || read_text("id", value, response.id);
    if (key == "outcome") return read_outcome(value, decision.outcome);
    if (key == "reason") return value.is_null() || read_text("reason", value, decision.reason);
    if (key == "nominated") return read_texts("nominated", value, decision.nominated);
    if (key == "cleared") return read_texts("cleared", value, decision.cleared);
    if (key == "decidedBy") {
      return value.is_null() || read_criterion("decidedBy", value, decision.decided_by.emplace());
    }
    if (key == "bounded") return read_bounds(value, decision.bounded);
    if (key == "nodes") return read_nodes(value, decision);
    return true;
  }

  bool outcome_seen_ = false;
};

}  // namespace

std::expected<ProtocolReader::Response, std::string> ProtocolReader::read_response(std::string_view line) {
  // Not in State: that belongs to the requests, which are read with a parser of their own.
  thread_local simdjson::dom::parser parser;
  element root;
  if (const auto code = parser.parse(line.data(), line.size()).get(root); code != simdjson::SUCCESS) {
    return std::unexpected(fmt::format("not JSON: {}", simdjson::error_message(code)));
  }
  object fields;
  if (root.get(fields) != simdjson::SUCCESS) return std::unexpected("must be a JSON object");
  Response response;
  ResponseParser reader;
  if (!reader.read(fields, response)) return std::unexpected(std::move(reader.error));
  return response;
}

}  // namespace reprieve::manifest
