#include "reprieve/smt/theorems/cross_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "reprieve/smt/symbolic/formula.h"
#include "reprieve/smt/terms/smtlib.h"

namespace reprieve::smt {
namespace {

using Query = std::vector<Term>;

Answer first_answer(Terms& terms, const Query& query, const ProofSettings& settings) {
  Solver solver(terms, settings.solver);
  for (const Term term : query) solver.add(term);
  return solver.check();
}

void add_up(CrossCheck& total, const CrossCheck& each) {
  total.queries += each.queries;
  total.agreed += each.agreed;
  total.undecided += each.undecided;
  total.all += each.all;
  total.time_us += each.time_us;
  total.longest_us = std::max(total.longest_us, each.longest_us);
}

// Each query that comes by is as likely to be among those kept as any other (algorithm R).
class Drawn {
 public:
  explicit Drawn(const Sample& sample) : sample_(sample), random_(sample.seed) {}

  void offer(const Query& query) {
    ++offered_;
    if (sample_.size == 0 || kept_.size() < sample_.size) {
      kept_.push_back(query);
    } else if (const std::uint64_t place = random_() % offered_; place < sample_.size) {
      kept_[place] = query;
    }
  }
  std::uint64_t offered() const { return offered_; }
  const std::vector<Query>& kept() const { return kept_; }

 private:
  Sample sample_;
  std::mt19937_64 random_;
  std::uint64_t offered_ = 0;
  std::vector<Query> kept_;
};

std::string provenance(const Theorem& theorem, const Bounds& bounds, bool contrast,
                       const Exported& exported) {
  return fmt::format(
      "{}\n{}{}\n{}\n{}: {}\nDecided by {}: {}; {} of {} queries.", theorem.name, contrast ? "Changed: " : "",
      contrast ? theorem.contrast : theorem.sentence, theorem.formal,
      theorem.kind == Kind::kUnbounded ? "unbounded" : "up to", to_string(bounds), Solver::version(),
      exported.answer == Answer::kUnsatisfiable ? "unsat" : "sat", exported.queries, exported.all);
}

}  // namespace

Exported exported(const Theorem& theorem, Terms& terms, const Bounds& bounds, bool contrast,
                  const ProofSettings& settings, const Sample& sample) {
  Drawn drawn(theorem.explored ? sample : Sample{});  // of a formula all are asked
  Exported result;
  const bool holds = theorem.holds != contrast;
  if (theorem.explored || holds) {
    ProofSettings listening = settings;
    listening.asked = [&](const Query& query) { drawn.offer(query); };
    result.proof = run(theorem, terms, bounds, contrast, listening);
    if (!holds || !result.proof->as_expected) return {.proof = result.proof};
  } else {
    result.answer = Answer::kSatisfiable;
    const Query query =
        queries_of(terms, [&](World& world) { theorem.body(world, bounds, contrast); }).back();
    if (first_answer(terms, query, settings) != result.answer) return {};
    drawn.offer(query);
  }
  result.queries = drawn.kept().size();
  result.all = drawn.offered();
  const std::string comment = provenance(theorem, bounds, contrast, result);
  result.smtlib = result.queries == 1 ? to_smtlib(terms, drawn.kept()[0], comment)
                                      : to_smtlib_script(terms, drawn.kept(), comment);
  return result;
}

CrossCheck cross_check(const Exported& exported, const SecondOpinion& opinion, std::uint32_t time_out_ms) {
  CrossCheck result{.queries = exported.queries, .all = exported.all};
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
  result.longest_us = result.time_us;
  return result;
}

CrossCheck cross_check(const Theorem& theorem, const Exported& statement, const Bounds& bounds,
                       const ProofSettings& settings, const SecondOpinion& opinion,
                       std::uint32_t time_out_ms) {
  CrossCheck result = cross_check(statement, opinion, time_out_ms);
  if (theorem.explored) return result;
  Terms terms;
  const CrossCheck contrast =
      cross_check(exported(theorem, terms, bounds, true, settings), opinion, time_out_ms);
  add_up(result, contrast);
  if (result.fault.empty() && !contrast.fault.empty()) result.fault = "the contrast: " + contrast.fault;
  return result;
}

void Tally::add(const Theorem& theorem, const CrossCheck& check) {
  add_up(theorem.kind == Kind::kUnbounded ? unbounded_ : theorem.explored ? explored_ : formulas_, check);
  if (!check.fault.empty()) ++faults_;
}

bool Tally::holds() const {
  const auto decided = [](const CrossCheck& of, std::uint64_t percent) {
    return of.agreed * 100 >= of.queries * percent;
  };
  return faults_ == 0 && decided(unbounded_, 100) && decided(formulas_, kPercent) &&
         decided(explored_, kPercent);
}

std::string Tally::to_string() const {
  const auto line = [](std::string_view what, const CrossCheck& of) {
    return fmt::format("  {:<31} {} of {} agree{}, {:.1f} s of processor time\n", what, of.agreed, of.queries,
                       of.all > of.queries ? fmt::format(" (drawn from {})", of.all) : "",
                       static_cast<double>(of.time_us) / 1e6);
  };
  return line("about every cluster:", unbounded_) + line("formulas, up to bounds:", formulas_) +
         line("of explored code, up to bounds:", explored_) +
         fmt::format("  the longest of one formula {:.1f} s\n",
                     static_cast<double>(formulas_.longest_us) / 1e6);
}

}  // namespace reprieve::smt
