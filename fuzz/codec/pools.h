// The small pools that bytes choose from: few values, so that they tie and match, and those at which
// code turns (zero, one, the bounds of a type). Everything else is spelled out in records of its own.
// Appending to a pool keeps old inputs' meaning only while they stay below its old size: corpora are
// kept as YAML. Internal to codec/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "reprieve/fuzz/codec.h"
#include "reprieve/model/pod.h"

namespace reprieve::fuzz::pools {

using namespace std::string_view_literals;

/// "n1", "n2", ...: as many as there may be objects, so that one of them is always free.
template <char prefix, std::size_t count>
constexpr auto letters_of_numbered() {
  std::array<char, 3 * count> letters{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = i + 1;
    letters[3 * i] = prefix;
    letters[3 * i + 1] = static_cast<char>('0' + (number < 10 ? number : number / 10));
    letters[3 * i + 2] = static_cast<char>('0' + number % 10);
  }
  return letters;
}
template <char prefix, std::size_t count>
inline constexpr auto kNumberedLetters = letters_of_numbered<prefix, count>();
template <char prefix, std::size_t count>
constexpr auto numbered_after(std::initializer_list<std::string_view> first) {
  std::array<std::string_view, count> names;
  std::size_t filled = 0;
  for (const std::string_view name : first) names[filled++] = name;
  for (std::size_t i = 0; filled < count; ++i, ++filled) {
    names[filled] = {&kNumberedLetters<prefix, count>[3 * i], i < 9 ? 2U : 3U};
  }
  return names;
}

inline constexpr auto kNodeNames = numbered_after<'n', kMaxNodes>({});
inline constexpr auto kPodNames = numbered_after<'p', kMaxPods + 1>({"preemptor"});
/// CSINodes are named like nodes, and there may be more of them than nodes.
inline constexpr auto kCsiNodeNames = numbered_after<'n', kMaxStorageObjects>({});
inline constexpr auto kBudgetNames = numbered_after<'b', kMaxBudgets>({});
/// Claims, volumes, classes, attachments: each kind has names of its own.
inline constexpr auto kClaimNames = numbered_after<'c', kMaxStorageObjects>({});
inline constexpr std::array kClaimSources = {"c1"sv, "c2"sv,     "c3"sv, "c4"sv, "c5"sv,
                                             "c6"sv, "absent"sv, "d1"sv, "d2"sv};
inline constexpr auto kVolumeNames = numbered_after<'v', kMaxStorageObjects>({});
inline constexpr std::array kVolumeReferences = {""sv,   "v1"sv, "v2"sv, "v3"sv, "v4"sv,
                                                 "v5"sv, "v6"sv, "v7"sv, "v8"sv, "v99"sv};
inline constexpr auto kClassNames = numbered_after<'s', kMaxStorageObjects>({"immediate", "late", "static"});
inline constexpr std::array kClassReferences = {"immediate"sv, "late"sv, "static"sv, ""sv};
inline constexpr auto kAttachmentNames = numbered_after<'a', kMaxStorageObjects>({});
inline constexpr auto kDriverNames =
    numbered_after<'d', kMaxStorageObjects>({"csi.example.com", "csi2.example.com"});
inline constexpr std::array kDrivers = {"csi.example.com"sv, "csi2.example.com"sv, ""sv};
inline constexpr std::array kProvisioners = {"csi.example.com"sv, "kubernetes.io/no-provisioner"sv,
                                             "csi2.example.com"sv, ""sv, "kubernetes.io/gce-pd"sv};
inline constexpr std::array kMigratedPlugins = {"kubernetes.io/gce-pd"sv, "kubernetes.io/aws-ebs"sv};
inline constexpr std::array kSourceKinds = {
    "csi"sv, "local"sv, "hostPath"sv, "gcePersistentDisk"sv, "awsElasticBlockStore"sv, "nfs"sv, ""sv};
inline constexpr std::array kHandles = {""sv, "h1"sv, "h2"sv, "h3"sv, "h4"sv, "h5"sv, "h6"sv, "h7"sv, "h8"sv};
inline constexpr std::array kClaimUids = {""sv,    "uc1"sv, "uc2"sv, "uc3"sv, "uc4"sv,
                                          "uc5"sv, "uc6"sv, "uc7"sv, "uc8"sv, "another"sv};
inline constexpr std::array kClaimPhases = {""sv, "Pending"sv, "Bound"sv, "Lost"sv};
inline constexpr std::array kClaimReferences = {""sv,   "c1"sv, "c2"sv, "c3"sv, "c4"sv,
                                                "c5"sv, "c6"sv, "c7"sv, "c8"sv};
inline constexpr std::array kVolumePhases = {""sv,         "Available"sv, "Bound"sv,
                                             "Released"sv, "Failed"sv,    "Pending"sv};
inline constexpr std::array kVolumeModes = {"Filesystem"sv, "Block"sv};
inline constexpr std::array kPodVolumeNames = {"data1"sv, "data2"sv, "disk1"sv, "scratch"sv,
                                               "a"sv,     "b"sv,     "v"sv};
inline constexpr std::array kMonitors = {"m1"sv, "m2"sv, "m3"sv};
inline constexpr std::array kRbdPools = {""sv, "rbd"sv, "fast"sv};

inline constexpr auto kNamespaceNames = numbered_after<'e', kMaxNamespaces>({"default", "other", "nowhere"});
inline constexpr std::array kNamespaces = {"default"sv, "other"sv};
inline constexpr std::array kClaimNamespaces = {""sv, "default"sv, "other"sv};
inline constexpr std::array kTermNamespaces = {"default"sv, "other"sv, "nowhere"sv};
inline constexpr auto kPriorityClassNames = numbered_after<'q', kMaxPriorityClasses>({"low", "high"});

inline constexpr std::array kLabelKeys = {"app"sv,
                                          "tier"sv,
                                          "zone"sv,
                                          "topology.kubernetes.io/zone"sv,
                                          "kubernetes.io/hostname"sv,
                                          "rank"sv,
                                          "team"sv,
                                          "kubernetes.io/metadata.name"sv,
                                          "rack"sv,
                                          "version"sv,
                                          "not a key"sv,
                                          "disk"sv};
inline constexpr std::array kFieldKeys = {"metadata.name"sv};
inline constexpr std::array kTopologyKeys = {"kubernetes.io/hostname"sv, "topology.kubernetes.io/zone"sv,
                                             "zone"sv, "rack"sv};
/// Of labels and of selectors alike.
inline constexpr std::array kValues = {
    "a"sv, "b"sv,   "c"sv,  "x"sv,  "y"sv,  ""sv,   "0"sv,           "1"sv,   "2"sv,       "3"sv,
    "4"sv, "web"sv, "n1"sv, "n2"sv, "n3"sv, "n4"sv, "not a value"sv, "-a-"sv, "default"sv, "other"sv};
inline constexpr std::array kZones = {"a"sv, "b"sv, "c"sv, "a__b"sv};
inline constexpr std::array kApps = {"a"sv, "b"sv, "c"sv, ""sv, "web"sv};
inline constexpr std::array kTiers = {"x"sv, "y"sv};
inline constexpr std::array kRanks = {"0"sv, "1"sv, "2"sv, "3"sv, "x"sv};

inline constexpr std::array kTaintKeys = {"dedicated"sv, "gpu"sv, "node.kubernetes.io/unschedulable"sv, ""sv};
inline constexpr std::array kTaintValues = {""sv, "v"sv, "w"sv, "5"sv, "3"sv, "7"sv};
inline constexpr std::array kFeatures = {"RestartAllContainersOnContainerExits"sv,
                                         "UserNamespacesHostNetworkSupport"sv};
inline constexpr std::array kResources = {
    "cpu"sv,           "memory"sv, "example.com/gpu"sv, "hugepages-2Mi"sv, "ephemeral-storage"sv,
    "hugepages-1Gi"sv, "pods"sv,   "example.com/b"sv,   "storage"sv};
inline constexpr std::array kManagedResources = {"example.com/gpu"sv, "cpu"sv, "example.com/b"sv};
inline constexpr std::array kProtocols = {"TCP"sv, "UDP"sv, "SCTP"sv};
inline constexpr std::array kAddresses = {""sv, "0.0.0.0"sv, "10.0.0.1"sv, "10.0.0.2"sv, "::"sv};
inline constexpr std::array kContainerNames = {"c1"sv, "c2"sv, "c3"sv, "i1"sv, "i2"sv,
                                               "i3"sv, "c"sv,  "a"sv,  "b"sv};
inline constexpr std::array kSchedulers = {"default-scheduler"sv, "other-scheduler"sv};
inline constexpr std::array kGates = {"example.com/gate"sv, "example.com/other"sv};
inline constexpr std::array kOptionalTexts = {""sv, "x"sv};  // uids, groups
inline constexpr std::array kResourceClaims = {"x"sv, "y"sv};
inline constexpr std::array kConditionTypes = {"DisruptionTarget"sv, "PodResizePending"sv,
                                               "PodResizeInProgress"sv};
inline constexpr std::array kConditionStatuses = {"True"sv, "False"sv, "Unknown"sv};
inline constexpr std::array kConditionReasons = {"PreemptionByScheduler"sv,
                                                 "EvictionByEvictionAPI"sv,
                                                 "DeletionByTaintManager"sv,
                                                 "Infeasible"sv,
                                                 "Deferred"sv,
                                                 ""sv};
inline constexpr std::array kAnnotations = {"pv.kubernetes.io/bind-completed"sv,
                                            "volume.kubernetes.io/selected-node"sv};
inline constexpr std::array kAnnotationValues = {"yes"sv, "n1"sv, "n2"sv};
inline constexpr auto kExtenderNames = numbered_after<'e', kMaxExtenders>({});
inline constexpr std::array kErrors = {"the extender failed"sv};
inline constexpr std::array kPolicyNames = {
    "kubernetes-1.37"sv,    "kubernetes-1.36"sv, "kubernetes"sv, "exact"sv,
    "guaranteed-budgets"sv, "sampled"sv,         "tried"sv};

using Numbers = std::int64_t;
inline constexpr std::int64_t kLowest = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();
/// Those of running pods come first for them, and last for the preemptor.
inline constexpr std::array<Numbers, 32> kPriorities = {
    0,  10,  50,         1,         2,          3,          99,          100,         200,          4,  5,
    -1, -10, -100,       -1000,     1000,       kLowest,    kLowest + 1, kHighest,    kHighest - 1, 51, 101,
    11, 9,   1000000000, 999999999, 2000000000, 2000001000, -2000000000, kLowest + 2, 49,           -2};
inline constexpr std::array<Numbers, 16> kPreemptorPriorities = {
    100, 1000, 101, 51, 200, 50, 11, 10, 1, 0, 1000000000, kHighest, 2000000000, 2000001000, -1, kLowest};
inline constexpr TimeUs kEpochUs = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z
inline constexpr TimeUs kMinuteUs = 60'000'000;
inline constexpr std::array<Numbers, 12> kTimes = {kEpochUs,
                                                   kEpochUs + kMinuteUs,
                                                   kEpochUs + 2 * kMinuteUs,
                                                   kEpochUs + 3 * kMinuteUs,
                                                   kEpochUs + 4 * kMinuteUs,
                                                   kEpochUs + 5 * kMinuteUs,
                                                   kEpochUs - kMinuteUs,
                                                   kEpochUs + 1'000'000,
                                                   kEpochUs + 60 * kMinuteUs,
                                                   kEpochUs + 24 * 60 * kMinuteUs,
                                                   kEpochUs + 1,
                                                   0};
inline constexpr std::array<Numbers, 4> kDeletionTimes = {kEpochUs + 60 * kMinuteUs, kEpochUs,
                                                          kEpochUs + kMinuteUs, kEpochUs + 120 * kMinuteUs};
inline constexpr std::array<Numbers, 5> kGracePeriods_s = {0, 30, 60, 1, 3600};
inline constexpr std::array<Numbers, 8> kSmall = {0, 1, 2, 3, 4, 5, 6, 7};
inline constexpr std::array<Numbers, 4> kPercentages = {0, 50, 100, 10};
inline constexpr std::array<Numbers, 5> kSkews = {1, 2, 3, 5, kHighest};
inline constexpr std::array<Numbers, 6> kPorts = {80, 81, 8080, 8081, 443, 1};
inline constexpr std::array<Numbers, 6> kHostPorts = {0, 80, 81, 8080, 8081, 443};

/// What one unit of cpu is, and of memory and ephemeral storage, in thousandths.
inline constexpr std::array<Numbers, 11> kCpuUnits_milli = {1000, 500, 250, 100, 1, 2, 3, 4, 5, 6, 7};
inline constexpr Numbers kMebi_milli = 1024LL * 1024 * 1000;
inline constexpr std::array<Numbers, 7> kByteUnits_milli = {
    256 * kMebi_milli, 1024 * kMebi_milli, 1000, 500, 1500, kMebi_milli, 64 * kMebi_milli};
inline constexpr std::array<Numbers, 3> kStorageUnits_milli = {1024 * kMebi_milli, 512 * kMebi_milli,
                                                               kMebi_milli};

}  // namespace reprieve::fuzz::pools
