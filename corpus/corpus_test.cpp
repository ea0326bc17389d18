// Every case of the corpus against engine, reference and what it expects; and that the files keep the
// form that makes them worth reading.
#include "reprieve/cli/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "reprieve/properties/compare/compare.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files() { return cli::corpus_files(CORPUS); }

class Corpus : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto read = cli::read_corpus_case(GetParam());
    ASSERT_TRUE(read) << read.error();
    corpus_case = std::move(*read);
  }

  void expect_as_told(subjects::Subject& subject) {
    for (const cli::Judged& judged : corpus_case.judged) {
      const auto differences =
          compare::compare(judged.question, judged.expected, subject.decide(judged.question));
      EXPECT_TRUE(differences.empty()) << judged.question.policy.name << "\n"
                                       << compare::to_string(differences, "expected", subject.name());
    }
  }

  cli::CorpusCase corpus_case;
};

TEST_P(Corpus, TheEngineDecidesAsExpected) {
  subjects::EngineSubject engine;
  expect_as_told(engine);
}

TEST_P(Corpus, TheReferenceDecidesAsExpected) {
  subjects::ReferenceSubject reference;
  expect_as_told(reference);
}

TEST_P(Corpus, EngineAndReferenceTellTheSameStory) {
  subjects::EngineSubject engine;
  subjects::ReferenceSubject reference;
  for (const cli::Judged& judged : corpus_case.judged) {
    const auto differences = compare::compare(judged.question, engine.decide(judged.question),
                                              reference.decide(judged.question), {.story = true});
    EXPECT_TRUE(differences.empty()) << compare::to_string(differences, "engine", "reference");
  }
}

TEST_P(Corpus, TheFileIsNamedAfterItsCaseAndSaysInASentenceWhatItShows) {
  EXPECT_EQ(corpus_case.spec.name, fs::path(GetParam()).stem().string());
  const std::string& sentence = corpus_case.spec.description;
  EXPECT_GT(sentence.size(), 20U);
  EXPECT_TRUE(sentence.ends_with('.')) << sentence;
  EXPECT_EQ(sentence.find('|'), std::string::npos) << "would break the table";
}

TEST_P(Corpus, BothReleasesHaveAnExpectation) {
  for (const char* policy : {"kubernetes-1.36", "kubernetes-1.37"}) {
    const auto at = corpus_case.spec.expect_for.find(policy);
    ASSERT_NE(at, corpus_case.spec.expect_for.end()) << policy;
    EXPECT_TRUE(at->second.outcome) << policy;
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Corpus, testing::ValuesIn(files()), test_name);

TEST(CorpusAsAWhole, HasEveryLevelDecidingATieAndEveryOutcome) {
  std::set<std::string> shown;
  for (const std::string& file : files()) {
    const auto corpus_case = cli::read_corpus_case(file);
    ASSERT_TRUE(corpus_case) << corpus_case.error();
    for (const cli::Judged& judged : corpus_case->judged) {
      if (judged.expected.outcome) shown.emplace(to_string(*judged.expected.outcome));
      if (judged.expected.decided_by) shown.emplace(to_string(*judged.expected.decided_by));
      if (judged.expected.nominated && judged.expected.nominated->size() > 1) shown.emplace("tie");
    }
  }
  for (const char* wanted : {"pdbViolations", "highestPriority", "prioritySum", "victimCount", "latestStart",
                             "tie", "fits", "ineligible", "nominated", "no-candidate"}) {
    EXPECT_TRUE(shown.contains(wanted)) << wanted;
  }
}

}  // namespace
}  // namespace reprieve
