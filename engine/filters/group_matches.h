// Which label groups the preemptor's terms and spread constraints match, computed once for each group
// that is met: pods with equal labels in one namespace share the answer.
#pragma once

#include <cstdint>
#include <vector>

#include "reprieve/engine/filters/cycle.h"

namespace reprieve::engine {

class GroupMatches {
 public:
  /// Resolves the namespaces of the preemptor's terms; forgets the groups of the last preemptor.
  void begin(const Cycle& cycle);

  /// podMatchesAllAffinityTerms: one pod must match every term; without terms, none does.
  bool affinity(GroupId group) { return test(group, 0); }
  bool anti_affinity(GroupId group, std::size_t term) { return test(group, 1 + term); }
  /// The constraint's selector, in the preemptor's namespace.
  bool spread(GroupId group, std::size_t constraint) { return test(group, 1 + anti_.size() + constraint); }

 private:
  struct Term {
    const AffinityTerm* term = nullptr;
    bool every_namespace = false;
    std::vector<std::uint8_t> in_namespace;  // by NamespaceId
  };
  Term resolve(const AffinityTerm& term) const;
  bool matches(const Term& term, const LabelGroup& group) const;
  void compute(GroupId group);
  bool test(GroupId group, std::size_t bit) {
    if (computed_[group] != generation_) compute(group);
    return ((words_[group * width_ + bit / 64] >> (bit % 64)) & 1U) != 0;
  }

  Cycle cycle_;
  std::vector<Term> affinity_;
  std::vector<Term> anti_;
  std::size_t width_ = 1;
  std::uint32_t generation_ = 0;
  std::vector<std::uint32_t> computed_;
  std::vector<std::uint64_t> words_;
};

/// Whether a term of another pod matches the preemptor, whose namespace's labels are looked at
/// (kube-scheduler framework/types.go, AffinityTerm.Matches).
bool matches_preemptor(const Cycle& cycle, const AffinityTerm& term);

}  // namespace reprieve::engine
