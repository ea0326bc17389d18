// The mutator of the targets whose input is a case, as libFuzzer asks for it.
#include "reprieve/fuzz/mutate.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return reprieve::fuzz::mutate(data, size, max_size, seed);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size,
                                                 const std::uint8_t* right, std::size_t right_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  return reprieve::fuzz::cross_over(left, left_size, right, right_size, out, max_size, seed);
}
