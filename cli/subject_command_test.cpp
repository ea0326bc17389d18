// `reprieve subject`: the protocol as another program meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "reprieve/cli/corpus.h"
#include "reprieve/cli/testing.h"
#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/read.h"
#include "reprieve/subjects/process.h"

namespace reprieve::cli {
namespace {

using testing::HasSubstr;

std::vector<nlohmann::json> lines(const std::string& text) {
  std::vector<nlohmann::json> answers;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    answers.push_back(nlohmann::json::parse(line, nullptr, false));
  return answers;
}

Case corpus_question(const std::string& name) {
  const auto corpus_case = read_corpus_case(std::string(REPRIEVE_SOURCE) + "/corpus/" + name + ".yaml");
  if (!corpus_case) return {};
  Case question = corpus_case->judged.front().question;
  question.name = name;
  return question;
}

std::string request(const std::string& name) { return manifest::write_request(corpus_question(name)); }

TEST(SubjectCommand, AnswersInOrderAndGoesOnAfterBadLines) {
  const std::string good = request("a-node-that-fits-needs-no-preemption");
  const std::string in =
      good + "\nnot json\n{\"id\":\"c2\"}\n\n[1]\n" + request("a-disrupted-pod-is-not-charged-again");
  for (const char* which : {"engine", "reference"}) {
    const Ran ran = run(std::string("subject ") + which, in);  // the last line has no newline
    EXPECT_EQ(ran.exit_code, 0);
    const auto answers = lines(ran.out);
    ASSERT_EQ(answers.size(), 6U) << ran.out;
    EXPECT_EQ(answers[0]["outcome"], "fits");
    EXPECT_EQ(answers[1]["outcome"], "error");
    EXPECT_TRUE(answers[1]["id"].is_null());
    EXPECT_NE(answers[1]["reason"], "");
    EXPECT_EQ(answers[2]["outcome"], "error");
    EXPECT_EQ(answers[2]["id"], "c2");
    EXPECT_EQ(answers[3]["outcome"], "error");
    EXPECT_EQ(answers[4]["outcome"], "error");
    EXPECT_EQ(answers[5]["id"], "a-disrupted-pod-is-not-charged-again");
    EXPECT_EQ(answers[5]["nodes"]["n1"]["victims"], nlohmann::json::array({"default/going"}));
  }
}

TEST(SubjectCommand, GivesANumericIdBackAsANumber) {
  auto line = nlohmann::json::parse(request("a-node-that-fits-needs-no-preemption"));
  line["id"] = 7;
  const auto answers = lines(run("subject engine", line.dump()).out);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["id"], 7);
}

TEST(SubjectCommand, ServesALineOfManyMegabytes) {
  std::string line = request("a-node-that-fits-needs-no-preemption");
  line.insert(line.rfind('}'), ",\"note\":\"" + std::string(5'000'000, 'x') + "\"");
  const auto answers = lines(run("subject engine", line + "\n" + line + "\n").out);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1]["outcome"], "fits");
}

// Asked one by one over a pipe, the answer must come although more input could follow.
TEST(SubjectCommand, AnswersAtOnceWhenAskedOneByOne) {
  subjects::ProcessSubject subject(
      {.name = "engine", .argv = {REPRIEVE_PROGRAM, "subject", "engine"}, .time_out_ms = 20'000});
  for (int i = 0; i < 3; ++i) {
    const Decision decision = subject.decide(corpus_question("a-disrupted-pod-is-not-charged-again"));
    EXPECT_EQ(decision.outcome, Outcome::kNominated) << decision.reason;
  }
}

TEST(SubjectCommand, TakesADepth) {
  const auto answers =
      lines(run("subject engine --depth answer", request("a-node-that-fits-needs-no-preemption")).out);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["outcome"], "fits");
}

}  // namespace
}  // namespace reprieve::cli
