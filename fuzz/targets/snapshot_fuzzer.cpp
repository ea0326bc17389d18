// engine(update(snapshot(a), changes)) == engine(snapshot(apply(a, changes))).
#include "reprieve/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reprieve::fuzz::hold_updates_to_rebuilding({data, size});
}
