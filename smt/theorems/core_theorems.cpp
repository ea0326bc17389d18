// The shipped cores do what docs/SEMANTICS.md says: each is held against the direct encoding on every
// path, and the two against each other.
#include <fmt/format.h>

#include <algorithm>

#include "reprieve/smt/theorems/cores.h"

namespace reprieve::smt {
namespace {

using direct::Bools;

Charging charging_of(Release release) {
  return release == Release::k1_36 ? Charging::kEveryBudget : Charging::kUntilViolated;
}

Bool agree(const std::vector<bool>& core, const Bools& rule) {
  Bools same_each;
  for (std::size_t i = 0; i < core.size(); ++i) same_each.push_back(same(Bool(core[i]), rule[i]));
  return all(same_each);
}

// The changed statement of a charging theorem: a budget is exceeded when it is used up.
direct::Budgets one_less(direct::Budgets budgets) {
  for (Int& allowed : budgets.allowed) allowed = minus(allowed, Int(1));
  return budgets;
}

using Charger = std::vector<bool> (*)(const Question&);
using Reprieve = std::vector<bool> (*)(const Question&, const std::vector<bool>&);
using Selection = std::optional<CoreAnswer> (*)(const Question&);

auto charging_body(Release release, Charger charger, QuestionOptions options) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Question question = ask(world, bounds, charging_of(release), options);
    prefer_small(world, question);
    const std::vector<bool> core = charger(question);
    world.claim("the core's violating pods are the rule's",
                agree(core, direct::violating(contrast ? one_less(question.budgets) : question.budgets)));
  };
}

// Who is violating, whatever the classes are: how they came about does not matter.
struct Classes {
  std::vector<bool> core;  // known on this path
  Bools rule;
};
Classes any_classes(World& world, const Question& question) {
  Classes classes;
  for (std::size_t pod = 0; pod < question.pods(); ++pod) {
    classes.rule.push_back(world.boolean(fmt::format("violating{}", pod + 1)));
    classes.core.push_back(static_cast<bool>(classes.rule.back()));
  }
  return classes;
}

auto reprieve_body(Reprieve reprieve) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Question question = ask(world, bounds, Charging::kEveryBudget, {.nominated = true});
    assume_candidate(world, question);
    prefer_small(world, question);
    const Classes given = any_classes(world, question);
    Bools classes = given.rule;
    if (contrast) std::ranges::transform(classes, classes.begin(), no);  // the other group first
    world.claim("the core's victims are the rule's",
                agree(reprieve(question, given.core), direct::evicted(classes, question.fits())));
  };
}

// The changed statement keeps those classed violating in front.
void list_body(World& world, const Bounds& bounds, bool contrast) {
  const Question question = ask(world, bounds, Charging::kEveryBudget);
  assume_candidate(world, question);
  prefer_small(world, question);
  const Classes given = any_classes(world, question);
  const std::vector<std::size_t> list = engine_list(given.core, engine_reprieve(question, given.core));
  std::vector<bool> listed(question.pods(), false);
  for (const std::size_t pod : list) listed[pod] = true;
  world.claim("the rule's victims are listed", agree(listed, direct::evicted(given.rule, question.fits())));
  for (std::size_t i = 1; i < list.size(); ++i) {
    const bool in_front = given.core[list[i - 1]] || !given.core[list[i]];
    world.claim("the more important first", Bool(contrast ? in_front : list[i - 1] < list[i]));
  }
}

auto selection_body(Release release, Selection selection) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Question question = ask(world, bounds, charging_of(release));
    assume_tried(world, question);
    prefer_small(world, question);
    const auto core = selection(question);
    const Bool possible = direct::fits(question.resources, Bools(question.pods(), Bool(false)));
    world.claim("a candidate when the rule says so", same(Bool(core.has_value()), possible));
    if (!core) return;
    const DirectAnswer rule = answer(question);
    world.claim("the core's victims are the rule's", agree(core->evicted, rule.evicted));
    // The changed statement counts classes instead of victims.
    world.claim("the core's violations are the rule's",
                core->violations == (contrast ? how_many(rule.violating) : rule.violations));
  };
}

