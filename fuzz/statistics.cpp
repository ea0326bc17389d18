#include "reprieve/fuzz/statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace reprieve::fuzz {

Asked asked_of(const Decision& decision) {
  if (decision.outcome != Outcome::kNominated && decision.outcome != Outcome::kNoCandidate) {
    return Asked::kNothing;
  }
  return std::ranges::any_of(decision.nodes, &NodeDecision::tried) ? Asked::kWhose : Asked::kWhether;
}

bool Statistics::add(const Decision& decision) {
  ++outcomes[static_cast<std::size_t>(decision.outcome)];
  const Asked asked = asked_of(decision);
  dry_runs += asked == Asked::kWhose ? 1 : 0;
  count(asked != Asked::kNothing);
  return asked == Asked::kWhose;
}

bool Statistics::add(bool asks) {
  count(asks);
  return asks;
}

void Statistics::count(bool asks) {
  ++inputs;
  comparisons += asks ? 1 : 0;
  if (print_every != 0 && inputs % print_every == 0) fmt::print(stderr, "{}\n", text());
}

std::string Statistics::text() const {
  const auto percent = [&](std::uint64_t part) {
    return inputs == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(inputs);
  };
  std::string line =
      fmt::format("{}: {} inputs, {:.1f} % reached a comparison", target, inputs, percent(comparisons));
  if (std::ranges::all_of(outcomes, [](std::uint64_t count) { return count == 0; })) return line;
  line += fmt::format(", {:.1f} % a dry run", percent(dry_runs));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    line += fmt::format("{} {} {:.1f} %", i == 0 ? ";" : ",", to_string(static_cast<Outcome>(i)),
                        percent(outcomes[i]));
  }
  return line;
}

Statistics& statistics() {
  static Statistics of_this_process;
  return of_this_process;
}

}  // namespace reprieve::fuzz
