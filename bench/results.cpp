#include "reprieve/bench/results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace reprieve::bench {
namespace {

bool matches(const Result& result, std::string_view operation, std::string_view row, int nodes,
             int pods_per_node, int percent) {
  return result.operation == operation && result.row == row && result.nodes == nodes &&
         result.pods_per_node == pods_per_node && (percent == -1 || result.percent == percent);
}

}  // namespace

double Result::least_ns() const {
  return each_ns.empty() ? std::numeric_limits<double>::quiet_NaN() : *std::ranges::min_element(each_ns);
}

double Result::median_ns() const {
  if (each_ns.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = each_ns;
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::optional<double> Result::count(const std::string& name) const {
  const auto found = counts.find(name);
  return found == counts.end() ? std::nullopt : std::optional(found->second);
}

Result& Results::add(Result result) { return all_.emplace_back(std::move(result)); }

const Result* Results::find(std::string_view operation, std::string_view row, int nodes, int pods_per_node,
                            int percent) const {
  const auto found = std::ranges::find_if(all_, [&](const Result& result) {
    return matches(result, operation, row, nodes, pods_per_node, percent);
  });
  return found == all_.end() ? nullptr : &*found;
}

Result* Results::find(std::string_view operation, std::string_view row, int nodes, int pods_per_node,
                      int percent) {
  const auto found = std::ranges::find_if(all_, [&](const Result& result) {
    return matches(result, operation, row, nodes, pods_per_node, percent);
  });
  return found == all_.end() ? nullptr : &*found;
}

std::vector<int> Results::sizes(std::string_view operation, std::string_view row, int pods_per_node) const {
  std::vector<int> sizes;
  for (const Result& result : all_) {
    if (matches(result, operation, row, result.nodes, pods_per_node, -1)) sizes.push_back(result.nodes);
  }
  std::ranges::sort(sizes);
  sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
  return sizes;
}

std::string Results::to_json(const std::map<std::string, std::string>& about) const {
  nlohmann::json results = nlohmann::json::array();
  for (const Result& result : all_) {
    nlohmann::json entry = {{"operation", result.operation}, {"row", result.row},
                            {"nodes", result.nodes},         {"podsPerNode", result.pods_per_node},
                            {"nanoseconds", result.each_ns}, {"counts", result.counts}};
    if (result.percent != 0) entry["percent"] = result.percent;
    results.push_back(std::move(entry));
  }
  return nlohmann::json{{"about", about}, {"results", results}}.dump(1) + "\n";
}

double exponent(double size, double cost, double larger_size, double larger_cost) {
  return std::log(larger_cost / cost) / std::log(larger_size / size);
}

}  // namespace reprieve::bench
