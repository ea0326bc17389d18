// The results as one SVG picture: time by number of nodes, and floors by the preemptor's size.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reprieve/bench/benchmarks.h"
#include "reprieve/bench/results.h"

namespace reprieve::bench {

/// A line of a panel; both coordinates must be positive.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// A panel with logarithmic axes; x is linear when `x_linear`.
struct Panel {
  std::string title;
  std::string x_name;
  std::string y_name;
  bool x_linear = false;
  std::vector<Series> series;
};

/// Panels beside each other, with a legend below each.
std::string to_svg(const std::vector<Panel>& panels);

/// What a run's chart shows.
std::vector<Panel> panels_of(const Plan& plan, const Results& results);

}  // namespace reprieve::bench
