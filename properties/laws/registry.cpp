#include <algorithm>

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

std::span<const Law* const> all_laws() {
  static const std::vector<const Law*> laws = [] {
    std::vector<const Law*> all;
    for (const auto& some : {one_decision_laws(), two_decisions_laws()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return laws;
}

const Law* find_law(std::string_view name) {
  const auto laws = all_laws();
  const auto found = std::ranges::find(laws, name, &Law::name);
  return found == laws.end() ? nullptr : *found;
}

Judgement hold(const Law& law, const Inquiry& inquiry) {
  if (inquiry.decision.outcome == Outcome::kError) return silent();
  if (law.needs_story && !inquiry.subject.tells_story()) return silent();
  if (!law.claimed_for(inquiry.question.policy)) return silent();
  // Who decides such a case all the same has not read it.
  const Pod* preemptor = inquiry.facts.preemptor();
  if (preemptor == nullptr || !preemptor->node_name.empty()) return silent();
  Judgement judgement = law.judge(inquiry);
  if (judgement.verdict != Verdict::kBroken) return judgement;
  const Exception* last = nullptr;
  std::vector<Breach> excused;
  std::vector<Breach> left;
  for (Breach& breach : judgement.breaches) {
    const auto exception =
        std::ranges::find_if(law.exceptions, [&](const Exception& e) { return e.covers(inquiry, breach); });
    const bool covered = exception != law.exceptions.end();
    if (covered) last = &*exception;
    (covered ? excused : left).push_back(std::move(breach));
  }
  if (left.empty()) {
    return {.verdict = Verdict::kSilent, .breaches = std::move(excused), .excused_by = last};
  }
  judgement.breaches = std::move(left);
  return judgement;
}

}  // namespace reprieve::laws
