// The faults that upstream releases had: each is found by comparing with the reference, and what is left of
// the case is one that a person would have written to report it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reprieve/manifest/write.h"
#include "reprieve/mutants/registry.h"
#include "reprieve/properties/generators/valid.h"
#include "reprieve/properties/kill/hunt.h"

namespace reprieve::kill {
namespace {

constexpr std::uint64_t kCases = 2000;  // about a second of a processor
constexpr std::size_t kNodes = 3;
constexpr std::size_t kPods = 6;
constexpr std::size_t kObjects = 8;
constexpr std::ptrdiff_t kLines = 80;

std::vector<const mutants::Mutant*> historic() {
  std::vector<const mutants::Mutant*> found;
  for (const mutants::Mutant& mutant : mutants::all_mutants()) {
    if (mutant.kind == mutants::Kind::kHistoric) found.push_back(&mutant);
  }
  return found;
}

class Historic : public testing::TestWithParam<const mutants::Mutant*> {};

INSTANTIATE_TEST_SUITE_P(Faults, Historic, testing::ValuesIn(historic()), [](const auto& fault) {
  std::string name(fault.param->name);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(Historic, IsFoundAndItsCaseIsOneThatAPersonWouldWrite) {
  const mutants::Mutant& mutant = *GetParam();
  const auto reference = make_stage("reference");
  for (const std::uint64_t seed : {1U, 1'000'001U, 2'000'001U}) {
    const auto kill = hunt(mutant, *reference, seed, kCases);
    ASSERT_TRUE(kill) << "not within " << kCases << " cases from seed " << seed;
    const Case least = smallest(mutant, *reference, kill->seed);
    const Cluster& cluster = least.cluster;
    const std::string yaml = manifest::write_case_yaml(least);
    SCOPED_TRACE(fmt::format("seed {}, {}\n{}", kill->seed, kill->why, yaml));
    EXPECT_EQ(generators::find_fault(least), std::nullopt);
    EXPECT_LE(cluster.nodes.size(), kNodes);
    EXPECT_LE(cluster.pods.size(), kPods);
    // Nothing beside nodes and pods but a budget or two, or an extender.
    EXPECT_LE(cluster.nodes.size() + cluster.pods.size() + cluster.budgets.size() + least.extenders.size(),
              kObjects);
    EXPECT_TRUE(cluster.claims.empty() && cluster.volumes.empty() && cluster.priority_classes.empty());
    EXPECT_LE(std::ranges::count(yaml, '\n'), kLines);
  }
}

}  // namespace
}  // namespace reprieve::kill
