// Random clusters decided by a program outside: the real kube-scheduler, a fork, a subject in another
// language. Other than two built-in subjects, it may fail, and a run must survive that.
#pragma once

#include "reprieve/cli/check/stage.h"
#include "reprieve/model/policy.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve::cli {

/// Whether a run asks a program outside.
bool asks_outside(const CheckOptions& options);

/// The stage `random` of such a run. When the program is held to be right and the subject is the
/// engine or the reference, *both* of these are judged, from one answer of the program. A case that
/// the program does not answer (a time-out, a crash, a bad line, a wrong id) is a finding, and the
/// run goes on; it ends at the first case that is decided otherwise, unless options.keep_going.
StageReport run_live(const CheckOptions& options, const generators::GeneratorSettings& settings);

/// The case of that seed in such a run.
Case live_case(const generators::GeneratorSettings& settings, std::optional<Release> release,
               std::uint64_t seed);

/// The policy as one release understands it: what a real kube-scheduler has no knob for becomes
/// that release's own, so only sampling stays.
Policy as_release(const Policy& policy, Release release);

}  // namespace reprieve::cli
