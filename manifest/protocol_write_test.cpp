#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reprieve/manifest/protocol.h"

namespace reprieve::manifest {
namespace {

using nlohmann::json;

Decision nomination() {
  return {
      .outcome = Outcome::kNominated,
      .nominated = {"n1"},
      .cleared = {"default/q"},
      .decided_by = NodeCriterion::kHighestPriority,
      .nodes = {{.node = "n1", .status = NodeStatus::kCandidate, .victims = {"default/p1"}, .violations = 2},
                {.node = "n2", .status = NodeStatus::kUnschedulable, .reasons = {"Insufficient cpu"}},
                {.node = "n3",
                 .status = NodeStatus::kUnresolvable,
                 .reasons = {"node(s) had untolerated taint(s)"}}}};
}

TEST(WriteResponse, IsTheLineThatTheProtocolDescribes) {
  EXPECT_EQ(write_response("c1", nomination()),
            R"raw({"id":"c1","outcome":"nominated","nominated":["n1"],"cleared":["default/q"],)raw"
            R"raw("decidedBy":"highestPriority","nodes":{)raw"
            R"raw("n1":{"status":"candidate","victims":["default/p1"],"violations":2},)raw"
            R"raw("n2":{"status":"unschedulable","reasons":["Insufficient cpu"]},)raw"
            R"raw("n3":{"status":"unresolvable","reasons":["node(s) had untolerated taint(s)"]}}})raw");
}

TEST(WriteResponse, SaysWhyAPodIsNotEligible) {
  const Decision decision{.outcome = Outcome::kIneligible,
                          .reason = "not eligible due to preemptionPolicy=Never."};
  EXPECT_EQ(write_response("a\"b\n", decision),
            R"({"id":"a\"b\n","outcome":"ineligible","reason":"not eligible due to preemptionPolicy=Never.",)"
            R"("nominated":[],"cleared":[],"nodes":{}})");
}

TEST(WriteErrorResponse, CarriesTheIdAsItWasWritten) {
  EXPECT_EQ(write_error_response({.id_json = "\"c1\"", .message = "objects: must be a list"}),
            R"({"id":"c1","outcome":"error","reason":"objects: must be a list"})");
  EXPECT_EQ(write_error_response({.message = "not JSON"}),
            R"({"id":null,"outcome":"error","reason":"not JSON"})");
}

/// Under an exact policy with criteria of one's own, past its limit.
Decision bounded() {
  Decision decision = nomination();
  decision.nodes[0].key = CandidateKey{.violations = 2,
                                       .highest_priority = -7,
                                       .priority_sum = 2147483641,
                                       .victim_count = 1,
                                       .earliest_start_us = 1'767'225'600'000'001,
                                       .requested_share = Share{3, 4},
                                       .budgets_touched = 2};
  decision.bounded = {{.level = NodeCriterion::kPdbViolations, .found = 2, .at_least = 2},
                      {.level = NodeCriterion::kRequestedShare, .found = 750'000, .at_least = 500'000}};
  return decision;
}

TEST(WriteResponse, TellsTheLevelsThatThePolicyAddsAndTheProvenGap) {
  const json response = json::parse(write_response("c1", bounded()));
  EXPECT_EQ(response["nodes"]["n1"]["levels"],
            json::parse(R"({"pdbViolations":2,"highestPriority":-7,"prioritySum":2147483641,"victimCount":1,
              "latestStart":"2026-01-01T00:00:00.000001Z","requestedShare":"3/4","budgetsTouched":2})"));
  EXPECT_EQ(response["bounded"], json::parse(R"([{"level":"pdbViolations","found":2,"atLeast":2},
              {"level":"requestedShare","found":750000,"atLeast":500000}])"));
  Decision plain = nomination();
  plain.nodes[0].key = CandidateKey{.violations = 2, .victim_count = 1};
  EXPECT_FALSE(json::parse(write_response("c1", plain))["nodes"]["n1"].contains("levels"));
}

TEST(ReadResponse, GivesBackWhatWasWritten) {
  ProtocolReader reader;
  Decision refused{.outcome = Outcome::kNoCandidate,
                   .reason = "no candidate without violating a PodDisruptionBudget"};
  Decision unstarted = bounded();
  unstarted.nodes[0].key->earliest_start_us.reset();
  unstarted.nodes[0].key->requested_share = Share{1, 0};
  Decision fits{.outcome = Outcome::kFits, .nodes = {{.node = "n1", .status = NodeStatus::kFits}}};
  Decision error{.outcome = Outcome::kError, .reason = "no such policy"};
  for (const Decision& decision : {nomination(), fits, error, bounded(), refused, unstarted}) {
    const auto response = reader.read_response(write_response("c1", decision));
    ASSERT_TRUE(response.has_value()) << response.error();
    EXPECT_EQ(response->id, "c1");
    EXPECT_EQ(response->decision, decision);
  }
}

TEST(ReadResponse, KeepsTheOrderOfTheNodes) {
  ProtocolReader reader;
  const auto response = reader.read_response(
      R"({"id":"c","outcome":"no-candidate","nodes":{"z":{"status":"unschedulable"},"a":{"status":"unresolvable"}}})");
  ASSERT_TRUE(response.has_value()) << response.error();
  ASSERT_EQ(response->decision.nodes.size(), 2U);
  EXPECT_EQ(response->decision.nodes[0].node, "z");
}

TEST(ReadResponse, IgnoresFieldsThatAreNotTheProtocols) {
  ProtocolReader reader;
  const auto response = reader.read_response(
      R"({"id":null,"took":{"ms":[1]},"outcome":"error","reason":"r","nodes":null,"nominated":null})");
  ASSERT_TRUE(response.has_value()) << response.error();
  EXPECT_EQ(response->id, "");
  EXPECT_EQ(response->decision.reason, "r");
}

TEST(ReadResponse, SaysWhatIsWrongWithALine) {
  ProtocolReader reader;
  const auto fault = [&](std::string_view line) {
    const auto response = reader.read_response(line);
    return response ? std::string("accepted") : response.error();
  };
  EXPECT_TRUE(fault("").starts_with("not JSON"));
  EXPECT_TRUE(fault("{\"id\":").starts_with("not JSON"));
  EXPECT_TRUE(fault("{\"id\":\"\xFF\"}").starts_with("not JSON"));
  EXPECT_EQ(fault("[]"), "must be a JSON object");
  EXPECT_EQ(fault("{}"), "outcome: is missing");
  EXPECT_EQ(fault(R"({"id":7,"outcome":"fits"})"), "id: must be a string");
  EXPECT_EQ(fault(R"({"outcome":"maybe"})"), "outcome: \"maybe\" is not known");
  EXPECT_EQ(fault(R"({"outcome":"nominated"})"), "nominated: is empty although the outcome is nominated");
  EXPECT_EQ(fault(R"({"outcome":"fits","nominated":["n1"]})"),
            "nominated: names a node although the outcome is fits");
  EXPECT_EQ(fault(R"({"outcome":"nominated","nominated":"n1"})"), "nominated: must be a list of strings");
  EXPECT_EQ(fault(R"({"outcome":"fits","nodes":[]})"), "nodes: must be an object");
  EXPECT_EQ(fault(R"({"outcome":"fits","nodes":{"n1":{}}})"), "nodes.n1: has no status");
  EXPECT_EQ(fault(R"({"outcome":"fits","nodes":{"n1":{"status":"good"}}})"),
            "nodes.n1.status: \"good\" is not known");
  EXPECT_EQ(fault(R"({"outcome":"fits","nodes":{"n1":{"status":"candidate","violations":0.5}}})"),
            "nodes.n1.violations: must be an integer");
  EXPECT_EQ(fault(R"({"outcome":"fits","nodes":{"n1":{"status":"fits"},"n1":{"status":"fits"}}})"),
            "nodes: n1 is there twice");
  EXPECT_EQ(fault(R"({"outcome":"fits","decidedBy":"coin"})"), "decidedBy: \"coin\" is not known");
  EXPECT_EQ(fault(R"({"outcome":"fits","bounded":{}})"), "bounded: must be a list");
  EXPECT_EQ(fault(R"({"outcome":"fits","bounded":[{"level":"victimCount","found":1}]})"),
            "bounded[0]: must have level, found and atLeast");
  EXPECT_EQ(fault(R"({"outcome":"fits","bounded":[{"level":"coin","found":1,"atLeast":1}]})"),
            "bounded[0].level: \"coin\" is not known");
  const auto levels = [&](std::string_view text) {
    return fault(R"({"outcome":"fits","nodes":{"n1":{"status":"candidate","levels":)" + std::string(text) +
                 "}}}");
  };
  const std::string four = R"({"pdbViolations":0,"highestPriority":1,"prioritySum":1,"victimCount":1)";
  EXPECT_EQ(levels("3"), "nodes.n1.levels: must be an object");
  EXPECT_EQ(levels("{}"), "nodes.n1.levels: has no pdbViolations");
  EXPECT_EQ(levels(four + "}"), "nodes.n1.levels: has no latestStart");
  EXPECT_EQ(levels(four + R"(,"latestStart":"noon"})"), "nodes.n1.levels.latestStart: must be a time");
  EXPECT_EQ(levels(four + R"(,"latestStart":null,"budgetsTouched":"2"})"),
            "nodes.n1.levels.budgetsTouched: must be an integer");
  for (const char* share : {"3", "3/", "/4", "-3/4", "3/-4", "0/0", "3/4/5", "9223372036854775808/1"}) {
    EXPECT_EQ(levels(four + R"(,"latestStart":null,"requestedShare":")" + share + "\"}"),
              "nodes.n1.levels.requestedShare: must be a fraction such as \"3/4\"")
        << share;
  }
}

