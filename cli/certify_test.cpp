// Certificates: what is certified is so, by enumeration; what is not so is never certified; and a
// certificate that somebody has been at is rejected.
#include "reprieve/cli/certify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reprieve/cli/testing.h"
#include "reprieve/engine/decide.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/read.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/reference/decide.h"

namespace reprieve::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Case random_case(std::uint64_t seed) {
  const char* policies[] = {"exact", "kubernetes-1.36", "kubernetes-1.37", "guaranteed-budgets"};
  generators::GeneratorSettings settings{.max_nodes = 3, .max_pods_per_node = 7};
  // Every other one without what other filters look at.
  if (seed / 4 % 2 == 0)
    settings.features = {generators::Feature::kMemory, generators::Feature::kBudgets,
                         generators::Feature::kDisruptedPods, generators::Feature::kNegativePriorities,
                         generators::Feature::kNominatedPods};
  settings.policy = manifest::find_policy(policies[seed % 4]).value();
  return generators::generate(seed, settings);
}

// By the reference, which tries every set of victims.
Decision enumerated(Case question) {
  question.policy.victims = VictimSearch::kExact;
  question.policy.violations = ViolationCount::kActual;
  return reference::decide(question);
}

const NodeDecision& chosen(const Decision& decision) {
  return *std::ranges::find(decision.nodes, decision.nominated.front(), &NodeDecision::node);
}

json key_as_json(const CandidateKey& key) {
  json result = {{"violations", key.violations},
                 {"highestPriority", key.highest_priority},
                 {"prioritySum", key.priority_sum},
                 {"victimCount", key.victim_count}};
  if (key.earliest_start_us) result["latestStart"] = *key.earliest_start_us;
  return result;
}

TEST(Certificates, WhatIsCertifiedIsSoByEnumeration) {
  int certified = 0, better = 0, open = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 1200; ++seed) {
    const Case question = random_case(seed);
    const Decision decision = engine::decide(question, engine::Depth::kFull);
    const auto certification = certify(question, decision);
    if (!certification) continue;
    const certificate::Verdict& verdict = certification->verdict;
    EXPECT_TRUE(verdict.fault.empty() || verdict.fault.starts_with("needs "))
        << seed << ": " << verdict.fault;
    if (!verdict.certified()) {
      ++open;
      continue;
    }
    const Decision optimum = enumerated(question);
    const json document = json::parse(certification->certificate);
    if (optimum.outcome != Outcome::kNominated) {
      ++none;
      EXPECT_EQ(document["outcome"], "no-candidate") << seed;
      EXPECT_FALSE(certification->better) << seed;
      continue;
    }
    ++(verdict.optimal ? certified : better);
    EXPECT_EQ(document[verdict.optimal ? "decision" : "better"]["key"], key_as_json(*chosen(optimum).key))
        << seed;
  }
  // Of cases with every filter in odd combinations; and each kind is among them.
  EXPECT_GT(certified, 100);
  EXPECT_GT(better, 5);
  EXPECT_GT(none, 30);
  EXPECT_LT(open, 2 * (certified + better + none));
}

TEST(Certificates, WhatIsNotSoIsNeverCertified) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 1200; ++seed) {
    const Case question = random_case(seed);
    const Decision optimum = enumerated(question);
    if (optimum.outcome != Outcome::kNominated) continue;
    const certificate::Certificate none =
        certificate::find_certificate(question, std::nullopt, std::nullopt, 200);
    EXPECT_FALSE(certificate::check(question, none).certified()) << seed;
    // On each candidate: everybody goes.
    for (const NodeDecision& node : optimum.nodes) {
      if (node.status != NodeStatus::kCandidate) continue;
      certificate::Choice all{.node = node.node, .victims = {}};
      for (const PotentialVictim& pod : node.potential_victims) all.victims.push_back(pod.pod);
      if (all.victims.size() == chosen(optimum).victims.size()) continue;
      ++wrong;
      const certificate::Certificate found = certificate::find_certificate(question, all, std::nullopt, 200);
      EXPECT_FALSE(certificate::check(question, found).certified()) << seed << " " << node.node;
    }
  }
  EXPECT_GT(wrong, 100);
}

