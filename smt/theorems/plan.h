// A cluster that a model describes, before it is one: nodes, who holds what on them, which budgets select
// whom. Every pod's importance is its priority and start time, unless a plan says more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/smt/terms/term.h"

namespace reprieve::smt {

inline constexpr TimeUs kNewYear = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z
inline constexpr TimeUs kMinute = 60'000'000;
inline constexpr std::int32_t kPreemptorPriority = 2'000'000'000;

/// Values of variables by name; what a model does not mention is 0.
class Reader {
 public:
  Reader(const Terms& terms, const Assignment& model) : terms_(terms), model_(model) {}
  std::int64_t integer(const std::string& name) const;
  bool boolean(const std::string& name) const { return integer(name) != 0; }

 private:
  const Terms& terms_;
  const Assignment& model_;
};

/// One pod of the cluster that is to be.
struct Holder {
  std::string name;
  std::int32_t priority = 0;
  std::optional<TimeUs> start = kNewYear;  // absent: missing
  std::vector<std::int64_t> holds;         // [resource]
  std::vector<bool> in, disrupted;         // [budget]
  std::optional<std::int64_t> grace_s;
};

struct Plan {
  std::string node;
  std::vector<Holder> pods;  // in order of importance
  std::vector<std::int64_t> allocatable, others, nominated;
};

/// The preemptor is default/preemptor and asks for `asked`; budgets that select nobody are left out.
Case cluster_of(const std::vector<Plan>& plans, const std::vector<std::int64_t>& asked,
                const std::vector<std::int64_t>& allowed, std::int32_t priority = kPreemptorPriority);

}  // namespace reprieve::smt
