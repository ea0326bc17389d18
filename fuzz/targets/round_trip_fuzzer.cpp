// read(write(case)) == case, as a case file and as a request.
#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reprieve::fuzz::hold_manifests(reprieve::fuzz::decode({data, size}));
}
