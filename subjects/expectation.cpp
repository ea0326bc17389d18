#include "reprieve/subjects/expectation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace reprieve::subjects {

namespace {

using Names = std::vector<std::string>;

bool same_set(Names a, Names b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

std::string list(const Names& names) { return fmt::format("[{}]", fmt::join(names, ", ")); }

class Comparison {
 public:
  explicit Comparison(const Decision& decision) : decision_(decision) {}

  void text(std::string_view what, std::string_view expected, std::string_view actual) {
    if (expected != actual) add(what, expected, actual);
  }

  void names(std::string_view what, const Names& expected, const Names& actual) {
    if (!same_set(expected, actual)) add(what, list(expected), list(actual));
  }

  /// The decision's story of a node that the file speaks of; its absence is a difference.
  const NodeDecision* node(const std::string& name) {
    const auto at = std::ranges::find(decision_.nodes, name, &NodeDecision::node);
    if (at != decision_.nodes.end()) return &*at;
    add("node " + name, "an answer", "none");
    return nullptr;
  }

  std::vector<std::string> take() { return std::move(differences_); }

 private:
  void add(std::string_view what, std::string_view expected, std::string_view actual) {
    differences_.push_back(fmt::format("{}: expected {}, got {}", what, expected, actual));
  }

  const Decision& decision_;
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> unmet(const manifest::Expectation& expected, const Decision& decision) {
  Comparison compare(decision);
  if (expected.outcome) {
    std::string actual(to_string(decision.outcome));
    if (decision.outcome == Outcome::kError) actual += " (" + decision.reason + ")";
    compare.text("outcome", to_string(*expected.outcome), actual);
  }
  if (expected.reason) compare.text("reason", *expected.reason, decision.reason);
  if (expected.nominated) compare.names("nominated", *expected.nominated, decision.nominated);
  if (expected.decided_by) {
    compare.text("decidedBy", to_string(*expected.decided_by),
                 decision.decided_by ? to_string(*decision.decided_by) : "nothing");
  }
  if (expected.cleared) compare.names("cleared", *expected.cleared, decision.cleared);
  for (const auto& [name, candidate] : expected.candidates) {
    const NodeDecision* node = compare.node(name);
    if (node == nullptr) continue;
    compare.text("node " + name, to_string(NodeStatus::kCandidate), to_string(node->status));
    compare.names("victims on " + name, candidate.victims, node->victims);
    compare.text("violations on " + name, std::to_string(candidate.violations),
                 std::to_string(node->violations));
  }
  for (const auto& [name, status] : expected.nodes) {
    if (const NodeDecision* node = compare.node(name)) {
      compare.text("node " + name, to_string(status), to_string(node->status));
    }
  }
  for (const auto& [name, reasons] : expected.reasons) {
    if (const NodeDecision* node = compare.node(name))
      compare.names("reasons of " + name, reasons, node->reasons);
  }
  return compare.take();
}

}  // namespace reprieve::subjects
