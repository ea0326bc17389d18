// Everything that is wrong with an input gets one error with file, line and field.
#include <gmock/gmock.h>

#include <string>

#include "reprieve/manifest/read_test_util.h"

namespace reprieve::manifest {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// JSON and YAML

TEST(Errors, TruncatedJsonNamesTheLineAndTheFieldThatBreaksOff) {
  const std::string text =
      "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"
      "  {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n\"}},\n"
      "  {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"},\n"
      "   \"spec\": {\"nodeName\": \"n\",";
  EXPECT_THAT(must_fail(text), StartsWith("in.yaml:4:"));
  EXPECT_THAT(must_fail(text), HasSubstr("items[1].spec"));
  for (std::size_t size = 1; size < text.size(); ++size) {
    EXPECT_NE(must_fail(text.substr(0, size)), "it was read") << "cut at " << size;
  }
}

TEST(Errors, MalformedJsonIsFoundEvenInWhatIsNotRead) {
  const auto item = [](std::string_view annotation) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{\"apiVersion\":\"v1\",\"kind\":\"Node\","
           "\"metadata\":{\"name\":\"n\",\n\"annotations\":" +
           std::string(annotation) + "}}]}";
  };
  EXPECT_THAT(must_read(item("{}")).cluster.nodes, testing::SizeIs(1));
  for (const std::string_view wrong : {"{]", "[1,]", "{\"a\":1,}", "tru", "01", "1.", "\"\\x\"", "\"\t\"",
                                       "{\"a\" 1}", "[1 2]", "\xff", "\"\xff\"", "'a'", "{a:1}"}) {
    const std::string error = must_fail(item(wrong));
    EXPECT_THAT(error, StartsWith("in.yaml:3:")) << wrong;
    EXPECT_THAT(error, HasSubstr("items[0]")) << wrong;
  }
}

TEST(Errors, MalformedShellsOfListsAreFound) {
  EXPECT_THAT(must_fail("{\"kind\":\"List\",\"items\":[{\"kind\":\"X\"},]}"),
              HasSubstr("items[1]: malformed JSON"));
  EXPECT_THAT(must_fail("{\"kind\":\"List\",\"items\":[{\"kind\":\"X\"} {\"kind\":\"X\"}]}"),
              HasSubstr("expected a comma"));
  EXPECT_THAT(must_fail("{\"kind\":\"List\",\"items\":[]"), HasSubstr("unexpected end of input"));
  EXPECT_THAT(must_fail("{\"kind\":\"List\",\"items\":[],\"a\":x}"), HasSubstr("malformed JSON"));
  EXPECT_THAT(must_fail("{\"a\":x,\"kind\":\"List\",\"items\":[]}"), HasSubstr("malformed JSON"));
  EXPECT_THAT(must_fail("{\"kind\":\"List\",\"items\":[],\"items\":[]}"), HasSubstr("the key occurs twice"));
  EXPECT_THAT(must_fail("{\"kind\":\"List\",\"items\":[]} x"), HasSubstr("malformed JSON"));
  EXPECT_THAT(must_fail("{\"kind\":\"List\",\"items\":[1]}"),
              HasSubstr("items[0]: malformed JSON: expected an object"));
}

TEST(Errors, MalformedYamlNamesTheLine) {
  EXPECT_THAT(must_fail("apiVersion: v1\nkind: Pod\nmetadata: {name: p\nspec: x\n"), StartsWith("in.yaml:"));
  EXPECT_THAT(must_fail("kind: Pod\n  bad: indent\n"), HasSubstr("in.yaml:2:"));
  EXPECT_THAT(must_fail("kind: Pod\n\tmetadata: x\n"), HasSubstr("in.yaml:"));
}

TEST(Errors, ABracketThatBelongsToNothingDoesNotHangTheYamlReader) {
  for (const std::string_view text :
       {",", "}", "a: b\n---\n]\n", "{a: b} }", ",\"a\":{\"b\":1},{", "? }", "- ]"}) {
    EXPECT_NE(must_fail(text), "it was read") << text;
  }
  EXPECT_THAT(must_fail(","), HasSubstr("a bracket or comma that belongs to nothing"));
}

