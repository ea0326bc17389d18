#include "reprieve/smt/symbolic/explorer.h"

#include <fmt/format.h>

#include <chrono>
#include <unordered_map>
#include <utility>

namespace reprieve::smt {
namespace {

class Explorer final : public World {
 public:
  Explorer(Terms& terms, const ProofSettings& settings)
      : World(terms, settings), solver_(terms, settings.solver) {}

  ProofResult run(const std::function<void(World&)>& body);
  void assume(Bool condition) override;

 private:
  // A step of the current path: a turn, or an assumption (which has no other side).
  struct Step {
    Term condition;
    bool taken = true;
    bool pushed = false;                   // has a level of the solver's stack
    std::optional<Assignment> other_side;  // a model of the side not taken yet; empty: not written down
  };

  bool decide(Term condition) override;
  bool replays(Term condition);
  void remember(Term condition, bool holds);
  std::optional<bool> remembered(Term condition) const;
  void tell(Term last) const;
  void end_path();
  bool next_path();

  Solver solver_;
  std::vector<Step> path_;
  std::size_t at_ = 0;                             // of the path's steps, how many this run has made
  std::unordered_map<std::uint32_t, bool> known_;  // conditions, not negated, of the steps of this run
  bool impossible_ = false;                        // an assumption failed: what comes now does not count
  bool claimed_ = false;                           // some path came to its end and claimed something
};

// Whether the step was made before; the path then leads on as it did.
bool Explorer::replays(Term condition) {
  if (at_ == path_.size()) return false;
  if (path_[at_].condition != condition) stop(Verdict::kError, "the body is not the same on the same path");
  ++at_;
  return true;
}

// What was decided or assumed on this path is not asked again.
void Explorer::remember(Term condition, bool holds) {
  const Op op = terms_.node(condition).op;
  if (op == Op::kNot) return remember(terms_.children(condition)[0], !holds);
  known_.emplace(condition.id, holds);
  if (op == (holds ? Op::kAnd : Op::kOr)) {
    for (const Term part : terms_.children(condition)) remember(part, holds);
  }
}

std::optional<bool> Explorer::remembered(Term condition) const {
  if (terms_.node(condition).op == Op::kNot) {
    const auto other = remembered(terms_.children(condition)[0]);
    return other ? std::optional(!*other) : std::nullopt;
  }
  const auto found = known_.find(condition.id);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Explorer::tell(Term last) const {
  if (!settings_.asked) return;
  std::vector<Term> all;
  for (const Step& step : path_) all.push_back(step.taken ? step.condition : terms_.negate(step.condition));
  all.push_back(last);
  settings_.asked(all);
}

void Explorer::assume(Bool condition) {
  const Term term = condition.term();
  if (term == Terms::kTrue || impossible_ || stopped_ || remembered(term) == true) return;
  remember(term, true);
  if (replays(term)) return;
  solver_.add(term);
  if (!holds_in_model(term)) {
    const Answer answer = solver_.check();
    if (answer == Answer::kSatisfiable) {
      set_model(solver_.model());
    } else if (answer == Answer::kUnsatisfiable) {
      tell(term);
      impossible_ = true;
    } else {
      stop(answer, solver_);
    }
  }
  path_.push_back({.condition = term});
  ++at_;
}

bool Explorer::decide(Term condition) {
  if (impossible_ || stopped_) return false;
  if (const auto known = remembered(condition)) return *known;
  if (replays(condition)) {
    remember(condition, path_[at_ - 1].taken);
    return path_[at_ - 1].taken;
  }
  // The model's side is possible. Without a model (a value beyond int64) either may be tried first.
  Step step{.condition = condition, .taken = holds_in_model(condition)};
  const Term mine = step.taken ? condition : terms_.negate(condition);
  solver_.push();
  solver_.add(terms_.negate(mine));
  const Answer answer = solver_.check();
  if (answer == Answer::kSatisfiable) {
    step.other_side = solver_.model().value_or(Assignment{});
  } else if (answer == Answer::kUnsatisfiable) {
    tell(terms_.negate(mine));
  } else {
    stop(answer, solver_);
  }
  solver_.pop();
  if (step.other_side) {
    step.pushed = true;
    solver_.push();
    solver_.add(mine);
  }
  remember(condition, step.taken);
  path_.push_back(std::move(step));
  ++at_;
  return path_.back().taken;
}

// All claims of a path at once.
void Explorer::end_path() {
  if (stopped_ || impossible_) return;
  claimed_ = claimed_ || !claims_.empty();
  const Term broken = broken_claim();
  if (broken == Terms::kFalse) return;
  solver_.push();
  solver_.add(broken);
  const Answer answer = solver_.check();
  if (answer == Answer::kUnsatisfiable) {
    tell(broken);
  } else if (answer == Answer::kSatisfiable) {
    refute(solver_);
  } else {
    stop(answer, solver_);
  }
  solver_.pop();
}

// Back to the last turn whose other side was not taken yet, and there to the other side.
bool Explorer::next_path() {
  while (!path_.empty() && !path_.back().other_side) {
    if (path_.back().pushed) solver_.pop();
    path_.pop_back();
  }
  if (path_.empty()) return false;
  Step& turn = path_.back();
  solver_.pop();
  turn.taken = !turn.taken;
  set_model(turn.other_side->empty() ? std::nullopt : std::move(turn.other_side));
  turn.other_side.reset();
  solver_.push();
  solver_.add(turn.taken ? turn.condition : terms_.negate(turn.condition));
  return true;
}

ProofResult Explorer::run(const std::function<void(World&)>& body) {
  Guide* const before = std::exchange(Guide::current(), this);
  const auto start = std::chrono::steady_clock::now();
  do {
    at_ = 0;
    impossible_ = false;
    claims_.clear();
    sizes_.clear();
    known_.clear();
    quotients_ = 0;
    body(*this);
    end_path();
    ++result_.paths;
    if (stopped_) break;
    const auto spent = std::chrono::steady_clock::now() - start;
    if (spent > std::chrono::milliseconds(settings_.time_ms)) {
      stop(Verdict::kUnknown, fmt::format("out of time after {} paths", result_.paths));
    } else if (settings_.progress && !settings_.progress(result_.paths)) {
      stop(Verdict::kUnknown, fmt::format("stopped after {} paths", result_.paths));
    }
  } while (!stopped_ && next_path());
  if (!claimed_) stop(Verdict::kError, "nothing was claimed, or the assumptions contradict each other");
  Guide::current() = before;
  result_.solver = solver_.statistics();
  return std::move(result_);
}

}  // namespace

ProofResult explore(Terms& terms, const std::function<void(World&)>& body, const ProofSettings& settings) {
  TermsScope scope(terms);
  ProofSettings incremental = settings;
  incremental.solver.incremental = true;
  return Explorer(terms, incremental).run(body);
}

}  // namespace reprieve::smt
