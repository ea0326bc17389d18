// The command as a user meets it: exit codes, one clear line for a mistake, output that does not move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "reprieve/cli/testing.h"

namespace reprieve::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

constexpr const char* kTie = "corpus/a-total-tie-names-every-node-of-it.yaml";

TEST(Decide, PrintsADecisionAsKubectlDescribeWould) {
  const Ran ran = run(std::string("decide --policy kubernetes-1.36 ") + kTie);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_EQ(ran.out, R"(Pod:         default/high (priority 100)
Policy:      kubernetes-1.36
Outcome:     nominated
Node:        n1
Tie:         n1, n2 are equal after every level; the first is taken
Decided by:  highestPriority
Violations:  0
Victims:
  POD         PRIORITY   START                  VIOLATES A BUDGET
  default/a   1          2026-01-01T00:00:00Z   no
)");
}

TEST(Decide, SaysWhyNoNodeHelps) {
  const Ran ran = run("decide corpus/names-that-conflict-reject-every-node.yaml");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("Outcome:     no-candidate"),
                             HasSubstr("2       pod affinity terms conflict   no eviction can help")));
}

TEST(Decide, PrintsJsonForMachines) {
  const Ran ran = run("decide -o json corpus/less-important-nominations-on-the-chosen-node-are-cleared.yaml");
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out;
  EXPECT_EQ(json["kind"], "Decision");
  EXPECT_EQ(json["outcome"], "nominated");
  EXPECT_EQ(json["nominated"], nlohmann::json::array({"n1"}));
  EXPECT_EQ(json["victims"][0]["pod"], "default/low");
  EXPECT_EQ(json["cleared"], nlohmann::json::array({"default/waiting"}));
}

// Three pending pods and one node with room for one of them after one eviction each.
constexpr const char* kQueue = R"(
{"apiVersion":"v1","kind":"List","items":[
{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"2","pods":"9"}}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"low-1"},"spec":{"nodeName":"n1","priority":1,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Running"}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"low-2"},"spec":{"nodeName":"n1","priority":2,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Running"}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"later","creationTimestamp":"2026-01-02T00:00:00Z"},"spec":{"priority":50,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"gated"},"spec":{"priority":99,"schedulingGates":[{"name":"hold"}],"containers":[{"name":"c"}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"foreign"},"spec":{"priority":99,"schedulerName":"other","containers":[{"name":"c"}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"earlier","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"priority":50,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"first"},"spec":{"priority":60,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}]})";

TEST(Decide, WithoutAPodDecidesTheQueueInItsOrderAndLeavesOthersOut) {
  const Ran ran = run("decide -", kQueue);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, R"(POD               PRIORITY   OUTCOME     NODE   VICTIMS   VIOLATIONS   TIE
default/first     60         nominated   n1     1         0            1
default/earlier   50         nominated   n1     1         0            1
default/later     50         nominated   n1     1         0            1
)");
  EXPECT_THAT(run("decide --full -", kQueue).out, HasSubstr("TIE   DECIDED BY\n"));
}

TEST(Decide, ANamespaceLimitsTheQueue) {
  EXPECT_THAT(run("decide -n default -", kQueue).out, HasSubstr("default/first"));
  const Ran ran = run("decide -n prod -", kQueue);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_EQ(ran.err, "No pending pods found.\n");
}

TEST(Decide, AppliedDecisionsLeaveNothingForTheThird) {
  const Ran ran = run("decide --apply -o json -", kQueue);
  const auto items = nlohmann::json::parse(ran.out, nullptr, false)["items"];
  ASSERT_EQ(items.size(), 3U) << ran.out;
  EXPECT_EQ(items[0]["victims"][0]["pod"], "default/low-1");
  EXPECT_EQ(items[1]["victims"][0]["pod"], "default/low-2");
  EXPECT_EQ(items[2]["outcome"], "no-candidate");  // both rooms belong to nominated pods of its rank
}

TEST(Decide, TakesThePodsNamespaceFromTheFlag) {
  EXPECT_EQ(run("decide - --pod first", kQueue).exit_code, 0);
  EXPECT_EQ(run("decide - --pod default/first", kQueue).exit_code, 0);
  const Ran ran = run("decide - --pod first -n prod", kQueue);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "error: pod prod/first is not in the input\n");
}

TEST(Decide, RefusesAPodThatRuns) {
  const Ran ran = run("decide - --pod low-1", kQueue);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "error: pod default/low-1 is not pending: it runs on node n1\n");
}

TEST(Decide, SaysOfAPodThatHasFinishedThatItHas) {
  const Ran ran = run("decide - --pod done", R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"done"},
"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Succeeded"}})");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "error: pod default/done has finished\n");
}

