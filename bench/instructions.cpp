#include "reprieve/bench/instructions.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "reprieve/bench/callgrind.h"

namespace reprieve::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNodes = 20'000;  // setting up more takes minutes under valgrind

std::vector<Profile> run(const std::string& folder, const std::string& arguments) {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path dumps = fs::path(folder) / "callgrind";
  fs::remove_all(dumps, ignored);
  fs::create_directories(dumps, ignored);
  const std::string command = fmt::format(
      "valgrind --tool=callgrind --instr-atstart=no --compress-strings=no --compress-pos=no "
      "--callgrind-out-file='{}/callgrind.out' '{}' {} >/dev/null 2>&1",
      dumps.string(), (self.parent_path() / "instructions").string(), arguments);
  if (std::system(command.c_str()) != 0) {
    fmt::print(stderr, "SKIPPED: instructions: valgrind is absent, or `instructions {}` failed\n", arguments);
    return {};
  }
  auto profiles = read_callgrind(dumps.string(), "callgrind.out");
  if (!profiles) fmt::print(stderr, "error: {}\n", profiles.error());
  return profiles ? *std::move(profiles) : std::vector<Profile>{};
}

/// The first name behind the namespaces, without arguments: "DryRun::run".
std::string short_name(std::string name) {
  for (const std::string_view left_out : {"reprieve::engine::", "(anonymous namespace)::"}) {
    for (std::size_t at = 0; (at = name.find(left_out)) != std::string::npos;)
      name.erase(at, left_out.size());
  }
  return name.substr(0, name.find('('));
}

}  // namespace

void count_instructions(const Plan& plan, const std::string& folder, Results& results) {
  const auto take = [&](const std::vector<Profile>& profiles, int nodes, int pods, bool calls) {
    for (const Profile& profile : profiles) {
      const std::size_t bar = profile.name.find('|');
      Result* into = results.find(profile.name.substr(0, bar), profile.name.substr(bar + 1), nodes, pods);
      if (into == nullptr) continue;
      into->counts["instructions"] = static_cast<double>(profile.total);
      if (!calls) continue;
      for (const auto& [name, function] : profile.by_function) {
        if (name.starts_with("reprieve::engine::") && function.calls > 0 &&
            function.inclusive > profile.total / 100)
          into->counts["calls of " + short_name(name)] += static_cast<double>(function.calls);
      }
    }
  };
  for (const int pods : plan.named_pods)
    take(run(folder, fmt::format("named {} {}", plan.nodes, pods)), plan.nodes, pods, true);
  for (const int nodes : plan.growth)
    if (nodes <= kMostNodes) take(run(folder, fmt::format("growing {}", nodes)), nodes, 30, false);
}

}  // namespace reprieve::bench