// guaranteed-budgets: a candidate only when no victim was classed violating. As engine/victims.cpp and
// reference/dry_run.cpp ask it of what their cores say.
auto guarantee_body(Selection selection) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Question question = ask(world, bounds, Charging::kEveryBudget);
    assume_tried(world, question);
    prefer_small(world, question);
    const auto core = selection(question);
    Question ruled = question;
    if (contrast) ruled.budgets = one_less(question.budgets);
    const DirectAnswer rule = answer(ruled);
    const Bool possible = direct::fits(question.resources, Bools(question.pods(), Bool(false)));
    const Bool candidate = Bool(core.has_value() && static_cast<bool>(core->violations == Int(0)));
    world.claim("a candidate when the rule says so",
                same(candidate, all_of(possible, rule.violations == Int(0))));
    if (!static_cast<bool>(candidate)) return;
    world.claim("the victims are the rule's", agree(core->evicted, rule.evicted));
    direct::Budgets every = question.budgets;
    every.charging = Charging::kEveryBudget;
    world.claim("no budget is violated", how_many(direct::violating_among(every, rule.evicted)) == Int(0));
  };
}

auto product_body(Release release) {
  return [=](World& world, const Bounds& bounds, bool contrast) {
    const Question question = ask(world, bounds, charging_of(release));
    Question other = question;
    if (contrast) other.budgets = one_less(question.budgets);
    const auto engine = engine_selection(question);
    const auto reference = reference_selection(other);
    world.claim("both or neither", Bool(engine.has_value() == reference.has_value()));
    if (!engine || !reference) return;
    world.claim("the same victims", Bool(engine->evicted == reference->evicted));
    world.claim("the same violations", engine->violations == reference->violations);
  };
}

}  // namespace

