// A value of a level that is compared as a fraction, so that no rounding decides.
#pragma once

#include <cstdint>

namespace reprieve::engine {

/// numerator / denominator, neither negative, not both 0. With a denominator of 0 it is more than
/// every number. A whole number has the denominator 1.
template <class Int>
struct Fraction {
  Int numerator{0};
  Int denominator{1};
};

/// What holds the product of two integers exactly; proofs multiply without bounds.
template <class Int>
struct ProductOf {
  using type = Int;
};
template <>
struct ProductOf<std::int64_t> {
  __extension__ using type = __int128;
};

/// Less than zero when `a` is the smaller, more when `b` is. By cross-multiplication.
template <class Int>
int compare_fractions(const Fraction<Int>& a, const Fraction<Int>& b) {
  using Product = typename ProductOf<Int>::type;
  const Product left = Product(a.numerator) * Product(b.denominator);
  const Product right = Product(b.numerator) * Product(a.denominator);
  return left < right ? -1 : (right < left ? 1 : 0);
}

}  // namespace reprieve::engine
