#include "reprieve/smt/theorems/cross_check.h"

#include <fmt/format.h>

#include "reprieve/smt/symbolic/formula.h"
#include "reprieve/smt/terms/smtlib.h"

namespace reprieve::smt {

Exported exported(const Theorem& theorem, Effort effort, const ProofSettings& settings) {
  Terms terms;
  std::vector<std::vector<Term>> queries;
  ProofSettings listening = settings;
  listening.asked = [&](const std::vector<Term>& assertions) { queries.push_back(assertions); };
  const Proof proof = run(theorem, terms, effort, false, listening);
  if (!proof.as_expected) return {};
  Exported result;
  const std::string comment =
      fmt::format("{}\n{}\n{}\n{}: {}\nDecided by {}: {}.", theorem.name, theorem.sentence, theorem.formal,
                  theorem.kind == Kind::kUnbounded ? "unbounded" : "up to", to_string(proof.bounds),
                  Solver::version(), theorem.holds ? "unsat" : "sat");
  if (!theorem.holds) {
    // That there is a counterexample rests on one query alone.
    const auto body = [&](World& world) { theorem.body(world, proof.bounds, false); };
    queries = {query_of(terms, body)};
    result.answer = Answer::kSatisfiable;
  }
  result.queries = queries.size();
  result.smtlib =
      queries.size() == 1 ? to_smtlib(terms, queries[0], comment) : to_smtlib_script(terms, queries, comment);
  return result;
}

CrossCheck cross_check(const Exported& exported, const SecondOpinion& opinion, std::uint32_t time_out_ms) {
  CrossCheck result{.queries = exported.queries};
  if (exported.smtlib.empty()) {
    result.fault = "nothing to ask: the first solver's verdict is not the expected one";
    return result;
  }
  for (const Opinion& each : opinion.ask_all(exported.smtlib, time_out_ms)) {
    result.time_us += each.time_us;
    if (each.answer == exported.answer) {
      ++result.agreed;
    } else if (each.answer == Answer::kUnknown) {
      ++result.undecided;
    } else if (result.fault.empty()) {
      result.fault = each.answer == Answer::kError ? each.words : "the two solvers disagree";
    }
  }
  if (result.fault.empty() && result.agreed + result.undecided < result.queries)
    result.fault = "answers are missing";
  return result;
}

}  // namespace reprieve::smt
