#include "reprieve/bench/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace reprieve::bench {
namespace {

/// Three digits: 0.123, 1.23, 12.3, 123, 12,345.
std::string number(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  if (size < 10) return fmt::format("{:.2f}", value);
  if (size < 100) return fmt::format("{:.1f}", value);
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t at = digits.size(); at > 3 + (value < 0 ? 1 : 0); at -= 3)
    if (at - 3 > 0) digits.insert(at - 3, ",");
  return digits;
}

std::string us(double ns) { return number(ns / 1e3); }

double floor_ns(const Results& results, int nodes) {
  const Result* floor = results.find("floor", "", nodes, 0);
  return floor == nullptr ? std::nan("") : floor->least_ns();
}

std::string at_least(double value, double least) {
  return fmt::format("{} {}", value >= least ? ">=" : "BELOW", number(least));
}

std::string within(double value, double most) {
  if (most == 0) return "";
  return fmt::format("{} {}", value <= most ? "<=" : "ABOVE", number(most));
}

void decisions(const Plan& plan, const Results& results, std::string& out) {
  for (const int pods : plan.named_pods) {
    std::string rows;
    const double floor = floor_ns(results, plan.nodes);
    std::vector<Setup> setups = named_setups(plan.nodes, pods);
    for (const Setup& setup : setups) {
      const Result* decision = results.find("decide", setup.name, plan.nodes, pods);
      if (decision == nullptr) continue;
      const double ratio = decision->least_ns() / floor;
      rows += fmt::format("{:<24} {:>12} {:>12} {:>9} {:<10} {:>8}", setup.name, us(decision->least_ns()),
                          us(decision->median_ns()), number(ratio),
                          within(ratio, most_floors(setup.name, pods, false)),
                          number(decision->count("allocations").value_or(std::nan(""))));
      rows += fmt::format(" {:>14}\n", number(decision->count("instructions").value_or(std::nan(""))));
    }
    if (rows.empty()) continue;
    out +=
        fmt::format("\nCold decision, {} nodes x {} pods; the floor is {} us\n", plan.nodes, pods, us(floor));
    out += fmt::format("{:<24} {:>12} {:>12} {:>9} {:<10} {:>8} {:>14}\n", "", "least us", "median us",
                       "floors", "at most", "allocs", "instructions");
    out += rows;
  }
}

void kube_scheduler(const Plan& plan, const Results& results, std::string& out) {
  std::string rows;
  for (const Setup& setup : named_setups(plan.nodes, 30)) {
    const Result* upstream = results.find("kube-scheduler, 16 workers", setup.name, plan.nodes, 30);
    const Result* decision = results.find("decide", setup.name, plan.nodes, 30);
    if (upstream == nullptr || decision == nullptr) continue;
    const double ratio = upstream->median_ns() / decision->median_ns();
    const double least = setup.name == "uniform, 0 budgets"     ? 5'000
                         : setup.name == "uniform, 20 budgets"  ? 50'000
                         : setup.name == "uniform, 200 budgets" ? 300'000
                                                                : 300;
    rows += fmt::format("{:<24} {:>16} {:>14} {:>14} {}\n", setup.name, number(upstream->median_ns() / 1e6),
                        us(decision->median_ns()), number(ratio), at_least(ratio, least));
  }
  if (rows.empty()) return;
  out += fmt::format(
      "\nThe real kube-scheduler 1.37, DryRunPreemption + SelectCandidate over the same {} nodes x 30 pods\n",
      plan.nodes);
  out += fmt::format("{:<24} {:>16} {:>14} {:>14} at least\n", "", "16 workers, ms", "engine, us", "times");
  out += rows;
}

void sweep(const Plan& plan, const Results& results, std::string& out) {
  for (const int pods : plan.swept_pods) {
    const std::vector<Setup> setups = swept_setups(plan.nodes, pods);
    std::string rows;
    for (const Setup& setup : setups) {
      const std::string row = setup.name + " swept";
      if (results.sizes("decide", row, pods).empty()) continue;
      rows += fmt::format("{:<24}", setup.name);
      double worst = 0;
      for (const int percent : setup.percents) {
        const Result* decision = results.find("decide", row, plan.nodes, pods, percent);
        const double ratio =
            decision == nullptr ? std::nan("") : decision->least_ns() / floor_ns(results, plan.nodes);
        worst = std::max(worst, ratio);
        rows += fmt::format(" {:>8}", number(ratio));
      }
      rows += fmt::format("   {}\n", within(worst, most_floors(setup.name, pods, true)));
    }
    if (rows.empty()) continue;
    out += fmt::format(
        "\nThe preemptor's size, in percent of a node; floors, {} nodes x {} pods, 20 budgets\n{:<24}",
        plan.nodes, pods, "");
    for (const int percent : setups.front().percents) out += fmt::format(" {:>7}%", percent);
    out += "   worst\n" + rows;
  }
}

