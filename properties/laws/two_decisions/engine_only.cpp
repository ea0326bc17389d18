// Laws of the engine's own API: depths, threads, snapshots that are updated, workspaces that are kept. They
// ask the engine themselves, and are silent for every other subject.
#include <array>
#include <thread>

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
  const Case other = draw_other(inquiry);
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

Judgement judge_updates(const Inquiry& inquiry) {
  if (!is_engine(inquiry)) return silent();
  const Case from = draw_other(inquiry);
  const auto changes = relations::changes_between(from.cluster, inquiry.question.cluster, inquiry.random);
  const Depth depth = draw_depth(inquiry);
  Cluster cluster = from.cluster;
  Snapshot snapshot(cluster, inquiry.question.policy.release);
  Workspace workspace;
  const std::size_t stop =
      static_cast<std::size_t>(inquiry.random.below(static_cast<int>(changes.size()) + 1));
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    if (i == stop || i == changes.size()) {
      // On the way the preemptor may be absent or run: then both say so.
      if (decide(snapshot, inquiry.question, depth, workspace) !=
          decide_afresh(cluster, inquiry.question, depth)) {
        return broken("after " + std::to_string(i) + " of " + std::to_string(changes.size()) +
                      " changes the snapshot decides otherwise than one built anew");
      }
    }
    if (i == changes.size()) break;
    relations::apply(changes[i], cluster);
    std::visit(Update(snapshot), changes[i]);
  }
  return holds();
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
};

}  // namespace reprieve::laws
