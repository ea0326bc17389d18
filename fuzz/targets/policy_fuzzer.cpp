// Any text is a policy that reads, is valid and is written as the same again, or an error.
#include "reprieve/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reprieve::fuzz::hold_policy_text({reinterpret_cast<const char*>(data), size});
}
