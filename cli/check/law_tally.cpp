#include "reprieve/cli/check/law_tally.h"

#include <algorithm>

#include "reprieve/cli/check/laws.h"

namespace reprieve::cli {

LawTally::LawTally(Laws held) : held_(std::move(held)), counts_(held_.size()), first_broken_(held_.size()) {}

void LawTally::hold(const Case& question, const Decision& decision, subjects::Subject& subject,
                    std::uint64_t place) {
  if (subjects::is_subject_failure(decision)) {
    unanswered_.emplace(place, decision.reason);
    return;
  }
  ++decisions_;
  laws::Facts facts(question, decision);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const auto judgement = hold_law(*held_[i], question, decision, facts, subject, place);
    switch (judgement.verdict) {
      case laws::Verdict::kHolds: ++counts_[i].holds; break;
      case laws::Verdict::kSilent:
        ++(judgement.excused_by == nullptr ? counts_[i].silent : counts_[i].excused);
        break;
      case laws::Verdict::kBroken:
        ++counts_[i].broken;
        first_broken_[i] = std::min(first_broken_[i].value_or(place), place);
        break;
    }
  }
}

void LawTally::merge(const LawTally& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts_[i].holds += other.counts_[i].holds;
    counts_[i].broken += other.counts_[i].broken;
    counts_[i].excused += other.counts_[i].excused;
    counts_[i].silent += other.counts_[i].silent;
    if (const auto place = other.first_broken_[i]) {
      first_broken_[i] = std::min(first_broken_[i].value_or(*place), *place);
    }
  }
  unanswered_.insert(other.unanswered_.begin(), other.unanswered_.end());
  decisions_ += other.decisions_;
}

std::vector<LawCount> LawTally::counts(const subjects::Subject& subject) const {
  std::vector<LawCount> counts = counts_;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i].law = held_[i]->name;
    counts[i].beyond = is_beyond(*held_[i], subject);
  }
  return counts;
}

bool LawTally::any_broken() const {
  return std::ranges::any_of(first_broken_, [](const auto& place) { return place.has_value(); });
}

void LawTally::forget_places() {
  for (auto& place : first_broken_) place.reset();
  unanswered_.clear();
}

}  // namespace reprieve::cli