void add_core_theorems(std::vector<Theorem>& to) {
  struct Side {
    std::string_view name, file;
    Charger charger;
    Reprieve reprieve;
    Selection selection;
  };
  const Side sides[] = {
      {"engine", "engine/selection.h", engine_charging, engine_reprieve, engine_selection},
      {"reference", "reference/selection.h", reference_charging, reference_reprieve, reference_selection}};
  for (const Side& side : sides) {
    for (const Release release : {Release::k1_36, Release::k1_37}) {
      const std::string_view rule = release == Release::k1_36 ? "every budget" : "until violated";
      to.push_back({.name = fmt::format("{}-charging-{}", side.name, reprieve::to_string(release)),
                    .sentence = fmt::format("The {} classes as violating the pods that the rule \"{}\" does, "
                                            "whichever budgets select them and whatever these allow.",
                                            side.name, rule),
                    .formal = "forall selects, allowed: charge(p) = exists b: charged(p,b) and "
                              "|{q <= p: charged(q,b)}| > allowed(b)",
                    .about = fmt::format("{}: charging", side.file),
                    .quick = {.pods = 4, .budgets = 2},
                    .usual = {.pods = 5, .budgets = 2},
                    .nightly = {.pods = 6, .budgets = 2},
                    .required = {{.pods = 5, .budgets = 2}, {.pods = 4, .budgets = 3}},
                    .contrast = "a budget that is used up already counts as exceeded",
                    .explored = true,
                    .release = release,
                    .shows = Shows::kNode,
                    .body = charging_body(release, side.charger, {})});
      to.push_back({.name = fmt::format("{}-charging-disrupted-{}", side.name, reprieve::to_string(release)),
                    .sentence = fmt::format("The {} charges no budget that already counts the pod as "
                                            "disrupted (rule \"{}\").",
                                            side.name, rule),
                    .formal = "the same, with forall disrupted: charged(p,b) implies not disrupted(p,b)",
                    .about = fmt::format("{}: charging", side.file),
                    .quick = {.pods = 3, .budgets = 2},
                    .usual = {.pods = 3, .budgets = 2},
                    .nightly = {.pods = 4, .budgets = 2},
                    .contrast = "a budget that is used up already counts as exceeded",
                    .explored = true,
                    .release = release,
                    .shows = Shows::kNode,
                    .body = charging_body(release, side.charger, {.disrupted = true})});
    }
    to.push_back(
        {.name = fmt::format("{}-reprieve", side.name),
         .sentence = fmt::format("The {} reprieves as the rule says: violating pods first, each group "
                                 "in order of importance, whatever the classes are; with nominated "
                                 "pods counted in and without them.",
                                 side.name),
         .formal =
             "forall classes, sizes: evicted(p) iff not fits(kept so far + p), in the order of reprieve",
         .about = fmt::format("{}: reprieve", side.file),
         .quick = {.pods = 4, .resources = 2},
         .usual = {.pods = 5, .resources = 2},
         .nightly = {.pods = 6, .resources = 2},
         .required = {{.pods = 5, .resources = 2}},
         .contrast = "the pods that are not violating are reprieved first",
         .explored = true,
         .shows = Shows::kNode,
         .body = reprieve_body(side.reprieve)});
    to.push_back(
        {.name = fmt::format("{}-guaranteed-budgets", side.name),
         .sentence = fmt::format("Under guaranteed-budgets the {}'s selection makes a candidate of the "
                                 "nodes that the rule does, with its victims, and evicting these "
                                 "violates no budget.",
                                 side.name),
         .formal = "candidate(core) iff candidate(rule) and violations(rule) = 0; then "
                   "actual(victims, everyBudget) = 0",
         .about = fmt::format("{}", side.file),
         .quick = {.pods = 3, .resources = 1, .budgets = 2},
         .usual = {.pods = 3, .resources = 2, .budgets = 2},
         .nightly = {.pods = 4, .resources = 2, .budgets = 2},
         .contrast = "a budget that is used up already counts as exceeded",
         .explored = true,
         .release = Release::k1_36,
         .body = guarantee_body(side.selection)});
    for (const Release release : {Release::k1_36, Release::k1_37}) {
      to.push_back({.name = fmt::format("{}-selection-{}", side.name, reprieve::to_string(release)),
                    .sentence = fmt::format("The {}'s whole selection on a node gives the victims and the "
                                            "number of violations that kubernetes-{} says.",
                                            side.name, reprieve::to_string(release)),
                    .formal = "forall clusters: core(cluster) = rule(cluster)",
                    .about = fmt::format("{}", side.file),
                    .quick = {.pods = 3, .resources = 1, .budgets = 2},
                    .usual = {.pods = 3, .resources = 2, .budgets = 2},
                    .nightly = {.pods = 5, .resources = 1, .budgets = 2},
                    .required = {{.pods = 4, .resources = 2, .budgets = 2}},
                    .contrast = "every pod classed violating counts, evicted or not",
                    .explored = true,
                    .release = release,
                    .shows = Shows::kNode,
                    .body = selection_body(release, side.selection)});
    }
  }
  to.push_back(
      {.name = "engine-lists-victims",
       .sentence = "The engine lists the rule's victims by importance, whichever pods are classed violating.",
       .formal = "forall classes, sizes: the list is that of {p: evicted(p)}, and p is listed before q "
                 "iff p is the more important",
       .about = "engine/selection.h: reprieve, list_victims",
       .quick = {.pods = 4, .resources = 1},
       .usual = {.pods = 5, .resources = 1},
       .nightly = {.pods = 6, .resources = 1},
       .contrast = "those classed violating are listed first",
       .explored = true,
       .shows = Shows::kNode,
       .body = list_body});
  for (const Release release : {Release::k1_36, Release::k1_37}) {
    to.push_back(
        {.name = fmt::format("engine-is-reference-{}", reprieve::to_string(release)),
         .sentence = fmt::format("Engine and reference select the same victims and count the same "
                                 "violations under kubernetes-{}.",
                                 reprieve::to_string(release)),
         .formal = "forall clusters: engine(cluster) = reference(cluster)",
         .about = "engine/selection.h, reference/selection.h",
         .quick = {.pods = 3, .resources = 1, .budgets = 1},
         .usual = {.pods = 3, .resources = 2, .budgets = 2},
         .nightly = {.pods = 4, .resources = 1, .budgets = 2},
         .required = {{.pods = 3, .resources = 2, .budgets = 2}, {.pods = 4, .resources = 1, .budgets = 2}},
         .contrast = "the reference is told that each budget allows one less",
         .explored = true,
         .release = release,
         .body = product_body(release)});
  }
}

}  // namespace reprieve::smt
