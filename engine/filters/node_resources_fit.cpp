#include "reprieve/engine/filters/node_resources_fit.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

// Resources of which nothing is asked are left out: they are never looked at.
void NodeResourcesFit::begin(const Cycle& cycle) {
  cycle_ = cycle;
  columns_.clear();
  request_.clear();
  const std::vector<std::int64_t>& request = cycle.preemptor().request;
  for (std::size_t column = 0; column < request.size(); ++column) {
    const std::int64_t asked = REPRIEVE_MUTANT("everything-is-asked-for", request[column],
                                               std::max<std::int64_t>(request[column], 1));
    if (asked <= 0) {
      REPRIEVE_MARK("engine/fit/nothing-is-asked");
      continue;
    }
    if (REPRIEVE_MUTANT("only-one-resource-fits", false, !columns_.empty())) break;
    columns_.push_back(column);
    request_.push_back(asked);
  }
  allocatable_.resize(columns_.size());
}

void NodeResourcesFit::enter(NodeId node) {
  const auto allocatable = cycle_.index->allocatable_of(node);
  const auto requested = cycle_.index->requested_of(node);
  pod_limit_ = cycle_.node(node).pod_limit;
  plain_.pods = static_cast<std::int64_t>(cycle_.node(node).pods.size());
  plain_.used.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    allocatable_[i] = allocatable[columns_[i]];
    plain_.used[i] = requested[columns_[i]];
  }
  with_nominated_.pods = plain_.pods;
  with_nominated_.used.assign(plain_.used.begin(), plain_.used.end());
}

void NodeResourcesFit::add(Load& load, PodId pod, std::int64_t sign) const {
  const auto request = cycle_.index->requests_of(pod);
  load.pods += sign;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    load.used[i] += sign * REPRIEVE_MUTANT("nothing-counts-as-one", request[columns_[i]],
                                           std::max<std::int64_t>(request[columns_[i]], 1));
  }
}

void NodeResourcesFit::add_nominated(PodId pod) { add(with_nominated_, pod, 1); }

void NodeResourcesFit::patch(PodId pod, std::int64_t sign) {
  add(plain_, pod, sign);
  add(with_nominated_, pod, sign);
}

// fit.go, Filter: unresolvable as soon as one of the failing requests exceeds what the node has at
// all. The pod count never is.
Verdict NodeResourcesFit::check(bool nominated) const {
  const Load& load = nominated ? with_nominated_ : plain_;
  const bool too_many =
      REPRIEVE_MUTANT("one-pod-too-many", load.pods + 1 > pod_limit_, load.pods > pod_limit_);
  if (resources_fit<std::int64_t>(request_, load.used, allocatable_)) {
    if (!too_many) return {};
    REPRIEVE_MARK("engine/fit/too-many-pods");
    return {Code::kUnschedulable, Plugin::kNodeResourcesFit};
  }
  Code code = Code::kUnschedulable;
  for (std::size_t i = 0; i < request_.size(); ++i) {
    const bool never = REPRIEVE_MUTANT("short-is-never-enough", request_[i] > allocatable_[i], true);
    if (request_[i] > allocatable_[i] - load.used[i] &&
        REPRIEVE_MUTANT("request-above-allocatable-tried", never, false)) {
      REPRIEVE_MARK("engine/fit/above-allocatable");
      code = Code::kUnresolvable;
    }
  }
  return {code, Plugin::kNodeResourcesFit};
}

void NodeResourcesFit::explain(bool nominated, FilterFailure& failure) const {
  const Load& load = nominated ? with_nominated_ : plain_;
  if (load.pods + 1 > pod_limit_) {
    failure.reasons.emplace_back("Too many pods");
    failure.shortfalls.push_back({"pods", 1, load.pods, pod_limit_});
  }
  const std::size_t first = failure.shortfalls.size();
  for (std::size_t i = 0; i < request_.size(); ++i) {
    if (request_[i] <= allocatable_[i] - load.used[i]) continue;
    failure.shortfalls.push_back({cycle_.index->columns.name(columns_[i]), request_[i],
                                  REPRIEVE_MUTANT("shortfalls-without-the-load", load.used[i], 0),
                                  allocatable_[i]});
  }
  const auto rank = [](const Shortfall& shortfall) {
    if (shortfall.resource == "cpu") return 0;
    if (shortfall.resource == "memory") return 1;
    return shortfall.resource == "ephemeral-storage" ? 2 : 3;
  };
  std::sort(failure.shortfalls.begin() + static_cast<std::ptrdiff_t>(first), failure.shortfalls.end(),
            [&](const Shortfall& a, const Shortfall& b) {
              return rank(a) != rank(b) ? rank(a) < rank(b) : a.resource < b.resource;
            });
  for (std::size_t i = first; i < failure.shortfalls.size(); ++i) {
    failure.reasons.push_back("Insufficient " + failure.shortfalls[i].resource);
  }
}

}  // namespace reprieve::engine
