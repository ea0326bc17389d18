// Model to manifest and back is the identity, for every way of writing, on cases with every feature.
#include <gtest/gtest.h>

#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/read.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/generators/generate.h"

namespace reprieve {
namespace {

constexpr std::uint64_t kCases = 3000;

/// Names the first part in which two cases differ; empty: none.
std::string first_difference(const Case& left, const Case& right) {
  if (left.name != right.name) return "name " + left.name + " / " + right.name;
  if (left.preemptor != right.preemptor) return "preemptor";
  if (left.policy != right.policy) return "policy";
  if (left.extenders != right.extenders) return "extenders";
  const Cluster& a = left.cluster;
  const Cluster& b = right.cluster;
  if (a.nodes != b.nodes) return "nodes";
  if (a.pods.size() != b.pods.size()) return "number of pods";
  for (std::size_t i = 0; i < a.pods.size(); ++i) {
    if (a.pods[i] != b.pods[i]) return "pod " + full_name(a.pods[i]);
  }
  if (a.budgets != b.budgets) return "budgets";
  if (a.priority_classes != b.priority_classes) return "priority classes";
  if (a.namespaces != b.namespaces) return "namespaces";
  if (a.claims != b.claims) return "claims";
  if (a.volumes != b.volumes) return "volumes";
  if (a.storage_classes != b.storage_classes) return "storage classes";
  if (a.csi_nodes != b.csi_nodes) return "CSI nodes";
  if (a.csi_drivers != b.csi_drivers) return "CSI drivers";
  if (a.volume_attachments != b.volume_attachments) return "attachments";
  return "";
}

TEST(ManifestRoundTrip, ACaseFileHoldsTheCase) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Case question = generators::generate(seed, {});
    const std::string yaml = manifest::write_case_yaml(question);
    const auto input = manifest::read_text(yaml, "case.yaml");
    ASSERT_TRUE(input.has_value()) << seed << ": " << to_string(input.error()) << "\n" << yaml;
    const auto read = manifest::to_case(*input);
    ASSERT_TRUE(read.has_value()) << seed << ": " << to_string(read.error()) << "\n" << yaml;
    ASSERT_EQ(first_difference(question, *read), "") << seed << "\n" << yaml;
  }
}

TEST(ManifestRoundTrip, AListHoldsTheCluster) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Case question = generators::generate(seed, {});
    for (const int indent : {-1, 4}) {
      const std::string json = manifest::write_json(question.cluster, indent);
      const auto input = manifest::read_text(json, "list.json");
      ASSERT_TRUE(input.has_value()) << seed << ": " << to_string(input.error()) << "\n" << json;
      Case read = question;
      read.cluster = input->cluster;
      ASSERT_EQ(first_difference(question, read), "") << seed << "\n" << json;
    }
  }
}

TEST(ManifestRoundTrip, ARequestHoldsTheCase) {
  manifest::ProtocolReader reader;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Case question = generators::generate(seed, {});
    const std::string line = manifest::write_request(question);
    ASSERT_EQ(line.find('\n'), std::string::npos) << seed;
    const auto read = reader.read_request(line);
    ASSERT_TRUE(read.has_value()) << seed << ": " << read.error().message << "\n" << line;
    ASSERT_EQ(first_difference(question, *read), "") << seed << "\n" << line;
  }
}

}  // namespace
}  // namespace reprieve