TEST(Decide, NamesThePlaceOfAPreemptorThatIsAbsent) {
  const Ran ran = run("decide -", R"(apiVersion: reprieve.dev/v1alpha1
kind: PreemptionCase
metadata: {name: absent}
spec:
  preemptor: default/zz
)");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, MatchesRegex("error: -:5:[0-9]+: spec.preemptor: [^\n]*default/zz[^\n]*\n"));
}

TEST(Decide, RefusesANamespaceThatThePodIsNotIn) {
  const Ran ran = run("decide - --pod default/first -n other", kQueue);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "error: --pod: default/first is not in the namespace other that -n names\n");
  EXPECT_EQ(run("decide - --pod default/first -n default", kQueue).exit_code, 0);
}

TEST(Decide, SaysOfAQueueOnceWhyItCannotBeDecided) {
  // Pending pods whose spread has a selector that cannot be read: In, without values.
  std::string queue = kQueue;
  const std::string spec = R"("spec":{"priority":)";
  const std::string spread = R"("spec":{"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",
"whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchExpressions":[{"key":"a","operator":"In"}]}}],"priority":)";
  for (std::size_t at = 0; (at = queue.find(spec, at)) != std::string::npos; at += spread.size()) {
    queue.replace(at, spec.size(), spread);
  }
  const Ran ran = run("decide -", queue);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(
      ran.err,
      MatchesRegex(
          "warning: [^\n]+\nerror: pod default/first \\(and 2 other pods\\) cannot be decided: [^\n]+\n"));
}

TEST(Decide, PastTheSearchLimitSaysWhatIsNotProved) {
  EXPECT_THAT(run("decide - --policy exact -o json", kQueue).out, Not(HasSubstr("bounded")));
  // A host port, of which no bound knows: one step does not prove who must go.
  const Ran ran =
      run("decide corpus/a-host-port-is-taken-from-a-less-important-pod.yaml --policy exact --search-limit 1 "
          "-o json");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("bounded"));
  EXPECT_EQ(run("decide - --search-limit 0", kQueue).exit_code, 2);
}

TEST(Decide, MoreThreadsThanTheMachineBearsAreNotMade) {
  EXPECT_EQ(run("decide - --threads 100000", kQueue).exit_code, 0);
}

TEST(Decide, NamesFileLineAndFieldOfABadValue) {
  const Ran ran = run("decide -", R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},
"status":{"allocatable":{"cpu":"much"}}})");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, AllOf(StartsWith("error: "), HasSubstr(":2:"), HasSubstr("status.allocatable.cpu")));
}

TEST(Decide, RefusesAnUnknownPolicyAndAnAbsentFile) {
  const Ran policy = run(std::string("decide --policy nonsense ") + kTie);
  EXPECT_EQ(policy.exit_code, 2);
  EXPECT_THAT(policy.err, AllOf(StartsWith("error: "), HasSubstr("kubernetes-1.36")));
  const Ran file = run("decide /nonexistent.yaml");
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.err, AllOf(StartsWith("error: "), HasSubstr("/nonexistent.yaml")));
}

TEST(Decide, SaysOnStandardErrorHowLongItTook) {
  const Ran ran = run(std::string("decide --timing -o json ") + kTie);
  EXPECT_THAT(ran.err, HasSubstr("peak memory"));
  EXPECT_TRUE(nlohmann::json::accept(ran.out));
}

TEST(Usage, MistakesExitWithTwoAndOneLine) {
  for (const char* call : {"",
                           "nonsense",
                           "decide",
                           "decide --nonsense x.yaml",
                           "decide -o xml x.yaml",
                           "check --only nonsense",
                           "check --features nonsense",
                           "subject somebody",
                           "policy show nonsense",
                           "check --cases many",
                           "--foo",
                           "check --cases -1",
                           "check --cases 0",
                           "check --seed -1",
                           "gen --seed -1",
                           "check --seed 18446744073709551616",
                           "check --seed 18446744073709551615 --cases 5",
                           "check --time-out 0",
                           "check --release 0",
                           "check --release 1.35",
                           "decide - --pod ''",
                           "decide - --policy ''",
                           "decide - --threads ''",
                           "decide ''",
                           "explain - --pod ''",
                           "check --features ''"}) {
    const Ran ran = run(call);
    EXPECT_EQ(ran.exit_code, 2) << call;
    EXPECT_THAT(ran.err, MatchesRegex("error: [^\n]+\n")) << call;
    EXPECT_THAT(ran.out, IsEmpty()) << call;
  }
}

TEST(Usage, AStandardErrorThatCannotBeWrittenChangesNoExitCode) {
  for (const char* nowhere : {" 2>/dev/full", " 2>&-"}) {
    const auto exit_code = [&](const std::string& call) {
      // The shell's last redirection of a descriptor holds, so it goes into a shell of its own.
      return run(std::string("--version; sh -c \"") + REPRIEVE_PROGRAM + " " + call + nowhere + "\"")
          .exit_code;
    };
    EXPECT_EQ(exit_code("nonsense"), 2) << nowhere;
    EXPECT_EQ(exit_code(std::string("decide --timing ") + kTie), 0) << nowhere;
  }
}

