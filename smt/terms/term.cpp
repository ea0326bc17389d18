#include "reprieve/smt/terms/term.h"

#include <algorithm>
#include <cassert>

namespace reprieve::smt {
namespace {

thread_local Terms* current_terms = nullptr;

std::uint64_t hash_of(Op op, std::span<const Term> children, std::int64_t value) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ULL * (static_cast<std::uint64_t>(op) + 1);
  const auto mix = [&](std::uint64_t x) { hash = (hash ^ x) * 0xFF51AFD7ED558CCDULL, hash ^= hash >> 32; };
  mix(static_cast<std::uint64_t>(value));
  for (const Term child : children) mix(child.id);
  return hash;
}

std::optional<std::int64_t> plus(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> times(std::int64_t factor, std::optional<std::int64_t> a) {
  std::int64_t result = 0;
  if (!a || __builtin_mul_overflow(factor, *a, &result)) return std::nullopt;
  return result;
}

}  // namespace

bool is_boolean(Op op) { return op <= Op::kLessEqual; }

TermsScope::TermsScope(Terms& terms) : before_(current_terms) { current_terms = &terms; }
TermsScope::~TermsScope() { current_terms = before_; }

Terms& Terms::current() {
  assert(current_terms && "a symbolic value was made outside a TermsScope");
  return *current_terms;
}

Terms::Terms() : table_(1U << 12) {
  nodes_ = {{.op = Op::kTrue}, {.op = Op::kFalse}};
  intervals_.resize(2);
}

std::span<const Term> Terms::children(Term term) const {
  const Node& at = nodes_[term.id];
  return std::span(children_).subspan(at.first, at.size);
}

Term Terms::intern(Op op, std::span<const Term> children, std::int64_t value) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash_of(op, children, value) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const Node& at = nodes_[table_[slot]];
    if (at.op == op && at.value == value && std::ranges::equal(this->children(Term{table_[slot]}), children))
      return Term{table_[slot]};
  }
  const Term made{static_cast<std::uint32_t>(nodes_.size())};
  // `children` may point into children_: copied before that grows.
  const std::vector<Term> copy(children.begin(), children.end());
  nodes_.push_back({.op = op,
                    .first = static_cast<std::uint32_t>(children_.size()),
                    .size = static_cast<std::uint32_t>(copy.size()),
                    .value = value});
  children_.insert(children_.end(), copy.begin(), copy.end());
  intervals_.push_back(interval_of(nodes_.back()));
  table_[slot] = made.id;
  if (nodes_.size() * 2 > table_.size()) grow_table();
  return made;
}

void Terms::grow_table() {
  table_.assign(table_.size() * 4, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t id = 2; id < nodes_.size(); ++id) {
    const Node& at = nodes_[id];
    std::size_t slot = hash_of(at.op, children(Term{id}), at.value) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = id;
  }
}

Interval Terms::interval_of(const Node& at) const {
  const std::span<const Term> of = std::span(children_).subspan(at.first, at.size);
  switch (at.op) {
    case Op::kConstant: return {at.value, at.value};
    case Op::kIntVariable: return variables_[static_cast<std::size_t>(at.value)].range;
    case Op::kSum: {
      Interval result{0, 0};
      for (const Term child : of) {
        const Interval& part = intervals_[child.id];
        result = {plus(result.least, part.least), plus(result.greatest, part.greatest)};
      }
      return result;
    }
    case Op::kScaled: {
      const Interval& part = intervals_[of[0].id];
      Interval result{times(at.value, part.least), times(at.value, part.greatest)};
      if (at.value < 0) std::swap(result.least, result.greatest);
      return result;
    }
    case Op::kIntIte: {
      const Interval &a = intervals_[of[1].id], &b = intervals_[of[2].id];
      Interval result;
      if (a.least && b.least) result.least = std::min(*a.least, *b.least);
      if (a.greatest && b.greatest) result.greatest = std::max(*a.greatest, *b.greatest);
      return result;
    }
    default: return {};
  }
}

