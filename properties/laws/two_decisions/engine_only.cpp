// Laws of the engine's own API: depths, threads, snapshots that are updated, workspaces that are kept. They
// ask the engine themselves, and are silent for every other subject.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"
#include "reprieve/properties/relations/changes.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::laws {
namespace {

using engine::Depth;
using engine::Snapshot;
using engine::Workspace;

/// The engine, and no extender that only a subject can ask.
bool is_engine(const Inquiry& inquiry) {
  for (const Extender& extender : inquiry.question.extenders) {
    if (extender.url) return false;
  }
  return dynamic_cast<subjects::EngineSubject*>(&inquiry.subject) != nullptr;
}

Decision decide(const Snapshot& snapshot, const Case& question, Depth depth, Workspace& workspace) {
  return engine::decide(snapshot, question.preemptor, question.policy, question.extenders, depth, workspace);
}

Decision decide_afresh(const Cluster& cluster, const Case& question, Depth depth) {
  const Snapshot snapshot(cluster, question.policy.release);
  Workspace workspace;
  return decide(snapshot, question, depth, workspace);
}

Depth draw_depth(const Inquiry& inquiry) { return inquiry.random.coin() ? Depth::kFull : Depth::kAnswer; }

/// Another case of the same release, in no way related.
Case draw_other(const Inquiry& inquiry) {
  generators::GeneratorSettings settings;
  settings.policy = inquiry.question.policy;
  return generators::generate(inquiry.random.next(), settings);
}

/// The same cluster, asked about another of its pods: what is left of one decision means most to the next
/// where the names are the same.
Case with_another_preemptor(const Inquiry& inquiry) {
  Case other = inquiry.question;
  std::vector<Pod>& pods = other.cluster.pods;
  const auto asking = std::ranges::find(pods, other.preemptor, full_name);
  if (asking == pods.end()) return other;
  const std::int32_t priority = asking->priority;
  Pod& pod = pods[static_cast<std::size_t>(inquiry.random.below(static_cast<int>(pods.size())))];
  pod.node_name.clear();
  pod.phase = PodPhase::kPending;
  pod.priority = priority;
  other.preemptor = full_name(pod);
  return other;
}

Judgement judge_depths(const Inquiry& inquiry) {
  if (!is_engine(inquiry)) return silent();
  const Snapshot snapshot(inquiry.question.cluster, inquiry.question.policy.release);
  Workspace workspace;
  const Decision answer = decide(snapshot, inquiry.question, Depth::kAnswer, workspace);
  const Decision full = decide(snapshot, inquiry.question, Depth::kFull, workspace);
  const std::string difference = subjects::depth_difference(answer, full);
  return difference.empty() ? holds() : broken("depth answer against full: " + difference);
}

Judgement judge_threads(const Inquiry& inquiry) {
  // Starting threads costs more than all that is decided here.
  if (!is_engine(inquiry) || !inquiry.random.percent(6)) return silent();
  const Snapshot snapshot(inquiry.question.cluster, inquiry.question.policy.release);
  const Depth depth = draw_depth(inquiry);
  std::array<Decision, 2> decisions;
  {
    std::array<std::jthread, 2> threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      threads[i] = std::jthread([&, i] {
        Workspace workspace;
        decisions[i] = decide(snapshot, inquiry.question, depth, workspace);
      });
    }
  }
  const Decision alone = decide_afresh(inquiry.question.cluster, inquiry.question, depth);
  return decisions[0] == alone && decisions[1] == alone
             ? holds()
             : broken("two threads over one snapshot do not both decide as one alone");
}

Judgement judge_workspace(const Inquiry& inquiry) {
  if (!is_engine(inquiry)) return silent();
  const Case other = inquiry.random.coin() ? draw_other(inquiry) : with_another_preemptor(inquiry);
  const Depth depth = draw_depth(inquiry);
  Workspace kept;
  decide(Snapshot(other.cluster, other.policy.release), other, draw_depth(inquiry), kept);
  const Snapshot snapshot(inquiry.question.cluster, inquiry.question.policy.release);
  return decide(snapshot, inquiry.question, depth, kept) ==
                 decide_afresh(inquiry.question.cluster, inquiry.question, depth)
             ? holds()
             : broken("a workspace that has decided another case decides otherwise than a new one");
}

/// The change made to a snapshot.
class Update {
 public:
  explicit Update(Snapshot& snapshot) : snapshot_(snapshot) {}

