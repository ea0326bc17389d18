// smt::Int and smt::Bool: stand-ins for std::int64_t and bool with which the templates that ship run
// symbolically. An Int is a term; comparing two gives a Bool; where C++ needs a bool (an if, a !, a
// ||) the explorer of the thread is asked which way to go (explorer.h).
//
// Int is a mathematical integer and std::int64_t is not: each addition notes the obligation that its
// result fits into int64, and the explorer proves it along with the theorem.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "reprieve/smt/terms/term.h"

namespace reprieve::smt {

/// Which way to go at a condition that is neither true nor false, and what to do about a sum that
/// may not fit. Implemented by the explorer; nothing in between, so that a stray conversion is loud.
class Guide {
 public:
  virtual bool decide(Term condition) = 0;
  virtual void must_fit(Term sum) = 0;
  /// The quotient of two terms of which the first is not negative and the second positive (that is an
  /// obligation too).
  virtual Term divide(Term a, Term b, std::optional<std::int64_t> limit) = 0;
  /// The code does what these integers cannot: the verdict is an error.
  virtual void unsupported(const char* what) = 0;

  /// Of this thread; null outside an exploration.
  static Guide*& current();

 protected:
  ~Guide() = default;
};

class Bool {
 public:
  Bool() : Bool(false) {}
  Bool(bool value) : term_(Terms::current().boolean(value)) {}  // NOLINT: as implicit as a literal is
  explicit Bool(Term term) : term_(term) {}

  Term term() const { return term_; }

  /// Asks the explorer, unless the term is known.
  explicit operator bool() const;

 private:
  Term term_;
};

class Int {
 public:
  Int() : Int(0) {}
  template <std::integral T>
  Int(T value) : term_(Terms::current().constant(static_cast<std::int64_t>(value))) {}  // NOLINT
  explicit Int(Term term) : term_(term) {}

  Term term() const { return term_; }

  friend Int operator+(Int a, Int b);
  friend Int operator-(Int a, Int b);
  /// One of the two must be a constant: the arithmetic is linear. No obligation: what ships multiplies
  /// in 128 bits.
  friend Int operator*(Int a, Int b);
  /// As in C++, of what is not negative; see World::divide_up_to().
  friend Int operator/(Int a, Int b);
  /// The lesser of `limit` and a / b, which is not asked for beyond the limit.
  friend Int quotient_up_to(Int limit, Int a, Int b);
  Int& operator+=(Int other) { return *this = *this + other; }
  Int& operator-=(Int other) { return *this = *this - other; }

  friend Bool operator<(Int a, Int b) { return Bool(terms().less(a.term_, b.term_)); }
  friend Bool operator>(Int a, Int b) { return Bool(terms().less(b.term_, a.term_)); }
  friend Bool operator<=(Int a, Int b) { return Bool(terms().less_equal(a.term_, b.term_)); }
  friend Bool operator>=(Int a, Int b) { return Bool(terms().less_equal(b.term_, a.term_)); }
  friend Bool operator==(Int a, Int b) { return Bool(terms().equal(a.term_, b.term_)); }
  friend Bool operator!=(Int a, Int b) { return Bool(terms().negate(terms().equal(a.term_, b.term_))); }

 private:
  static Terms& terms() { return Terms::current(); }
  Term term_;
};

/// A number that the code counts or indexes with: asks which it is; it must be a small one.
std::size_t to_size(Int number);

// --- Formulas without a branch, for what is stated about a run and for the direct encoding (direct/).
// They are functions with names, because && and || of two Bools would ask the explorer.
Bool no(Bool a);
Bool all(std::span<const Bool> of);
Bool any(std::span<const Bool> of);
template <class... Bools>
Bool all_of(Bools... of) {
  return all(std::array<Bool, sizeof...(of)>{of...});
}
template <class... Bools>
Bool any_of(Bools... of) {
  return any(std::array<Bool, sizeof...(of)>{of...});
}
Bool implies(Bool a, Bool b);
Bool same(Bool a, Bool b);
Bool choose(Bool condition, Bool then, Bool otherwise);
Int choose(Bool condition, Int then, Int otherwise);
Int count(Bool condition);  // 1 or 0
Int total(std::span<const Int> of);
Int how_many(std::span<const Bool> of);
/// a + b, a - b and factor * a in mathematics, without an obligation: for statements about a run.
Int plus(Int a, Int b);
Int minus(Int a, Int b);
Int times(std::int64_t factor, Int a);
Int least(Int a, Int b);
Int greatest(Int a, Int b);

}  // namespace reprieve::smt
