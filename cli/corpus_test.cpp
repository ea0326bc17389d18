// reprieve corpus as a user meets it: what goes in comes out again, nothing is overwritten or lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // mkdtemp, setenv

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "reprieve/cli/testing.h"

namespace reprieve::cli {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kTie = "corpus/a-total-tie-names-every-node-of-it.yaml";
constexpr const char* kLevel5 = "corpus/level-5-latest-start-decides.yaml";

class Corpus : public testing::Test {
 protected:
  Corpus() {
    std::string name = (fs::temp_directory_path() / "reprieve-corpus-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    // Regressions are then decided by the reference, whatever is built here.
    setenv("REPRIEVE_KUBE_SCHEDULER_DIR", name.c_str(), 1);
  }
  ~Corpus() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string text(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return all.str();
  }
  void write(const std::string& name, const std::string& text, bool runs = false) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    if (runs) fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  std::vector<std::string> names(const std::string& folder) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_ / folder)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path folder_;
};

using CorpusConvert = Corpus;

TEST_F(CorpusConvert, ACaseFileAsBytesAndBackIsDecidedTheSame) {
  EXPECT_EQ(run(std::string("corpus convert ") + kTie + " --into " + path("bytes")).exit_code, 0);
  const Ran back = run("corpus convert " + path("bytes") + " --policy kubernetes-1.36");
  EXPECT_EQ(back.exit_code, 0);
  EXPECT_THAT(back.out, HasSubstr("policy: kubernetes-1.36"));
  write("case.yaml", back.out);
  const std::string options = "decide -o json --policy kubernetes-1.36 ";
  EXPECT_EQ(run(options + path("case.yaml")).out, run(options + kTie).out);
}

TEST_F(CorpusConvert, AFolderBecomesAFolderOfTheSameNames) {
  fs::create_directories(folder_ / "into");
  fs::create_directories(folder_ / "cases");
  fs::copy(fs::path(REPRIEVE_SOURCE) / kTie, folder_ / "cases/one.yaml");
  fs::copy(fs::path(REPRIEVE_SOURCE) / kLevel5, folder_ / "cases/two.yaml");
  EXPECT_EQ(run("corpus convert " + path("cases") + " --into " + path("into")).exit_code, 0);
  EXPECT_THAT(names("into"), ElementsAre("one", "two"));
}

TEST_F(CorpusConvert, SeveralFilesNeedAFolderThatIsThere) {
  const Ran ran = run(std::string("corpus convert ") + kTie + " " + kLevel5 + " --into " + path("absent"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, StartsWith("error: --into: several files need a folder"));
  EXPECT_FALSE(fs::exists(folder_ / "absent"));
}

TEST_F(CorpusConvert, AnyBytesAreACase) {
  write("bytes", std::string("\x03\xff\0\x80garbage", 11));
  const Ran ran = run("corpus convert " + path("bytes"));
  EXPECT_EQ(ran.exit_code, 0);
  write("case.yaml", ran.out);
  EXPECT_EQ(run("decide " + path("case.yaml")).exit_code, 0);
}

using CorpusImport = Corpus;

TEST_F(CorpusImport, AddsWhatIsNewOnceUnderWhateverName) {
  fs::create_directories(folder_ / "found");
  ASSERT_EQ(run(std::string("corpus convert ") + kTie + " --into " + path("a-tie")).exit_code, 0);
  const std::string import = std::string("corpus import ") + path("a-tie") + " " + kTie + " " + kLevel5;
  const Ran first = run(import + " --into " + path("found"));
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.out, AllOf(StartsWith("2 added to "), EndsWith(", 1 were there already\n")));
  EXPECT_THAT(names("found"), ElementsAre("a-tie.yaml", "level-5-latest-start-decides.yaml"));
  EXPECT_THAT(run(import + " --into " + path("found")).out, StartsWith("0 added to "));
}

TEST_F(CorpusImport, OverwritesNoOtherCaseOfTheSameName) {
  fs::create_directories(folder_ / "found");
  fs::copy(fs::path(REPRIEVE_SOURCE) / kTie, folder_ / "found/level-5-latest-start-decides.yaml");
  EXPECT_EQ(run(std::string("corpus import ") + kLevel5 + " --into " + path("found")).exit_code, 0);
  EXPECT_THAT(names("found"),
              ElementsAre("level-5-latest-start-decides-2.yaml", "level-5-latest-start-decides.yaml"));
  EXPECT_THAT(text("found/level-5-latest-start-decides-2.yaml"),
              HasSubstr("name: level-5-latest-start-decides-2"));
}

TEST_F(CorpusImport, SaysWhichFileItCannotRead) {
  fs::create_directories(folder_ / "found");
  write("broken.yaml", "kind: [");
  const Ran ran = run("corpus import " + path("broken.yaml") + " --into " + path("found"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, AllOf(StartsWith("error: "), HasSubstr("broken.yaml")));
  EXPECT_THAT(names("found"), IsEmpty());
}

using CorpusAddRegression = Corpus;

TEST_F(CorpusAddRegression, IsACaseFileThatCheckHolds) {
  ASSERT_EQ(run(std::string("corpus convert ") + kTie + " --into " + path("crash-0badc0de")).exit_code, 0);
  const std::string add = "corpus add-regression " + path("crash-0badc0de") +
                          " two-nodes-that-tie --description 'Two nodes that are equal are both named.'" +
                          " --into " + path("regressions");
  const Ran added = run(add);
  EXPECT_EQ(added.exit_code, 0) << added.err;
  // By the real scheduler where it is built, else by the reference.
  EXPECT_THAT(added.out,
              AllOf(HasSubstr("decided under kubernetes-1.36 by "), HasSubstr("kubernetes-1.37 by ")));
  const std::string file = text("regressions/two-nodes-that-tie.yaml");
  EXPECT_THAT(file, AllOf(HasSubstr("Two nodes that are equal are both named."), HasSubstr("expectFor:"),
                          HasSubstr("nominated: [n1, n2]")));
  EXPECT_EQ(run("check --only corpus --corpus " + path("regressions")).exit_code, 0);
  // And once more: what is there stays.
  const Ran again = run(add);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("is there already"));
  EXPECT_EQ(text("regressions/two-nodes-that-tie.yaml"), file);
}

TEST_F(CorpusAddRegression, WantsANameAndASentence) {
  const std::string add = std::string("corpus add-regression ") + kTie + " --into " + path("regressions");
  EXPECT_THAT(run(add + " 'Not A Name' --description 'Two nodes that are equal are both named.'").err,
              StartsWith("error: NAME: "));
  EXPECT_THAT(run(add + " two-nodes-that-tie --description bug").err, StartsWith("error: --description: "));
  EXPECT_EQ(run(add + " two-nodes-that-tie").exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "regressions"));
}

