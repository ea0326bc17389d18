// The Indexed Job of docs/SHARDING.md, run as the kubelet would: its shards together are the whole run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "reprieve/cli/testing.h"

namespace reprieve::cli {
namespace {

std::string document() {
  std::ostringstream text;
  text << std::ifstream(std::string(REPRIEVE_SOURCE) + "/docs/SHARDING.md").rdbuf();
  return text.str();
}

/// The only YAML of the page.
YAML::Node job() {
  const std::string text = document();
  const std::size_t begin = text.find("```yaml\n");
  if (begin == std::string::npos) return {};
  return YAML::Load(text.substr(begin + 8, text.find("```", begin + 8) - begin - 8));
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << text << " lacks " << from;
  text.replace(at, from.size(), to);
}

TEST(Sharding, TheJobOfTheGuideDividesARunAmongItsPods) {
  const YAML::Node spec = job()["spec"];
  ASSERT_TRUE(spec.IsMap());
  EXPECT_EQ(spec["completionMode"].as<std::string>(), "Indexed");
  std::string command;
  const YAML::Node words = spec["template"]["spec"]["containers"][0]["command"];
  ASSERT_EQ(words[0].as<std::string>(), "reprieve");
  for (std::size_t i = 1; i < words.size(); ++i) command += words[i].as<std::string>() + " ";
  const int completions = spec["completions"].as<int>();
  // As many cases as make shards of different sizes.
  replace(command, "--cases=2000000000", "--cases=" + std::to_string(2 * completions + 7));
  replace(command, "/" + std::to_string(completions) + " ", "/" + std::to_string(completions) + " -o json ");
  int decisions = 0;
  for (int index = 0; index < completions; ++index) {
    std::string of_pod = command;
    replace(of_pod, "$(JOB_COMPLETION_INDEX)", std::to_string(index));
    const Ran ran = run(of_pod);
    ASSERT_EQ(ran.exit_code, 0) << of_pod << ran.err;
    const auto json = nlohmann::json::parse(ran.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << ran.out;
    decisions += json["stages"][0]["decisions"].get<int>();
  }
  EXPECT_EQ(decisions, 2 * completions + 7);
}

}  // namespace
}  // namespace reprieve::cli
