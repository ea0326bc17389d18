// Input made to cost time or memory, or to mislead whoever reads what is said about it. That reading
// is quick is shown by what is counted, not by a clock.
#include <gmock/gmock.h>

#include "reprieve/manifest/json_text.h"
#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/read_test_util.h"
#include "reprieve/manifest/window.h"

namespace reprieve::manifest {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

/// What a pipe gives: 64 KiB at a time.
class Pipe final : public ByteSource {
 public:
  explicit Pipe(std::size_t size) : left_(size) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min({size, left_, std::size_t{1} << 16});
    std::fill_n(to, count, ' ');
    left_ -= count;
    return count;
  }

 private:
  std::size_t left_;
};

TEST(Hostile, AWindowOverAPipeDoublesSoThatLookingAgainStaysLinear) {
  constexpr std::size_t kSize_bytes = std::size_t{50} << 20;
  Pipe pipe(kSize_bytes);
  Window window(pipe);
  std::size_t looked_at = 0;
  while (window.extend()) looked_at += window.text().size();
  EXPECT_EQ(window.text().size(), kSize_bytes);
  EXPECT_LE(looked_at, 3 * kSize_bytes);
}

TEST(Hostile, TheEndOfAValueIsGivenUpWhereItIsNestedTooDeep) {
  EXPECT_EQ(value_end(repeated("[", 1000), 0), kIncomplete);
  EXPECT_EQ(value_end(repeated("[", 1001), 0), kHopeless);
  EXPECT_EQ(value_end(repeated("{\"a\":", 1001), 0), kHopeless);
  EXPECT_THAT(must_fail("{\"a\":" + repeated("{\"a\":", 3'000'000)),
              HasSubstr("nested deeper than 1000 levels"));
  EXPECT_THAT(must_fail("{\"items\":[" + repeated("{\"a\":", 3'000'000)),
              HasSubstr(": items[0].a.a.a.a.a.a.a.a"));
  EXPECT_THAT(must_fail("{\"items\":[" + repeated("{", 3'000'000)),
              HasSubstr("in.yaml:1:12: items[0]: malformed JSON"));
}

TEST(Hostile, TheClosingLineIsNotSoughtInWhatIsNotIndented) {
  // One object on each line: to seek further would look through the window again for each.
  EXPECT_EQ(indented_value_end("{}\n{}\n{}\n}", 0, "", '}'), kHopeless);
  EXPECT_EQ(indented_value_end("{\n  }\n}", 0, "  ", '}'), std::size_t{5});
  EXPECT_EQ(indented_value_end("{\n}  \n", 0, "  ", '}'), kHopeless);
  EXPECT_EQ(indented_value_end("{\n    \"a\"", 0, "  ", '}'), kIncomplete);
  std::string text = "{\"kind\":\"PodList\",\"items\":[\n";
  for (int i = 0; i < 50; ++i) text += "{\"metadata\":{\"name\":\"p" + std::to_string(i) + "\"}},\n";
  EXPECT_THAT(must_read(text + "{\"metadata\":{\"name\":\"q\"}}\n]}").cluster.pods, testing::SizeIs(51));
}

