// instructions_gate BASE CHANGE [OPERATION-PERCENT [PART-PERCENT]]: folders of callgrind dumps. Exit code 0:
// within the limits, 1: an operation grew, 2: nothing to compare.
#include <fmt/format.h>

#include <cstdlib>

#include "reprieve/bench/gate.h"

int main(int argc, char** argv) {
  using namespace reprieve::bench;
  if (argc < 3 || argc > 5) {
    fmt::print(stderr, "instructions_gate BASE CHANGE [OPERATION-PERCENT [PART-PERCENT]]\n");
    return 2;
  }
  const auto base = read_callgrind(argv[1], "callgrind.out");
  const auto change = read_callgrind(argv[2], "callgrind.out");
  if (!base || !change) {
    fmt::print(stderr, "error: {}\n", base ? change.error() : base.error());
    return 2;
  }
  Limits limits;
  if (argc > 3) limits.operation = limits.part = std::strtod(argv[3], nullptr);
  if (argc > 4) limits.part = std::strtod(argv[4], nullptr);
  const Verdict verdict = judge(*base, *change, limits);
  fmt::print("{}", verdict.report);
  fmt::print("{}: an operation may grow by {} %, one part of it by {} % of the operation\n",
             verdict.held ? "HELD" : "FAILED", limits.operation, limits.part);
  return verdict.held ? 0 : 1;
}
