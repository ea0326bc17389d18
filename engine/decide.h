// The production engine's decision over an indexed Snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "reprieve/engine/exact/search_options.h"
#include "reprieve/engine/extender_call.h"
#include "reprieve/engine/snapshot.h"
#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::engine {

/// kAnswer: the chosen node (and its tie), victims and key; may skip nodes by bounds that cannot
/// change the answer, so Decision::nodes holds only nodes of the tie, the first kToldOfTie of them, and
/// decided_by is absent.
/// kFull: every node's story, as the reference tells it.
enum class Depth { kAnswer, kFull };
inline constexpr std::size_t kToldOfTie = 16;

/// Scratch memory kept between decisions; one for each thread that decides.
class Workspace {
 public:
  /// So many threads share the work of one decision where that pays: a kAnswer in which resources alone
  /// decide, of a pod unlike the one before, over kNodesPerThread nodes for each. The answer is the same.
  explicit Workspace(unsigned threads = 1);
  static constexpr std::size_t kNodesPerThread = 8192;
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  /// Search nodes that the last decision took, of a policy with `victims: exact`.
  std::uint64_t searched() const;
  /// Nodes on which an eviction was tried by the last decision; the others were left out by a bound.
  std::uint64_t tried() const;
  /// What each thread did of the last decision that bounded nodes anew.
  struct Share {
    std::uint64_t bounded = 0;
    std::uint64_t tried = 0;
  };
  std::vector<Share> shares() const;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Decides for a pending pod of the snapshot. const, deterministic. An absent or running preemptor
/// is Outcome::kError, and so is a policy or an extender (url, unless `ask` is given) that is not
/// implemented; never a guess. The policy's release must be the snapshot's. `search` is for policies
/// with `victims: exact`.
Decision decide(const Snapshot& snapshot, std::string_view preemptor, const Policy& policy,
                std::span<const Extender> extenders, Depth depth, Workspace& workspace,
                const AskExtender& ask = {}, const SearchOptions& search = {});

/// Builds a snapshot for one decision.
Decision decide(const Case& question, Depth depth, const AskExtender& ask = {},
                const SearchOptions& search = {});

}  // namespace reprieve::engine
