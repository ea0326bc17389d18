// What a checker has to know of a cluster, taken from the model alone and by the simplest arithmetic: no
// code of engine/ or reference/ stands behind it. It covers what the API's plain objects say; of anything
// else it says what it would need, and then nothing is certified by it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/model/case.h"

namespace reprieve::certificate {

/// A resource (or "pods") of which victims must free `need`, which is positive; by pod what each frees.
struct Row {
  std::string resource;
  std::int64_t need = 0;
  std::vector<std::int64_t> frees;
};

/// Of a pod in a set of sets of victims: in some of them, in each, in none.
enum class State : std::uint8_t { kFree, kEvicted, kKept };
using States = std::vector<State>;

struct NodeFacts {
  std::string node;
  std::vector<const Pod*> pods;  // the potential victims, most important first
  std::vector<Row> rows;
  std::vector<std::vector<std::size_t>> budgets;  // by pod: those that count it when it goes, in input order
  std::string refused;                            // a filter that refuses the preemptor whoever goes
  std::string needs;  // what the numbers above rest on and is not understood; nothing follows from them then
  std::vector<std::string> needs_to_fit;  // filters that may keep the preemptor out, for all that is known

  /// The place in `pods` of the pod of that full name; their number when there is none.
  std::size_t find(std::string_view name) const;
};

class Facts {
 public:
  explicit Facts(const Case& question);

  const Pod* preemptor() const { return preemptor_; }
  /// What the question asks beyond what is understood here; empty: nothing.
  const std::string& needs() const { return needs_; }
  NodeFacts of(const Node& node) const;
  const Policy& policy() const { return question_.policy; }
  /// Whether only sets without a violation are admissible.
  bool guarantee_binds() const;
  /// What a budget allows; not below 0.
  std::int64_t allowed(std::size_t budget) const;
  /// "namespace/name".
  std::string budget_name(std::size_t budget) const;
  /// How many of the evicted pods take a budget below zero when they alone are charged, in order.
  std::int64_t violations(const NodeFacts& facts, const States& pods) const;

 private:
  const Case& question_;
  const Pod* preemptor_ = nullptr;
  std::string needs_;
  std::vector<std::vector<SelectorRequirement>> selectors_;                            // by budget
  bool anti_affinity_ = false;                                                         // of some pod
  std::map<std::string, std::vector<const Pod*>, std::less<>> running_, nominated_;    // by node
  std::map<std::string, std::vector<std::size_t>, std::less<>> budgets_of_namespace_;  // with a selector
};

}  // namespace reprieve::certificate
