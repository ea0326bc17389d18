// The mutator: what it makes is a fair question, it never writes too much, and it gets about.
#include "reprieve/fuzz/mutate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "reprieve/fuzz/codec.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/generators/valid.h"

namespace reprieve::fuzz {
namespace {

using generators::Random;

TEST(Mutate, AChangeOfAnyCaseEncodesAsAValidCase) {
  Random random(1);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Case question = generators::generate(seed, {});
    for (int i = 0; i < 10; ++i) change(question, random);
    const auto fault = generators::find_fault(decode(encode_roughly(question)));
    EXPECT_FALSE(fault) << seed << ": " << *fault;
  }
}

TEST(Mutate, ManyChangesInARowDoNotWearACaseOut) {
  Random random(2);
  Case question = generators::generate(7, {});
  for (int i = 0; i < 2000; ++i) {
    change(question, random);
    question = decode(encode_roughly(question));
    ASSERT_FALSE(question.cluster.nodes.empty());
    ASSERT_LE(question.cluster.pods.size(), kMaxPods);
  }
}

TEST(Mutate, StaysWithinTheSpaceAndTheSameSeedMakesTheSame) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    for (const std::size_t most : {std::size_t{1}, std::size_t{40}, std::size_t{512}}) {
      Bytes first = encode_roughly(generators::generate(seed, {}));
      first.resize(most);
      Bytes second = first;
      const std::size_t size = std::min<std::size_t>(most, seed % 64);
      const std::size_t written = mutate(first.data(), size, most, seed);
      ASSERT_LE(written, most);
      ASSERT_EQ(mutate(second.data(), size, most, seed), written);
      first.resize(written);
      second.resize(written);
      ASSERT_EQ(first, second);
    }
  }
}

TEST(Mutate, StartsFromNothingAndReachesEveryKindOfObject) {
  std::set<std::string> reached;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Bytes bytes(512);
    bytes.resize(mutate(bytes.data(), 0, bytes.size(), seed));
    const Case question = decode(bytes);
    if (!question.cluster.budgets.empty()) reached.insert("budget");
    if (!question.cluster.claims.empty()) reached.insert("claim");
    if (!question.extenders.empty()) reached.insert("extender");
    if (question.policy.sampling) reached.insert("sampling");
    if (question.policy.release == Release::k1_36) reached.insert("1.36");
    if (question.cluster.nodes.size() > 2) reached.insert("three nodes");
  }
  EXPECT_EQ(reached.size(), 6U);
}

TEST(CrossOver, TakesObjectsOfBothAndStaysWithinTheSpace) {
  Case left = decode({});
  left.cluster.budgets.push_back({.name = "b1", .selector = LabelSelector{}});
  Case right = decode({});
  right.cluster.pods[0].name = "p7";
  const Bytes a = encode_roughly(left);
  const Bytes b = encode_roughly(right);
  bool both = false;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Bytes out(seed % 2 == 0 ? 50 : 500);
    const std::size_t written =
        cross_over(a.data(), a.size(), b.data(), b.size(), out.data(), out.size(), seed);
    ASSERT_LE(written, out.size());
    out.resize(written);
    const Case child = decode(out);
    both |= !child.cluster.budgets.empty() &&
            std::ranges::find(child.cluster.pods, "p7", &Pod::name) != child.cluster.pods.end();
  }
  EXPECT_TRUE(both);
}

// With sanitizers: nothing is copied from nowhere.
TEST(CrossOver, OfNothingIsNothing) {
  Bytes out(64);
  EXPECT_EQ(cross_over(nullptr, 0, nullptr, 0, out.data(), out.size(), 1), 0U);
}

}  // namespace
}  // namespace reprieve::fuzz
