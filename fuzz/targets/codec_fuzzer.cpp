// decode(encode(decode(bytes))) == decode(bytes), and a decoded case is valid.
#include "reprieve/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reprieve::fuzz::hold_codec({data, size});
}