// Two nodes, two resources, budgets that overlap: every kind of evidence is in its certificate.
constexpr const char* kCluster = R"(
apiVersion: reprieve.dev/v1alpha1
kind: PreemptionCase
metadata: {name: tampered}
spec: {preemptor: default/high, policy: exact}
---
apiVersion: v1
kind: Pod
metadata: {name: high}
spec: {priority: 100, containers: [{name: c, resources: {requests: {cpu: "7", memory: 7Gi}}}]}
)";

std::string node(const std::string& name) {
  return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name +
         "}\nstatus: {allocatable: {cpu: \"12\", memory: 12Gi, pods: \"20\"}}\n";
}
std::string pod(const std::string& on, const std::string& name, int priority, int cpu, int memory,
                const std::string& labels) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", labels: {" + labels +
         "}}\nspec: {nodeName: " + on + ", priority: " + std::to_string(priority) +
         ", containers: [{name: c, resources: {requests: {cpu: \"" + std::to_string(cpu) +
         "\", memory: " + std::to_string(memory) +
         "Gi}}}]}\nstatus: {phase: Running, startTime: \"2026-01-01T00:00:0" + std::to_string(priority % 10) +
         "Z\"}\n";
}
std::string budget(const std::string& name, const std::string& label, int allowed) {
  return "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: " + name +
         "}\nspec: {selector: {matchLabels: {" + label +
         "}}}\nstatus: {disruptionsAllowed: " + std::to_string(allowed) + "}\n";
}

// Sizes and priorities without a pattern, so that fractions of pods would be of use and trees are needed.
Case tampered_case() {
  unsigned seed = 2959;
  std::string text = kCluster + node("a") + node("b") + node("c");
  const auto number = [&seed](unsigned below) {
    seed = seed * 1103515245U + 12345U;
    return static_cast<int>((seed >> 16U) % below);
  };
  const char* labels[] = {"x: x", "y: y", "x: x, y: y", "z: z"};
  for (const std::string n : {"a", "b"}) {
    for (int i = 1; i <= 6; ++i) {
      const int cpu = 1 + number(3), memory = 1 + number(3), priority = 1 + number(9);
      text += pod(n, n + std::to_string(i), priority, cpu, memory, labels[number(4)]);
    }
  }
  text += pod("c", "c1", 200, 9, 9, "z: z");
  text += budget("x", "x: x", 1) + budget("y", "y: y", 1);
  return manifest::to_case(manifest::read_text(text, "tampered").value()).value();
}

// Every value and every part of a document, by its place.
void places(const json& of, const json::json_pointer& at, std::vector<json::json_pointer>& to) {
  if (!at.empty()) to.push_back(at);
  if (!of.is_structured()) return;
  for (const auto& [key, value] : of.items())
    places(value, of.is_array() ? at / static_cast<std::size_t>(std::stoul(key)) : at / key, to);
}

void drop(json& from, const json::json_pointer& at) {
  json& parent = from[at.parent_pointer()];
  if (parent.is_array())
    parent.erase(std::stoul(at.back()));
  else
    parent.erase(at.back());
}

