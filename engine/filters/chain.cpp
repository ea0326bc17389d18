#include "reprieve/engine/filters/chain.h"

#include <algorithm>

#include "reprieve/engine/selection.h"
#include "reprieve/marks/mark.h"

namespace reprieve::engine {

// The pre-filters in order; the first that says "unresolvable" ends the attempt.
PreFilterRejection FilterChain::begin(const Cycle& cycle) {
  cycle_ = cycle;
  node_ = kNone;
  const Preemptor& preemptor = cycle.preemptor();
  needs_features_ = !preemptor.needed_features.empty();
  if (!read_named_nodes(cycle, named_)) {
    REPRIEVE_MARK("engine/node-affinity/names-conflict");
    return {Code::kUnresolvable, Plugin::kNodeAffinity, "pod affinity terms conflict"};
  }
  ports_.begin(cycle);
  resources_.begin(cycle);
  if (auto rejection = restrictions_.begin(cycle); rejection.code != Code::kSuccess) return rejection;
  limits_.begin(cycle);
  if (auto rejection = binding_.begin(cycle); rejection.code != Code::kSuccess) return rejection;
  if (auto rejection = zones_.begin(cycle); rejection.code != Code::kSuccess) return rejection;
  if (!preemptor.spread_error.empty()) {
    REPRIEVE_MARK("engine/spread/invalid-selector");
    return {Code::kError, Plugin::kPodTopologySpread,
            "running PreFilter plugin \"PodTopologySpread\": " + preemptor.spread_error};
  }
  matches_.begin(cycle);
  spread_.begin(cycle, matches_);
  if (!preemptor.affinity_error.empty()) {
    REPRIEVE_MARK("engine/affinity/invalid-terms-of-the-preemptor");
    return {Code::kUnresolvable, Plugin::kInterPodAffinity, preemptor.affinity_error};
  }
  affinity_.begin(cycle, matches_);
  return {};
}

bool FilterChain::excludes(NodeId node) const {
  return named_.restricted && !std::ranges::binary_search(named_.names, cycle_.node(node).name_id);
}

void FilterChain::enter(NodeId node, std::span<const PodId> nominated) {
  node_ = node;
  binds_ = Known::kUnknown;
  zone_ = Known::kUnknown;
  has_nominated_ = !nominated.empty();
  resources_.enter(node);
  if (!ports_.skipped()) ports_.enter(node);
  if (!restrictions_.skipped()) restrictions_.enter(node);
  if (!limits_.skipped()) limits_.enter(node);
  if (!spread_.skipped()) spread_.enter(node);
  if (!affinity_.skipped()) affinity_.enter(node);
  for (const PodId pod : nominated) {
    resources_.add_nominated(pod);
    if (!ports_.skipped()) ports_.add_nominated(pod);
    if (!restrictions_.skipped()) restrictions_.add_nominated(pod);
    if (!limits_.skipped()) limits_.add_nominated(pod);
    if (!spread_.skipped()) spread_.add_nominated(pod);
    if (!affinity_.skipped()) affinity_.add_nominated(pod);
  }
}

// A plugin whose pre-filter answered Skip is not told of pods either.
void FilterChain::patch(PodId pod, int sign) {
  resources_.patch(pod, sign);
  if (!ports_.skipped()) ports_.patch(pod, sign);
  if (!restrictions_.skipped()) restrictions_.patch(pod, sign);
  if (!limits_.skipped()) limits_.patch(pod, sign);
  if (!spread_.skipped()) spread_.patch(pod, sign);
  if (!affinity_.skipped()) affinity_.patch(pod, sign);
}

Verdict FilterChain::run(bool nominated) {
  if (!ports_.skipped()) {
    if (const Verdict verdict = ports_.check(nominated); !verdict.fits()) return verdict;
  }
  if (const Verdict verdict = resources_.check(nominated); !verdict.fits()) return verdict;
  if (!restrictions_.skipped()) {
    if (const Verdict verdict = restrictions_.check(nominated); !verdict.fits()) return verdict;
  }
  if (!limits_.skipped()) {
    if (const Verdict verdict = limits_.check(nominated); !verdict.fits()) return verdict;
  }
  if (!binding_.skipped()) {
    if (binds_ == Known::kUnknown) {
      binding_reasons_ = binding_.reasons(node_);
      binds_ = binding_reasons_.empty()                    ? Known::kYes
               : binding_reasons_.front().starts_with('!') ? Known::kError
                                                           : Known::kNo;
    }
    if (binds_ == Known::kError) return {Code::kError, Plugin::kVolumeBinding};
    if (binds_ == Known::kNo) return {Code::kUnresolvable, Plugin::kVolumeBinding};
  }
  if (!zones_.skipped()) {
    if (zone_ == Known::kUnknown) zone_ = zones_.fits(node_) ? Known::kYes : Known::kNo;
    if (zone_ == Known::kNo) return {Code::kUnresolvable, Plugin::kVolumeZone};
  }
  if (!spread_.skipped()) {
    if (const Verdict verdict = spread_.check(nominated); !verdict.fits()) return verdict;
  }
  if (!affinity_.skipped()) {
    if (const Verdict verdict = affinity_.check(nominated); !verdict.fits()) return verdict;
  }
  if (needs_features_ && !has_declared_features(cycle_, node_)) {
    return {Code::kUnresolvable, Plugin::kNodeDeclaredFeatures};
  }
  return {};
}

Verdict FilterChain::check() {
  if (const Verdict verdict = check_node_properties(cycle_, node_); !verdict.fits()) return verdict;
  return check_again();
}

Verdict FilterChain::check_again() {
  return run_with_nominated(has_nominated_, [this](bool with_nominated) {
    Verdict verdict = run(with_nominated);
    if (with_nominated && !verdict.fits()) verdict.with_nominated = true;
    return verdict;
  });
}

bool FilterChain::only_resources() const {
  return ports_.skipped() && restrictions_.skipped() && limits_.skipped() && binding_.skipped() &&
         zones_.skipped() && spread_.skipped() && affinity_.skipped() && !needs_features_;
}

bool FilterChain::reads_volumes() const {
  return !restrictions_.skipped() || !limits_.skipped() || !binding_.skipped() || !zones_.skipped();
}

FilterFailure FilterChain::explain(const Verdict& verdict) {
  FilterFailure failure;
  failure.plugin = to_string(verdict.plugin);
  // It failed with the nominated pods counted in; only because of them?
  failure.with_nominated = verdict.with_nominated && run(false).fits();
  switch (verdict.plugin) {
    case Plugin::kNoPlugin: break;
    case Plugin::kNodeUnschedulable: failure.reasons.emplace_back("node(s) were unschedulable"); break;
    case Plugin::kNodeName:
      failure.reasons.emplace_back("node(s) didn't match the requested node name");
      break;
    case Plugin::kTaintToleration: failure.reasons.emplace_back("node(s) had untolerated taint(s)"); break;
    case Plugin::kNodeAffinity:
      failure.reasons.emplace_back("node(s) didn't match Pod's node affinity/selector");
      break;
    case Plugin::kNodePorts:
      failure.reasons.emplace_back("node(s) didn't have free ports for the requested pod ports");
      break;
    case Plugin::kNodeResourcesFit: resources_.explain(verdict.with_nominated, failure); break;
    case Plugin::kVolumeRestrictions:
      failure.reasons.emplace_back(VolumeRestrictions::reason(verdict.detail));
      break;
    case Plugin::kNodeVolumeLimits: failure.reasons.push_back(limits_.reason(verdict)); break;
    case Plugin::kVolumeBinding: failure.reasons = binding_reasons_; break;
    case Plugin::kVolumeZone: failure.reasons.emplace_back("node(s) had no available volume zone"); break;
    case Plugin::kPodTopologySpread:
      failure.reasons.emplace_back(PodTopologySpread::reason(verdict.detail));
      break;
    case Plugin::kInterPodAffinity:
      failure.reasons.emplace_back(InterPodAffinity::reason(verdict.detail));
      break;
    case Plugin::kNodeDeclaredFeatures:
      failure.reasons.emplace_back("node(s) didn't match Pod's required features");
      break;
  }
  if (verdict.code == Code::kError) {
    std::string& reason = failure.reasons.front();
    if (verdict.plugin == Plugin::kVolumeBinding) reason.erase(0, 1);  // the mark of an error
    reason = "running \"" + failure.plugin + "\" filter plugin: " + reason;
  }
  return failure;
}

}  // namespace reprieve::engine
