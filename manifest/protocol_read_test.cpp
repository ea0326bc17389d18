// Requests of the subject protocol.
#include <gmock/gmock.h>

#include "reprieve/manifest/protocol.h"

namespace reprieve::manifest {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr std::string_view kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"in"},"spec":{"priority":5}})";

std::string request(std::string_view id, std::string_view rest = "") {
  return R"({"id":)" + std::string(id) + R"(,"preemptor":"default/in","objects":[)" + std::string(kPod) +
         "]" + std::string(rest) + "}";
}

RequestError must_refuse(ProtocolReader& reader, std::string_view line) {
  const auto question = reader.read_request(line);
  if (!question) return question.error();
  ADD_FAILURE() << "it was read: " << line;
  return {};
}

TEST(Requests, AreCasesWithDefaultsApplied) {
  ProtocolReader reader;
  const auto question = reader.read_request(
      request(R"("c1")", R"(,"policy":"kubernetes-1.36","extenders":[{"name":"e","error":"x"}])"));
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->name, "c1");
  EXPECT_EQ(question->preemptor, "default/in");
  EXPECT_EQ(question->policy, kubernetes_policy(Release::k1_36));
  EXPECT_THAT(question->extenders, SizeIs(1));
  ASSERT_THAT(question->cluster.pods, SizeIs(1));
  EXPECT_EQ(question->cluster.pods[0].namespace_, "default");
  EXPECT_EQ(reader.read_request(request(R"("c2")"))->policy, Policy{}) << "kubernetes unless it is said";
}

TEST(Requests, MayCarryAWholePolicy) {
  ProtocolReader reader;
  const auto question = reader.read_request(request(
      R"("c")",
      R"(,"policy":{"apiVersion":"reprieve.dev/v1alpha1","kind":"PreemptionPolicy","metadata":{"name":"mine"},"spec":{"victims":"exact"}})"));
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->policy.name, "mine");
  EXPECT_EQ(question->policy.victims, VictimSearch::kExact);
}

TEST(Requests, NumbersAsIdsAreGivenBackAsWritten) {
  ProtocolReader reader;
  for (const std::string_view id : {"7", "-0", "1.50", "1e3", "123456789012345678901e0"}) {
    const auto question = reader.read_request(request(id));
    ASSERT_TRUE(question) << id << question.error().message;
    EXPECT_EQ(question->name, id);
    EXPECT_EQ(reader.last_id_json(), id);
    EXPECT_EQ(must_refuse(reader, request(id, R"(,"policy":"x")")).id_json, id);
  }
}

TEST(Requests, ABadOneCarriesItsIdAndTheNextIsServed) {
  ProtocolReader reader;
  const auto refuse = [&](std::string_view line) { return must_refuse(reader, line); };
  EXPECT_EQ(refuse(request(R"("a\"\u00e9")", R"(,"policy":"nope")")).id_json, R"("a\"\u00e9")");
  EXPECT_THAT(refuse(request("1", R"(,"policy":"nope")")).message,
              HasSubstr("policy: unknown policy; built in are"));
  EXPECT_THAT(refuse(R"({"id":"x","objects":[]})").message, HasSubstr("preemptor: is required"));
  EXPECT_THAT(refuse(R"({"id":"x","preemptor":"a/b"})").message, HasSubstr("objects: is required"));
  EXPECT_THAT(
      refuse(R"({"id":"x","preemptor":"a/b","objects":[{"kind":"Pod","apiVersion":"v1","metadata":{}}]})")
          .message,
      HasSubstr("objects[0].metadata.name: is required"));
  EXPECT_THAT(
      refuse(
          R"({"id":"x","preemptor":"a/b","objects":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"overhead":{"cpu":"-1"}}}]})")
          .message,
      HasSubstr("objects[0].spec.overhead.cpu: quantity \"-1\" must not be negative"));
  EXPECT_EQ(refuse("{\"id\":\"x\",").id_json, "null");
  EXPECT_THAT(refuse("{\"id\":\"x\",").message, HasSubstr("malformed JSON"));
  EXPECT_EQ(refuse("").id_json, "null");
  EXPECT_EQ(refuse("[1]").id_json, "null");
  EXPECT_EQ(refuse(R"({"id":{"a":1},"preemptor":"a/b","objects":[]})").id_json, "null");
  EXPECT_THAT(refuse("{\"id\":\"\xff\"}").message, HasSubstr("invalid UTF-8"));
  EXPECT_THAT(refuse(std::string(100'000, '[')).message, HasSubstr("nested deeper"));
  EXPECT_TRUE(reader.read_request(request(R"("next")")));
}

TEST(Requests, DuplicatesAreAnErrorEvenWhenIdentical) {
  ProtocolReader reader;
  const std::string line = R"({"id":"x","preemptor":"default/in","objects":[)" + std::string(kPod) + "," +
                           std::string(kPod) + "]}";
  EXPECT_THAT(must_refuse(reader, line).message, HasSubstr("objects[1]: Pod default/in occurs twice"));
}

TEST(Requests, AReaderMayBeMoved) {
  ProtocolReader reader;
  ProtocolReader other = std::move(reader);
  EXPECT_TRUE(other.read_request(request("1")));
}

}  // namespace
}  // namespace reprieve::manifest