TEST(Errors, EmptyInputIsAnError) {
  EXPECT_EQ(must_fail(""), "in.yaml: the input is empty");
  EXPECT_EQ(must_fail(" \n\t\n"), "in.yaml: the input is empty");
  EXPECT_EQ(must_fail("# only a comment\n"), "in.yaml: no object in the input");
  EXPECT_EQ(must_fail("---\n---\n"), "in.yaml: no object in the input");
  EXPECT_EQ(must_read("{\"kind\":\"List\",\"items\":[]}").cluster, Cluster{}) << "kubectl found nothing";
}

TEST(Errors, BytesThatAreNotTextAreRefused) {
  EXPECT_EQ(must_fail("kind: Pod\nmetadata: {name: \"\xc3\x28\"}\n"), "in.yaml:2:19: invalid UTF-8");
  EXPECT_EQ(must_fail(std::string_view("kind: P\0od\n", 11)),
            "in.yaml:1:8: a NUL byte: this is neither YAML nor JSON");
  EXPECT_THAT(must_fail("\x7f"
                        "ELF\xff\xfe"),
              HasSubstr("invalid UTF-8"));
  EXPECT_THAT(must_fail("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"\xed\xa0\x80\"}}"),
              HasSubstr("invalid UTF-8"));
}

TEST(Errors, DuplicateKeysAreRefusedInBothFormats) {
  EXPECT_EQ(must_fail("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  name: q\n"),
            "in.yaml:5:3: metadata.name: the key occurs twice");
  EXPECT_EQ(
      must_fail("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\n\"name\":\"p\"}}"),
      "in.yaml:2:8: metadata.name: the key occurs twice");
  EXPECT_EQ(must_fail("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":{"
                      "\"a\":\"b\",\"a\":\"b\"}}}"),
            "in.yaml:1:78: metadata.labels.a: the key occurs twice");
  EXPECT_THAT(must_fail(pod_yaml("containers:\n- resources:\n    requests: {cpu: 1, cpu: 2}")),
              HasSubstr("spec.containers[0].resources.requests.cpu: the key occurs twice"));
}

TEST(Errors, AnAnchorInsideItselfIsRefused) {
  EXPECT_EQ(must_fail("apiVersion: v1\nkind: Pod\nmetadata: &m\n  labels: *m\n"),
            "in.yaml:4:11: metadata.labels: an anchor that refers to itself");
  EXPECT_THAT(must_fail("a: *nobody\n"), StartsWith("in.yaml:1:"));
}

TEST(Errors, ABombOfAliasesIsRefusedAndAnHonestAliasIsNot) {
  std::string bomb = "kind: X\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string to = std::to_string(i), from = std::to_string(i - 1);
    bomb += "a" + to + ": &a" + to + " [";
    for (int j = 0; j < 10; ++j) bomb += (j > 0 ? ", *a" : "*a") + from;
    bomb += "]\n";
  }
  EXPECT_THAT(must_fail(bomb), HasSubstr("grows beyond 10 times the text through aliases"));
  std::string chain = "kind: X\na0: &a0 [x]\n";
  for (int i = 1; i < 3000; ++i) {
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  EXPECT_THAT(must_fail(chain), HasSubstr("nested deeper than 1000 levels"));
  const Input input = must_read(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: &l {app: a}}\nspec:\n  nodeSelector: *l\n");
  EXPECT_EQ(input.cluster.pods.at(0).node_selector, (Labels{{"app", "a"}}));
}

TEST(Errors, DeepNestingIsRefusedWithoutOverflowingTheStack) {
  for (const std::size_t depth : {1200UL, 200'000UL}) {
    std::string open, close;
    for (std::size_t i = 0; i < depth; ++i) open += "{\"a\":";
    close.assign(depth, '}');
    EXPECT_THAT(must_fail(open + "1" + close), HasSubstr("nested deeper than 1000 levels")) << depth;
    EXPECT_NE(must_fail(open), "it was read") << depth;
    EXPECT_NE(must_fail("{\"a\":" + std::string(depth, '[')), "it was read") << depth;
    EXPECT_NE(must_fail("a: " + std::string(depth, '[')), "it was read") << depth;
    EXPECT_NE(must_fail("a: " + std::string(depth, '{')), "it was read") << depth;
  }
  std::string yaml;
  for (int i = 0; i < 3000; ++i) yaml += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(must_fail(yaml), HasSubstr("nested deeper than 500 levels"));
}

TEST(Errors, YamlAbove32MiBIsRefusedWithAdvice) {
  std::string text = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n";
  while (text.size() <= (std::size_t{32} << 20))
    text += "# nothing to see here, and a lot of it: " + std::string(4000, 'x') + "\n";
  EXPECT_THAT(must_fail(text), HasSubstr("YAML above 32 MiB is not read"));
  EXPECT_THAT(must_fail(text), HasSubstr("-o json"));
}

TEST(Errors, AHundredMegabytesOfJunkAreRefusedAtOnce) {
  const std::size_t size = 100'000'000;
  EXPECT_THAT(must_fail(std::string(size, 'x')), HasSubstr("YAML above 32 MiB"));
  EXPECT_THAT(must_fail(std::string(size, '\xfe')), HasSubstr("invalid UTF-8"));
  EXPECT_THAT(must_fail(std::string(size, '\0')), HasSubstr("NUL"));
  EXPECT_THAT(must_fail(std::string(size, '{')), StartsWith("in.yaml"));
  EXPECT_THAT(must_fail(std::string(size, '[')), HasSubstr("bare list"));
  EXPECT_THAT(must_fail("{\"" + std::string(size, 'x')), HasSubstr("unexpected end of input"));
  EXPECT_THAT(must_fail(std::string(size, ' ')), HasSubstr("empty"));
}

// Types, words and amounts

TEST(Errors, AWrongTypeNamesTheFieldAndWhatWasExpected) {
  EXPECT_EQ(must_fail(pod_yaml("containers: {}")),
            "in.yaml:5:15: spec.containers: expected a list, got an object");
  EXPECT_EQ(must_fail(pod_yaml("nodeName: [a]")),
            "in.yaml:5:13: spec.nodeName: expected a string, got a list");
  EXPECT_EQ(must_fail(pod_yaml("nodeName: 1")),
            "in.yaml:5:13: spec.nodeName: expected a string, got a number; put it in quotes");
  EXPECT_EQ(must_fail(pod_yaml("nodeSelector: {ssd: yes}")),
            "in.yaml:5:23: spec.nodeSelector.ssd: expected a string, got true or false; put it in quotes");
  EXPECT_EQ(must_fail(pod_yaml("priority: high")),
            "in.yaml:5:13: spec.priority: expected a whole number, got a string");
  EXPECT_EQ(must_fail(pod_yaml("priority: 1.5")), "in.yaml:5:13: spec.priority: expected a whole number");
  EXPECT_THAT(must_fail(pod_yaml("priority: 3000000000")),
              HasSubstr("must be between -2147483648 and 2147483647"));
  EXPECT_THAT(must_fail(pod_yaml("priority: 99999999999999999999999")),
              HasSubstr("spec.priority: expected a whole number"));
  EXPECT_EQ(must_fail(pod_yaml("hostNetwork: 'true'")),
            "in.yaml:5:16: spec.hostNetwork: expected true or false, got a string");
  EXPECT_EQ(must_fail(pod_yaml("containers: [1]")),
            "in.yaml:5:16: spec.containers[0]: expected an object, got a number");
  EXPECT_EQ(must_fail("- a\n- b\n"), "in.yaml:1:1: expected an object, got a list");
  EXPECT_EQ(must_fail("just words\n"), "in.yaml:1:1: expected an object, got a string");
  EXPECT_THAT(must_fail(pod_yaml("containers: [{name: c, ports: [{containerPort: 70000}]}]")),
              HasSubstr("spec.containers[0].ports[0].containerPort: must be between 0 and 65535"));
}

TEST(Errors, AWordThatIsNotAllowedNamesThoseThatAre) {
  EXPECT_EQ(must_fail(pod_yaml("tolerations:\n- {key: a, effect: NoWay}")),
            "in.yaml:6:22: spec.tolerations[0].effect: unknown value \"NoWay\"; allowed are NoSchedule, "
            "PreferNoSchedule, NoExecute");
  EXPECT_THAT(must_fail(pod_yaml("tolerations: [{operator: Is}]")),
              HasSubstr("allowed are Equal, Exists, Lt, Gt"));
  EXPECT_THAT(must_fail(pod_yaml("preemptionPolicy: Always")),
              HasSubstr("allowed are PreemptLowerPriority, Never"));
  EXPECT_THAT(
      must_fail(
          "{apiVersion: v1, kind: Node, metadata: {name: n}, spec: {taints: [{key: a, effect: Evil}]}}"),
      HasSubstr("spec.taints[0].effect: unknown value"));
  EXPECT_THAT(
      must_fail("{apiVersion: v1, kind: Pod, metadata: {name: n}, status: {phase: Dead}}"),
      HasSubstr(
          "status.phase: unknown value \"Dead\"; allowed are Pending, Running, Succeeded, Failed, Unknown"));
  EXPECT_THAT(must_fail(pod_yaml("containers: [{ports: [{containerPort: 1, protocol: HTTP}]}]")),
              HasSubstr("allowed are TCP, UDP, SCTP"));
  EXPECT_THAT(
      must_fail(
          "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: n}, spec: {accessModes: [RWO]}}"),
      HasSubstr("spec.accessModes[0]: unknown value \"RWO\""));
  EXPECT_THAT(must_fail("{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: n}, "
                        "volumeBindingMode: Later}"),
              HasSubstr("volumeBindingMode: unknown value"));
  EXPECT_THAT(must_fail(pod_yaml(
                  "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: Cry}]")),
              HasSubstr("allowed are DoNotSchedule, ScheduleAnyway"));
}

TEST(Errors, ABadQuantityNamesTheResource) {
  const auto request = [](std::string_view quantity) {
    return must_fail(pod_yaml("containers:\n- name: c\n  resources:\n    requests:\n      memory: " +
                              std::string(quantity)));
  };
  EXPECT_THAT(request("-1"), StartsWith("in.yaml:9:17: spec.containers[0].resources.requests.memory: "
                                        "quantity \"-1\" must not be negative"));
  EXPECT_THAT(request("8Ei"), HasSubstr("requests.memory: quantity \"8Ei\" is too large"));
  EXPECT_THAT(request("99999999999999999999"), HasSubstr("is too large"));
  EXPECT_THAT(request("1e999"), HasSubstr("too large"));
  EXPECT_THAT(request("lots"), HasSubstr("requests.memory: \"lots\" is not a quantity"));
  EXPECT_THAT(request("true"), HasSubstr("expected a quantity, got true or false"));
  EXPECT_THAT(
      must_fail(
          "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {example.com/gpu: -1}}}"),
      HasSubstr("status.allocatable[example.com/gpu]: quantity \"-1\" must not be negative"));
  EXPECT_THAT(must_fail("{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: "
                        "9223372036854776}}}"),
              HasSubstr("status.allocatable.cpu"));
}

TEST(Errors, TheSumOverAllPodsMustFitToo) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text += "---\n{apiVersion: v1, kind: Pod, metadata: {name: p" + std::to_string(i) +
            "}, spec: {priority: 0, containers: [{name: c, resources: {requests: {memory: 3Ei}}}]}}\n";
  }
  EXPECT_EQ(
      must_fail(text),
      "in.yaml:6:125: spec.containers[0].resources.requests.memory: the sum of memory over all pods does "
      "not fit into 64 bits");
  EXPECT_THAT(must_fail(pod_yaml("resources: {limits: {cpu: 1}}\ncontainers:\n"
                                 "- {name: a, resources: {requests: {cpu: 9000000000000000}}}\n"
                                 "- {name: b, resources: {requests: {cpu: 9000000000000000}}}")),
              HasSubstr("the sum of cpu over all pods"));
}

