#include "reprieve/reference/requests.h"

#include <gtest/gtest.h>

#include "reprieve/reference/small_cluster.h"

namespace reprieve::reference {
namespace {

using testing::container;

Quantity units(std::int64_t number) { return {.units = number}; }

Pod pod_of(std::int64_t milli_cpu) {
  Pod pod;
  pod.containers = {container(milli_cpu)};
  return pod;
}

std::int64_t cpu(const Amounts& amounts) { return amounts.at("cpu"); }

TEST(Requests, AreRoundedOnceAfterTheSum) {
  Pod pod;
  pod.containers = {container(0), container(0)};
  for (Container& c : pod.containers) c.requests["memory"] = quantity_from_milli(500);
  EXPECT_EQ(asked_by(pod).at("memory"), 1);
}

TEST(Requests, AreThoseOfTheHungriestMoment) {
  Pod pod = pod_of(1000);
  Container sidecar = container(500);
  sidecar.restart_always = true;
  // An init container runs beside the sidecars before it, not beside those after it.
  pod.init_containers = {container(900), sidecar, container(1200), sidecar};
  EXPECT_EQ(cpu(asked_by(pod)), 2000);
  pod.init_containers[2] = container(1600);
  EXPECT_EQ(cpu(asked_by(pod)), 2100);
}

TEST(Requests, OfThePodReplaceThoseOfItsContainersAndOverheadComesOnTop) {
  Pod pod = pod_of(1000);
  pod.pod_level_requests = ResourceList{{"cpu", units(3)}, {"example.com/gpu", units(9)}};
  pod.overhead = {{"cpu", quantity_from_milli(100)}};
  EXPECT_EQ(cpu(asked_by(pod)), 3100);
  EXPECT_FALSE(asked_by(pod).contains("example.com/gpu"));  // not a resource of whole pods
}

TEST(Requests, OfAPreemptorDoNotLookAtItsStatus) {
  Pod pod = pod_of(1000);
  pod.container_statuses = {
      {.name = "c", .has_resources = true, .allocated_resources = ResourceList{{"cpu", units(5)}}}};
  EXPECT_EQ(cpu(asked_by(pod)), 1000);
  EXPECT_EQ(cpu(held_by(pod, Release::k1_36)), 5000);
  EXPECT_EQ(cpu(held_by(pod, Release::k1_37)), 5000);
}

TEST(Requests, AllocatedAloneCountIn137Only) {
  Pod pod = pod_of(1000);
  pod.container_statuses = {{.name = "c", .allocated_resources = ResourceList{{"cpu", units(3)}}}};
  EXPECT_EQ(cpu(held_by(pod, Release::k1_36)), 1000);
  EXPECT_EQ(cpu(held_by(pod, Release::k1_37)), 3000);
}

TEST(Requests, OfAnInfeasibleResizeAreZeroIn137WithoutAStatus) {
  Pod pod = pod_of(4000);
  pod.conditions = {{.type = "PodResizePending", .status = "True", .reason = "Infeasible"}};
  EXPECT_EQ(cpu(held_by(pod, Release::k1_36)), 4000);
  EXPECT_FALSE(held_by(pod, Release::k1_37).contains("cpu"));
}

TEST(Requests, TakeTheLargestPerContainerIn136AndOverThePodIn137) {
  // One container was to grow, the other to shrink: the largest of each is 3+3, of the sums 4.
  Pod pod;
  pod.containers = {container(3000), container(1000)};
  pod.containers[1].name = "d";
  pod.container_statuses = {
      {.name = "c", .has_resources = true, .requests = ResourceList{{"cpu", units(1)}}},
      {.name = "d", .has_resources = true, .requests = ResourceList{{"cpu", units(3)}}},
  };
  EXPECT_EQ(cpu(held_by(pod, Release::k1_36)), 6000);
  EXPECT_EQ(cpu(held_by(pod, Release::k1_37)), 4000);
}

TEST(Requests, OfAPlainInitContainerIgnoreItsStatusIn136) {
  Pod pod = pod_of(100);
  pod.init_containers = {container(1000)};
  pod.init_containers[0].name = "init";
  pod.init_container_statuses = {
      {.name = "init", .has_resources = true, .requests = ResourceList{{"cpu", units(2)}}}};
  EXPECT_EQ(cpu(held_by(pod, Release::k1_36)), 1000);
  EXPECT_EQ(cpu(held_by(pod, Release::k1_37)), 2000);
}

TEST(Requests, OfAWholePodInItsStatusCanAddANameIn137Only) {
  Pod pod = pod_of(1000);
  pod.pod_level_requests = ResourceList{{"cpu", units(1)}};
  pod.has_status_resources = true;
  pod.status_requests = ResourceList{{"hugepages-2Mi", units(4)}};
  EXPECT_FALSE(held_by(pod, Release::k1_36).contains("hugepages-2Mi"));
  EXPECT_EQ(held_by(pod, Release::k1_37).at("hugepages-2Mi"), 4);
}

TEST(Requests, CountOnlyScalarNamesBesideTheThreeOfEveryNode) {
  for (const char* name :
       {"example.com/gpu", "hugepages-2Mi", "attachable-volumes-csi-x", "a.kubernetes.io/b"}) {
    EXPECT_TRUE(is_scalar_resource_name(name)) << name;
  }
  for (const char* name : {"gpu", "pods", "requests.example.com/gpu", "example.com/", "a/b/c", "Bad_/x"}) {
    EXPECT_FALSE(is_scalar_resource_name(name)) << name;
  }
}

}  // namespace
}  // namespace reprieve::reference
