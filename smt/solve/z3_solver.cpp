// The only file that knows Z3. It speaks the C interface: no exception, no reference counting of
// terms (they live as long as the context), and the same text for the pinned 5.4 and Debian's 4.8.12.
#include <fmt/format.h>
#include <z3.h>

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "reprieve/smt/solve/solver.h"

namespace reprieve::smt {
namespace {

// Without a handler Z3 would end the program. An assertion that Z3 refused (there should be no such)
// must not end in "unsatisfiable", so what went wrong is kept for the next check.
thread_local Z3_error_code last_error = Z3_OK;
void keep_error(Z3_context, Z3_error_code code) { last_error = code; }

}  // namespace

struct Solver::State {
  Terms& terms;
  Z3_context context = nullptr;
  Z3_solver solver = nullptr;
  std::vector<Z3_ast> translated;
  std::vector<std::size_t> ranged_at_level;  // how many variables' ranges were asserted below each push
  std::size_t ranged = 0;
  std::string reason;
  SolverStatistics statistics;

  explicit State(Terms& of) : terms(of) {}

  Z3_ast integer(std::int64_t value) const { return Z3_mk_int64(context, value, Z3_mk_int_sort(context)); }

  void add_ranges() {
    const std::vector<Variable>& variables = terms.variables();
    for (; ranged < variables.size(); ++ranged) {
      const Variable& variable = variables[ranged];
      if (variable.range.least)
        Z3_solver_assert(context, solver,
                         Z3_mk_ge(context, translate(variable.term), integer(*variable.range.least)));
      if (variable.range.greatest)
        Z3_solver_assert(context, solver,
                         Z3_mk_le(context, translate(variable.term), integer(*variable.range.greatest)));
    }
  }

  Z3_ast translate(Term term) {
    if (translated.size() < terms.size()) translated.resize(terms.size(), nullptr);
    if (translated[term.id]) return translated[term.id];
    const Terms::Node at = terms.node(term);
    std::vector<Z3_ast> of;
    for (const Term child : terms.children(term)) of.push_back(translate(child));
    const auto count = static_cast<unsigned>(of.size());
    const auto make = [&]() -> Z3_ast {
      switch (at.op) {
        case Op::kTrue: return Z3_mk_true(context);
        case Op::kFalse: return Z3_mk_false(context);
        case Op::kBoolVariable:
        case Op::kIntVariable: {
          const std::string& name = terms.variables()[static_cast<std::size_t>(at.value)].name;
          return Z3_mk_const(context, Z3_mk_string_symbol(context, name.c_str()),
                             at.op == Op::kBoolVariable ? Z3_mk_bool_sort(context) : Z3_mk_int_sort(context));
        }
        case Op::kNot: return Z3_mk_not(context, of[0]);
        case Op::kAnd: return Z3_mk_and(context, count, of.data());
        case Op::kOr: return Z3_mk_or(context, count, of.data());
        case Op::kBoolIte:
        case Op::kIntIte: return Z3_mk_ite(context, of[0], of[1], of[2]);
        case Op::kBoolEqual:
        case Op::kIntEqual: return Z3_mk_eq(context, of[0], of[1]);
        case Op::kLessEqual: return Z3_mk_le(context, of[0], of[1]);
        case Op::kConstant: return integer(at.value);
        case Op::kSum: return Z3_mk_add(context, count, of.data());
        case Op::kScaled: {
          const Z3_ast factors[2] = {integer(at.value), of[0]};
          return Z3_mk_mul(context, 2, factors);
        }
      }
      return nullptr;
    };
    return translated[term.id] = make();
  }
};

Solver::Solver(Terms& terms, const SolverSettings& settings) : state_(std::make_unique<State>(terms)) {
  const Z3_config config = Z3_mk_config();
  state_->context = Z3_mk_context(config);
  Z3_del_config(config);
  const Z3_context context = state_->context;
  Z3_set_error_handler(context, keep_error);
  // The plain solver for many small queries; the combined one preprocesses a large one.
  state_->solver = settings.incremental
                       ? Z3_mk_simple_solver(context)
                       : Z3_mk_solver_for_logic(context, Z3_mk_string_symbol(context, "QF_LIA"));
  Z3_solver_inc_ref(context, state_->solver);
  const Z3_params params = Z3_mk_params(context);
  Z3_params_inc_ref(context, params);
  const auto set = [&](const char* name, std::uint32_t value) {
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, name), value);
  };
  set("timeout", settings.time_out_ms);
  set("max_memory", settings.memory_mb);
  set("random_seed", settings.seed);
  Z3_solver_set_params(context, state_->solver, params);
  Z3_params_dec_ref(context, params);
}

