// What fuzz targets hold against each other, as a library that knows nothing of the fuzzing engine: a
// target is a few lines that hand its bytes to one of these. On a finding each prints both answers where
// they differ, the smallest case as YAML and the command that repeats it, and ends the process by abort(),
// which is how a fuzzing engine learns of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "reprieve/model/case.h"

namespace reprieve::fuzz {

using ByteSpan = std::span<const std::uint8_t>;

/// What a target answers to the engine: keep the input if it reached something new, or do not, because
/// nobody's eviction was tried. Such inputs breed more of their kind, and come up by themselves.
inline constexpr int kMayKeep = 0;
inline constexpr int kDoNotKeep = -1;

/// To be called first. Names the target in reports; activates the mutant that REPRIEVE_MUTANT names (in
/// builds that have them); prints the statistics at exit, and every REPRIEVE_FUZZ_STATISTICS inputs.
/// Findings also become files in the folder REPRIEVE_FUZZ_FINDINGS.
void begin(std::string_view target);

/// The engine, at both depths and with one workspace for all inputs, against the reference: the whole
/// decision with each node's story.
int hold_engine_to_reference(const Case& question);

/// Every law of properties/laws against the engine's decision; `seed` draws the related cases.
int hold_laws(const Case& question, std::uint64_t seed);

/// A seed of an input: the same for the same bytes.
std::uint64_t hash_of(ByteSpan bytes);

/// A snapshot that is updated, object by object and with detours, against one that is built from the cluster
/// as it is then. The changes are drawn by the bytes.
int hold_updates_to_rebuilding(ByteSpan bytes);

/// decode(encode(decode(bytes))) == decode(bytes), and that the case is valid.
int hold_codec(ByteSpan bytes);

/// read(write(case)) == case, as a case file and as a request of the subject protocol.
int hold_manifests(const Case& question);

/// What reads is written and reads as the same again; what does not read is an error and no crash. The
/// text is a manifest or case file, a policy, a request line, a quantity.
int hold_manifest_text(std::string_view text);
int hold_policy_text(std::string_view text);
int hold_request_text(std::string_view text);
int hold_quantity_text(std::string_view text);

}  // namespace reprieve::fuzz
