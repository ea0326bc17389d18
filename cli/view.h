// What `decide` shows of a decision: the answer, its victims as a person or a program reads them,
// and why other nodes were refused, summed up.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/pod_index.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli {

struct VictimView {
  std::string pod;
  std::int32_t priority = 0;
  std::optional<TimeUs> start_time_us;
  bool violating = false;
};

struct RefusalView {
  NodeStatus status = NodeStatus::kUnschedulable;
  std::string reason;
  std::size_t nodes = 0;
};

struct DecisionView {
  std::string pod;
  std::int32_t priority = 0;
  std::string policy;
  Outcome outcome = Outcome::kError;
  std::string reason;
  std::vector<std::string> nominated;  // the whole tie, the chosen one first
  std::vector<std::string> fitting;    // with kFits
  std::string applied_node;            // with --apply: nominated or bound to
  std::optional<NodeCriterion> decided_by;
  std::int64_t violations = 0;
  std::optional<CandidateKey> levels;  // of the chosen node
  std::vector<Bound> bounded;          // not proved: how far, level by level
  std::vector<VictimView> victims;
  std::vector<std::string> cleared;
  std::vector<RefusalView> refusals;  // most nodes first
  std::size_t nodes = 0;
};

/// `pods` are those of the cluster that the decision was made for, `nodes` how many nodes it has.
DecisionView view(const Decision& decision, const Pod& preemptor, const PodIndex& pods, std::size_t nodes,
                  const std::string& policy);

// `full`: the decision told of every node, so the deciding level, the budgets violated and the refusals
// are known.

/// A paragraph for one pod, as `kubectl describe` would write it.
std::string describe(const DecisionView& view);

/// One line for each pod, as `kubectl get` would write it.
std::string tabulate(const std::vector<DecisionView>& views, bool full);

nlohmann::ordered_json to_json(const DecisionView& view, bool full);

/// The levels of a candidate by the names of their criteria; a missing start ("now") is null, a share a
/// fraction such as "3/4". Those that the policy does not name are left out, but for Kubernetes' five.
nlohmann::ordered_json to_json(const CandidateKey& key);
/// The proven gap of each level; in words for a reader.
nlohmann::ordered_json to_json(const std::vector<Bound>& bounds);
std::string in_words(const Bound& bound);

}  // namespace reprieve::cli
