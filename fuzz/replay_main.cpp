// The main() of targets that are built without libFuzzer: runs each file, and each file of each folder,
// once. So that targets are built, and what they found before is tried again, by every compiler and in
// every build.
//
//   TARGET [--share PERCENT] PATH...
//
// Exit code 1 when there is no input, or when less than PERCENT of the inputs asked something.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "reprieve/fuzz/statistics.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of(const std::string& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path, failed)) {
    if (entry.is_regular_file(failed)) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

bool replay(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    fmt::print(stderr, "error: {}: cannot be read\n", file);
    return false;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  // A copy of exactly this size, so that a sanitizer sees a read beyond it.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  LLVMFuzzerInitialize(&argc, &argv);
  double share = 0;
  std::size_t inputs = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--share" && i + 1 < arguments.size()) {
      share = std::strtod(arguments[++i].c_str(), nullptr) / 100;
      continue;
    }
    for (const std::string& file : files_of(arguments[i])) {
      if (!replay(file)) return 2;
      ++inputs;
    }
  }
  const auto& statistics = reprieve::fuzz::statistics();
  if (inputs == 0) {
    fmt::print(stderr, "error: no input; usage: {} [--share PERCENT] PATH...\n", statistics.target);
    return 1;
  }
  if (statistics.share() < share) {
    fmt::print(stderr, "error: only {:.1f} % of the inputs asked something, and {:.1f} % should\n",
               100 * statistics.share(), 100 * share);
    return 1;
  }
  return 0;
}
