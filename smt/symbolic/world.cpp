#include "reprieve/smt/symbolic/world.h"

#include <fmt/format.h>

#include <limits>

namespace reprieve::smt {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProved: return "proved";
    case Verdict::kRefuted: return "refuted";
    case Verdict::kUnknown: return "unknown";
    case Verdict::kError: return "error";
  }
  return "error";
}

Int World::integer(std::string_view name, std::int64_t lowest, std::int64_t highest) {
  const Int made(terms_.int_variable(name, {lowest, highest}));
  // Terms outlive a body, and what was declared first stays.
  const Interval& declared = terms_.find_variable(name)->range;
  if (declared.least != lowest || declared.greatest != highest)
    stop(Verdict::kError, fmt::format("{} is declared with two ranges", name));
  return made;
}
Int World::integer(std::string_view name) { return Int(terms_.int_variable(name)); }
Bool World::boolean(std::string_view name) { return Bool(terms_.bool_variable(name)); }

void World::claim(std::string_view what, Bool holds) { claims_.push_back({std::string(what), holds.term()}); }

void World::step(std::string_view, Bool) { stop(Verdict::kError, "a step in a body that is explored"); }

void World::must_fit(Term sum) {
  using Limits = std::numeric_limits<std::int64_t>;
  claims_.push_back(
      {"every sum fits into int64", terms_.both(terms_.less_equal(terms_.constant(Limits::min()), sum),
                                                terms_.less_equal(sum, terms_.constant(Limits::max())))});
}

Term World::divide(Term a, Term b, std::optional<std::int64_t> limit) {
  const Term zero = terms_.constant(0);
  claim("what is divided is not negative", Bool(terms_.less_equal(zero, a)));
  claim("what divides is positive", Bool(terms_.less(zero, b)));
  const std::string name = "quotient" + std::to_string(++quotients_);
  if (terms_.node(b).op == Op::kConstant && !limit) {
    const std::int64_t by = terms_.node(b).value;
    const Term quotient = terms_.int_variable(name);
    const Term rest = terms_.subtract(a, terms_.scale(by, quotient));
    assume(Bool(terms_.less_equal(zero, rest)));
    assume(Bool(terms_.less(rest, b)));
    return quotient;
  }
  for (std::int64_t quotient = 0; quotient <= most_quotient_ || limit; ++quotient) {
    if (limit && quotient >= *limit) return terms_.constant(*limit);
    if (static_cast<bool>(Bool(terms_.less(a, terms_.scale(quotient + 1, b)))))
      return terms_.constant(quotient);
  }
  return terms_.int_variable(name, {most_quotient_ + 1, std::numeric_limits<std::int64_t>::max() - 1});
}

void World::stop(Verdict verdict, std::string why) {
  if (stopped_) return;
  stopped_ = true;
  result_.verdict = verdict;
  result_.why = std::move(why);
}

void World::stop(Answer no_answer, const Solver& solver) {
  stop(no_answer == Answer::kUnknown ? Verdict::kUnknown : Verdict::kError, solver.reason());
}

void World::set_model(std::optional<Assignment> model) {
  model_ = std::move(model);
  terms_.forget_values();
}

bool World::holds_in_model(Term condition) {
  return model_ && terms_.evaluate(condition, *model_) == std::optional<std::int64_t>(1);
}

Term World::broken_claim() const {
  std::vector<Term> holds;
  for (const Claim& claim : claims_) holds.push_back(claim.holds);
  return terms_.negate(terms_.all_of(holds));
}

void World::refute(Solver& solver) {
  set_model(solver.model());
  if (!model_) return stop(Verdict::kRefuted, "in a case with values that do not fit into int64");
  for (const Claim& claim : claims_) {
    if (holds_in_model(claim.holds)) continue;
    shrink(solver, claim);
    result_.model = model_;
    return stop(Verdict::kRefuted, claim.what);
  }
  stop(Verdict::kError, "the counterexample breaks no claim");
}

// Asks for ever smaller counterexamples to the same claim, halving between what is possible and what
// is not. A counterexample that was found stays one when the time runs out here.
void World::shrink(Solver& solver, const Claim& broken) {
  if (sizes_.empty()) return;
  solver.add(terms_.negate(broken.holds));
  const Term size = terms_.sum(sizes_);
  std::int64_t impossible = -1;
  while (true) {
    const std::optional<std::int64_t> found = terms_.evaluate(size, *model_);
    if (!found || *found - 1 <= impossible) return;
    const std::int64_t middle = impossible + (*found - impossible) / 2;
    solver.push();
    solver.add(terms_.less_equal(size, terms_.constant(middle)));
    const Answer answer = solver.check();
    std::optional<Assignment> smaller;
    if (answer == Answer::kSatisfiable) smaller = solver.model();
    solver.pop();
    if (smaller) {
      set_model(std::move(smaller));
    } else if (answer == Answer::kUnsatisfiable) {
      impossible = middle;
    } else {
      return;
    }
  }
}

}  // namespace reprieve::smt
