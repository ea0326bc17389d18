// A certificate as data, and as JSON. Nothing of form.cpp has to be right: the checker takes from a
// certificate hints alone, and who reads one wrongly reads another, which is checked as well.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/decision.h"

namespace reprieve::certificate {

/// Of a leaf; by name of the resource and of the budget.
struct Multipliers {
  std::map<std::string, std::int64_t, std::less<>> rows, budgets;
  std::int64_t violations = 0, sum = 0, most = 0, least = 0, top = 0;
};

/// That no set of victims is in a region: at once (a leaf), or divided into two of which each has a tree.
struct Tree {
  enum class Kind : std::uint8_t { kLeaf, kViolating, kPod, kVictims };
  Kind kind = Kind::kLeaf;
  Multipliers by;            // of a leaf
  std::string pod;           // kPod: sides[0] is with it evicted, sides[1] with it kept
  std::int64_t victims = 0;  // kVictims: sides[0] is with fewer than so many, sides[1] with others
  std::vector<Tree> sides = {};
};

/// What is said of a node: that it is left open, or why; what refuses the preemptor; or a step for each
/// level.
struct NodeClaim {
  std::string node, open, refused;
  bool worse = false;  // the last step shows that its level is not even equal
  std::vector<Tree> steps;
};

struct Choice {
  std::string node;
  std::vector<std::string> victims;  // "namespace/name"
  std::optional<CandidateKey> key;
};

struct Certificate {
  std::string preemptor, policy;
  std::optional<Choice> decision;  // absent: there is no candidate
  std::optional<Choice> better;
  std::vector<NodeClaim> nodes;
};

std::string to_json(const Certificate& certificate);

/// Nothing when the text is no certificate, whatever its bytes are.
std::optional<Certificate> from_json(std::string_view text);

}  // namespace reprieve::certificate
