// What a budget says, said in another way. Catch: a limit that is checked the wrong way round, a pod charged
// although it is disrupted already, a budget that shields or charges by being there.
#include "reprieve/properties/relations/budgets.h"

#include "reprieve/properties/laws/two_decisions.h"
#include "reprieve/properties/laws/two_decisions/alike.h"
#include "reprieve/properties/laws/two_decisions/claimed.h"

namespace reprieve::laws {
namespace {

bool counts_no_touched_budgets(const Policy& policy) {
  return !names(policy, NodeCriterion::kBudgetsTouched);
}

Judgement judge_roomy(const Inquiry& inquiry) {
  const auto cases = relations::with_roomy_budget(inquiry.question, inquiry.random);
  if (!cases) return silent();
  const Decision roomy = inquiry.subject.decide(cases->roomy);
  const Decision without = inquiry.subject.decide(cases->without);
  return judge_alike(inquiry, relations::without_charges_to(roomy, cases->budget), without,
                     options_for(inquiry.subject));
}

Judgement judge_disrupted(const Inquiry& inquiry) {
  const auto cases = relations::with_disrupted_pod(inquiry.question, inquiry.random);
  if (!cases) return silent();
  if (cases->disrupted.cluster.budgets == cases->unselected.cluster.budgets) return silent();
  const Decision disrupted = inquiry.subject.decide(cases->disrupted);
  const Decision unselected = inquiry.subject.decide(cases->unselected);
  return judge_alike(inquiry, relations::without_charges_for(disrupted, cases->pod), unselected,
                     options_for(inquiry.subject));
}

}  // namespace

constinit const Law kRoomyBudget = {
    .name = "roomy-budget-is-none",
    .sentence = "A budget that allows as many disruptions as there are pods is like none.",
    .statement = "b.allowed >= |pods| => decide(c with b) = decide(c without b), the charges to b apart",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = counts_no_touched_budgets,
    .claimed_for_text = "nodeOrder without budgetsTouched",
    .judge = judge_roomy,
};

constinit const Law kDisruptedIsUnselected = {
    .name = "disrupted-is-unselected",
    .sentence = "A pod that the budgets list as disrupted is like one that they do not select.",
    .statement =
        "decide(c with p in disruptedPods of all budgets) = decide(c with p excluded by all selectors)",
    .theorem = "tested only",
    .arity = Arity::kTwoDecisions,
    .claimed_for = every_policy,
    .claimed_for_text = kEveryPolicy,
    .judge = judge_disrupted,
};

}  // namespace reprieve::laws