TEST(Certificates, OneThatIsTamperedWithIsRejected) {
  const Case question = tampered_case();
  const auto certification = certify(question, engine::decide(question, engine::Depth::kFull));
  ASSERT_TRUE(certification);
  ASSERT_TRUE(certification->verdict.certified())
      << certification->verdict.fault << certification->certificate;
  const json good = json::parse(certification->certificate);
  for (const char* kind : {"\"pod\"", "\"fewer\"", "\"rows\"", "\"budgets\"", "\"violating\"", "\"sum\"",
                           "\"most\"", "\"least\"", "\"top\"", "\"worse\""})
    EXPECT_THAT(certification->certificate, HasSubstr(kind))
        << "evidence of each kind is to be tampered with";

  std::vector<json::json_pointer> all;
  places(good, json::json_pointer(), all);
  std::map<std::string, int> rejected;
  const auto tamper = [&](const json::json_pointer& at, const json& bad, const std::string& how) {
    const std::string place = at.to_string();
    const bool is_rejected = !verdict_on(question, bad.dump()).fault.empty();
    if (is_rejected) ++rejected[how];
    // Other multipliers may show the same, and so may a division at another pod or number of victims; what is
    // claimed, and that nothing is left out, may not change.
    const bool hint = place.contains("/rows") || place.contains("/budgets") ||
                      place.ends_with("/violations") || place.ends_with("/sum") || place.ends_with("/most") ||
                      place.ends_with("/least") || place.ends_with("/top") || place.ends_with("/pod") ||
                      (place.contains("/steps/") && place.ends_with("/victims"));
    if (!hint || place.contains("/key/")) {
      EXPECT_TRUE(is_rejected || place == "/apiVersion") << how << " " << place;
    }
  };
  for (const json::json_pointer& at : all) {
    json dropped = good;
    drop(dropped, at);
    tamper(at, dropped, "dropped");
    const json& value = good[at];
    json changed = good;
    if (value.is_number()) {
      for (const std::int64_t by : {-1, 1}) {
        changed[at] = value.get<std::int64_t>() + by;
        tamper(at, changed, "changed");
      }
      for (const json& other : {json(0), json(-value.get<std::int64_t>()), json(9223372036854775807),
                                json(18446744073709551615U)}) {
        if (value == other) continue;
        changed[at] = other;
        tamper(at, changed, other == 0 ? "nought" : "hostile");
      }
    } else if (value.is_string()) {
      for (const char* other : {"", "default/a1", "default/b6", "a", "b", "no-candidate"}) {
        if (value == other) continue;
        changed[at] = other;
        tamper(at, changed, "changed");
      }
    } else {
      changed[at] = json::array();
      if (value != json::array()) tamper(at, changed, "emptied");
      changed[at] = "";
      tamper(at, changed, "emptied");
      changed[at] = false;
      tamper(at, changed, "emptied");
    }
  }
  EXPECT_GT(rejected["dropped"], 40);
  EXPECT_GT(rejected["changed"], 40);
  EXPECT_GT(rejected["nought"], 10) << "a leaf without its multiplier shows nothing";
  EXPECT_GT(rejected["emptied"], 20);
}

TEST(Certificates, AnyBytesAreRejected) {
  const Case question = tampered_case();
  for (const std::string text :
       {"", "null", "[]", "{", "{\"kind\": 3}", "{\"kind\": \"PreemptionCertificate\"}"})
    EXPECT_FALSE(verdict_on(question, text).certified());
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "{\"pod\": \"default/a1\", \"evicted\":";
  EXPECT_FALSE(verdict_on(question, deep).certified());
}

TEST(Certificates, AnotherFilterIsLeftOpenAndNamed) {
  Case question = tampered_case();
  question.cluster.pods.front().containers.front().ports.push_back({.container_port = 80, .host_port = 80});
  const auto certification = certify(question, engine::decide(question, engine::Depth::kFull));
  ASSERT_TRUE(certification);
  EXPECT_FALSE(certification->verdict.certified());
  EXPECT_THAT(in_words(*certification, 3), HasSubstr("needs filter NodePorts"));
  EXPECT_THAT(in_words(*certification, 3),
              HasSubstr("which tries every set of victims, finds none that is better"));
}

TEST(Certificates, AreWrittenAndCheckedByTheCommands) {
  const std::string folder = testing::TempDir();
  const std::string file = "corpus/large-violating-pod-takes-the-room-of-two.yaml";
  const std::string written = folder + "/certificate.json";
  const Ran decided = run("decide " + file + " --policy kubernetes-1.37 --certify=" + written);
  EXPECT_EQ(decided.exit_code, 0) << decided.err;
  EXPECT_THAT(
      decided.out,
      HasSubstr("Certified: evicting default/large from n1 is better, and nothing is better than that"));
  EXPECT_EQ(run("prove " + file).exit_code, 1);
  const Ran exact = run("decide " + file + " --policy exact --certify");
  EXPECT_THAT(exact.out, HasSubstr("Certified: no node and no set of victims is better"));
  EXPECT_EQ(run("decide " + file + " --policy exact --certify -o json").exit_code, 0);
  EXPECT_EQ(run("decide " + file + " --policy exact --certify --apply").exit_code, 2);
}

}  // namespace
}  // namespace reprieve::cli
