// Prints which stage finds which mutant after how many cases:
//
//   mutant_matrix [--cases N] [--seed S] [--mutant NAME] [--stage NAME] [--stages]
//   mutant_matrix --list
//
// The second prints the registry, a line for each mutant, its columns separated by tabs.
// A line for each mutant: its name, who found it first, and how many stages did; with --stages a line
// for each stage: which mutants it found. Survivors come last; exit code 1 when there are any.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/mutants/registry.h"
#include "reprieve/properties/kill/hunt.h"

namespace {

using namespace reprieve;

struct Options {
  std::uint64_t cases = 2000;
  std::uint64_t seed = 1;
  std::string_view mutant;
  std::string_view stage;
  bool stages = false;
};

std::optional<Options> parse(const std::vector<std::string_view>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--stages") {
      options.stages = true;
      continue;
    }
    if (i + 1 == words.size()) return std::nullopt;
    const std::string_view value = words[++i];
    const auto number = [&](std::uint64_t& to) {
      return std::from_chars(value.data(), value.data() + value.size(), to).ec == std::errc{};
    };
    if (words[i - 1] == "--mutant") {
      options.mutant = value;
    } else if (words[i - 1] == "--stage") {
      options.stage = value;
    } else if (words[i - 1] == "--cases" ? !number(options.cases)
                                         : words[i - 1] != "--seed" || !number(options.seed)) {
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--list") {
    for (const auto& all : {mutants::all_mutants(), mutants::scheduler_mutants()}) {
      for (const mutants::Mutant& mutant : all) {
        fmt::print("{}\t{}\t{}\t{}\t{}\t{}\n", mutant.name, mutant.file, to_string(mutant.kind), mutant.wrong,
                   mutant.seen_in, mutant.equivalent);
      }
    }
    return 0;
  }
  const auto options = parse({argv + 1, argv + argc});
  if (!options) {
    fmt::print(stderr,
               "usage: mutant_matrix [--cases N] [--seed S] [--mutant NAME] [--stage NAME] [--stages]\n");
    return 2;
  }
  auto stages = kill::all_stages();
  std::erase_if(
      stages, [&](const auto& stage) { return !options->stage.empty() && stage->name() != options->stage; });
  std::vector<std::vector<std::string>> by_stage(stages.size());
  std::vector<std::string_view> survivors;
  int hunted = 0;
  for (const mutants::Mutant& mutant : mutants::all_mutants()) {
    if (mutant.kind == mutants::Kind::kManifest) continue;  // nothing is read here
    if (mutant.kind == mutants::Kind::kFatal) continue;     // `reprieve check` outlives them, this does not
    if (!options->mutant.empty() && mutant.name != options->mutant) continue;
    ++hunted;
    const auto begin = std::chrono::steady_clock::now();
    const auto kills = kill::hunt(mutant, stages, options->seed, options->cases);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    std::size_t first = stages.size();
    int found = 0;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      if (!kills[s]) continue;
      ++found;
      by_stage[s].push_back(fmt::format("{} ({})", mutant.name, kills[s]->cases));
      if (first == stages.size() || kills[s]->cases < kills[first]->cases) first = s;
      if (!options->mutant.empty()) {
        fmt::print("{:<56} {:>6}  seed {}: {}\n", stages[s]->name(), kills[s]->cases, kills[s]->seed,
                   kills[s]->why);
      }
    }
    if (found == 0) {
      survivors.push_back(mutant.name);
      continue;
    }
    fmt::print("{:<36} {:>3} of {} stages, first {} after {} cases ({:.1f} s)\n", mutant.name, found,
               stages.size(), stages[first]->name(), kills[first]->cases, spent.count());
    std::fflush(stdout);
  }
  if (options->stages) {
    for (std::size_t s = 0; s < stages.size(); ++s) {
      fmt::print("\n{}: {}\n  {}\n", stages[s]->name(), by_stage[s].size(), fmt::join(by_stage[s], "\n  "));
    }
  }
  fmt::print("\n{} of {} found by some stage within {} cases\n", hunted - static_cast<int>(survivors.size()),
             hunted, options->cases);
  for (const std::string_view name : survivors) fmt::print("  survives: {}\n", name);
  return survivors.empty() ? 0 : 1;
}
