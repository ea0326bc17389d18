// A node under a policy, as formulas: the rules of docs/SEMANTICS.md with the policy's knobs turned. What
// `reprieve prove POLICY` and `--differ` are about.
#pragma once

#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/policy.h"
#include "reprieve/smt/theorems/plan.h"
#include "reprieve/smt/theorems/question.h"

namespace reprieve::smt {

/// What of the policy has no formula here ("sampling"); empty: all of it has.
std::string not_encoded(const Policy& policy);

/// The preemptor's priority: one that the policy's guarantee binds.
std::int32_t preemptor_priority(const Policy& policy);

/// How many pods each node has, of how many resources, under how many budgets.
struct Shape {
  std::vector<int> pods;  // by node
  int resources = 1;
  int budgets = 1;
  std::int32_t preemptor = kPreemptorPriority;  // its priority
};
std::string to_string(const Shape& shape);  // "2 + 1 pods, 1 resource, 1 budget"

/// A node with a symbol for every number. Its pods are in order of importance.
struct PolicyNode {
  Question question;
  std::vector<direct::Pod> pods;
  direct::Ints grace;  // by pod
};

/// Node `which` (0: "a", 1: "b") of a shape. It is tried: the preemptor does not fit now, and asks no more
/// than allocatable. A counterexample is made small.
PolicyNode policy_node(World& world, const Policy& policy, const Shape& shape, std::size_t which);

/// That another policy would see the pods in the same order.
void assume_order(World& world, const Policy& policy, const PolicyNode& node);

/// The values that nodes are compared by.
struct Key {
  direct::Levels levels;
  Int budgets_touched;
};
Key key_of(const Policy& policy, const PolicyNode& node, const direct::Bools& victims, Int violations);
Bool better(const Policy& policy, const Key& a, const Key& b);

/// What the policy makes of the node.
struct PolicyAnswer {
  Bool candidate;
  direct::Bools evicted;
  Int violations;  // as the policy counts them
  Key key;
};
PolicyAnswer answer(const Policy& policy, const PolicyNode& node);

/// Victims that violate when they alone are charged to every budget.
Int really_violated(const PolicyNode& node, const direct::Bools& victims);

/// The cluster of a model.
Case cluster_of_model(const Terms& terms, const Assignment& model, const Policy& policy, const Shape& shape);

}  // namespace reprieve::smt
