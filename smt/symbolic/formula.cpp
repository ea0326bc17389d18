#include "reprieve/smt/symbolic/formula.h"

#include <string>
#include <utility>

namespace reprieve::smt {
namespace {

using Query = std::vector<Term>;

class Formula final : public World {
 public:
  Formula(Terms& terms, const ProofSettings& settings) : World(terms, settings) {}

  std::vector<Query> read(const std::function<void(World&)>& body);
  ProofResult run(const std::function<void(World&)>& body);
  void assume(Bool condition) override { given_.push_back({condition.term(), {}}); }
  void step(std::string_view what, Bool holds) override {
    given_.push_back({holds.term(), std::string(what)});
  }

 private:
  struct Given {
    Term holds;
    std::string step;  // empty: an assumption
  };

  bool decide(Term) override {
    stop(Verdict::kError, "a formula was asked to branch");
    return false;
  }
  bool give(Solver& solver, const std::vector<Query>& queries);

  std::vector<Given> given_;
};

std::vector<Query> Formula::read(const std::function<void(World&)>& body) {
  Guide* const before = std::exchange(Guide::current(), this);
  body(*this);
  Guide::current() = before;
  std::vector<Query> queries;
  Query query;
  for (const Given& given : given_) {
    if (!given.step.empty()) {
      queries.push_back(query);
      queries.back().push_back(terms_.negate(given.holds));
    }
    query.push_back(given.holds);
  }
  query.push_back(broken_claim());
  queries.push_back(std::move(query));
  return queries;
}

// Adds what is given; whether every step follows from what is given before it.
bool Formula::give(Solver& solver, const std::vector<Query>& queries) {
  std::size_t shown = 0;
  for (const Given& given : given_) {
    if (!given.step.empty()) {
      solver.push();
      solver.add(terms_.negate(given.holds));
      const Answer answer = solver.check();
      if (answer == Answer::kSatisfiable) {
        stop(Verdict::kError, "a step does not follow: " + given.step);
      } else if (answer != Answer::kUnsatisfiable) {
        stop(answer, solver);
      }
      if (stopped_) return false;
      solver.pop();
      if (settings_.asked) settings_.asked(queries[shown]);
      ++shown;
    }
    solver.add(given.holds);
  }
  return true;
}

ProofResult Formula::run(const std::function<void(World&)>& body) {
  const std::vector<Query> queries = read(body);
  result_.paths = 1;
  if (claims_.empty()) stop(Verdict::kError, "nothing was claimed");
  if (stopped_) return std::move(result_);

  SolverSettings how = settings_.solver;
  how.incremental = how.incremental || queries.size() > 1;  // steps are many small questions
  Solver solver(terms_, how);
  if (!give(solver, queries)) return std::move(result_);
  solver.add(queries.back().back());
  const Answer answer = solver.check();
  if (answer == Answer::kSatisfiable) {
    refute(solver);
  } else if (answer != Answer::kUnsatisfiable) {
    stop(answer, solver);
  } else {
    if (settings_.asked) settings_.asked(queries.back());
    Solver premises(terms_, settings_.solver);
    bool any = false;
    for (const Given& given : given_) {
      if (!given.step.empty()) continue;
      premises.add(given.holds);
      any = true;
    }
    const Answer possible = any ? premises.check() : Answer::kSatisfiable;
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

std::vector<std::vector<Term>> queries_of(Terms& terms, const std::function<void(World&)>& body) {
  TermsScope scope(terms);
  const ProofSettings none;
  return Formula(terms, none).read(body);
}

}  // namespace reprieve::smt