using CorpusMinimise = Corpus;

/// What a libFuzzer program does as far as this command can see: of the inputs it keeps the first.
constexpr const char* kFuzzer = R"(#!/bin/sh
case "$*" in
  *-help=1*) printf 'Flags:\n merge    0  Merge corpora.\n' >&2 ;;
  *-merge=1*) cp "$3/a" "$2/" ;;
esac
)";

TEST_F(CorpusMinimise, LeavesInTheFolderWhatTheTargetKeeps) {
  write("some_fuzzer", kFuzzer, true);
  for (const char* name : {"a", "b", "c"}) write(std::string("in'puts/") + name, "12345");
  const Ran ran =
      run("corpus minimise some_fuzzer \"" + path("in'puts") + "\" --with " + path("some_fuzzer"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, EndsWith("in'puts: 3 files with 15 bytes, now 1 with 5\n"));
  EXPECT_THAT(names("in'puts"), ElementsAre("a"));
  EXPECT_FALSE(fs::exists(folder_ / "in'puts.minimal"));
}

TEST_F(CorpusMinimise, LosesNothingWhenTheTargetFails) {
  write("some_fuzzer", std::string(kFuzzer) + "exit 77\n", true);
  write("inputs/a", "12345");
  const Ran ran = run("corpus minimise some_fuzzer " + path("inputs") + " --with " + path("some_fuzzer"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("could not merge"));
  EXPECT_THAT(names("inputs"), ElementsAre("a"));
  EXPECT_FALSE(fs::exists(folder_ / "inputs.minimal"));
}

TEST_F(CorpusMinimise, SaysHowToBuildATargetThatOnlyReplays) {
  write("some_fuzzer", "#!/bin/sh\necho 'error: -help=1: cannot be read'\nexit 2\n", true);
  write("inputs/a", "12345");
  const Ran ran = run("corpus minimise some_fuzzer " + path("inputs") + " --with " + path("some_fuzzer"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("there is no libFuzzer build of some_fuzzer; to make one: cmake --preset"));
  EXPECT_THAT(names("inputs"), ElementsAre("a"));
}

}  // namespace
}  // namespace reprieve::cli
