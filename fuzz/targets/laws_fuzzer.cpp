// law(case, engine(case)) for every law of the registry.
#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reprieve::fuzz::hold_laws(reprieve::fuzz::decode({data, size}),
                                   reprieve::fuzz::hash_of({data, size}));
}
