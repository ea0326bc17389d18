#include "reprieve/engine/filters/inter_pod_affinity.h"

#include <algorithm>

#include "reprieve/marks/mark.h"
#include "reprieve/mutants/mutant.h"

namespace reprieve::engine {
namespace {

constexpr std::uint8_t kAffinity = 0;
constexpr std::uint8_t kAntiAffinity = 1;
constexpr std::uint8_t kExisting = 2;

std::uint64_t pair_of(StringId key, StringId value) { return (std::uint64_t{key} << 32) | value; }

}  // namespace

void InterPodAffinity::Counts::clear() {
  pairs.clear();
  total = 0;
  keys.clear();
  here.clear();
  has_key.clear();
}

std::size_t InterPodAffinity::Counts::place(StringId key) {
  const auto at = std::ranges::find(keys, key);
  if (at != keys.end()) return static_cast<std::size_t>(at - keys.begin());
  keys.push_back(key);
  here.push_back(0);
  has_key.push_back(0);
  return keys.size() - 1;
}

void InterPodAffinity::Counts::enter(const NodeRecord& node) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const StringId value = label_value(node.labels, keys[i]);
    has_key[i] = value != kNoString ? 1 : 0;
    here[i] = has_key[i] ? pairs.at_or_zero(pair_of(keys[i], value)) : 0;
  }
}

// A pod on a node without the key counts nowhere for that key.
void InterPodAffinity::Counts::add(const NodeRecord& node, StringId key) {
  const StringId value = label_value(node.labels, key);
  if (value == kNoString) return;
  ++pairs[pair_of(key, value)];
  ++total;
}

void InterPodAffinity::Change::clear(std::size_t affinity_keys, std::size_t anti_keys,
                                     std::size_t existing_keys) {
  affinity.assign(affinity_keys, 0);
  anti.assign(anti_keys, 0);
  existing.assign(existing_keys, 0);
  affinity_total = 0;
}

void InterPodAffinity::begin(const Cycle& cycle, GroupMatches& matches) {
  cycle_ = cycle;
  matches_ = &matches;
  affinity_.clear();
  anti_.clear();
  existing_.clear();
  anti_places_.clear();
  const Preemptor& preemptor = cycle.preemptor();
  for (const AffinityTerm& term : preemptor.affinity_terms) affinity_.place(term.topology_key);
  for (const AffinityTerm& term : preemptor.anti_affinity_terms)
    anti_places_.push_back(anti_.place(term.topology_key));
  count_existing();
  const bool has_terms = !preemptor.affinity_terms.empty() || !preemptor.anti_affinity_terms.empty();
  if (has_terms) count_own();
  // With nothing to count the plugin answers Skip, and then sees no nominated pod's terms either.
  skipped_ = !has_terms && existing_.total == 0;
}

// getExistingAntiAffinityCounts.
void InterPodAffinity::count_existing() {
  const Index& index = *cycle_.index;
  for (const PodId pod : index.anti_affinity_pods) {
    for (const AffinityTerm& term : index.pods[pod].anti_affinity_terms) {
      if (!matches_preemptor(cycle_, term)) continue;
      existing_.place(term.topology_key);
      existing_.add(index.nodes[index.pod_node[pod]], term.topology_key);
    }
  }
}

// getIncomingAffinityAntiAffinityCounts. Terminating pods count.
void InterPodAffinity::count_own() {
  const Index& index = *cycle_.index;
  // By groups of labels, so that pods that do not match are not even looked at.
  const auto for_each_node = [&](GroupId group, auto&& add) {
    for (const PodId pod : index.groups[group].pods) {
      if (index.pod_node[pod] != kNone) add(index.nodes[index.pod_node[pod]]);
    }
  };
  for (GroupId group = 0; group < index.groups.size(); ++group) {
    if (index.groups[group].pods.empty()) continue;
    if (matches_->affinity(group)) {
      for_each_node(group, [&](const NodeRecord& node) {
        for (const StringId key : affinity_.keys) affinity_.add(node, key);
      });
    }
    for (std::size_t i = 0; i < anti_places_.size(); ++i) {
      if (!matches_->anti_affinity(group, i)) continue;
      for_each_node(group, [&](const NodeRecord& node) { anti_.add(node, anti_.keys[anti_places_[i]]); });
    }
  }
}

