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

TEST(ReadResponse, GivesBackWhatWasWritten) {
  ProtocolReader reader;
  Decision fits{.outcome = Outcome::kFits, .nodes = {{.node = "n1", .status = NodeStatus::kFits}}};
  Decision error{.outcome = Outcome::kError, .reason = "no such policy"};
  for (const Decision& decision : {nomination(), fits, error}) {
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
}

/// One of everything that a scheduler reads and that has a default.
Case question() {
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
  const json request = json::parse(write_request(question()));
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
  Case changed = question();
  changed.policy.charging = Charging::kUntilViolated;  // still called kubernetes-1.36
  const json policy = json::parse(write_request(changed))["policy"];
  EXPECT_EQ(policy["kind"], "PreemptionPolicy");
  EXPECT_EQ(policy["spec"]["charging"], "untilViolated");
  EXPECT_EQ(policy["spec"]["release"], "1.36");
}

TEST(WriteRequest, CarriesScriptedExtenders) {
  Case extended = question();
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
