#include "reprieve/bench/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace reprieve::bench {
namespace {

constexpr double kWidth = 560, kHeight = 420;  // of a panel's drawing area
constexpr double kLeft = 80, kTop = 50, kBottom = 50, kRight = 30;
constexpr double kLegendLine = 18;

// Okabe and Ito's colours, which people who are colour-blind tell apart.
constexpr std::array<const char*, 8> kColours = {"#000000", "#E69F00", "#56B4E9", "#009E73",
                                                 "#D55E00", "#0072B2", "#CC79A7", "#999999"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else
      result += c;
  }
  return result;
}

struct Range {
  double low = INFINITY, high = -INFINITY;
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

std::string tick(double value) {
  if (value >= 1) return fmt::format("{:.0f}", value);
  return fmt::format("{:g}", value);
}

void draw(const Panel& panel, double left, std::string& out) {
  Range x, y;
  for (const Series& series : panel.series) {
    for (const auto& [at, value] : series.points) {
      x.take(panel.x_linear ? at : std::log10(at));
      y.take(std::log10(value));
    }
  }
  if (!(x.low <= x.high)) return;
  y = {std::floor(y.low), std::max(std::ceil(y.high), std::floor(y.low) + 1)};
  if (x.low == x.high) x.high = x.low + 1;
  const auto place_x = [&](double at) {
    return left + kLeft + ((panel.x_linear ? at : std::log10(at)) - x.low) / (x.high - x.low) * kWidth;
  };
  const auto place_y = [&](double value) {
    return kTop + kHeight - (std::log10(value) - y.low) / (y.high - y.low) * kHeight;
  };
  out += fmt::format("<text x=\"{:.0f}\" y=\"28\" font-size=\"16\">{}</text>\n", left + kLeft,
                     escaped(panel.title));
  for (double power = y.low; power <= y.high; ++power) {
    const double at = place_y(std::pow(10, power));
    out += fmt::format(
        "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        left + kLeft, left + kLeft + kWidth, at, at, left + kLeft - 6, at + 4, tick(std::pow(10, power)));
  }
  std::vector<double> ticks;
  for (const Series& series : panel.series)
    for (const auto& [at, value] : series.points) ticks.push_back(at);
  std::ranges::sort(ticks);
  ticks.erase(std::ranges::unique(ticks).begin(), ticks.end());
  for (const double at : ticks) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", place_x(at),
                       kTop + kHeight + 18, tick(at));
  }
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                     left + kLeft + kWidth / 2, kTop + kHeight + 38, escaped(panel.x_name));
  out += fmt::format(
      "<text x=\"{0:.1f}\" y=\"{1:.1f}\" transform=\"rotate(-90 {0:.1f} {1:.1f})\" "
      "text-anchor=\"middle\">{2}</text>\n",
      left + 18, kTop + kHeight / 2, escaped(panel.y_name));
  std::size_t number = 0;
  for (const Series& series : panel.series) {
    const char* colour = kColours[number % kColours.size()];
    std::string line;
    for (const auto& [at, value] : series.points) {
      line += fmt::format("{:.1f},{:.1f} ", place_x(at), place_y(value));
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", place_x(at),
                         place_y(value), colour);
    }
    out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}/>\n", line,
                       colour, number >= kColours.size() ? " stroke-dasharray=\"5 3\"" : "");
    const double at = kTop + kHeight + kBottom + 10 + kLegendLine * static_cast<double>(number);
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"4\" fill=\"{}\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        left + kLeft, at, colour, left + kLeft + 22, at + 6, escaped(series.name));
    ++number;
  }
}

}  // namespace

std::string to_svg(const std::vector<Panel>& panels) {
  const double each = kLeft + kWidth + kRight;
  std::size_t longest = 0;
  for (const Panel& panel : panels) longest = std::max(longest, panel.series.size());
  const double width = each * static_cast<double>(panels.size());
  const double height = kTop + kHeight + kBottom + 20 + kLegendLine * static_cast<double>(longest);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  for (std::size_t i = 0; i < panels.size(); ++i) draw(panels[i], each * static_cast<double>(i), out);
  return out + "</svg>\n";
}

std::vector<Panel> panels_of(const Plan& plan, const Results& results) {
  Panel growth{.title = "Time by number of nodes, 30 pods each",
               .x_name = "nodes",
               .y_name = "microseconds",
               .x_linear = false,
               .series = {}};
  const auto add = [&](const std::string& operation, const std::string& row, int pods) {
    Series series{.name = operation + (row.empty() ? "" : "; " + row), .points = {}};
    for (const int nodes : results.sizes(operation, row, pods))
      series.points.emplace_back(nodes, results.find(operation, row, nodes, pods)->least_ns() / 1e3);
    if (!series.points.empty()) growth.series.push_back(std::move(series));
  };
  add("floor", "", 0);
  for (const Setup& setup : growing_setups(1)) add("decide", setup.name, 30);
  for (const char* operation : {"set_pod", "set_node", "set_budget"})
    add(operation, growing_setups(1).back().name, 30);
  for (const Setup& setup : named_setups(plan.nodes, 30)) add("kube-scheduler, 16 workers", setup.name, 30);

  std::vector<Panel> panels = {std::move(growth)};
  const Result* floor = results.find("floor", "", plan.nodes, 0);
  for (const int pods : plan.swept_pods) {
    if (floor == nullptr) break;
    Panel sweep{.title = fmt::format("Floors by the preemptor's size, {} nodes x {} pods", plan.nodes, pods),
                .x_name = "percent of a node",
                .y_name = "times the floor",
                .x_linear = true,
                .series = {}};
    for (const Setup& setup : swept_setups(plan.nodes, pods)) {
      Series series{.name = setup.name, .points = {}};
      for (const int percent : setup.percents) {
        const Result* result = results.find("decide", setup.name + " swept", plan.nodes, pods, percent);
        if (result != nullptr) series.points.emplace_back(percent, result->least_ns() / floor->least_ns());
      }
      if (!series.points.empty()) sweep.series.push_back(std::move(series));
    }
    if (!sweep.series.empty()) panels.push_back(std::move(sweep));
  }
  return panels;
}

}  // namespace reprieve::bench
