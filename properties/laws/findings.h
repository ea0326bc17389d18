// What a judge has seen while it walks the nodes: nothing to judge, all well, or where it is broken.
#pragma once

#include <string>
#include <utility>

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

class Findings {
 public:
  /// The premise was met somewhere.
  void looked() {
    if (judgement_.verdict == Verdict::kSilent) judgement_.verdict = Verdict::kHolds;
  }

  void breach(const NodeDecision& node, Pods pods, std::string why) {
    judgement_.verdict = Verdict::kBroken;
    judgement_.breaches.push_back({.why = std::move(why), .node = &node, .pods = std::move(pods)});
  }

  /// In the decision as a whole.
  void breach(std::string why) {
    judgement_.verdict = Verdict::kBroken;
    judgement_.breaches.push_back({.why = std::move(why)});
  }

  Judgement judgement() { return std::move(judgement_); }

 private:
  Judgement judgement_;
};

}  // namespace reprieve::laws