/// One of everything that a scheduler reads and that has a default.
Case every_field() {
  Case result;
  result.name = "c1";
  result.preemptor = "default/high";
  result.policy = kubernetes_policy(Release::k1_36);
  Node node;
  node.name = "n1";
  node.allocatable = {{"cpu", {.units = 2, .milli = 500}},
                      {"memory", {.units = std::int64_t{3} << 30, .milli = 0}}};
  result.cluster.nodes = {node};
  Pod pod;
  pod.name = "high";
  pod.priority = 7;
  pod.tolerations = {{.key = "k"}};
  pod.containers = {
      {.name = "c", .requests = {{"cpu", {.units = 1, .milli = 0}}}, .ports = {{.container_port = 80}}}};
  result.cluster.pods = {pod};
  return result;
}

TEST(WriteRequest, SpellsDefaultsOut) {
  const json request = json::parse(write_request(every_field()));
  EXPECT_EQ(request["id"], "c1");
  EXPECT_EQ(request["policy"], "kubernetes-1.36");
  EXPECT_EQ(request["preemptor"], "default/high");
  EXPECT_FALSE(request.contains("extenders"));
  const json& node = request["objects"][0];
  EXPECT_EQ(node["status"]["allocatable"], (json{{"cpu", "2500m"}, {"memory", "3Gi"}}));
  EXPECT_EQ(node["status"]["capacity"], node["status"]["allocatable"]);
  const json& pod = request["objects"][1];
  EXPECT_EQ(pod["metadata"]["namespace"], "default");
  EXPECT_EQ(pod["spec"]["priority"], 7);
  EXPECT_EQ(pod["spec"]["preemptionPolicy"], "PreemptLowerPriority");
  EXPECT_EQ(pod["spec"]["schedulerName"], "default-scheduler");
  EXPECT_EQ(pod["spec"]["tolerations"][0], (json{{"key", "k"}, {"operator", "Equal"}}));
  EXPECT_EQ(pod["spec"]["containers"][0]["ports"][0], (json{{"containerPort", 80}, {"protocol", "TCP"}}));
}

