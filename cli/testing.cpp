#include "reprieve/cli/testing.h"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace reprieve::cli {

const std::string kLiar =
    fmt::format("'{} subject engine | sed -u s/.violations.:0/\\\"violations\\\":1/g'", REPRIEVE_PROGRAM);

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

Ran run(const std::string& arguments, const std::string& in) {
  std::string folder = (std::filesystem::temp_directory_path() / "reprieve-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {};
  const std::filesystem::path path(folder);
  std::ofstream(path / "in", std::ios::binary) << in;
  const std::string command = fmt::format("cd {} && {} {} <{}/in >{}/out 2>{}/err", REPRIEVE_SOURCE,
                                          REPRIEVE_PROGRAM, arguments, folder, folder, folder);
  const int status = std::system(command.c_str());
  Ran ran{.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = contents(path / "out"),
          .err = contents(path / "err")};
  std::filesystem::remove_all(path);
  return ran;
}

}  // namespace reprieve::cli
