// engine(case) == reference(case), under the policy REPRIEVE_POLICY; under the case's own when that is "".
#include <cstdlib>
#include <string_view>

#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/oracle.h"
#include "reprieve/manifest/policy.h"

namespace {

constexpr std::string_view kPolicy = REPRIEVE_POLICY;

/// The policy that this target is about; the case's sampling stays.
void adopt_policy(reprieve::Case& question) {
  if (kPolicy.empty()) return;
  static const auto policy = reprieve::manifest::find_policy(kPolicy);
  if (!policy) std::abort();  // no such policy is built in
  const auto sampling = question.policy.sampling;
  question.policy = *policy;
  question.policy.sampling = sampling;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reprieve::Case question = reprieve::fuzz::decode({data, size});
  adopt_policy(question);
  return reprieve::fuzz::hold_engine_to_reference(question);
}
