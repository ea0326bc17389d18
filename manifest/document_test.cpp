#include "reprieve/manifest/document.h"

#include <gtest/gtest.h>

namespace reprieve::manifest {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string json_of(const Document& document, int indent = -1) {
  std::string out;
  append_json(out, document, indent);
  return out;
}

std::string yaml(const Document& document) {
  std::string out;
  append_yaml(out, document);
  return out;
}

Document map(std::string_view key, Document value) {
  Document result = Document::map();
  result.set(key, std::move(value));
  return result;
}

TEST(JsonString, EscapesWhatJsonForbids) {
  EXPECT_EQ(json_string("a\"b\\c\nd\te\x01"), R"("a\"b\\c\nd\te\u0001")");
  EXPECT_EQ(json_string("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"");
}

TEST(JsonString, ReplacesBytesThatAreNotUtf8) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(json_string("a\xFF"
                        "b"),
            "\"a" + replacement + "b\"");
  EXPECT_EQ(json_string("\xC3"), "\"" + replacement + "\"");                                      // cut short
  EXPECT_EQ(json_string("\xC0\xAF"), "\"" + replacement + replacement + "\"");                    // overlong
  EXPECT_EQ(json_string("\xED\xA0\x80"), "\"" + replacement + replacement + replacement + "\"");  // surrogate
}

TEST(Document, KeepsTheOrderOfItsKeys) {
  Document document = Document::map();
  document.set("z", Document::number(-5)).set("a", Document::boolean(true)).set("m", Document::null());
  EXPECT_EQ(json_of(document), R"({"z":-5,"a":true,"m":null})");
}

TEST(Document, IsIndentedAsKubectlDoes) {
  Document list = Document::list();
  list.add(Document::text("x")).add(Document::map());
  EXPECT_EQ(json_of(map("k", std::move(list)), 2), "{\n  \"k\": [\n    \"x\",\n    {}\n  ]\n}");
}

TEST(Yaml, QuotesTextThatWouldBeReadAsSomethingElse) {
  for (const std::string_view text : {"", "1", "1.36", "true", "No", "y", "null", "a: b", "-x", "#c",
                                      "2026-01-01", "a,b", "[a", "{a", "x y", "0x1F", ".5", "~"}) {
    const std::string out = yaml(map("k", Document::text(text)));
    EXPECT_EQ(out, "k: \"" + std::string(text) + "\"\n");
  }
  EXPECT_EQ(yaml(map("k", Document::text("topology.kubernetes.io/zone"))),
            "k: topology.kubernetes.io/zone\n");
  EXPECT_EQ(yaml(map("1", Document::text("a"))), "\"1\": a\n");
}

TEST(Yaml, WritesQuantitiesBare) {
  EXPECT_EQ(yaml(map("cpu", Document::amount("1"))), "cpu: 1\n");
  EXPECT_EQ(json_of(map("cpu", Document::amount("1"))), R"({"cpu":"1"})");
}

TEST(Yaml, PutsWhatIsSmallOnOneLineAndTheRestBelow) {
  Document item = Document::map();
  item.set("name", Document::text("c"))
      .set("resources", map("requests", map("cpu", Document::amount("500m"))));
  Document spec = Document::map();
  spec.set("nodeName", Document::text("n1")).set("containers", Document::list().add(item));
  EXPECT_EQ(yaml(map("spec", spec)),
            "spec:\n"
            "  nodeName: n1\n"
            "  containers:\n"
            "  - {name: c, resources: {requests: {cpu: 500m}}}\n");
}

TEST(Yaml, BreaksLongListsAndMapsInLists) {
  Document names = Document::list();
  for (int i = 0; i < 20; ++i) names.add(Document::text("name-number-" + std::to_string(i)));
  Document item = Document::map();
  item.set("a", names).set("b", Document::number(1));
  const std::string out = yaml(map("items", Document::list().add(item)));
  EXPECT_TRUE(out.starts_with("items:\n- a:\n  - name-number-0\n  - name-number-1\n")) << out;
  EXPECT_TRUE(out.ends_with("  - name-number-19\n  b: 1\n")) << out;
}

TEST(Yaml, WritesEmptyCollectionsInFlowStyle) {
  Document document = Document::map();
  document.set("a", Document::map()).set("b", Document::list());
  EXPECT_EQ(yaml(document), "a: {}\nb: []\n");
}

}  // namespace
}  // namespace reprieve::manifest