TEST(Usage, HelpThatCannotBeWrittenIsAnError) {
  const Ran ran = run(std::string("--version; sh -c \"") + REPRIEVE_PROGRAM + " --help >/dev/full\"");
  EXPECT_EQ(ran.exit_code, 2);
}

TEST(Usage, HelpAndVersionExitWithZero) {
  for (const char* call : {"--help", "decide --help", "check --help", "subject --help", "policy --help",
                           "compare --help", "corpus table --help"}) {
    const Ran ran = run(call);
    EXPECT_EQ(ran.exit_code, 0) << call;
    EXPECT_THAT(ran.out, HasSubstr("Usage: reprieve")) << call;
  }
  EXPECT_THAT(run("--version").out, MatchesRegex("reprieve [0-9.]+\n"));
}

TEST(Usage, NoColourReachesAFile) {
  EXPECT_THAT(run(std::string("decide ") + kTie).out, Not(HasSubstr("\x1b")));
}

TEST(PolicyCommand, ShowsWhatDecideReadsBack) {
  const Ran shown = run("policy show kubernetes-1.36");
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, HasSubstr("charging: everyBudget"));
  const auto json = nlohmann::json::parse(run("policy show kubernetes-1.36 -o json").out, nullptr, false);
  EXPECT_EQ(json["spec"]["release"], "1.36");
  EXPECT_THAT(run("policy list").out, AllOf(HasSubstr("kubernetes-1.37"), HasSubstr("exact")));
  EXPECT_THAT(run("policy criteria").out, AllOf(HasSubstr("terminationGracePeriod"), HasSubstr("2^31")));
  const auto criteria = nlohmann::json::parse(run("policy criteria -o json").out, nullptr, false);
  ASSERT_FALSE(criteria.is_discarded());
  EXPECT_EQ(criteria["nodeOrder"].size(), 7U);
  EXPECT_EQ(criteria["importance"][3]["unit"], "seconds");
}

TEST(CompareCommand, CountsTheSameWithAnyNumberOfThreadsAndSaysHowToRepeatIt) {
  const std::string call = "compare kubernetes exact --cases 400 --seed 3 --no-case -o json --threads ";
  const Ran one = run(call + "1");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, run(call + "2").out);
  const auto report = nlohmann::json::parse(one.out, nullptr, false);
  EXPECT_EQ(report["cases"], 400);
  EXPECT_EQ(report["neverWorse"]["held"], true);
  EXPECT_EQ(report["levels"].size(), 5U);
  EXPECT_EQ(report["repeat"], "reprieve compare kubernetes exact --cases 400 --seed 3");
}

TEST(CompareCommand, WritesTheSmallestCaseOfADifferenceOfTheCorpus) {
  const std::string file = testing::TempDir() + "/compare-case.yaml";
  const Ran ran = run(std::string("compare kubernetes exact --threads 1 --case-file ") + file + " -f " +
                      REPRIEVE_SOURCE + "/corpus/large-violating-pod-takes-the-room-of-two.yaml");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("exact is better by pdbViolations: 1 against 2."));
  EXPECT_EQ(run("decide --policy exact " + file).exit_code, 0);
}

TEST(CompareCommand, ReadsTheOutcomesOfADumpsPendingPods) {
  const Ran dump = run("gen --nodes 5 --pods-per-node 6 --budgets 2 --pending 3 -o json");
  const std::string file = testing::TempDir() + "/compare-dump.json";
  std::ofstream(file) << dump.out;
  const Ran all = run("compare kubernetes exact --no-case -o json -f " + file);
  EXPECT_EQ(nlohmann::json::parse(all.out, nullptr, false)["cases"], 3) << all.out << all.err;
  const Ran one = run("compare kubernetes exact --no-case -o json --pod default/pending-1 -f " + file);
  EXPECT_EQ(nlohmann::json::parse(one.out, nullptr, false)["cases"], 1) << one.out << one.err;
}

TEST(CompareCommand, NamesWhatIsWrongWithTheCall) {
  const auto error = [](const std::string& call) {
    const Ran ran = run("compare " + call);
    EXPECT_EQ(ran.exit_code, 2) << call;
    return ran.err;
  };
  EXPECT_THAT(error("nonsense exact"), HasSubstr("OLD: no policy and no file of the name"));
  EXPECT_THAT(error("exact nonsense"), HasSubstr("NEW: no policy and no file of the name"));
  EXPECT_THAT(error("exact kubernetes --features=colour"), HasSubstr("--features: "));
  EXPECT_THAT(error("exact kubernetes --trace /nowhere"), HasSubstr("--trace: "));
  EXPECT_THAT(error("exact kubernetes -f /nowhere.json"), HasSubstr("/nowhere.json"));
}

}  // namespace
}  // namespace reprieve::cli
