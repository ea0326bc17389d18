#include "reprieve/smt/symbolic/formula.h"

#include <utility>

namespace reprieve::smt {
namespace {

class Formula final : public World {
 public:
  Formula(Terms& terms, const ProofSettings& settings) : World(terms, settings) {}

  std::vector<Term> read(const std::function<void(World&)>& body);
  ProofResult run(const std::function<void(World&)>& body);
  void assume(Bool condition) override { assumptions_.push_back(condition.term()); }

 private:
  bool decide(Term) override {
    stop(Verdict::kError, "a formula was asked to branch");
    return false;
  }

  std::vector<Term> assumptions_;
};

std::vector<Term> Formula::read(const std::function<void(World&)>& body) {
  Guide* const before = std::exchange(Guide::current(), this);
  body(*this);
  Guide::current() = before;
  std::vector<Term> query = assumptions_;
  query.push_back(broken_claim());
  return query;
}

ProofResult Formula::run(const std::function<void(World&)>& body) {
  const std::vector<Term> query = read(body);
  result_.paths = 1;
  if (claims_.empty()) stop(Verdict::kError, "nothing was claimed");
  if (stopped_) return std::move(result_);

  Solver solver(terms_, settings_.solver);
  for (const Term term : query) solver.add(term);
  const Answer answer = solver.check();
  if (answer == Answer::kSatisfiable) {
    refute(solver);
  } else if (answer != Answer::kUnsatisfiable) {
    stop(answer, solver);
  } else {
    if (settings_.asked) settings_.asked(query);
    Solver premises(terms_, settings_.solver);
    for (const Term term : assumptions_) premises.add(term);
    const Answer possible = assumptions_.empty() ? Answer::kSatisfiable : premises.check();
    if (possible == Answer::kUnsatisfiable) {
      stop(Verdict::kError, "the assumptions contradict each other");
    } else if (possible != Answer::kSatisfiable) {
      stop(possible, premises);
    }
  }
  result_.solver = solver.statistics();
  return std::move(result_);
}

}  // namespace

ProofResult prove(Terms& terms, const std::function<void(World&)>& body, const ProofSettings& settings) {
  TermsScope scope(terms);
  return Formula(terms, settings).run(body);
}

std::vector<Term> query_of(Terms& terms, const std::function<void(World&)>& body) {
  TermsScope scope(terms);
  const ProofSettings none;
  return Formula(terms, none).read(body);
}

}  // namespace reprieve::smt