  void operator()(const Node& object) { snapshot_.set_node(object); }
  void operator()(const Pod& object) { snapshot_.set_pod(object); }
  void operator()(const DisruptionBudget& object) { snapshot_.set_budget(object); }
  void operator()(const Namespace& object) { snapshot_.set_namespace(object); }
  void operator()(const PersistentVolumeClaim& object) { snapshot_.set_claim(object); }
  void operator()(const PersistentVolume& object) { snapshot_.set_volume(object); }
  void operator()(const StorageClass& object) { snapshot_.set_storage_class(object); }
  void operator()(const CsiNode& object) { snapshot_.set_csi_node(object); }
  void operator()(const CsiDriver& object) { snapshot_.set_csi_driver(object); }
  void operator()(const VolumeAttachment& object) { snapshot_.set_volume_attachment(object); }
  void operator()(const relations::Removed& removed) {
    using relations::Kind;
    switch (removed.kind) {
      case Kind::kNode: return snapshot_.remove_node(removed.name);
      case Kind::kPod: return snapshot_.remove_pod(removed.name);
      case Kind::kBudget: return snapshot_.remove_budget(removed.name);
      case Kind::kNamespace: return snapshot_.remove_namespace(removed.name);
      case Kind::kClaim: return snapshot_.remove_claim(removed.name);
      case Kind::kVolume: return snapshot_.remove_volume(removed.name);
      case Kind::kStorageClass: return snapshot_.remove_storage_class(removed.name);
      case Kind::kCsiNode: return snapshot_.remove_csi_node(removed.name);
      case Kind::kCsiDriver: return snapshot_.remove_csi_driver(removed.name);
      case Kind::kVolumeAttachment: return snapshot_.remove_volume_attachment(removed.name);
    }
  }

 private:
  Snapshot& snapshot_;
};

/// A change, or nothing: then a decision is asked for.
using Step = std::optional<relations::Change>;

/// Whether a snapshot that begins empty and is told these steps ends up deciding otherwise than one built
/// anew. `end` is the cluster that they lead to.
bool decides_otherwise(const std::vector<Step>& steps, const Case& question, Depth depth, Cluster& end) {
  end = Cluster{};
  Snapshot snapshot(end, question.policy.release);
  Workspace workspace;
  for (const Step& step : steps) {
    if (!step) {
      decide(snapshot, question, depth, workspace);
      continue;
    }
    relations::apply(*step, end);
    std::visit(Update(snapshot), *step);
  }
  return decide(snapshot, question, depth, workspace) != decide_afresh(end, question, depth);
}

/// The same objects, in any order.
bool holds_the_same(const Cluster& left, const Cluster& right) {
  const auto all = relations::changes_to(right);
  const auto own = relations::changes_to(left);
  return own.size() == all.size() && std::ranges::all_of(own, [&](const relations::Change& change) {
           return std::ranges::find(all, change) != all.end();
         });
}

/// Whether the second sets what the first removed.
bool is_return(const relations::Change& first, const relations::Change& second) {
  using relations::Removed;
  return std::holds_alternative<Removed>(first) && !std::holds_alternative<Removed>(second) &&
         relations::removal_of(second) == std::get<Removed>(first);
}

/// The steps that are needed, a line each. Ever smaller runs of them are left out, as long as the snapshot
/// still decides otherwise and, if they lead to the case, still do.
std::string fewest_steps(std::vector<Step> steps, const Case& question, Depth depth) {
  Cluster end;
  if (!decides_otherwise(steps, question, depth, end)) return {};
  const bool leads_to_the_case = holds_the_same(end, question.cluster);
  for (std::size_t run = steps.size() / 2; run > 0; run /= 2) {
    for (std::size_t at = 0; at + run <= steps.size();) {
      std::vector<Step> fewer = steps;
      const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(from, from + static_cast<std::ptrdiff_t>(run));
      if (decides_otherwise(fewer, question, depth, end) &&
          (!leads_to_the_case || holds_the_same(end, question.cluster))) {
        steps = std::move(fewer);
      } else {
        at += run;
      }
    }
  }
  const auto own = relations::changes_to(question.cluster);
  std::string told = leads_to_the_case ? "It is enough to tell an empty snapshot, up to this case:"
                                       : "It is enough to tell an empty snapshot, on the way to this case:";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    told += "\n  ";
    told += step ? relations::to_string(*step) : "decide";
    if (!step || std::holds_alternative<relations::Removed>(*step)) {
      // What goes and comes back stands in one line.
      if (!step || i + 1 == steps.size() || !steps[i + 1] || !is_return(*step, *steps[i + 1])) continue;
      told += " and set it again";
      ++i;
    }
    told += std::ranges::find(own, *steps[i]) != own.end() ? " (as here)" : " (other than here)";
  }
  return told;
}

