// Terms of linear integer arithmetic and propositional logic: the language that every statement of
// this folder is written in. They are plain data, shared and simplified when they are made, and know
// no solver; so they can be given to any (solve/), written as SMT-LIB (terms/smtlib.h), and evaluated
// here without asking one.
//
// A Term is an index into the Terms of its thread. Equal terms have equal indices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace reprieve::smt {

struct Term {
  std::uint32_t id = 0;
  bool operator==(const Term&) const = default;
};

enum class Op : std::uint8_t {
  // Booleans.
  kTrue,
  kFalse,
  kBoolVariable,
  kNot,
  kAnd,
  kOr,
  kBoolIte,
  kBoolEqual,
  kIntEqual,
  kLessEqual,
  // Integers.
  kConstant,
  kIntVariable,
  kSum,
  kScaled,  // value * child
  kIntIte,
};

bool is_boolean(Op op);

/// What an integer can be, from the bounds of its variables alone; an absent end is unbounded (or
/// does not fit into int64).
struct Interval {
  std::optional<std::int64_t> least, greatest;
};

/// A value for each variable, by its number; a variable beyond the end is 0 or false.
using Assignment = std::vector<std::int64_t>;

struct Variable {
  std::string name;
  Term term;
  bool boolean = false;
  Interval range;  // declared bounds: part of every query that mentions the variable
};

class Terms {
 public:
  Terms();
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;

  /// The Terms that smt::Int and smt::Bool of this thread build in; see TermsScope.
  static Terms& current();

  // --- Making terms. Each simplifies what can be seen from its arguments alone.
  Term boolean(bool value) const { return value ? kTrue : kFalse; }
  Term constant(std::int64_t value);
  /// The variable of that name, made at the first call.
  Term bool_variable(std::string_view name);
  Term int_variable(std::string_view name, Interval range = {});
  Term negate(Term a);
  Term all_of(std::span<const Term> terms);
  Term any_of(std::span<const Term> terms);
  Term both(Term a, Term b) { return all_of(std::array{a, b}); }
  Term either(Term a, Term b) { return any_of(std::array{a, b}); }
  Term implies(Term a, Term b) { return either(negate(a), b); }
  Term equal(Term a, Term b);  // two booleans, or two integers
  Term less_equal(Term a, Term b);
  Term less(Term a, Term b) { return negate(less_equal(b, a)); }
  Term sum(std::span<const Term> terms);
  Term add(Term a, Term b) { return sum(std::array{a, b}); }
  Term scale(std::int64_t factor, Term a);
  Term subtract(Term a, Term b) { return add(a, scale(-1, b)); }
  Term choose(Term condition, Term then, Term otherwise);
  /// 1 when it holds, else 0.
  Term count(Term condition) { return choose(condition, constant(1), constant(0)); }

  // --- Looking at them.
  struct Node {
    Op op;
    std::uint32_t first = 0, size = 0;  // children
    std::int64_t value = 0;             // of a constant, the factor of kScaled, the number of a variable
  };
  const Node& node(Term term) const { return nodes_[term.id]; }
  std::span<const Term> children(Term term) const;
  std::size_t size() const { return nodes_.size(); }
  const std::vector<Variable>& variables() const { return variables_; }
  const Variable* find_variable(std::string_view name) const;
  Interval interval(Term term) const { return intervals_[term.id]; }

  /// The value of a term (booleans: 0 or 1); nothing when it does not fit into int64.
  std::optional<std::int64_t> evaluate(Term term, const Assignment& assignment);
  /// Starts a new assignment: the values that evaluate() remembers are forgotten.
  void forget_values() { ++epoch_; }

  static constexpr Term kTrue{0}, kFalse{1};

 private:
  Term intern(Op op, std::span<const Term> children, std::int64_t value);
  Term junction(Op op, std::span<const Term> terms);
  Interval interval_of(const Node& node) const;
  std::optional<std::int64_t> compute(Term term, const Assignment& assignment);
  void grow_table();

  std::vector<Node> nodes_;
  std::vector<Term> children_;
  std::vector<Interval> intervals_;
  std::vector<std::uint32_t> table_;  // open addressing; 0 is empty, since kTrue is never looked up
  std::vector<Variable> variables_;
  std::unordered_map<std::string, std::uint32_t> variable_by_name_;
  // evaluate() remembers, for the epoch, each term's value.
  std::uint32_t epoch_ = 1;
  std::vector<std::uint32_t> value_epoch_;
  std::vector<std::optional<std::int64_t>> values_;
};

/// Makes `terms` the current ones of this thread while it lives.
class TermsScope {
 public:
  explicit TermsScope(Terms& terms);
  ~TermsScope();
  TermsScope(const TermsScope&) = delete;
  TermsScope& operator=(const TermsScope&) = delete;

 private:
  Terms* before_;
};

}  // namespace reprieve::smt