TEST(Errors, ATimeThatIsNoneIsRefused) {
  for (const std::string_view time :
       {"yesterday", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", ""}) {
    EXPECT_THAT(must_fail("{apiVersion: v1, kind: Pod, metadata: {name: n}, status: {startTime: '" +
                          std::string(time) + "'}}"),
                HasSubstr("status.startTime: "))
        << time;
  }
}

// Objects

TEST(Errors, AMissingNameIsNamed) {
  for (const std::string_view kind :
       {"v1, kind: Pod", "v1, kind: Node", "v1, kind: Namespace", "policy/v1, kind: PodDisruptionBudget",
        "scheduling.k8s.io/v1, kind: PriorityClass", "v1, kind: PersistentVolumeClaim",
        "v1, kind: PersistentVolume", "storage.k8s.io/v1, kind: StorageClass",
        "storage.k8s.io/v1, kind: CSINode", "storage.k8s.io/v1, kind: CSIDriver",
        "storage.k8s.io/v1, kind: VolumeAttachment", "reprieve.dev/v1alpha1, kind: PreemptionCase"}) {
    const std::string head = "{apiVersion: " + std::string(kind);
    EXPECT_EQ(must_fail(head + "}"), "in.yaml:1:1: metadata.name: is required") << kind;
    const std::string column = std::to_string(head.size() + 13);  // of what should hold the name
    EXPECT_EQ(must_fail(head + ", metadata: {generateName: x}}"),
              "in.yaml:1:" + column + ": metadata.name: is required");
  }
  EXPECT_EQ(must_fail("apiVersion: v1\n"), "in.yaml:1:1: kind: is required");
  EXPECT_THAT(must_fail("{apiVersion: v1, kind: Pod, metadata: {name: a/b}}"),
              HasSubstr("metadata.name: must not contain"));
}

TEST(Errors, WhatTheApiServerRequiresIsRequired) {
  EXPECT_THAT(must_fail("{apiVersion: v1, kind: Node, metadata: {name: n}, spec: {taints: [{key: a}]}}"),
              HasSubstr("spec.taints[0].effect: is required"));
  EXPECT_THAT(
      must_fail(pod_yaml("topologySpreadConstraints: [{topologyKey: z, whenUnsatisfiable: DoNotSchedule}]")),
      HasSubstr("spec.topologySpreadConstraints[0].maxSkew: is required"));
  EXPECT_THAT(must_fail(pod_yaml("affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                                 "[{labelSelector: {}}]}}")),
              HasSubstr("requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: is required"));
  EXPECT_THAT(must_fail(pod_yaml("volumes: [{name: v, persistentVolumeClaim: {}}]")),
              HasSubstr("spec.volumes[0].persistentVolumeClaim.claimName: is required"));
}

TEST(Errors, ASlipInASelectorIsRefusedBecauseItWouldSelectEverything) {
  EXPECT_THAT(must_fail("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: "
                        "{selector: {matchLabel: {a: b}}}}"),
              HasSubstr("spec.selector.matchLabel: unknown field"));
}

TEST(Errors, APriorityClassThatIsNotThereIsNamedWithItsPod) {
  EXPECT_EQ(must_fail("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {priorityClassName: gone}}"),
            "in.yaml:1: spec.priorityClassName: no PriorityClass with name gone is in the input, and pod "
            "default/p has no spec.priority");
}

TEST(Errors, ConflictingDuplicatesNameBothPlaces) {
  const std::string error = must_fail(
      "{apiVersion: v1, kind: Node, metadata: {name: n}}\n---\n{apiVersion: v1, kind: Node, metadata: {name: "
      "n}, spec: {unschedulable: true}}\n");
  EXPECT_EQ(error,
            "in.yaml:3:1: Node n occurs twice, with different contents; the other one is at in.yaml:1");
}

TEST(Errors, InListsTheFieldBeginsWithTheItem) {
  const std::string error = must_fail(R"({
    "apiVersion": "v1",
    "items": [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": "p"
            },
            "spec": {
                "priority": "0"
            }
        }
    ],
    "kind": "List"
})");
  EXPECT_EQ(error, "in.yaml:11:29: items[0].spec.priority: expected a whole number, got a string");
}

TEST(Errors, AFileThatIsNotThereOrCannotBeReadIsNamed) {
  EXPECT_THAT(to_string(read_files({"/nowhere/dump.json"}).error()),
              StartsWith("/nowhere/dump.json: cannot be opened"));
}

}  // namespace
}  // namespace reprieve::manifest
