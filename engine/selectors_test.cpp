#include "reprieve/engine/selectors.h"

#include <gtest/gtest.h>

#include "reprieve/engine/flat_counts.h"

namespace reprieve::engine {
namespace {

class Selectors : public ::testing::Test {
 protected:
  bool matches(const LabelSelector& selector, const Labels& labels) {
    const auto compiled = compile(selector, strings);
    return compiled && compiled->matches(intern_labels(labels, strings), strings);
  }
  Interner strings;
};

LabelSelector expression(std::string key, SelectorOperator op, std::vector<std::string> values) {
  return {.match_labels = {}, .match_expressions = {{std::move(key), op, std::move(values)}}};
}

TEST_F(Selectors, AnAbsentSelectorMatchesNothingAndIsNotEmptyAnEmptyOneMatchesAll) {
  const auto absent = compile(std::optional<LabelSelector>(), strings);
  EXPECT_FALSE(absent->matches({}, strings));
  EXPECT_FALSE(absent->empty());
  const auto empty = compile(LabelSelector{}, strings);
  EXPECT_TRUE(empty->matches({}, strings));
  EXPECT_TRUE(empty->empty());
}

TEST_F(Selectors, NotInAndDoesNotExistHoldWithoutTheKey) {
  EXPECT_TRUE(matches(expression("a", SelectorOperator::kNotIn, {"x"}), {}));
  EXPECT_TRUE(matches(expression("a", SelectorOperator::kDoesNotExist, {}), {}));
  EXPECT_FALSE(matches(expression("a", SelectorOperator::kNotIn, {"x"}), {{"a", "x"}}));
}

TEST_F(Selectors, GtAndLtAreNoOperatorsOfALabelSelector) {
  EXPECT_FALSE(compile(expression("a", SelectorOperator::kGt, {"1"}), strings));
  EXPECT_FALSE(compile(expression("a", SelectorOperator::kInvalid, {}), strings));
}

TEST_F(Selectors, ValueCountsAndMalformedKeysOrValuesAreErrors) {
  EXPECT_FALSE(compile(expression("a", SelectorOperator::kIn, {}), strings));
  EXPECT_FALSE(compile(expression("a", SelectorOperator::kExists, {"x"}), strings));
  EXPECT_FALSE(compile(expression("a b", SelectorOperator::kExists, {}), strings));
  EXPECT_FALSE(compile(expression("Upper.example/x", SelectorOperator::kExists, {}), strings));
  EXPECT_TRUE(compile(expression("example.com/x", SelectorOperator::kExists, {}), strings));
  EXPECT_FALSE(compile(expression("a", SelectorOperator::kIn, {"-x"}), strings));
  EXPECT_FALSE(compile(expression("a", SelectorOperator::kIn, {std::string(64, 'x')}), strings));
  EXPECT_TRUE(compile(expression("a", SelectorOperator::kIn, {""}), strings));
}

TEST_F(Selectors, ANodeTermThatDoesNotParseSpoilsNoOther) {
  const NodeSelector selector{
      {{.match_expressions = {{"cores", SelectorOperator::kGt, {"many"}}}, .match_fields = {}},
       {.match_expressions = {{"cores", SelectorOperator::kGt, {"3"}}}, .match_fields = {}}}};
  const auto compiled = compile(selector, strings);
  const auto with_cores = [&](const char* cores) { return intern_labels({{"cores", cores}}, strings); };
  EXPECT_TRUE(compiled.matches(with_cores("4"), kNoString, strings));
  EXPECT_FALSE(compiled.matches(with_cores("3"), kNoString, strings));
  EXPECT_FALSE(compiled.matches(with_cores("x"), kNoString, strings));
  EXPECT_TRUE(compiled.matches(with_cores("+4"), kNoString, strings));
}

TEST_F(Selectors, AFieldOfAnotherNameReadsAsEmpty) {
  const auto field = [&](const char* key, SelectorOperator op, const char* value) {
    return compile(NodeSelector{{{.match_expressions = {}, .match_fields = {{key, op, {value}}}}}}, strings)
        .matches({}, strings.intern("n1"), strings);
  };
  EXPECT_TRUE(field("metadata.name", SelectorOperator::kIn, "n1"));
  EXPECT_FALSE(field("metadata.name", SelectorOperator::kNotIn, "n1"));
  EXPECT_FALSE(field("spec.x", SelectorOperator::kIn, "n1"));
  EXPECT_TRUE(field("spec.x", SelectorOperator::kIn, ""));
  EXPECT_FALSE(field("metadata.name", SelectorOperator::kExists, "n1"));
}

TEST(ParseInt, IsThatOfGo) {
  EXPECT_EQ(parse_int64("+7"), 7);
  EXPECT_EQ(parse_int64("-9223372036854775808"), INT64_MIN);
  EXPECT_FALSE(parse_int64("9223372036854775808"));
  EXPECT_FALSE(parse_int64("+-7"));
  EXPECT_FALSE(parse_int64(""));
  EXPECT_FALSE(parse_int64("7 "));
}

TEST(FlatCounts, ForgetsOnClearAndKeepsWhatItGrewOver) {
  FlatCounts counts;
  for (int round = 0; round < 3; ++round) {
    counts.clear();
    EXPECT_EQ(counts.size(), 0U);
    for (std::uint64_t key = 0; key < 100; ++key) counts[key << 32] += static_cast<std::int64_t>(key);
    EXPECT_EQ(counts.size(), 100U);
    EXPECT_EQ(counts.at_or_zero(std::uint64_t{77} << 32), 77);
    EXPECT_EQ(counts.get(1), nullptr);
  }
}

}  // namespace
}  // namespace reprieve::engine
