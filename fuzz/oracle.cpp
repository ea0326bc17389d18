#include "reprieve/fuzz/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "reprieve/engine/decide.h"
#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/finding.h"
#include "reprieve/fuzz/mutate.h"
#include "reprieve/fuzz/statistics.h"
#include "reprieve/fuzz/updates.h"
#include "reprieve/manifest/write.h"
#include "reprieve/mutants/mutant.h"
#include "reprieve/properties/compare/compare.h"
#include "reprieve/properties/generators/random.h"
#include "reprieve/reference/decide.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::fuzz {
namespace {

/// One for all inputs, as a scheduler would keep it: what one decision leaves in it must not reach the next.
engine::Workspace& workspace() {
  static engine::Workspace shared;
  return shared;
}

Decision engine_decides(const engine::Snapshot& snapshot, const Case& question, engine::Depth depth) {
  return engine::decide(snapshot, question.preemptor, question.policy, question.extenders, depth,
                        workspace());
}

/// Where the two answers differ; the kind is the first field, whichever node it is of.
Fault difference(const Case& question, const Decision& left, const Decision& right,
                 std::string_view left_name, std::string_view right_name) {
  if (left == right) return {};
  const auto differences = compare::compare(question, left, right, {.story = true});
  if (differences.empty()) return {};
  return {.kind = fmt::format("{} and {} differ: {}", left_name, right_name,
                              compare::kind_of(differences.front())),
          .details = compare::to_string(differences, left_name, right_name)};
}

struct Decided {
  Decision reference;
  Fault fault;
};

Decided decide_by_both(const Case& question) {
  const engine::Snapshot snapshot(question.cluster, question.policy.release);
  const Decision full = engine_decides(snapshot, question, engine::Depth::kFull);
  Decided decided{.reference = reference::decide(question), .fault = {}};
  decided.fault = difference(question, full, decided.reference, "engine", "reference");
  if (decided.fault) return decided;
  const Decision answer = engine_decides(snapshot, question, engine::Depth::kAnswer);
  const std::string depths = subjects::depth_difference(answer, full);
  if (!depths.empty()) decided.fault = {.kind = "depths answer and full differ", .details = depths + "\n"};
  return decided;
}

/// Beyond this many the reference, which tries every set of victims, takes milliseconds.
constexpr std::ptrdiff_t kMostEnumerated = 8;

bool takes_too_long(const Case& question) {
  if (question.policy.victims != VictimSearch::kExact) return false;
  const auto& pods = question.cluster.pods;
  return std::ranges::any_of(question.cluster.nodes, [&](const Node& node) {
    return std::ranges::count(pods, node.name, &Pod::node_name) > kMostEnumerated;
  });
}

void print_statistics() {
  if (statistics().inputs > 0) fmt::print(stderr, "{}\n", statistics().text());
}

}  // namespace

std::uint64_t hash_of(ByteSpan bytes) {
  return generators::seed_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void begin(std::string_view target) {
  statistics().target = target;
  if (const char* every = std::getenv("REPRIEVE_FUZZ_STATISTICS"); every != nullptr) {
    statistics().print_every = std::strtoull(every, nullptr, 10);
  }
  std::atexit(print_statistics);
#ifdef REPRIEVE_MUTANTS
  if (const char* mutant = std::getenv("REPRIEVE_MUTANT"); mutant != nullptr) mutants::activate(mutant);
#endif
}

int hold_engine_to_reference(const Case& question) {
  if (takes_too_long(question)) {
    statistics().add(false);
    return kDoNotKeep;
  }
  const Decided decided = decide_by_both(question);
  const bool worth_keeping = statistics().add(decided.reference);
  if (decided.fault)
    found(question, decided.fault, [](const Case& smaller) { return decide_by_both(smaller).fault; });
  return worth_keeping ? kMayKeep : kDoNotKeep;
}

int hold_updates_to_rebuilding(ByteSpan bytes) {
  Case question = decode(bytes);
  // What the cluster becomes is drawn, by the bytes.
  generators::Random random(hash_of(bytes));
  Case goal = question;
  for (int i = random.between(1, 8); i > 0; --i) change(goal, random);
  for (int i = 0; i < 8 && goal.cluster == question.cluster; ++i) change(goal, random);
  const auto changes =
      relations::changes_between(question.cluster, decode(encode_roughly(goal)).cluster, random);
  engine::Snapshot snapshot(question.cluster, question.policy.release);
  if (changes.empty()) {
    statistics().add(false);
    return kDoNotKeep;
  }
  Decision decision;
  Decision most_asked{.outcome = Outcome::kFits};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    update(snapshot, changes[i]);
    relations::apply(changes[i], question.cluster);
    // Deciding is what costs: until something was asked, then now and then, and after the last one.
    const bool last = i + 1 == changes.size();
    if (!last && asked_of(most_asked) == Asked::kWhose && !random.coin()) continue;
    const engine::Snapshot rebuilt(question.cluster, question.policy.release);
    for (const engine::Depth depth : {engine::Depth::kAnswer, engine::Depth::kFull}) {
      decision = engine_decides(snapshot, question, depth);
      const Decision other = engine_decides(rebuilt, question, depth);
      if (decision == other) continue;
      Fault fault = difference(question, decision, other, "updated", "rebuilt");
      if (!fault) fault = {.kind = "updated and rebuilt differ", .details = {}};
      fault.details += fmt::format("after {} of {} changes\n", i + 1, changes.size());
      found(fault, manifest::write_case_yaml(question));
    }
    if (asked_of(decision) >= asked_of(most_asked)) most_asked = std::move(decision);
  }
  return statistics().add(most_asked) ? kMayKeep : kDoNotKeep;
}

}  // namespace reprieve::fuzz
