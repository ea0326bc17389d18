#include "reprieve/report/junit.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace reprieve::report {
namespace {

// An element as a strict reader sees it. What it does not know (comments, DTDs, names with colons) is
// not well-formed here, for none of it is written.
struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;
  std::string text;

  std::vector<const Element*> all(const std::string& called) const {
    std::vector<const Element*> found;
    for (const Element& child : children) {
      if (child.name == called) found.push_back(&child);
    }
    return found;
  }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Element> document() {
    if (!take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")) return std::nullopt;
    std::optional<Element> root = element();
    return root && take("\n") && text_.empty() ? root : std::nullopt;
  }

 private:
  bool take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string word() {
    std::size_t size = 0;
    while (size < text_.size() && std::isalpha(static_cast<unsigned char>(text_[size]))) ++size;
    if (text_.substr(0, size) == "system" && text_.substr(size).starts_with("-out")) size += 4;
    const std::string result(text_.substr(0, size));
    text_.remove_prefix(size);
    return result;
  }

  // Up to `end`, without it; nothing when markup stands there.
  std::optional<std::string> value(char end) {
    std::string result;
    for (;;) {
      if (text_.empty()) return std::nullopt;
      const char c = text_.front();
      if (c == end) return result;
      if (c == '<' || (c < 0x20 && c >= 0 && c != '\n' && c != '\t')) return std::nullopt;
      if (end == '"' && (c == '\n' || c == '\t')) return std::nullopt;  // would be read as a space
      if (c != '&') {
        result += c;
        text_.remove_prefix(1);
        continue;
      }
      static const std::map<std::string, std::string> kEntities = {
          {"&amp;", "&"},  {"&lt;", "<"},   {"&gt;", ">"},  {"&quot;", "\""},
          {"&#10;", "\n"}, {"&#13;", "\r"}, {"&#9;", "\t"},
      };
      bool known = false;
      for (const auto& [entity, means] : kEntities) {
        if (known || !take(entity)) continue;
        result += means;
        known = true;
      }
      if (!known) return std::nullopt;
    }
  }

  std::optional<Element> element() {
    Element result;
    if (!take("<")) return std::nullopt;
    result.name = word();
    while (take(" ")) {
      const std::string name = word();
      if (name.empty() || result.attributes.contains(name) || !take("=\"")) return std::nullopt;
      const auto text = value('"');
      if (!text || !take("\"")) return std::nullopt;
      result.attributes[name] = *text;
    }
    if (take("/>")) return result;
    if (!take(">")) return std::nullopt;
    for (;;) {
      const auto text = value('<');
      if (!text) return std::nullopt;
      result.text += *text;
      if (take("</" + result.name + ">")) return result;
      auto child = element();
      if (!child) return std::nullopt;
      result.children.push_back(std::move(*child));
    }
  }

  std::string_view text_;
};

std::vector<Suite> every_kind() {
  return {
      {.name = "invariants of \"mine\"",
       .cases = {{.name = "irreducible", .class_name = "reprieve.prove", .output = "a note", .time_s = 1.5},
                 {.name = "zero is found",
                  .class_name = "reprieve.prove",
                  .outcome = Outcome::kFailed,
                  .message = "refuted: a < b && c > d",
                  .details = "line one\nline <two> ]]>",
                  .time_s = 0.25}}},
      {.name = "others",
       .cases = {{.name = "skipped", .class_name = "x", .outcome = Outcome::kSkipped, .message = "no cvc5"},
                 {.name = "error",
                  .class_name = "x",
                  .outcome = Outcome::kError,
                  .message = "two\nlines\tand \"quotes\"",
                  .details = ""}}}};
}

TEST(Junit, IsReadBackAsItWasMeant) {
  const auto root = Reader(junit_xml("reprieve", every_kind())).document();
  ASSERT_TRUE(root) << junit_xml("reprieve", every_kind());
  EXPECT_EQ(root->name, "testsuites");
  const auto suites = root->all("testsuite");
  ASSERT_EQ(suites.size(), 2U);
  EXPECT_EQ(suites[0]->attributes.at("name"), "invariants of \"mine\"");
  const auto cases = suites[0]->all("testcase");
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0]->attributes.at("name"), "irreducible");
  EXPECT_EQ(cases[0]->attributes.at("classname"), "reprieve.prove");
  EXPECT_TRUE(cases[0]->all("failure").empty());
  EXPECT_EQ(cases[0]->all("system-out").at(0)->text, "a note");
  const Element* failure = cases[1]->all("failure").at(0);
  EXPECT_EQ(failure->attributes.at("message"), "refuted: a < b && c > d");
  EXPECT_EQ(failure->text, "line one\nline <two> ]]>");
  const auto others = suites[1]->all("testcase");
  EXPECT_EQ(others.at(0)->all("skipped").at(0)->attributes.at("message"), "no cvc5");
  EXPECT_EQ(others.at(1)->all("error").at(0)->attributes.at("message"), "two\nlines\tand \"quotes\"");
}

TEST(Junit, CountsAreSumsOfTheCases) {
  const auto root = Reader(junit_xml("reprieve", every_kind())).document();
  ASSERT_TRUE(root);
  const auto counts = [](const Element& of) {
    const auto& a = of.attributes;
    return a.at("tests") + "/" + a.at("failures") + "/" + a.at("errors") + "/" + a.at("skipped") + "/" +
           a.at("time");
  };
  EXPECT_EQ(counts(*root), "4/1/1/1/1.750");
  EXPECT_EQ(counts(*root->all("testsuite").at(0)), "2/1/0/0/1.750");
  EXPECT_EQ(counts(*root->all("testsuite").at(1)), "2/0/1/1/0.000");
}

TEST(Junit, AnyBytesMakeWellFormedXml) {
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  // Overlong, a surrogate, U+FFFF, beyond the last character, cut off; and one of each good length.
  bytes +=
      "\xC0\x80 \xED\xA0\x80 \xEF\xBF\xBF \xF4\x90\x80\x80 \xF0\x9F\x98\x80 \xC3\xA4 \xE2\x82\xAC \xE2\x82";
  const std::vector<Suite> suites = {{.name = bytes,
                                      .cases = {{.name = bytes,
                                                 .class_name = bytes,
                                                 .outcome = Outcome::kFailed,
                                                 .message = bytes,
                                                 .details = bytes,
                                                 .output = bytes}}}};
  const std::string text = junit_xml(bytes, suites);
  const auto root = Reader(text).document();
  ASSERT_TRUE(root);
  const std::string& details = root->children.at(0).children.at(0).all("failure").at(0)->text;
  EXPECT_TRUE(details.contains("\xF0\x9F\x98\x80 \xC3\xA4 \xE2\x82\xAC \xEF\xBF\xBD"))
      << "good characters stay";
  EXPECT_FALSE(text.contains("\xED\xA0\x80")) << "surrogates are no characters";
  EXPECT_FALSE(text.contains("\xEF\xBF\xBF"));
  EXPECT_FALSE(text.contains('\x01'));
}

TEST(Junit, AFileThatCannotBeWrittenIsSaid) {
  EXPECT_FALSE(write_junit("/nowhere/at/all.xml", "reprieve", {}));
}

}  // namespace
}  // namespace reprieve::report