Term Terms::constant(std::int64_t value) { return intern(Op::kConstant, {}, value); }

Term Terms::bool_variable(std::string_view name) {
  if (const Variable* known = find_variable(name)) return known->term;
  const auto number = static_cast<std::int64_t>(variables_.size());
  variables_.push_back({.name = std::string(name), .boolean = true});
  variable_by_name_.emplace(name, static_cast<std::uint32_t>(number));
  return variables_.back().term = intern(Op::kBoolVariable, {}, number);
}

Term Terms::int_variable(std::string_view name, Interval range) {
  if (const Variable* known = find_variable(name)) return known->term;
  const auto number = static_cast<std::int64_t>(variables_.size());
  variables_.push_back({.name = std::string(name), .range = range});
  variable_by_name_.emplace(name, static_cast<std::uint32_t>(number));
  return variables_.back().term = intern(Op::kIntVariable, {}, number);
}

const Variable* Terms::find_variable(std::string_view name) const {
  const auto found = variable_by_name_.find(std::string(name));
  return found == variable_by_name_.end() ? nullptr : &variables_[found->second];
}

Term Terms::negate(Term a) {
  if (a == kTrue) return kFalse;
  if (a == kFalse) return kTrue;
  if (node(a).op == Op::kNot) return children(a)[0];
  return intern(Op::kNot, std::array{a}, 0);
}

// Of kAnd the neutral element is true and the dominant one is false; of kOr the other way round.
Term Terms::junction(Op op, std::span<const Term> terms) {
  const Term neutral = boolean(op == Op::kAnd), dominant = boolean(op == Op::kOr);
  std::vector<Term> parts;
  for (const Term term : terms) {
    if (term == dominant) return dominant;
    if (term == neutral) continue;
    if (node(term).op == op) {
      const std::span<const Term> inner = children(term);
      parts.insert(parts.end(), inner.begin(), inner.end());
    } else {
      parts.push_back(term);
    }
  }
  std::ranges::sort(parts, {}, &Term::id);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  for (const Term part : parts) {
    if (node(part).op == Op::kNot && std::ranges::binary_search(parts, children(part)[0].id, {}, &Term::id))
      return dominant;
  }
  if (parts.empty()) return neutral;
  if (parts.size() == 1) return parts[0];
  return intern(op, parts, 0);
}

Term Terms::all_of(std::span<const Term> terms) { return junction(Op::kAnd, terms); }
Term Terms::any_of(std::span<const Term> terms) { return junction(Op::kOr, terms); }

Term Terms::equal(Term a, Term b) {
  if (a == b) return kTrue;
  if (a.id > b.id) std::swap(a, b);
  if (is_boolean(node(a).op)) {
    if (a == kTrue) return b;
    if (a == kFalse) return negate(b);
    return intern(Op::kBoolEqual, std::array{a, b}, 0);
  }
  if (node(a).op == Op::kConstant && node(b).op == Op::kConstant) return kFalse;
  return intern(Op::kIntEqual, std::array{a, b}, 0);
}

Term Terms::less_equal(Term a, Term b) {
  if (a == b) return kTrue;
  const Interval left = interval(a), right = interval(b);
  if (left.greatest && right.least && *left.greatest <= *right.least) return kTrue;
  if (left.least && right.greatest && *left.least > *right.greatest) return kFalse;
  return intern(Op::kLessEqual, std::array{a, b}, 0);
}

// Constants are added up and sums inside sums opened, so that "left - 1 - 1" is "left - 2".
Term Terms::sum(std::span<const Term> terms) {
  std::vector<Term> parts;
  std::int64_t known = 0;
  bool fits = true;
  const auto take = [&](Term term) {
    if (node(term).op == Op::kConstant) {
      fits = fits && !__builtin_add_overflow(known, node(term).value, &known);
    } else {
      parts.push_back(term);
    }
  };
  for (const Term term : terms) {
    if (node(term).op == Op::kSum) {
      for (const Term inner : children(term)) take(inner);
    } else {
      take(term);
    }
  }
  if (!fits) return intern(Op::kSum, terms, 0);
  if (parts.empty()) return constant(known);
  if (known != 0) parts.push_back(constant(known));
  if (parts.size() == 1) return parts[0];
  std::ranges::sort(parts, {}, &Term::id);
  return intern(Op::kSum, parts, 0);
}

