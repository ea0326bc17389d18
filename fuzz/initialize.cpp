// What every target does before its first input. REPRIEVE_TARGET is its name.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "reprieve/fuzz/oracle.h"

namespace {

/// Before those that were given, which therefore win. How often each edge was taken tells little about a
/// decision, and neither does how rare it is, but reading and ranking that takes three times as long as
/// deciding.
constexpr std::array kOptions = {
    "-max_len=" REPRIEVE_MAX_LEN,
    "-entropic=0",
    "-use_counters=0",
#ifdef REPRIEVE_CASES
    // The mutator makes several changes at once already. A longer row of them ends in clusters with room
    // for everybody, which ask nothing.
    "-mutate_depth=2",
#endif
};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  reprieve::fuzz::begin(REPRIEVE_TARGET);
  static std::vector<std::string> texts(*argv, *argv + *argc);
  texts.insert(texts.begin() + std::min<std::ptrdiff_t>(1, *argc), kOptions.begin(), kOptions.end());
  static std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  *argc = static_cast<int>(texts.size());
  *argv = arguments.data();
  return 0;
}
