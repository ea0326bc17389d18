#include "reprieve/engine/filters/group_matches.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {

void GroupMatches::begin(const Cycle& cycle) {
  cycle_ = cycle;
  const Preemptor& preemptor = cycle.preemptor();
  affinity_.clear();
  anti_.clear();
  for (const AffinityTerm& term : preemptor.affinity_terms) affinity_.push_back(resolve(term));
  for (const AffinityTerm& term : preemptor.anti_affinity_terms) anti_.push_back(resolve(term));
  width_ = (1 + anti_.size() + preemptor.spread.size() + 63) / 64;
  const std::size_t groups = cycle.index->groups.size();
  generation_ += REPRIEVE_MUTANT("matches-kept-between-cycles", 1, generation_ == 0 ? 1 : 0);
  if (generation_ == 0) {
    std::ranges::fill(computed_, 0);
    generation_ = 1;
  }
  if (computed_.size() < groups) computed_.resize(groups);
  if (words_.size() < groups * width_) words_.resize(groups * width_);
}

// mergeAffinityTermNamespacesIfNotEmpty: the preemptor's namespace selectors are unrolled into the
// names of the namespaces that exist. 1.36 does so on a copy and forgets to drop the selector, which
// is then held against *no* labels, so NotIn and DoesNotExist match every namespace.
GroupMatches::Term GroupMatches::resolve(const AffinityTerm& term) const {
  const Index& index = *cycle_.index;
  Term resolved;
  resolved.term = &term;
  static const LabelSet kNoLabels;
  resolved.every_namespace =
      term.namespace_selector.empty() ||
      (REPRIEVE_MUTANT("namespace-selector-kept", index.release == Release::k1_36, false) &&
       term.namespace_selector.matches(kNoLabels, index.strings));
  if (resolved.every_namespace) {
    if (!term.namespace_selector.empty())
      REPRIEVE_MARK("engine/affinity/namespace-selector-of-no-labels-1.36");
    return resolved;
  }
  resolved.in_namespace.assign(index.namespaces.size(), 0);
  for (const StringId name : term.namespaces) {
    const auto it = index.namespace_by_name.find(name);
    if (it != index.namespace_by_name.end()) resolved.in_namespace[it->second] = 1;
  }
  if (term.namespace_selector.nothing) return resolved;
  for (std::size_t i = 0; i < index.namespaces.size(); ++i) {
    const NamespaceRecord& name_space = index.namespaces[i];
    const LabelSet& labels = REPRIEVE_MUTANT("namespace-selectors-read-the-first", name_space.labels,
                                             index.namespaces.front().labels);
    if (name_space.exists && term.namespace_selector.matches(labels, index.strings)) {
      resolved.in_namespace[i] = 1;
    }
  }
  return resolved;
}

bool GroupMatches::matches(const Term& term, const LabelGroup& group) const {
  return (term.every_namespace || term.in_namespace[group.namespace_id] != 0) &&
         term.term->selector.matches(group.labels, cycle_.index->strings);
}

void GroupMatches::compute(GroupId id) {
  const LabelGroup& group = cycle_.index->groups[id];
  std::uint64_t* words = words_.data() + id * width_;
  std::fill_n(words, width_, 0);
  std::size_t bit = 0;
  const auto put = [&](bool value) {
    if (value) words[bit / 64] |= std::uint64_t{1} << (bit % 64);
    ++bit;
  };
  const auto holds = [&](const Term& term) { return matches(term, group); };
  put(!affinity_.empty() && REPRIEVE_MUTANT("affinity-of-any-term", std::ranges::all_of(affinity_, holds),
                                            std::ranges::any_of(affinity_, holds)));
  for (const Term& term : anti_) put(matches(term, group));
  const bool same_namespace = group.namespace_id == cycle_.group().namespace_id;
  for (const SpreadConstraint& constraint : cycle_.preemptor().spread) {
    put(same_namespace && constraint.selector.matches(group.labels, cycle_.index->strings));
  }
  computed_[id] = generation_;
}

bool matches_preemptor(const Cycle& cycle, const AffinityTerm& term) {
  const Index& index = *cycle.index;
  const NamespaceRecord& name_space = index.namespaces[cycle.group().namespace_id];
  // An absent namespace has no labels.
  const bool in_namespace = std::ranges::find(term.namespaces, name_space.name_id) != term.namespaces.end() ||
                            term.namespace_selector.matches(name_space.labels, index.strings);
  return in_namespace && term.selector.matches(cycle.group().labels, index.strings);
}

}  // namespace reprieve::engine
