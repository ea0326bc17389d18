#include "reprieve/smt/policy/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "reprieve/smt/policy/replay.h"
#include "reprieve/smt/symbolic/formula.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

// Another set of pods with which the preemptor fits as well.
Bools another_choice(World& world, const PolicyNode& node) {
  Bools victims, kept;
  for (std::size_t i = 0; i < node.pods.size(); ++i) {
    victims.push_back(world.boolean(fmt::format("instead{}", i + 1)));
    kept.push_back(no(victims.back()));
  }
  world.assume(direct::fits(node.question.resources, kept));
  return victims;
}

Bool alike(const PolicyNode& node, std::size_t a, std::size_t b) {
  Bools each;
  for (std::size_t r = 0; r < node.question.resources.asked.size(); ++r)
    each.push_back(node.question.resources.held[a][r] == node.question.resources.held[b][r]);
  for (std::size_t k = 0; k < node.question.budgets.allowed.size(); ++k)
    each.push_back(same(node.question.budgets.selects[a][k], node.question.budgets.selects[b][k]));
  return all(each);
}

// A statement about one node that is a candidate.
Invariant about_a_candidate(const Policy& policy, std::string name, std::string sentence,
                            std::function<void(World&, const PolicyNode&, const PolicyAnswer&)> claim) {
  return {.name = std::move(name),
          .sentence = std::move(sentence),
          .body = [policy, claim = std::move(claim)](World& world, const Shape& shape) {
            const PolicyNode node = policy_node(world, policy, shape, 0);
            const PolicyAnswer given = answer(policy, node);
            world.assume(given.candidate);
            claim(world, node, given);
          }};
}

// The same after a change of the node that makes things easier.
Invariant after_a_change(const Policy& policy, std::string name, std::string sentence,
                         std::function<void(World&, PolicyNode&)> change,
                         std::function<Bool(const PolicyAnswer& before, const PolicyAnswer& after)> claim) {
  return about_a_candidate(policy, std::move(name), std::move(sentence),
                           [policy, change = std::move(change), claim = std::move(claim)](
                               World& world, const PolicyNode& node, const PolicyAnswer& before) {
                             PolicyNode changed = node;
                             change(world, changed);
                             world.claim("after the change", claim(before, answer(policy, changed)));
                           });
}

void add_of_one_node(const Policy& policy, std::vector<Invariant>& to) {
  const auto add = [&](std::string name, std::string sentence, auto claim) {
    to.push_back(about_a_candidate(policy, std::move(name), std::move(sentence), claim));
  };
  add("no-victim-can-be-spared", "The preemptor does not fit with any single victim put back.",
      [](World& world, const PolicyNode& node, const PolicyAnswer& given) {
        for (std::size_t i = 0; i < node.pods.size(); ++i) {
          Bools kept;
          for (std::size_t j = 0; j < node.pods.size(); ++j)
            kept.push_back(j == i ? Bool(true) : no(given.evicted[j]));
          world.claim("it cannot be spared",
                      implies(given.evicted[i], no(direct::fits(node.question.resources, kept))));
        }
      });
  add("told-is-not-below-real", "The violations told are not fewer than the victims really cause.",
      [](World& world, const PolicyNode& node, const PolicyAnswer& given) {
        world.claim("not fewer", given.violations >= really_violated(node, given.evicted));
      });
  add("told-is-not-above-real", "The violations told are not more than the victims really cause.",
      [](World& world, const PolicyNode& node, const PolicyAnswer& given) {
        world.claim("not more", given.violations <= really_violated(node, given.evicted));
      });
  add("zero-is-found", "When some set of victims violates nothing, the one that is chosen violates nothing.",
      [](World& world, const PolicyNode& node, const PolicyAnswer& given) {
        const Bools instead = another_choice(world, node);
        world.assume(really_violated(node, instead) == 0);
        world.claim("none", really_violated(node, given.evicted) == 0);
      });
  add("fewest-violations", "No set of victims on the node really violates less.",
      [](World& world, const PolicyNode& node, const PolicyAnswer& given) {
        const Bools instead = another_choice(world, node);
        world.claim("fewest", really_violated(node, given.evicted) <= really_violated(node, instead));
      });
  if (policy.budgets.guaranteed) {
    add("never-violates", "No budget is violated, by the policy's own charging.",
        [policy](World& world, const PolicyNode& node, const PolicyAnswer& given) {
          direct::Budgets budgets = node.question.budgets;
          budgets.charging = policy.charging;
          world.claim("none", how_many(direct::violating_among(budgets, given.evicted)) == 0);
        });
  }
  add("the-less-important-goes",
      "Of two pods that hold the same and are under the same budgets, the more important one does not go "
      "while the other stays.",
      [](World& world, const PolicyNode& node, const PolicyAnswer& given) {
        for (std::size_t i = 0; i < node.pods.size(); ++i) {
          for (std::size_t j = i + 1; j < node.pods.size(); ++j)
            world.claim("not inverted",
                        implies(alike(node, i, j), any_of(no(given.evicted[i]), given.evicted[j])));
        }
      });
  add("best-on-its-node", "No set of victims on the node is better by the policy's own order.",
      [policy](World& world, const PolicyNode& node, const PolicyAnswer& given) {
        const Bools instead = another_choice(world, node);
        direct::Budgets budgets = node.question.budgets;
        budgets.charging = policy.charging;
        const auto key = [&](const Bools& victims) {
          return key_of(policy, node, victims, how_many(direct::violating_among(budgets, victims)));
        };
        if (policy.budgets.guaranteed) world.assume(key(instead).levels.violations == 0);
        world.claim("not better", no(better(policy, key(instead), key(given.evicted))));
      });
}