TEST(WriteRequest, SendsAChangedPolicyWholeAndAnUnchangedOneByName) {
  Case changed = every_field();
  changed.policy.charging = Charging::kUntilViolated;  // still called kubernetes-1.36
  const json policy = json::parse(write_request(changed))["policy"];
  EXPECT_EQ(policy["kind"], "PreemptionPolicy");
  EXPECT_EQ(policy["spec"]["charging"], "untilViolated");
  EXPECT_EQ(policy["spec"]["release"], "1.36");
}

TEST(WriteRequest, CarriesScriptedExtenders) {
  Case extended = every_field();
  extended.extenders.push_back({.name = "e1",
                                .ignorable = true,
                                .managed_resources = {"example.com/gpu"},
                                .answer = {{{"n1", {.victims = {"default/low"}, .violations = 0}},
                                            {"n2", {.victims = {"default/x"}, .violations = 2}}}}});
  extended.extenders.push_back({.name = "e2", .error = "down"});
  EXPECT_EQ(json::parse(write_request(extended))["extenders"],
            json::parse(R"([{"name":"e1","ignorable":true,"managedResources":["example.com/gpu"],
              "answer":{"n1":["default/low"],"n2":{"victims":["default/x"],"violations":2}}},
              {"name":"e2","error":"down"}])"));
}

}  // namespace
}  // namespace reprieve::manifest