void InterPodAffinity::enter(NodeId node) {
  node_ = node;
  const NodeRecord& record = cycle_.node(node);
  affinity_.enter(record);
  anti_.enter(record);
  existing_.enter(record);
  patched_.clear(affinity_.keys.size(), anti_.keys.size(), existing_.keys.size());
  nominated_.clear(affinity_.keys.size(), anti_.keys.size(), existing_.keys.size());
}

// updateWithPod, on the node entered.
void InterPodAffinity::patch_counts(PodId pod, int sign, Change& change) {
  const Index& index = *cycle_.index;
  const GroupId group = index.pod_group[pod];
  if (matches_->affinity(group)) {
    for (std::size_t i = 0; i < affinity_.keys.size(); ++i) {
      if (!affinity_.has_key[i]) continue;
      change.affinity[i] += sign;
      change.affinity_total += sign;
    }
  }
  for (std::size_t i = 0; i < anti_places_.size(); ++i) {
    if (matches_->anti_affinity(group, i)) change.anti[anti_places_[i]] += sign;
  }
  if (!index.has(pod, kHasAntiAffinity)) return;
  for (const AffinityTerm& term : index.pods[pod].anti_affinity_terms) {
    if (!matches_preemptor(cycle_, term)) continue;
    const std::size_t keys = existing_.keys.size();
    const std::size_t place = existing_.place(term.topology_key);
    if (place == keys) {  // a nominated pod brings a key that no running pod has
      const StringId value = label_value(cycle_.node(node_).labels, term.topology_key);
      existing_.has_key[place] = value != kNoString ? 1 : 0;
      patched_.existing.push_back(0);
      nominated_.existing.push_back(0);
    }
    if (REPRIEVE_MUTANT("existing-anti-affinity-not-freed", true, sign > 0)) change.existing[place] += sign;
  }
}

// satisfyPodAffinity. Every key must be on the node. When no pod anywhere matches, a preemptor that
// matches its own terms may be the first of its kind; taking off the last match revives that rule.
bool InterPodAffinity::affinity_holds(const Change& a, const Change* b) const {
  bool pods_exist = true;
  for (std::size_t i = 0; i < affinity_.keys.size(); ++i) {
    if (!affinity_.has_key[i]) return false;
    if (affinity_.here[i] + a.affinity[i] + (b ? b->affinity[i] : 0) <= 0) pods_exist = false;
  }
  if (pods_exist) return true;
  const std::int64_t total = affinity_.total + a.affinity_total + (b ? b->affinity_total : 0);
  if (!REPRIEVE_MUTANT("affinity-to-itself-always", total == 0, true) ||
      !matches_->affinity(cycle_.index->pod_group[cycle_.pod])) {
    return false;
  }
  REPRIEVE_MARK("engine/affinity/first-of-its-kind");
  return true;
}

Verdict InterPodAffinity::check(bool nominated) const {
  const Change* more = nominated ? &nominated_ : nullptr;
  if (!affinity_holds(patched_, more)) {
    REPRIEVE_MARK("engine/affinity/is-not-met");
    return {Code::kUnresolvable, Plugin::kInterPodAffinity, kAffinity};
  }
  for (std::size_t i = 0; i < anti_.keys.size(); ++i) {
    const std::int64_t repelled = anti_.here[i] + patched_.anti[i] + (more ? more->anti[i] : 0);
    if (anti_.has_key[i] && REPRIEVE_MUTANT("anti-affinity-bears-one", repelled > 0, repelled > 1)) {
      REPRIEVE_MARK("engine/affinity/repels-a-pod");
      return {Code::kUnschedulable, Plugin::kInterPodAffinity, kAntiAffinity};
    }
  }
  for (std::size_t i = 0; i < existing_.keys.size(); ++i) {
    if (existing_.has_key[i] &&
        existing_.here[i] + patched_.existing[i] + (more ? more->existing[i] : 0) > 0) {
      REPRIEVE_MARK("engine/affinity/is-repelled-by-a-pod");
      return {Code::kUnschedulable, Plugin::kInterPodAffinity, kExisting};
    }
  }
  return {};
}

std::string_view InterPodAffinity::reason(std::uint8_t detail) {
  if (detail == kAffinity) return "node(s) didn't match pod affinity rules";
  if (detail == kAntiAffinity) return "node(s) didn't match pod anti-affinity rules";
  return "node(s) didn't satisfy existing pods anti-affinity rules";
}

}  // namespace reprieve::engine