// The value becomes another one that is not less.
void raise(World& world, Int& value, std::string_view name, std::int64_t most) {
  const Int more = world.integer(name, 0, most);
  world.assume(more >= value);
  world.minimise(more);
  value = more;
}

void add_of_changes(const Policy& policy, std::vector<Invariant>& to) {
  to.push_back(after_a_change(
      policy, "order-of-budgets-does-not-matter",
      "With its budgets in another order the victims and the count are the same.",
      [](World& world, PolicyNode& node) {
        direct::Budgets& budgets = node.question.budgets;
        world.assume(Bool(budgets.allowed.size() >= 2));
        std::ranges::reverse(budgets.allowed);
        for (Bools& selects : budgets.selects) std::ranges::reverse(selects);
      },
      [](const PolicyAnswer& before, const PolicyAnswer& after) {
        Bools each = {after.candidate, before.violations == after.violations};
        for (std::size_t i = 0; i < before.evicted.size(); ++i)
          each.push_back(same(before.evicted[i], after.evicted[i]));
        return all(each);
      }));
  const auto not_worse = [policy](const PolicyAnswer& before, const PolicyAnswer& after) {
    return all_of(after.candidate, no(better(policy, before.key, after.key)));
  };
  to.push_back(after_a_change(
      policy, "allowing-more-is-not-worse", "When a budget allows more the candidate's key is not worse.",
      [](World& world, PolicyNode& node) {
        raise(world, node.question.budgets.allowed.front(), "budget1.allowed.then", kMostInt32);
      },
      not_worse));
  to.push_back(after_a_change(
      policy, "more-room-is-not-worse", "When the node has more room the candidate's key is not worse.",
      [](World& world, PolicyNode& node) {
        raise(world, node.question.resources.allocatable.front(), "a.node.cpu.then", kMostOfAResource);
        // It still has to be tried.
        world.assume(no(direct::fits(node.question.resources, Bools(node.pods.size(), Bool(true)))));
      },
      not_worse));
  to.push_back(after_a_change(
      policy, "removing-a-budget-is-not-worse",
      "Without one of its budgets the candidate's key is not worse.",
      [](World&, PolicyNode& node) { node.question = without_first_budget(node.question); }, not_worse));
}

