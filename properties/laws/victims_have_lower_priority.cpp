// Catches: a dry run that takes off pods of equal priority (<= for <), or victims of another node.
#include <fmt/format.h>

#include "reprieve/properties/laws/claims.h"
#include "reprieve/properties/laws/findings.h"
#include "reprieve/properties/laws/one_decision.h"

namespace reprieve::laws {
namespace {

Judgement judge(const Inquiry& inquiry) {
  Findings findings;
  for (const NodeDecision& node : inquiry.decision.nodes) {
    for (const std::string& name : node.victims) {
      findings.looked();
      const Pod* victim = inquiry.facts.find_pod(name);
      const std::int32_t priority = inquiry.facts.preemptor()->priority;
      if (victim == nullptr) {
        findings.breach(node, {}, fmt::format("{}: there is no pod {}", node.node, name));
      } else if (victim->node_name != node.node) {
        findings.breach(node, {victim},
                        fmt::format("{}: the victim {} runs on \"{}\"", node.node, name, victim->node_name));
      } else if (victim->priority >= priority) {
        findings.breach(node, {victim},
                        fmt::format("{}: the victim {} has priority {}, the preemptor {}", node.node, name,
                                    victim->priority, priority));
      }
    }
  }
  return findings.judgement();
}

}  // namespace

constinit const Law kVictimsHaveLowerPriority = {
    .name = "victims-have-lower-priority",
    .sentence = "A victim runs on the node and has lower priority than the preemptor.",
    .statement = "v in victims(n) => v.node = n and priority(v) < priority(preemptor)",
    .theorem = "tested only",
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge,
};

}  // namespace reprieve::laws
