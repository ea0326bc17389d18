// What was measured, as data: the table, the JSON file and the chart are made of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprieve::bench {

/// One operation on one row at one size, repeated.
struct Result {
  std::string operation;  // "floor", "decide", "burst, nominated", ...
  std::string row;        // the setup, or empty
  int percent = 0;        // of a node that the preemptor asks for; 0 where that means nothing
  int nodes = 0;
  int pods_per_node = 0;
  std::vector<double> each_ns;           // processor time of one operation, a value for each repetition
  std::map<std::string, double> counts;  // of one operation: "allocations", "instructions", marks, ...

  double least_ns() const;
  double median_ns() const;
  std::optional<double> count(const std::string& name) const;
};

class Results {
 public:
  Result& add(Result result);
  /// The first that matches; a percent of -1 matches any.
  const Result* find(std::string_view operation, std::string_view row, int nodes, int pods_per_node,
                     int percent = -1) const;
  Result* find(std::string_view operation, std::string_view row, int nodes, int pods_per_node,
               int percent = -1);
  const std::vector<Result>& all() const { return all_; }
  /// The numbers of nodes at which it was measured, in ascending order.
  std::vector<int> sizes(std::string_view operation, std::string_view row, int pods_per_node) const;

  /// As JSON, each result an object; `about` says what was run where.
  std::string to_json(const std::map<std::string, std::string>& about) const;

 private:
  std::vector<Result> all_;
};

/// The power of the size with which the cost grows between two sizes: log(cost ratio) / log(size ratio).
double exponent(double size, double cost, double larger_size, double larger_cost);

}  // namespace reprieve::bench