TEST(Hostile, AFieldThatIsThereAlreadyCountsAsMergedToo) {
  std::string text = "a0: &a0 {a: , b: , c: , d: }\nl: &l [" + repeated("*a0,", 15'000) + "]\n";
  for (int i = 0; i < 100; ++i) text += "m" + std::to_string(i) + ": {<<: *l}\n";
  EXPECT_THAT(must_fail(text), HasSubstr("[<<]: too many fields are taken over through <<"));
}

TEST(Hostile, AMergeThatIsNoMapIsNamedByItsKey) {
  EXPECT_THAT(must_fail("kind: Pod\nmetadata: {<<: , name: n1}\n"),
              HasSubstr("in.yaml:2:12: metadata[<<]: << needs a map"));
}

TEST(Hostile, TheDocumentsOfATextShareOneLimitOnAliases) {
  // Each grows from 2.4 kB to 600 kB, which one may.
  const std::string bomb =
      "---\nkind: X\na: &a [" + repeated("xxxxxxxx,", 100) + "]\nb: [" + repeated("*a,", 500) + "]\n";
  EXPECT_EQ(must_read(bomb).warnings.size(), 1U);
  EXPECT_THAT(must_fail(bomb + bomb + bomb), HasSubstr("grows beyond 10 times the text through aliases"));
}

TEST(Hostile, AnItemThatCannotBecomeAnObjectIsRefusedAtOnce) {
  EXPECT_EQ(must_fail("{\"items\":[{},{},"), "in.yaml:1:11: items[0].kind: is required");
  EXPECT_EQ(
      must_read("{\"items\":[{\"metadata\":{\"name\":\"p\"}}],\"kind\":\"PodList\"}").cluster.pods.size(),
      1U);
}

TEST(Hostile, TheShellOfAListIsJudgedLikeAnObject) {
  EXPECT_EQ(must_fail("{\"kind\":5,\"items\":[{}]}"), "in.yaml:1:9: kind: expected a string");
  EXPECT_EQ(must_fail("{\"kind\":\"List\",\"kind\":\"Node\",\"items\":[]}"),
            "in.yaml:1:23: kind: the key occurs twice");
  EXPECT_EQ(must_fail("{\"kind\":\"List\",\"items\":[],\"kind\":\"Node\"}"),
            "in.yaml:1:34: kind: the key occurs twice");
  EXPECT_EQ(must_fail("{\"items\":[],\"kind\":[]}"), "in.yaml:1:20: kind: expected a string");
}

TEST(Hostile, AKindOfAWrongTypeIsPointedAt) {
  EXPECT_EQ(must_fail("apiVersion: v1\nkind: [a]\n"), "in.yaml:2:7: kind: expected a string");
  EXPECT_EQ(must_fail("kind: Pod\napiVersion: {}\n"), "in.yaml:2:13: apiVersion: expected a string");
  EXPECT_THAT(must_fail("kind: PreemptionCase\nmetadata: {name: c}\n"), HasSubstr("apiVersion: is required"));
}

TEST(Hostile, ControlCharactersAreShownAsEscapes) {
  EXPECT_EQ(printable("a\x1b[2J\nb\tc\x7f"), "a\\x1b[2J\\nb\\tc\\x7f");
  EXPECT_EQ(printable("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\xc2\x9b|\xe2\x80\xae|\xff|\xc3"), "\\u009b|\\u202e|\\xff|\\xc3");
  EXPECT_EQ(printable("abcdef", 4), "abcd...");
  EXPECT_EQ(printable("\xe2\x82\xac\xe2\x82\xac", 4), "\xe2\x82\xac...");
  const Error error{.where = {.file = "a\nb", .line = 1, .column = 2, .field = "c\x1b"}, .message = "d\re"};
  EXPECT_EQ(to_string(error), "a\\nb:1:2: c\\x1b: d\\re");
  const Warning warning{.message = "kind \x1b", .count = 2, .first = {.file = "f\n"}};
  EXPECT_EQ(to_string(warning), "f\\n: kind \\x1b (2 times; this is the first)");
}

TEST(Hostile, ANameHasNoControlCharacters) {
  EXPECT_EQ(must_fail("{kind: Pod, metadata: {name: \"a\\nb\"}}"),
            "in.yaml:1:30: metadata.name: must not contain control characters");
  EXPECT_THAT(must_fail("{kind: Pod, metadata: {namespace: \"a\\x7f\", name: a}}"),
              HasSubstr("metadata.namespace: must not contain control characters"));
}

TEST(Hostile, WhatIsSaidIsNeverLong) {
  const std::string digits(1'000'000, '9');
  for (const std::string& quantity : {digits, "-" + digits, digits + "x"}) {
    const std::string said =
        must_fail(pod_yaml("containers: [{name: c, resources: {requests: {cpu: \"" + quantity + "\"}}}]"));
    EXPECT_THAT(said, HasSubstr("spec.containers[0].resources.requests.cpu: ")) << said.substr(0, 300);
    EXPECT_LT(said.size(), 300U);
  }
  EXPECT_LT(must_fail("kind: Pod\nmetadata: {name: p, labels: {" + digits + ": []}}\n").size(), 600U);
}

TEST(Hostile, NoLibrarySpeaks) {
  EXPECT_THAT(must_fail("{\"kind\":\"Pod\",\"x\":1e999}"), HasSubstr("a number too large"));
  EXPECT_THAT(must_fail("{\"kind\":\"Pod\",\"x\":1e999}"), Not(HasSubstr("json.exception")));
  ProtocolReader reader;
  const auto request = reader.read_request("\xef\xbb\xbf{\"preemptor\":\"\"}");
  ASSERT_FALSE(request);
  EXPECT_THAT(request.error().message, HasSubstr("preemptor: is required"));
}

TEST(Hostile, WhatTheApiServerRefusesOfResourcesIsRefused) {
  EXPECT_THAT(
      must_fail(pod_yaml("containers:\n- resources: {limits: {cpu: 1}, requests: {cpu: 1001m}}")),
      HasSubstr("in.yaml:6:51: spec.containers[0].resources.requests.cpu: must not be more than the"));
  EXPECT_THAT(must_fail(pod_yaml("containers:\n- resources: {requests: {\"\": 1}}")),
              HasSubstr("a resource needs a name"));
}

}  // namespace
}  // namespace reprieve::manifest
