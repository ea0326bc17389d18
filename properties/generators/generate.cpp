#include "reprieve/properties/generators/generate.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "reprieve/properties/generators/draft.h"

namespace reprieve::generators {
namespace {

constexpr std::uint64_t kCrowds = 0xC3A5C85C97CB3127ULL;

/// A group of features, and in how many percent of the cases any of it is there.
struct Group {
  FeatureSet features;
  int chance;
};

/// Which features this case has, and how often each shows up in it. A case with everything at once
/// reaches little (the first failing filter hides the rest), and one with nothing reaches less; so
/// whole groups are left out, and what is there is thin in some cases and dense in others.
FeatureSet swarm(Random& random, FeatureSet allowed, std::array<int, kFeatureCount>& intensity) {
  static constexpr std::array kGroups = {Group{resource_features(), 70},  Group{preemption_features(), 90},
                                         Group{placement_features(), 50}, Group{topology_features(), 40},
                                         Group{volume_features(), 30},    Group{surrounding_features(), 30}};
  static constexpr std::array kDensities = {10, 20, 30, 30, 60};
  static constexpr std::array kIntensities = {10, 30, 30, 60, 90};
  FeatureSet on;
  for (const Group& group : kGroups) {
    if (!random.percent(group.chance)) continue;
    const int density = random.pick(kDensities);
    for (int i = 0; i < kFeatureCount; ++i) {
      const auto feature = static_cast<Feature>(i);
      if (!(group.features & allowed).has(feature)) continue;
      intensity[static_cast<std::size_t>(i)] = random.pick(kIntensities);
      // Budgets are what the algorithm is about: most cases have some.
      const bool usual = feature == Feature::kBudgets || feature == Feature::kMemory;
      if (random.percent(usual ? 65 : density)) on.insert(feature);
    }
  }
  // Never preempting ends the story at once.
  if (on.has(Feature::kNeverPreempts) && random.percent(70)) on.erase(Feature::kNeverPreempts);
  return on;
}

void choose_priorities(Draft& draft) {
  static constexpr std::array<std::int32_t, 5> kUsual = {0, 0, 10, 50, 100};
  static constexpr std::array<std::int32_t, 5> kNegative = {-1, -10, -10, -100, -1000};
  // The bounds of what admission lets through: user classes, the two system classes, int32.
  static constexpr std::array<std::int32_t, 7> kExtreme = {1'000'000'000,
                                                           999'999'999,
                                                           2'000'000'000,
                                                           2'000'001'000,
                                                           std::numeric_limits<std::int32_t>::min(),
                                                           std::numeric_limits<std::int32_t>::min() + 1,
                                                           -2'000'000'000};
  const int count = draft.random.between(1, 4);
  for (int i = 0; i < count; ++i) {
    if (draft.now(Feature::kExtremePriorities)) {
      draft.priorities.push_back(draft.random.pick(kExtreme));
    } else if (draft.now(Feature::kNegativePriorities)) {
      draft.priorities.push_back(draft.random.pick(kNegative));
    } else {
      draft.priorities.push_back(draft.random.pick(kUsual));
    }
  }
  // Counted from the lowest, as their sum is, these are small numbers: then sets of victims of different
  // sizes come to the same sum.
  const bool exact = draft.result.policy.victims == VictimSearch::kExact;
  if (exact && draft.has(Feature::kExtremePriorities) && draft.random.coin()) {
    for (std::int32_t& priority : draft.priorities) {
      if (draft.random.percent(75))
        priority = std::numeric_limits<std::int32_t>::min() + draft.random.below(4);
    }
  }
  const std::int32_t highest = *std::max_element(draft.priorities.begin(), draft.priorities.end());
  // Mostly above all of them; sometimes equal to some, so that some pods are not potential victims.
  draft.preemptor_priority = highest;
  if (draft.random.percent(75) && highest < 2'000'000'000) draft.preemptor_priority = highest + 1;
}

int between_zero_and(Random& random, int most) { return most <= 0 ? 0 : random.below(most + 1); }

/// A node's pods and a capacity that they nearly fill.
struct FilledNode {
  std::vector<Pod> pods;
  Units used{};
  Units free{};
};

FilledNode fill_node(Draft& draft, const std::string& name) {
  FilledNode filled;
  const int count = between_zero_and(draft.random, draft.settings.max_pods_per_node);
  for (int i = 0; i < count; ++i) {
    Pod pod = running_pod(draft, name);
    const Units units = add_requests(draft, pod);
    for (std::size_t r = 0; r < units.size(); ++r) filled.used[r] += units[r];
    filled.pods.push_back(std::move(pod));
  }
  for (int& units : filled.free) units = draft.random.percent(50) ? 0 : draft.random.below(3);
  return filled;
}

/// The same pods under new names on another node, now and then with one of them changed: how ties,
/// and near ties, come about.
FilledNode twin_of(Draft& draft, const FilledNode& original, const std::string& name) {
  FilledNode twin = original;
  for (Pod& pod : twin.pods) {
    pod.name = draft.new_pod_name(pod.namespace_);
    pod.node_name = name;
  }
  if (!twin.pods.empty() && draft.random.percent(60)) {
    Pod& changed =
        twin.pods[static_cast<std::size_t>(draft.random.below(static_cast<int>(twin.pods.size())))];
    switch (draft.random.below(draft.own_policy ? 4 : 3)) {
      case 3: changed.termination_grace_period_s = draft.random.below(3) * 30; break;
      case 0: changed.priority = draft.random.pick(draft.priorities); break;
      case 1: changed.start_time_us = kEpochUs + draft.random.below(4) * 60 * kSecondUs; break;
      default: changed.labels = pod_labels(draft); break;
    }
  }
  return twin;
}

/// What the preemptor asks for. Forced: more of some resource than is free on `target`, and not more
/// than what evicting everything there could free.
Units preemptor_units(Draft& draft, const std::vector<FilledNode>& nodes) {
  Units wanted{};
  const FilledNode& target = draft.random.pick(nodes);
  const bool resources_decide = draft.flavour == Flavour::kForced;
  const int pressed = draft.random.below(static_cast<int>(draft.resources.size()));
  for (std::size_t r = 0; r < draft.resources.size(); ++r) {
    const int most = target.used[r] + target.free[r];
    if (draft.flavour == Flavour::kAnything) {
      wanted[r] = draft.random.below(5);
    } else if (resources_decide && (static_cast<int>(r) == pressed || draft.random.percent(25))) {
      wanted[r] =
          most <= target.free[r] ? target.free[r] + 1 : draft.random.between(target.free[r] + 1, most);
    } else if (draft.flavour == Flavour::kConflicts && r == 0 && draft.random.percent(60)) {
      wanted[r] = 1;  // the nodes without the conflict should mostly be full
    } else if (draft.random.percent(60)) {
      wanted[r] = between_zero_and(draft.random, target.free[r]);
    }
  }
  return wanted;
}

/// Nodes and running pods; returns what the preemptor has to ask for.
Units add_filled_nodes(Draft& draft) {
  std::vector<FilledNode> filled;
  const int count = draft.random.between(1, std::max(1, draft.settings.max_nodes));
  for (int i = 1; i <= count; ++i) {
    const std::string name = draft.numbered("n", i);
    const bool twin = !filled.empty() && draft.random.percent(40);
    filled.push_back(twin ? twin_of(draft, draft.random.pick(filled), name) : fill_node(draft, name));
  }
  const Units wanted = preemptor_units(draft, filled);
  for (int i = 1; i <= count; ++i) {
    FilledNode& node = filled[static_cast<std::size_t>(i - 1)];
    Units capacity{};
    for (std::size_t r = 0; r < capacity.size(); ++r) {
      capacity[r] = draft.flavour == Flavour::kAnything ? draft.random.below(9) : node.used[r] + node.free[r];
      // Overcommitted: a request of zero must still pass, any other must not.
      if (draft.now(Feature::kZeroRequests) && capacity[r] > 0 && draft.random.percent(30)) --capacity[r];
    }
    Node object;
    object.name = draft.numbered("n", i);
    set_allocatable(draft, object, capacity, static_cast<int>(node.pods.size()));
    draft.cluster().nodes.push_back(std::move(object));
    for (Pod& pod : node.pods) draft.cluster().pods.push_back(std::move(pod));
  }
  return wanted;
}

void add_preemptor(Draft& draft, const Units& wanted) {
  Pod pod = plain_pod(draft);
  pod.name = "preemptor";
  pod.priority = draft.preemptor_priority;
  pod.start_time_us.reset();
  pod.deletion_time_us.reset();
  if (draft.now(Feature::kNeverPreempts)) pod.preemption_policy = PreemptionPolicy::kNever;
  if (draft.flavour == Flavour::kLevels || draft.random.percent(80)) {
    add_requests_exactly(draft, pod, wanted);
  } else {
    add_requests(draft, pod);
  }
  if (draft.now(Feature::kOwnNomination)) pod.nominated_node_name = draft.node_name();
  add_ports(draft, pod);
  add_preemptor_placement(draft, pod);
  add_preemptor_topology(draft, pod);
  add_pod_volumes(draft, pod);
  draft.result.preemptor = full_name(pod);
  draft.cluster().pods.push_back(std::move(pod));
}

/// Above 12 potential victims Go's sort is not stable, so importance must not tie there; and a
/// missing start time reads the clock.
void make_importance_distinct(Draft& draft) {
  constexpr std::size_t kStableSort = 12;  // sort.Slice uses insertion sort up to here
  std::map<std::string, std::vector<Pod*>> potential_victims;
  for (Pod& pod : draft.cluster().pods) {
    if (!pod.node_name.empty() && pod.priority < draft.preemptor_priority) {
      potential_victims[pod.node_name].push_back(&pod);
    }
  }
  for (auto& [node, pods] : potential_victims) {
    if (pods.size() <= kStableSort) continue;
    std::vector<int> minutes(pods.size());
    for (std::size_t i = 0; i < pods.size(); ++i) minutes[i] = static_cast<int>(i);
    draft.random.shuffle(minutes);
    for (std::size_t i = 0; i < pods.size(); ++i)
      pods[i]->start_time_us = kEpochUs + minutes[i] * 60 * kSecondUs;
  }
}

Flavour choose_flavour(Random& random) {
  const int dice = random.below(100);
  return dice < 40   ? Flavour::kForced
         : dice < 62 ? Flavour::kConflicts
         : dice < 92 ? Flavour::kLevels
                     : Flavour::kAnything;
}

/// Puts a filter in the way that eviction can satisfy, other than resources.
void add_conflict(Draft& draft) {
  static constexpr std::array kConflicts = {
      Feature::kHostPorts,      Feature::kPodAntiAffinity, Feature::kExistingAntiAffinity,
      Feature::kTopologySpread, Feature::kAttachLimits,    Feature::kReadWriteOncePod,
      Feature::kInTreeDisks,    Feature::kPodLimit};
  const Feature conflict = draft.random.pick(kConflicts);
  if (!draft.settings.features.has(conflict)) return;
  draft.on.insert(conflict);
  draft.conflict = conflict;
  draft.intensity[static_cast<std::size_t>(conflict)] = 90;
  // A terminating pod is not counted by PreFilter, but its removal is (PodTopologySpread): a scheduler
  // that recounts differs only where such a pod is among those in the way.
  if (conflict == Feature::kTopologySpread && draft.settings.features.has(Feature::kTerminatingPods) &&
      draft.random.percent(50)) {
    draft.on.insert(Feature::kTerminatingPods);
    draft.intensity[static_cast<std::size_t>(Feature::kTerminatingPods)] = 40;
  }
}

}  // namespace

Draft::Draft(std::uint64_t seed, const GeneratorSettings& generator_settings)
    : random(seed), settings(generator_settings), intensity{}, namespaces{"default", "other"} {
  result.name = "seed-" + std::to_string(seed);
  // Apart from the source of the case, which is the same whether or not the policy might be drawn.
  own_policy = !settings.policy && (settings.policies == Policies::kAny ||
                                    (settings.policies == Policies::kMixed && Random(~seed).percent(40)));
  result.policy =
      settings.policy ? *settings.policy : kubernetes_policy(random.coin() ? Release::k1_36 : Release::k1_37);
  on = swarm(random, settings.features, intensity);
  flavour = settings.flavour ? *settings.flavour : choose_flavour(random);
  if (flavour == Flavour::kConflicts) add_conflict(*this);
  // Filters that tell the nodes apart would break the tie that is being made.
  if (flavour == Flavour::kLevels && random.percent(70)) {
    on = on & (preemption_features() | surrounding_features());
    on.erase(Feature::kNeverPreempts);
  }
  same_size_units = random.percent(30) ? random.between(1, 3) : 0;
}

bool Draft::weighs(ImportanceCriterion criterion) const {
  const std::vector<ImportanceCriterion>& named = result.policy.importance;
  return own_policy && std::find(named.begin(), named.end(), criterion) != named.end();
}

std::string Draft::numbered(std::string_view prefix, int number) const {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  std::string name(prefix);
  return name.append(digits.data(), end);
}

Quantity Draft::amount(int resource, int units) const {
  return quantity_from_milli(resources[static_cast<std::size_t>(resource)].unit_milli * units);
}

std::string Draft::node_name() {
  if (result.cluster.nodes.empty() || now(Feature::kAbsentNodes)) return "gone";
  return random.pick(result.cluster.nodes).name;
}

std::string Draft::new_pod_name(const std::string& ns) {
  if (!number_namespace_.empty() && number_namespace_ != ns && random.percent(60)) {
    number_namespace_.clear();
  } else {
    ++pod_number_;
    number_namespace_ = ns;
  }
  return numbered("p", pod_number_);
}

Case generate(std::uint64_t seed, const GeneratorSettings& settings) {
  Draft draft(seed, settings);
  if (draft.own_policy) draw_policy(draft);
  choose_priorities(draft);
  choose_resources(draft);
  // Volumes first of all that reads them; nodes before what names them.
  const Units wanted = draft.flavour == Flavour::kLevels ? add_tied_nodes(draft) : add_filled_nodes(draft);
  for (Node& node : draft.cluster().nodes) add_node_traits(draft, node);
  add_storage(draft);
  for (Pod& pod : draft.cluster().pods) {
    add_ports(draft, pod);
    add_running_affinity(draft, pod);
    add_pod_volumes(draft, pod);
  }
  add_pending_pods(draft);
  add_preemptor(draft, wanted);
  // From a source of its own, so that the cases without a crowd are what they were.
  if (Random crowds(seed ^ kCrowds); crowds.percent(85)) crowd_the_least_domain(draft, crowds);
  add_budgets(draft);
  if (draft.now(Feature::kAbsentNodes)) {
    Pod lost = running_pod(draft, "gone");
    add_requests(draft, lost);
    draft.cluster().pods.push_back(std::move(lost));
  }
  // Ties fall to input order, so that has to vary too.
  if (draft.random.percent(30)) draft.random.shuffle(draft.cluster().pods);
  if (draft.random.percent(20)) draft.random.shuffle(draft.cluster().nodes);
  make_importance_distinct(draft);
  add_extenders(draft);
  add_sampling(draft);
  if (draft.own_policy) bind_guarantee(draft);
  return std::move(draft.result);
}

}  // namespace reprieve::generators
