// The codec is inverse both ways, and every byte string is a fair question.
#include "reprieve/fuzz/codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "reprieve/manifest/read.h"
#include "reprieve/properties/generators/generate.h"
#include "reprieve/properties/generators/random.h"
#include "reprieve/properties/generators/valid.h"

namespace reprieve::fuzz {
namespace {

using generators::Random;

std::vector<Case> corpus_cases() {
  std::vector<Case> cases;
  for (const auto& file : std::filesystem::recursive_directory_iterator(REPRIEVE_CORPUS)) {
    if (file.path().extension() != ".yaml") continue;
    const auto input = manifest::read_files({file.path().string()});
    EXPECT_TRUE(input) << manifest::to_string(input.error());
    const auto question = manifest::to_case(*input);
    EXPECT_TRUE(question) << file.path();
    if (question) cases.push_back(*question);
  }
  return cases;
}

/// Like what a fuzzer hands in: records of any tag, sometimes cut off or shifted by a byte.
Bytes random_bytes(Random& random) {
  Bytes bytes(static_cast<std::size_t>(random.below(40 * static_cast<int>(kRecordBytes))));
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>(random.coin() ? random.below(256) : random.below(8));
  return bytes;
}

Case named_like(Case question, const Case& other) {
  question.name = other.name;
  return question;
}

TEST(Codec, EveryCaseOfTheCorpusComesBackAsItWas) {
  const auto cases = corpus_cases();
  EXPECT_GE(cases.size(), 100U);
  for (const Case& question : cases) {
    const auto bytes = encode(question);
    ASSERT_TRUE(bytes) << question.name << ": " << bytes.error();
    EXPECT_EQ(named_like(decode(*bytes), question), question) << question.name;
  }
}

TEST(Codec, EveryGeneratedSmallCaseComesBackAsItWas) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Case question = generators::generate(seed, {});
    const auto bytes = encode(question);
    ASSERT_TRUE(bytes) << seed << ": " << bytes.error();
  }
}

TEST(Codec, AnyBytesAreAValidCaseThatComesBackAsItWas) {
  Random random(1);
  for (int i = 0; i < 4000; ++i) {
    const Bytes bytes = random_bytes(random);
    const Case question = decode(bytes);
    const auto fault = generators::find_fault(question);
    ASSERT_FALSE(fault) << i << ": " << *fault;
    const auto again = encode(question);
    ASSERT_TRUE(again) << i << ": " << again.error();
  }
}

TEST(Codec, ABytesChangeOfAGeneratedCaseIsAValidCaseThatComesBackAsItWas) {
  Random random(2);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Bytes bytes = encode_roughly(generators::generate(seed, {}));
    for (int changes = random.between(1, 4); changes > 0; --changes) {
      bytes[static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())))] =
          static_cast<std::uint8_t>(random.below(256));
    }
    const Case question = decode(bytes);
    const auto fault = generators::find_fault(question);
    ASSERT_FALSE(fault) << seed << ": " << *fault;
    const auto again = encode(question);
    ASSERT_TRUE(again) << seed << ": " << again.error();
  }
}

TEST(Codec, NoBytesAreANodeAPodAndAPreemptorThatNeedsItsRoom) {
  const Case question = decode({});
  ASSERT_EQ(question.cluster.nodes.size(), 1U);
  ASSERT_EQ(question.cluster.pods.size(), 2U);
  EXPECT_EQ(question.cluster.pods[0].node_name, question.cluster.nodes[0].name);
  EXPECT_EQ(full_name(question.cluster.pods[1]), question.preemptor);
  EXPECT_GT(question.cluster.pods[1].priority, question.cluster.pods[0].priority);
}

TEST(Codec, AByteOfAPodIsAFieldOfThatPod) {
  Case question = decode({});
  const Bytes before = *encode(question);
  question.cluster.pods[0].priority = 50;
  const Bytes after = *encode(question);
  ASSERT_EQ(before.size(), after.size());
  int changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i] ? 1 : 0;
  EXPECT_EQ(changed, 1);
}

TEST(Codec, ARemovedRecordIsARemovedPodAndNothingElse) {
  Case question = decode({});
  Pod another = question.cluster.pods[0];
  another.name = "p9";
  question.cluster.pods.insert(question.cluster.pods.begin(), another);
  Bytes bytes = *encode(question);
  // The header, the node, then p9.
  ASSERT_EQ(bytes.size(), 5 * kRecordBytes);
  bytes.erase(bytes.begin() + 2 * kRecordBytes, bytes.begin() + 3 * kRecordBytes);
  question.cluster.pods.erase(question.cluster.pods.begin());
  EXPECT_EQ(named_like(decode(bytes), question), question);
}

TEST(Codec, WhatIsOutOfBoundsIsSaid) {
  Case question = decode({});
  question.cluster.pods[0].labels["app"] = "caf\xc3\xa9";
  const auto bytes = encode(question);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error(), "out of the codec's bounds: pods: default/p1");
}

}  // namespace
}  // namespace reprieve::fuzz
