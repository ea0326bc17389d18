#include "reprieve/engine/requests.h"

#include <gtest/gtest.h>

namespace reprieve::engine {
namespace {

class Requests : public ::testing::Test {
 protected:
  std::int64_t read(const Pod& pod, std::string_view name, Release release = Release::k1_37,
                    bool status = true) {
    const auto row = reader.read(pod, release, status, columns);
    const int column = columns.column(name);
    if (column < 0 || static_cast<std::size_t>(column) >= row.size()) return 0;
    return row[static_cast<std::size_t>(column)];
  }
  ResourceColumns columns;
  RequestReader reader;
};

Container container(std::string name, ResourceList requests, bool sidecar = false) {
  return {.name = std::move(name), .requests = std::move(requests), .ports = {}, .restart_always = sidecar};
}

TEST_F(Requests, AreRoundedOnceAtTheEnd) {
  Pod pod;
  pod.containers = {container("a", {{"memory", {0, 500}}}), container("b", {{"memory", {0, 500}}})};
  EXPECT_EQ(read(pod, "memory"), 1);
  pod.containers.push_back(container("c", {{"memory", {0, 1}}}));
  EXPECT_EQ(read(pod, "memory"), 2);
}

TEST_F(Requests, ASidecarAddsToEveryLaterInitStepButNoEarlierOne) {
  Pod pod;
  pod.containers = {container("main", {{"cpu", {1, 0}}})};
  pod.init_containers = {container("early", {{"cpu", {5, 0}}}), container("side", {{"cpu", {2, 0}}}, true),
                         container("late", {{"cpu", {4, 0}}})};
  EXPECT_EQ(read(pod, "cpu"), 6000);  // late + side
  pod.init_containers[2].requests = {{"cpu", {0, 500}}};
  EXPECT_EQ(read(pod, "cpu"), 5000);  // early alone
}

TEST_F(Requests, PodLevelRequestsOverrideAndOverheadComesAfter) {
  Pod pod;
  pod.containers = {container("a", {{"cpu", {4, 0}}, {"ephemeral-storage", {7, 0}}})};
  pod.pod_level_requests = ResourceList{{"cpu", {1, 0}}, {"ephemeral-storage", {1, 0}}};
  pod.overhead = {{"cpu", {0, 250}}};
  EXPECT_EQ(read(pod, "cpu"), 1250);
  EXPECT_EQ(read(pod, "ephemeral-storage"), 7);  // not a pod-level resource
}

TEST_F(Requests, NamesThatAreNoScalarResourcesAreNotCounted) {
  EXPECT_TRUE(is_scalar_resource_name("example.com/gpu"));
  EXPECT_TRUE(is_scalar_resource_name("hugepages-2Mi"));
  EXPECT_TRUE(is_scalar_resource_name("attachable-volumes-x"));
  EXPECT_TRUE(is_scalar_resource_name("kubernetes.io/batch"));
  EXPECT_FALSE(is_scalar_resource_name("gpu"));
  EXPECT_FALSE(is_scalar_resource_name("requests.example.com/gpu"));
  EXPECT_FALSE(is_scalar_resource_name("example.com/gpu/x"));
  EXPECT_FALSE(is_scalar_resource_name("storage"));
  EXPECT_EQ(columns.column("pods"), ResourceColumns::kIgnored);
}

Pod resized() {
  Pod pod;
  pod.containers = {container("a", {{"cpu", {1, 0}}}), container("b", {{"cpu", {3, 0}}})};
  return pod;
}

TEST_F(Requests, AResizeCountsTheLargestForEachContainerIn136AndForThePodIn137) {
  Pod pod = resized();
  pod.container_statuses = {{.name = "a",
                             .has_resources = true,
                             .requests = ResourceList{{"cpu", {2, 0}}},
                             .allocated_resources = {}},
                            {.name = "b",
                             .has_resources = true,
                             .requests = ResourceList{{"cpu", {1, 0}}},
                             .allocated_resources = {}}};
  EXPECT_EQ(read(pod, "cpu", Release::k1_36), 5000);  // max(1, 2) + max(3, 1)
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 4000);  // max(1 + 3, 2 + 1)
  EXPECT_EQ(read(pod, "cpu", Release::k1_36, false), 4000);
}

TEST_F(Requests, AllocatedResourcesAloneCountIn137Only) {
  Pod pod = resized();
  pod.container_statuses = {{.name = "a",
                             .has_resources = false,
                             .requests = {},
                             .allocated_resources = ResourceList{{"cpu", {4, 0}}}}};
  EXPECT_EQ(read(pod, "cpu", Release::k1_36), 4000);
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 7000);
}

TEST_F(Requests, AnInfeasibleResizeCountsNothingForAContainerWithoutStatusIn137) {
  Pod pod = resized();
  pod.conditions = {{"PodResizePending", "True", "Infeasible"}};
  pod.container_statuses = {{.name = "a",
                             .has_resources = true,
                             .requests = ResourceList{{"cpu", {2, 0}}},
                             .allocated_resources = {}}};
  EXPECT_EQ(read(pod, "cpu", Release::k1_36), 5000);  // a: its status; b: its spec
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 2000);
  pod.container_statuses.clear();
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 0);
}

TEST_F(Requests, OnlyTheFirstResizeConditionCounts) {
  Pod pod = resized();
  pod.conditions = {{"PodResizePending", "True", "Deferred"}, {"PodResizePending", "True", "Infeasible"}};
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 4000);
}

TEST_F(Requests, AnInitContainersStatusCountsIn136OnlyForASidecar) {
  Pod pod;
  pod.containers = {container("main", {})};
  pod.init_containers = {container("step", {{"cpu", {1, 0}}})};
  pod.init_container_statuses = {{.name = "step",
                                  .has_resources = true,
                                  .requests = ResourceList{{"cpu", {3, 0}}},
                                  .allocated_resources = {}}};
  EXPECT_EQ(read(pod, "cpu", Release::k1_36), 1000);
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 3000);
  pod.init_containers[0].restart_always = true;
  EXPECT_EQ(read(pod, "cpu", Release::k1_36), 3000);
}

TEST_F(Requests, PodLevelStatusesRaiseTheOverride) {
  Pod pod;
  pod.containers = {container("a", {{"cpu", {1, 0}}, {"memory", {9, 0}}})};
  pod.pod_level_requests = ResourceList{{"cpu", {2, 0}}};
  pod.has_status_resources = true;
  pod.status_requests = ResourceList{{"cpu", {3, 0}}, {"memory", {4, 0}}};
  EXPECT_EQ(read(pod, "cpu", Release::k1_36), 3000);
  EXPECT_EQ(read(pod, "memory", Release::k1_36), 9);  // 1.36 overrides only the names in spec
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 3000);
  EXPECT_EQ(read(pod, "memory", Release::k1_37), 4);
  pod.conditions = {{"PodResizePending", "True", "Infeasible"}};
  pod.status_requests = ResourceList{};
  EXPECT_EQ(read(pod, "cpu", Release::k1_36), 0);  // in spec, in no status
  EXPECT_EQ(read(pod, "cpu", Release::k1_37), 0);  // no override, and no container counts
}

TEST_F(Requests, ANewNameWidensLaterRows) {
  Pod pod;
  pod.containers = {container("a", {{"example.com/gpu", {2, 0}}})};
  EXPECT_EQ(read(pod, "example.com/gpu"), 2);
  EXPECT_EQ(columns.size(), 4U);
}

}  // namespace
}  // namespace reprieve::engine
