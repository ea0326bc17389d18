#include "reprieve/mutants/registry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "reprieve/mutants/mutant.h"

namespace reprieve::mutants {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  const char* path = std::getenv("REPRIEVE_SOURCE_DIR");
  return path ? path : ".";
}

// Where each name stands in the sources of what can be mutated: the file of every occurrence.
std::multimap<std::string, std::string> names_in_sources() {
  static const std::regex kUse("REPRIEVE_MUTANT\\(\\s*\"([^\"]*)\"");
  std::multimap<std::string, std::string> found;
  for (const char* folder : {"model", "manifest", "engine"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root() / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".h" && path.extension() != ".cpp") continue;
      std::ifstream file(path);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (std::sregex_iterator use(text.begin(), text.end(), kUse), end; use != end; ++use) {
        found.emplace((*use)[1].str(), fs::relative(path, root()).generic_string());
      }
    }
  }
  return found;
}

TEST(MutantRegistry, ListsEveryMutantOfTheSourcesInItsFile) {
  for (const auto& [name, file] : names_in_sources()) {
    const Mutant* mutant = find_mutant(name);
    ASSERT_NE(mutant, nullptr) << name << " in " << file;
    EXPECT_EQ(mutant->file, file) << name;
  }
}

TEST(MutantRegistry, ListsNoMutantThatIsNotInTheSourcesExactlyOnce) {
  const auto found = names_in_sources();
  for (const Mutant& mutant : all_mutants())
    EXPECT_EQ(found.count(std::string(mutant.name)), 1U) << mutant.name;
}

// In the Go program: `planted("NAME")`, in its own files and in the patches of the real scheduler.
TEST(MutantRegistry, ListsTheMistakesOfTheGoProgramAndNoOthers) {
  static const std::regex kUse("planted\\(\"([^\"]+)\"\\)");
  std::map<std::string, std::string> found;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(root() / "subjects" / "kube-scheduler")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".go" && path.extension() != ".patch") continue;
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator use(text.begin(), text.end(), kUse), end; use != end; ++use) {
      EXPECT_TRUE(found.emplace((*use)[1].str(), fs::relative(path, root()).generic_string()).second)
          << (*use)[1];
    }
  }
  std::map<std::string, std::string> listed;
  for (const Mutant& mutant : scheduler_mutants()) {
    EXPECT_EQ(mutant.kind, Kind::kScheduler) << mutant.name;
    listed.emplace(mutant.name, mutant.file);
  }
  EXPECT_EQ(found, listed);
  EXPECT_GE(listed.size(), 6U);
}

TEST(MutantRegistry, TellsEveryMutantApart) {
  std::set<std::string_view> names;
  for (const auto& mutants : {all_mutants(), scheduler_mutants()}) {
    for (const Mutant& mutant : mutants) {
      EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
      EXPECT_FALSE(mutant.wrong.empty() || mutant.seen_in.empty()) << mutant.name;
    }
  }
}

#ifdef REPRIEVE_MUTANTS
TEST(MutantRegistry, GivesEveryMutantANumberOfItsOwn) {
  std::set<std::uint64_t> ids{0};  // which stands for none
  for (const Mutant& mutant : all_mutants())
    EXPECT_TRUE(ids.insert(id_of(mutant.name)).second) << mutant.name;
}
#endif

TEST(MutantRegistry, HasTheHistoricFaultsAndEveryKind) {
  std::map<Kind, int> kinds;
  for (const Mutant& mutant : all_mutants()) ++kinds[mutant.kind];
  EXPECT_EQ(kinds[Kind::kHistoric], 6);
  EXPECT_EQ(kinds.size(), 6U);
  EXPECT_GE(all_mutants().size(), 45U);
}

}  // namespace
}  // namespace reprieve::mutants
