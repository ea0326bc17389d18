#include "reprieve/smt/symbolic/integer.h"

#include <cassert>
#include <limits>
#include <utility>
#include <vector>

namespace reprieve::smt {
namespace {

Terms& terms() { return Terms::current(); }

std::vector<Term> terms_of(std::span<const Bool> of) {
  std::vector<Term> result;
  for (const Bool& each : of) result.push_back(each.term());
  return result;
}

void note(Term sum) {
  const Interval range = terms().interval(sum);
  if (range.least && range.greatest) return;  // fits whatever its variables are
  if (Guide* guide = Guide::current()) guide->must_fit(sum);
}

}  // namespace

Guide*& Guide::current() {
  thread_local Guide* guide = nullptr;
  return guide;
}

Bool::operator bool() const {
  if (term_ == Terms::kTrue) return true;
  if (term_ == Terms::kFalse) return false;
  assert(Guide::current() && "a symbolic condition was asked for outside an exploration");
  return Guide::current()->decide(term_);
}

Int operator+(Int a, Int b) {
  const Int result = plus(a, b);
  note(result.term());
  return result;
}

Int operator-(Int a, Int b) {
  const Int result = minus(a, b);
  note(result.term());
  return result;
}

Int operator*(Int a, Int b) {
  for (const auto& [factor, other] : {std::pair{a, b}, std::pair{b, a}}) {
    const Terms::Node& node = terms().node(factor.term());
    if (node.op == Op::kConstant) return times(node.value, other);
  }
  if (Guide* guide = Guide::current()) guide->unsupported("a product of two symbols");
  return Int(0);
}

Int operator/(Int a, Int b) {
  const Terms::Node& dividend = terms().node(a.term());
  const Terms::Node& divisor = terms().node(b.term());
  if (dividend.op == Op::kConstant && divisor.op == Op::kConstant && dividend.value >= 0 && divisor.value > 0)
    return dividend.value / divisor.value;
  assert(Guide::current() && "a symbolic quotient was asked for outside an exploration");
  return Int(Guide::current()->divide(a.term(), b.term(), std::nullopt));
}

Int quotient_up_to(Int limit, Int a, Int b) {
  const Terms::Node& node = terms().node(limit.term());
  if (node.op == Op::kConstant && node.value != std::numeric_limits<std::int64_t>::max() && Guide::current())
    return Int(Guide::current()->divide(a.term(), b.term(), node.value));
  const Int quotient = a / b;
  return quotient < limit ? quotient : limit;
}

std::size_t to_size(Int number) {
  const Terms::Node& node = terms().node(number.term());
  if (node.op == Op::kConstant && node.value >= 0) return static_cast<std::size_t>(node.value);
  // Few values are possible, or it is no use to ask.
  constexpr std::int64_t kMost = 16;
  for (std::int64_t value = 0; Guide::current() && value <= kMost; ++value) {
    if (number == Int(value)) return static_cast<std::size_t>(value);
  }
  if (Guide* guide = Guide::current()) guide->unsupported("an index that is no small number");
  return 0;
}

Bool no(Bool a) { return Bool(terms().negate(a.term())); }
Bool all(std::span<const Bool> of) { return Bool(terms().all_of(terms_of(of))); }
Bool any(std::span<const Bool> of) { return Bool(terms().any_of(terms_of(of))); }
Bool implies(Bool a, Bool b) { return Bool(terms().implies(a.term(), b.term())); }
Bool same(Bool a, Bool b) { return Bool(terms().equal(a.term(), b.term())); }
Bool choose(Bool condition, Bool then, Bool otherwise) {
  return Bool(terms().choose(condition.term(), then.term(), otherwise.term()));
}
Int choose(Bool condition, Int then, Int otherwise) {
  return Int(terms().choose(condition.term(), then.term(), otherwise.term()));
}
Int count(Bool condition) { return Int(terms().count(condition.term())); }

Int total(std::span<const Int> of) {
  std::vector<Term> parts;
  for (const Int& each : of) parts.push_back(each.term());
  return Int(terms().sum(parts));
}

Int how_many(std::span<const Bool> of) {
  std::vector<Int> counts;
  for (const Bool& each : of) counts.push_back(count(each));
  return total(counts);
}

Int plus(Int a, Int b) { return Int(terms().add(a.term(), b.term())); }
Int minus(Int a, Int b) { return Int(terms().subtract(a.term(), b.term())); }
Int times(std::int64_t factor, Int a) { return Int(terms().scale(factor, a.term())); }
Int least(Int a, Int b) { return choose(a <= b, a, b); }
Int greatest(Int a, Int b) { return choose(a <= b, b, a); }

}  // namespace reprieve::smt