void add_of_two_nodes(const Policy& policy, std::vector<Invariant>& to) {
  const auto both = [policy](World& world, const Shape& shape, auto claim) {
    const PolicyNode a = policy_node(world, policy, shape, 0), b = policy_node(world, policy, shape, 1);
    const PolicyAnswer of_a = answer(policy, a), of_b = answer(policy, b);
    world.assume(all_of(of_a.candidate, of_b.candidate));
    claim(world, a, of_a, b, of_b);
  };
  to.push_back({.name = "chosen-node-violates-least",
                .sentence = "No other candidate really violates less than the one that is chosen.",
                .nodes = 2,
                .body = [=](World& world, const Shape& shape) {
                  both(world, shape,
                       [&](World&, const PolicyNode& a, const PolicyAnswer& of_a, const PolicyNode& b,
                           const PolicyAnswer& of_b) {
                         world.assume(no(better(policy, of_a.key, of_b.key)));  // b is chosen, or ties
                         world.assume(better(policy, of_b.key, of_a.key));
                         world.claim("least",
                                     really_violated(b, of_b.evicted) <= really_violated(a, of_a.evicted));
                       });
                }});
  for (std::size_t i = 0; i < policy.node_order.size(); ++i) {
    Policy before = policy, with = policy;
    before.node_order.resize(i);
    with.node_order.resize(i + 1);
    to.push_back(
        {.name = fmt::format("{}-can-decide", reprieve::to_string(policy.node_order[i])),
         .sentence = fmt::format("Level {} of nodeOrder, {}, decides between some two nodes (of priorities "
                                 "from 0 to 10^9).",
                                 i + 1, reprieve::to_string(policy.node_order[i])),
         .shown_by_a_cluster = true,
         .nodes = 2,
         .body = [=](World& world, const Shape& shape) {
           both(world, shape,
                [&](World&, const PolicyNode&, const PolicyAnswer& of_a, const PolicyNode&,
                    const PolicyAnswer& of_b) {
                  world.claim("never",
                              any_of(better(before, of_a.key, of_b.key), better(before, of_b.key, of_a.key),
                                     no(better(with, of_b.key, of_a.key))));
                });
         }});
  }
}

// Few pods first.
std::vector<Shape> shapes_of(const std::vector<Policy>& policies, int nodes, int most, int resources,
                             int budgets) {
  std::int32_t preemptor = kPreemptorPriority;
  for (const Policy& policy : policies) preemptor = std::min(preemptor, preemptor_priority(policy));
  std::vector<Shape> shapes;
  const auto add = [&](std::vector<int> pods) {
    shapes.push_back(
        {.pods = std::move(pods), .resources = resources, .budgets = budgets, .preemptor = preemptor});
  };
  for (int pods = 1; pods <= most; ++pods) {
    if (nodes == 1) add({pods});
    for (int b = pods / 2; nodes == 2 && b >= 1; --b) {
      add({pods - b, b});
      if (pods - b != b) add({b, pods - b});
    }
  }
  return shapes;
}

Foreseen evaluate(Terms& terms, const Assignment& model, const PolicyAnswer& answer) {
  const auto value = [&](Term term) { return terms.evaluate(term, model).value_or(0); };
  Foreseen result{.candidate = value(answer.candidate.term()) != 0,
                  .evicted = {},
                  .violations = value(answer.violations.term())};
  for (const Bool& each : answer.evicted) result.evicted.push_back(value(each.term()) != 0);
  return result;
}

// What the formulas say of the cluster of a model, held against engine and reference under each policy.
std::string replay(Terms& terms, const Assignment& model, const std::vector<Policy>& policies,
                   const Shape& shape) {
  for (const Policy& policy : policies) {
    std::vector<Foreseen> foreseen;
    (void)queries_of(terms, [&](World& world) {
      foreseen.clear();
      for (std::size_t n = 0; n < shape.pods.size(); ++n) {
        terms.forget_values();
        foreseen.push_back(evaluate(terms, model, answer(policy, policy_node(world, policy, shape, n))));
      }
    });
    const Case question = cluster_of_model(terms, model, policy, shape);
    if (const std::string fault = contradiction(question, foreseen); !fault.empty())
      return fmt::format("{} under {}", fault, policy.name);
  }
  return "";
}

Finding decide_shapes(const std::vector<Policy>& policies, const std::vector<Shape>& shapes,
                      const std::function<void(World&, const Shape&)>& body, const ProofSettings& settings) {
  Finding finding;
  const auto start = std::chrono::steady_clock::now();
  bool asked = false;
  for (const Shape& shape : shapes) {
    Terms terms;
    TermsScope scope(terms);
    const ProofResult result = prove(terms, [&](World& world) { body(world, shape); }, settings);
    // With so few pods there may be nothing to state: the assumptions contradict each other.
    if (result.verdict == Verdict::kError && &shape != &shapes.back()) continue;
    if (result.verdict == Verdict::kError && asked) continue;
    asked = true;
    finding.shape = shape;
    finding.verdict = result.verdict;
    finding.why = result.why;
    if (result.verdict == Verdict::kProved) continue;
    if (result.model) {
      finding.shown = cluster_of_model(terms, *result.model, policies.front(), shape);
      finding.fault = replay(terms, *result.model, policies, shape);
    }
    break;
  }
  finding.time_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start)
          .count());
  if (!finding.fault.empty()) {
    finding.verdict = Verdict::kError;
    finding.why = "the encoding is at fault: " + finding.fault;
  }
  return finding;
}

