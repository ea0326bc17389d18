// Real scheduler extenders, asked over HTTP.
// Source: pkg/scheduler/extender.go (HTTPExtender.ProcessPreemption, send).
#pragma once

#include <chrono>

#include "reprieve/engine/extender_call.h"
#include "reprieve/model/cluster.h"

namespace reprieve::subjects {

/// DefaultExtenderTimeout of kube-scheduler; a case has no field for another.
inline constexpr std::chrono::milliseconds kExtenderTimeOut{5000};

/// Asks an extender with a `url` by a POST to URL/preempt: hand it to engine::decide. `cluster` is the
/// one decided about, as it is when asked, and must outlive the function. A refused connection, no
/// whole answer within `time_out`, a status other than 200 (redirects are not followed) and an answer
/// that read_preemption_result refuses are errors that start with "extender NAME: ". May be called
/// from several threads.
engine::AskExtender ask_over_http(const Cluster& cluster,
                                  std::chrono::milliseconds time_out = kExtenderTimeOut);

}  // namespace reprieve::subjects
