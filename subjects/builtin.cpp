#include "reprieve/subjects/builtin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/reference/decide.h"
#include "reprieve/subjects/http_extender.h"
#include "reprieve/subjects/place.h"

namespace reprieve::subjects {

namespace {

const NodeDecision* find_node(const Decision& decision, std::string_view name) {
  const auto at = std::ranges::find(decision.nodes, name, &NodeDecision::node);
  return at == decision.nodes.end() ? nullptr : &*at;
}

std::string node_difference(const NodeDecision& answer, const NodeDecision& full) {
  if (answer.status != full.status) {
    return fmt::format("status {} against {}", to_string(answer.status), to_string(full.status));
  }
  if (answer.victims != full.victims) {
    return fmt::format("victims [{}] against [{}]", fmt::join(answer.victims, " "),
                       fmt::join(full.victims, " "));
  }
  if (answer.violations != full.violations) {
    return fmt::format("violations {} against {}", answer.violations, full.violations);
  }
  if (answer.key != full.key) return "keys differ";
  return {};
}

/// Asks as `ask_` does, and gives the same answers again after rewind(): two depths that agree must
/// not be told apart by an extender that changed its mind in between.
class Replay {
 public:
  explicit Replay(engine::AskExtender ask) : ask_(std::move(ask)) {}

  void rewind() { next_ = 0; }
  engine::AskExtender ask() {
    return [this](const Extender& extender, std::string_view preemptor, const engine::ExtenderNodes& nodes) {
      if (next_ < calls_.size() && calls_[next_].extender == extender && calls_[next_].nodes == nodes) {
        return calls_[next_++].answer;
      }
      calls_.resize(next_);  // the depths differ already, and are found to
      calls_.push_back({extender, nodes, ask_(extender, preemptor, nodes)});
      return calls_[next_++].answer;
    };
  }

 private:
  struct Call {
    Extender extender;
    engine::ExtenderNodes nodes;
    std::expected<engine::ExtenderNodes, std::string> answer;
  };
  engine::AskExtender ask_;
  std::vector<Call> calls_;
  std::size_t next_ = 0;
};

}  // namespace

std::string depth_difference(const Decision& answer, const Decision& full) {
  if (answer.outcome != full.outcome) {
    return fmt::format("outcome {} against {}", to_string(answer.outcome), to_string(full.outcome));
  }
  if (answer.reason != full.reason) {
    return fmt::format("reason '{}' against '{}'", answer.reason, full.reason);
  }
  if (answer.nominated != full.nominated) {
    return fmt::format("nominated [{}] against [{}]", fmt::join(answer.nominated, " "),
                       fmt::join(full.nominated, " "));
  }
  if (answer.cleared != full.cleared) {
    return fmt::format("cleared [{}] against [{}]", fmt::join(answer.cleared, " "),
                       fmt::join(full.cleared, " "));
  }
  // The bounds may hide the runner-up from depth answer, so only a level that it names counts.
  if (answer.decided_by && answer.decided_by != full.decided_by) {
    return fmt::format("decided by {} against {}", to_string(*answer.decided_by),
                       full.decided_by ? to_string(*full.decided_by) : "nothing");
  }
  const std::size_t told = std::min(answer.nominated.size(), engine::kToldOfTie);
  for (std::size_t i = 0; i < told; ++i) {
    const std::string& name = answer.nominated[i];
    if (find_node(answer, name) == nullptr) return fmt::format("node {} of the tie is missing", name);
  }
  for (const NodeDecision& node : answer.nodes) {
    const NodeDecision* twin = find_node(full, node.node);
    if (twin == nullptr) return fmt::format("node {} only at depth answer", node.node);
    if (const std::string what = node_difference(node, *twin); !what.empty()) {
      return fmt::format("node {}: {}", node.node, what);
    }
  }
  return {};
}

struct EngineSubject::Memory {
  engine::Workspace workspace;
};

EngineSubject::EngineSubject(EngineDepths depths) : depths_(depths), memory_(std::make_unique<Memory>()) {}
EngineSubject::~EngineSubject() = default;

Decision EngineSubject::decide(const Case& question) {
  const Place here(name(), question);
  Replay extenders(ask_over_http(question.cluster));
  const engine::AskExtender ask = extenders.ask();
  const engine::Snapshot snapshot(question.cluster, question.policy.release);
  const auto decide_at = [&](engine::Depth depth) {
    return engine::decide(snapshot, question.preemptor, question.policy, question.extenders, depth,
                          memory_->workspace, ask);
  };
  if (depths_ == EngineDepths::kAnswer) return decide_at(engine::Depth::kAnswer);
  Decision full = decide_at(engine::Depth::kFull);
  if (depths_ == EngineDepths::kFull) return full;

  extenders.rewind();
  const Decision answer = decide_at(engine::Depth::kAnswer);
  if (const std::string what = depth_difference(answer, full); !what.empty()) {
    Decision decision;
    decision.outcome = Outcome::kError;
    decision.reason = "depths answer and full differ: " + what;
    return decision;
  }
  return full;
}

Decision ReferenceSubject::decide(const Case& question) {
  const Place here(name(), question);
  return reference::decide(question);
}

}  // namespace reprieve::subjects