int most_pods(const std::vector<Policy>& policies, int nodes, Effort effort) {
  const bool exact =
      std::ranges::any_of(policies, [](const Policy& p) { return p.victims == VictimSearch::kExact; });
  const int more = effort == Effort::kQuick ? 0 : effort == Effort::kDefault ? 0 : 1;
  return (nodes == 2 ? 4 : exact ? 3 : 4) + more;
}

}  // namespace

std::vector<Invariant> invariants(const Policy& policy) {
  std::vector<Invariant> list;
  if (!not_encoded(policy).empty()) return list;
  add_of_one_node(policy, list);
  add_of_changes(policy, list);
  add_of_two_nodes(policy, list);
  return list;
}

Finding decide(const Policy& policy, const Invariant& invariant, Effort effort,
               const ProofSettings& settings) {
  const int resources = effort == Effort::kNightly && invariant.nodes == 1 ? 2 : 1;
  const int budgets = invariant.nodes == 1 ? 2 : 1;
  Finding finding = decide_shapes(
      {policy},
      shapes_of({policy}, invariant.nodes, most_pods({policy}, invariant.nodes, effort), resources, budgets),
      invariant.body, settings);
  if (!invariant.shown_by_a_cluster) return finding;
  if (finding.verdict == Verdict::kProved)
    finding.verdict = Verdict::kRefuted;
  else if (finding.verdict == Verdict::kRefuted)
    finding.verdict = Verdict::kProved;
  return finding;
}

std::string_view to_string(Difference difference) {
  switch (difference) {
    case Difference::kViolations: return "violations";
    case Difference::kVictims: return "victims";
    case Difference::kNode: return "node";
  }
  return "";
}

std::string not_comparable(const Policy& a, const Policy& b) {
  for (const Policy* policy : {&a, &b}) {
    if (const std::string what = not_encoded(*policy); !what.empty())
      return fmt::format("{} of {} has no formula", what, policy->name);
  }
  return a.importance == b.importance ? "" : "policies of different importance have no formula together";
}

Finding differ(const Policy& a, const Policy& b, Difference in, Effort effort,
               const ProofSettings& settings) {
  const int nodes = in == Difference::kNode ? 2 : 1;
  const auto body = [&](World& world, const Shape& shape) {
    std::vector<PolicyAnswer> of_a, of_b;
    for (std::size_t n = 0; n < shape.pods.size(); ++n) {
      const PolicyNode node = policy_node(world, a, shape, n);
      PolicyNode other = node;
      other.question.budgets.charging = b.charging;
      // Both see one list of pods, so each must be in order.
      assume_order(world, b, node);
      of_a.push_back(answer(a, node));
      of_b.push_back(answer(b, other));
      // The node is a candidate to both: that it is one to only one of them differs as well.
      if (in != Difference::kVictims) world.assume(all_of(of_a.back().candidate, of_b.back().candidate));
    }
    if (in == Difference::kViolations) {
      world.claim("the same", of_a[0].violations == of_b[0].violations);
    } else if (in == Difference::kVictims) {
      Bools each = {same(of_a[0].candidate, of_b[0].candidate)};
      for (std::size_t i = 0; i < of_a[0].evicted.size(); ++i)
        each.push_back(implies(of_a[0].candidate, same(of_a[0].evicted[i], of_b[0].evicted[i])));
      world.claim("the same", all(each));
    } else {
      // Of a tie the first node is taken.
      world.claim("the same", same(better(a, of_a[1].key, of_a[0].key), better(b, of_b[1].key, of_b[0].key)));
    }
  };
  return decide_shapes({a, b}, shapes_of({a, b}, nodes, most_pods({a, b}, nodes, effort), 1, 2), body,
                       settings);
}

}  // namespace reprieve::smt