Term Terms::scale(std::int64_t factor, Term a) {
  if (factor == 0) return constant(0);
  if (factor == 1) return a;
  const Node at = node(a);
  std::int64_t product = 0;
  if (at.op == Op::kConstant && !__builtin_mul_overflow(factor, at.value, &product)) return constant(product);
  return intern(Op::kScaled, std::array{a}, factor);
}

Term Terms::choose(Term condition, Term then, Term otherwise) {
  if (condition == kTrue || then == otherwise) return then;
  if (condition == kFalse) return otherwise;
  if (node(condition).op == Op::kNot) return choose(children(condition)[0], otherwise, then);
  if (!is_boolean(node(then).op)) return intern(Op::kIntIte, std::array{condition, then, otherwise}, 0);
  if (then == kTrue) return either(condition, otherwise);
  if (then == kFalse) return both(negate(condition), otherwise);
  if (otherwise == kTrue) return implies(condition, then);
  if (otherwise == kFalse) return both(condition, then);
  return intern(Op::kBoolIte, std::array{condition, then, otherwise}, 0);
}

std::optional<std::int64_t> Terms::evaluate(Term term, const Assignment& assignment) {
  if (value_epoch_.size() < nodes_.size()) {
    value_epoch_.resize(nodes_.size(), 0);
    values_.resize(nodes_.size());
  }
  if (value_epoch_[term.id] == epoch_) return values_[term.id];
  const std::optional<std::int64_t> value = compute(term, assignment);
  value_epoch_[term.id] = epoch_;
  return values_[term.id] = value;
}

// Children that do not matter (of a decided junction, of the other branch) are not looked at, so that
// one value out of range spoils no more than it must.
std::optional<std::int64_t> Terms::compute(Term term, const Assignment& assignment) {
  const Node at = node(term);
  const std::span<const Term> of = children(term);
  const auto value = [&](std::size_t i) { return evaluate(of[i], assignment); };
  switch (at.op) {
    case Op::kTrue: return 1;
    case Op::kFalse: return 0;
    case Op::kConstant: return at.value;
    case Op::kBoolVariable:
    case Op::kIntVariable: {
      const auto number = static_cast<std::size_t>(at.value);
      return number < assignment.size() ? assignment[number] : 0;
    }
    case Op::kNot: {
      const auto inner = value(0);
      return inner ? std::optional<std::int64_t>(1 - *inner) : std::nullopt;
    }
    case Op::kAnd:
    case Op::kOr: {
      const std::int64_t dominant = at.op == Op::kOr ? 1 : 0;
      bool unknown = false;
      for (std::size_t i = 0; i < of.size(); ++i) {
        const auto part = value(i);
        if (!part)
          unknown = true;
        else if (*part == dominant)
          return dominant;
      }
      return unknown ? std::nullopt : std::optional<std::int64_t>(1 - dominant);
    }
    case Op::kBoolIte:
    case Op::kIntIte: {
      const auto condition = value(0);
      return condition ? value(*condition != 0 ? 1 : 2) : std::nullopt;
    }
    case Op::kBoolEqual:
    case Op::kIntEqual: {
      const auto a = value(0), b = value(1);
      return a && b ? std::optional<std::int64_t>(*a == *b) : std::nullopt;
    }
    case Op::kLessEqual: {
      const auto a = value(0), b = value(1);
      return a && b ? std::optional<std::int64_t>(*a <= *b) : std::nullopt;
    }
    case Op::kScaled: return times(at.value, value(0));
    case Op::kSum: {
      std::optional<std::int64_t> total = 0;
      for (std::size_t i = 0; i < of.size() && total; ++i) total = plus(total, value(i));
      return total;
    }
  }
  return std::nullopt;
}

}  // namespace reprieve::smt
