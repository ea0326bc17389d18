// Changes that a person would make: one field of one object, or one object more or less. A fuzzer that
// flips bits of the encoding would find most of them by itself, but not those that have to be made in two
// places at once (a budget's selector and a pod's label, a request and the capacity that it just exceeds).
#pragma once

#include <cstddef>
#include <cstdint>

#include "reprieve/model/case.h"
#include "reprieve/properties/generators/random.h"

namespace reprieve::fuzz {

/// Makes one change. The result need not be valid: decoding what is encoded from it is.
void change(Case& question, generators::Random& random);

/// A libFuzzer custom mutator: changes the bytes of a case in place and returns their new number, at most
/// `max_size`. Sometimes it changes a field, sometimes a record, sometimes it starts over with a generated
/// case.
std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);

/// A libFuzzer crossover: the objects of one case with some of another.
std::size_t cross_over(const std::uint8_t* left, std::size_t left_size, const std::uint8_t* right,
                       std::size_t right_size, std::uint8_t* out, std::size_t max_size, unsigned seed);

}  // namespace reprieve::fuzz