/// What is drawn for a case: another cluster, the way from it to this one, and where on it a decision is
/// asked for besides the end.
struct Updates {
  Cluster from;
  std::vector<relations::Change> changes;
  Depth depth = Depth::kFull;
  std::size_t stop = 0;
};

/// Pods like those of the case, under other names and on any node: they held what its pods want.
void add_predecessors(const Inquiry& inquiry, Cluster& cluster) {
  const Cluster& now = inquiry.question.cluster;
  if (now.nodes.empty()) return;
  for (const Pod& pod : now.pods) {
    if (!inquiry.random.percent(25)) continue;
    Pod& before = cluster.pods.emplace_back(pod);
    before.name += "-before";
    before.node_name =
        now.nodes[static_cast<std::size_t>(inquiry.random.below(static_cast<int>(now.nodes.size())))].name;
  }
}

Updates draw_updates(const Inquiry& inquiry) {
  Updates drawn{.from = draw_other(inquiry).cluster, .changes = {}};
  if (inquiry.random.coin()) add_predecessors(inquiry, drawn.from);
  drawn.changes = relations::changes_between(drawn.from, inquiry.question.cluster, inquiry.random);
  drawn.depth = draw_depth(inquiry);
  drawn.stop = static_cast<std::size_t>(inquiry.random.below(static_cast<int>(drawn.changes.size()) + 1));
  return drawn;
}

/// After how many changes the snapshot decides otherwise than one built anew: after all of them, if it does
/// then.
std::optional<std::size_t> differs_after(const Updates& updates, const Case& question) {
  Cluster cluster = updates.from;
  Snapshot snapshot(cluster, question.policy.release);
  Workspace workspace;
  std::optional<std::size_t> after;
  for (std::size_t i = 0; i <= updates.changes.size(); ++i) {
    if (i == updates.stop || i == updates.changes.size()) {
      // On the way the preemptor may be absent or run: then both say so.
      if (decide(snapshot, question, updates.depth, workspace) !=
          decide_afresh(cluster, question, updates.depth)) {
        after = i;
      }
    }
    if (i == updates.changes.size()) break;
    relations::apply(updates.changes[i], cluster);
    std::visit(Update(snapshot), updates.changes[i]);
  }
  return after;
}

Judgement judge_updates(const Inquiry& inquiry) {
  if (!is_engine(inquiry)) return silent();
  const Updates updates = draw_updates(inquiry);
  const auto after = differs_after(updates, inquiry.question);
  if (!after) return holds();
  return broken((*after < updates.changes.size() ? "on the way to the case, after " : "after ") +
                std::to_string(*after) + " of " + std::to_string(updates.changes.size()) +
                " changes the snapshot decides otherwise than one built anew");
}

std::string explain_updates(const Inquiry& inquiry) {
  if (!is_engine(inquiry)) return {};
  const Updates updates = draw_updates(inquiry);
  const auto after = differs_after(updates, inquiry.question);
  if (!after) return {};
  std::vector<Step> steps;
  for (const relations::Change& change : relations::changes_to(updates.from)) steps.emplace_back(change);
  for (std::size_t done = 0; done < *after; ++done) {
    if (done == updates.stop) steps.emplace_back();
    steps.emplace_back(updates.changes[done]);
  }
  return fewest_steps(std::move(steps), inquiry.question, updates.depth);
}

}  // namespace

constinit const Law kDepthsAgree = {
    .name = "depths-agree",
    .sentence = "The engine's two depths give the same answer.",
    .statement = "decide(c, answer) = decide(c, full), as far as answer tells",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_depths,
};

constinit const Law kThreadsAgree = {
    .name = "threads-agree",
    .sentence = "Threads that share one of the engine's snapshots decide like one alone.",
    .statement = "decide(s, c) on two threads = decide(s, c)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_threads,
};

constinit const Law kWorkspaceForgets = {
    .name = "workspace-forgets",
    .sentence = "The engine's workspace keeps nothing of a case before.",
    .statement = "decide(c, w after another case) = decide(c, new w)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_workspace,
};

constinit const Law kUpdatesLikeRebuilding = {
    .name = "updates-like-rebuilding",
    .sentence = "A snapshot of the engine that was updated in place decides like one built anew.",
    .statement = "decide(update(snapshot(a), a -> b)) = decide(snapshot(b)), and on the way",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_updates,
    .explain = explain_updates,
};

}  // namespace reprieve::laws