void growth(const Plan& plan, const Results& results, std::string& out) {
  if (plan.growth.size() < 2) return;
  struct Row {
    std::string operation, name;
    int pods;
  };
  std::vector<Row> rows = {{"floor", "", 0}, {"floor of set_pod", "", 0}, {"floor of set_node", "", 0}};
  for (const Setup& setup : growing_setups(1)) rows.push_back({"decide", setup.name, 30});
  for (const char* operation :
       {"set_pod", "set_node", "set_budget", "set_pod and decide", "build the snapshot"}) {
    rows.push_back({operation, growing_setups(1).back().name, 30});
  }
  out += fmt::format("\nGrowth with the number of nodes, 30 pods each; us\n{:<52}", "");
  for (const int nodes : plan.growth) out += fmt::format(" {:>12}", number(nodes));
  out += "   exponent of time, of instructions (from 1,000 nodes)\n";
  for (const Row& row : rows) {
    if (results.sizes(row.operation, row.name, row.pods).empty()) continue;
    out += fmt::format("{:<52}", row.operation + (row.name.empty() ? "" : "; " + row.name));
    const Result* first = nullptr;
    const Result* last = nullptr;
    for (const int nodes : plan.growth) {
      const Result* result = results.find(row.operation, row.name, nodes, row.pods);
      out += fmt::format(" {:>12}", result == nullptr ? "-" : us(result->least_ns()));
      if (result == nullptr) continue;
      if (nodes >= 1000 && first == nullptr) first = result;
      last = result;
    }
    if (first != nullptr && first != last) {
      out +=
          fmt::format("   {:.3f}", exponent(first->nodes, first->least_ns(), last->nodes, last->least_ns()));
      // Instructions are counted up to a size of their own.
      const Result* counted = nullptr;
      for (const int nodes : plan.growth) {
        const Result* result = results.find(row.operation, row.name, nodes, row.pods);
        if (result != nullptr && result->count("instructions")) counted = result;
      }
      if (counted != nullptr && counted != first && first->count("instructions")) {
        out += fmt::format(", {:.3f}", exponent(first->nodes, *first->count("instructions"), counted->nodes,
                                                *counted->count("instructions")));
      }
    }
    out += "\n";
  }
}

void others(const Plan& plan, const Results& results, std::string& out) {
  std::string rows;
  for (const Result& result : results.all()) {
    if (!result.operation.starts_with("burst")) continue;
    rows += fmt::format("{:<18} {:<24} {:>12} a second {:>10} us each, {} victims each\n", result.operation,
                        result.row, number(1e9 / result.least_ns()), us(result.least_ns()),
                        number(result.count("victims").value_or(0)));
  }
  if (!rows.empty()) {
    out += fmt::format(
        "\nBursts of 1,000 identical preemptors, each applied before the next, {} nodes x 30 pods\n{}",
        plan.nodes, rows);
  }
  rows.clear();
  for (const Result& alone : results.all()) {
    if (alone.operation != "decide, 1 thread") continue;
    const Result* together = results.find("decide, 2 threads", alone.row, alone.nodes, alone.pods_per_node);
    if (together == nullptr) continue;
    const double times = alone.least_ns() / together->least_ns();
    rows += fmt::format("{:<20} {:>6} nodes {:>10} {:>10} {:>8} {}", alone.row, alone.nodes,
                        us(alone.least_ns()), us(together->least_ns()), number(times),
                        at_least(times, alone.nodes == 20'000 ? 1.6 : 0.95));
    const double share = together->count("larger share").value_or(1);
    rows += share < 1 ? fmt::format("  larger share {} {}\n", number(share), within(share, 1 / 1.6)) : "\n";
  }
  if (!rows.empty())
    out +=
        "\nOne decision by one thread and by two: the time of the one that asks, us, and how many times as "
        "fast\n" +
        rows;
  rows.clear();
  for (const Result& result : results.all()) {
    if (result.operation != "exact" && result.operation != "reference" && result.row != "gpu-trace") continue;
    rows += fmt::format("{:<12} {:<24} {:>6} nodes {:>14} us", result.operation, result.row, result.nodes,
                        us(result.least_ns()));
    if (const auto searched = result.count("search nodes"))
      rows += fmt::format("  {} search nodes{}", number(*searched),
                          result.count("proved") == 0.0 ? ", not proved" : "");
    if (result.operation == "reference") {
      const Result* engine = results.find("decide", result.row, result.nodes, result.pods_per_node);
      if (engine != nullptr)
        rows += fmt::format("  {} times the engine's", number(result.least_ns() / engine->least_ns()));
    }
    if (result.row == "gpu-trace")
      rows += fmt::format("  {} allocations", number(result.count("allocations").value_or(0)));
    rows += "\n";
  }
  if (!rows.empty()) out += "\nOther\n" + rows;
}

/// What the engine's marks and calls count for each decision.
void phases(const Plan& plan, const Results& results, std::string& out) {
  std::set<std::string> names;
  std::vector<const Result*> shown;
  for (const Setup& setup : named_setups(plan.nodes, 30)) {
    const Result* result = results.find("decide", setup.name, plan.nodes, 30);
    if (result == nullptr) continue;
    shown.push_back(result);
    for (const auto& [name, count] : result->counts) {
      if (name != "allocations" && name != "instructions") names.insert(name);
    }
  }
  if (names.empty()) return;
  out += fmt::format("\nWhat is done for a decision, {} nodes x 30 pods\n", plan.nodes);
  for (const std::string& name : names) {
    out += fmt::format("{}\n ", name);
    for (const Result* result : shown)
      if (const auto count = result->count(name)) out += fmt::format(" {} {};", result->row, number(*count));
    out.back() = '\n';
  }
}

}  // namespace

double most_floors(std::string_view row, int pods_per_node, bool swept) {
  const bool tie = row == "identical-nodes";
  if (swept) return pods_per_node <= 30 ? (tie ? 500 : 150) : (tie ? 1400 : 350);
  if (pods_per_node > 30) return 0;
  if (row == "nothing-helps") return 5;
  if (row.starts_with("uniform") || row == "heavy-tailed" || row == "one-good-node") return 8;
  if (row == "exhausted-budgets" || row == "four-priorities" || row == "equal-sizes") return 40;
  return tie ? 100 : 0;
}

std::string to_table(const Plan& plan, const Results& results) {
  std::string out;
  decisions(plan, results, out);
  kube_scheduler(plan, results, out);
  sweep(plan, results, out);
  growth(plan, results, out);
  others(plan, results, out);
  phases(plan, results, out);
  return out;
}

}  // namespace reprieve::bench
