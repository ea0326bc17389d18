// Writes what campaigns begin with: the case files of a folder as bytes and as requests. Run by the build.
// usage: reprieve_fuzz_seeds FOLDER OUT
#include <fmt/format.h>

#include <cstdio>

#include "reprieve/fuzz/seeds.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: reprieve_fuzz_seeds FOLDER OUT\n");
    return 2;
  }
  const auto written = reprieve::fuzz::write_seeds(argv[1], argv[2]);
  if (!written) {
    fmt::print(stderr, "error: {}\n", written.error());
    return 1;
  }
  return 0;
}