Solver::~Solver() {
  Z3_solver_dec_ref(state_->context, state_->solver);
  Z3_del_context(state_->context);
}

std::string Solver::version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("Z3 {}.{}.{}", major, minor, build);
}

void Solver::push() {
  state_->ranged_at_level.push_back(state_->ranged);
  Z3_solver_push(state_->context, state_->solver);
}

void Solver::pop(std::uint32_t levels) {
  if (levels == 0) return;
  Z3_solver_pop(state_->context, state_->solver, levels);
  const std::size_t left = state_->ranged_at_level.size() - levels;
  state_->ranged = state_->ranged_at_level[left];
  state_->ranged_at_level.resize(left);
}

void Solver::add(Term term) {
  state_->add_ranges();
  Z3_solver_assert(state_->context, state_->solver, state_->translate(term));
}

Answer Solver::check() {
  state_->add_ranges();
  const Z3_context context = state_->context;
  state_->reason.clear();
  const auto start = std::chrono::steady_clock::now();
  const Z3_lbool result = Z3_solver_check(context, state_->solver);
  ++state_->statistics.queries;
  state_->statistics.time_us += static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start)
          .count());
  if (last_error != Z3_OK) {
    state_->reason = Z3_get_error_msg(context, std::exchange(last_error, Z3_OK));
    return Answer::kError;
  }
  if (result == Z3_L_TRUE) return Answer::kSatisfiable;
  if (result == Z3_L_FALSE) return Answer::kUnsatisfiable;
  state_->reason = Z3_solver_get_reason_unknown(context, state_->solver);
  return Answer::kUnknown;
}

const std::string& Solver::reason() const { return state_->reason; }

std::optional<Assignment> Solver::model() const {
  const Z3_context context = state_->context;
  const Z3_model model = Z3_solver_get_model(context, state_->solver);
  if (!model) return std::nullopt;
  Z3_model_inc_ref(context, model);
  bool fits = true;
  Assignment assignment;
  for (const Variable& variable : state_->terms.variables()) {
    std::int64_t value = 0;
    Z3_ast found = nullptr;
    // Completed: a variable that does not matter gets a value too.
    if (Z3_model_eval(context, model, state_->translate(variable.term), true, &found)) {
      if (variable.boolean) {
        value = Z3_get_bool_value(context, found) == Z3_L_TRUE ? 1 : 0;
      } else {
        fits = Z3_get_numeral_int64(context, found, &value) && fits;
      }
    }
    assignment.push_back(value);
  }
  Z3_model_dec_ref(context, model);
  return fits ? std::optional(assignment) : std::nullopt;
}

SolverStatistics Solver::statistics() const {
  SolverStatistics result = state_->statistics;
  const Z3_context context = state_->context;
  const Z3_stats stats = Z3_solver_get_statistics(context, state_->solver);
  Z3_stats_inc_ref(context, stats);
  for (unsigned i = 0; i < Z3_stats_size(context, stats); ++i) {
    const std::string_view key = Z3_stats_get_key(context, stats, i);
    if ((key == "conflicts" || key == "sat conflicts") && Z3_stats_is_uint(context, stats, i))
      result.conflicts += Z3_stats_get_uint_value(context, stats, i);
  }
  Z3_stats_dec_ref(context, stats);
  return result;
}

}  // namespace reprieve::smt
