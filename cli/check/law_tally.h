// What holding the laws against many decisions has come to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/check/stage.h"
#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"
#include "reprieve/properties/laws/law.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::cli {

using Laws = std::vector<const laws::Law*>;

/// For one thread until merged. A place is a seed or an index: whatever finds the case again.
class LawTally {
 public:
  explicit LawTally(Laws held);

  /// Holds every law against the subject's decision; `place` also says what is drawn (check/laws.h).
  void hold(const Case& question, const Decision& decision, subjects::Subject& subject, std::uint64_t place);
  void merge(const LawTally& other);

  const Laws& held() const { return held_; }
  std::uint64_t decisions() const { return decisions_; }
  /// In the order of held(), with their names; those that need a story are marked for a subject without.
  std::vector<LawCount> counts(const subjects::Subject& subject) const;
  /// The first place at which the law at that index was broken.
  std::optional<std::uint64_t> first_broken(std::size_t law) const { return first_broken_[law]; }
  bool any_broken() const;
  /// Cases that were not answered, and why.
  const std::map<std::uint64_t, std::string>& unanswered() const { return unanswered_; }

  /// Forgets where, not how often: for places that mean nothing to a caller.
  void forget_places();

 private:
  Laws held_;
  std::vector<LawCount> counts_;
  std::vector<std::optional<std::uint64_t>> first_broken_;
  std::map<std::uint64_t, std::string> unanswered_;
  std::uint64_t decisions_ = 0;
};

}  // namespace reprieve::cli
