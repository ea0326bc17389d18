// bench_manifest: how long it takes to read a kubectl dump of real size, and how much memory, beside a pass
// of simdjson's On-Demand interface. Each reading is a process of its own; the dump is written, read and
// removed.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "reprieve/bench/on_demand.h"
#include "reprieve/manifest/read.h"
#include "reprieve/properties/generators/big.h"

namespace {

using namespace reprieve;

struct Cost {
  double elapsed_s = 0;
  double user_s = 0;
  double system_s = 0;
  double peak_mib = 0;
  double processor_s() const { return user_s + system_s; }
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// What `work` costs in a process of its own; nothing when it fails.
template <class F>
std::optional<Cost> cost_of(const F& work) {
  const auto start = std::chrono::steady_clock::now();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) ::_exit(work() ? 0 : 1);
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child || status != 0) return std::nullopt;
  return Cost{.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
              .user_s = seconds(usage.ru_utime),
              .system_s = seconds(usage.ru_stime),
              .peak_mib = static_cast<double>(usage.ru_maxrss) / 1024};
}

bool read_manifest(const std::string& file) {
  // Never destroyed: the process ends with it, and taking it apart is not reading.
  const auto& input = *new auto(manifest::read_files({file}));
  if (!input) fmt::print(stderr, "error: {}\n", manifest::to_string(input.error()));
  return input.has_value();
}

bool extract(const std::string& file, bool whole) {
  const auto extracted = whole ? bench::extract_on_demand_whole(file) : bench::extract_on_demand(file);
  if (!extracted) fmt::print(stderr, "error: {}\n", extracted.error());
  return extracted.has_value();
}

struct Costs {
  Cost manifest, whole, by_item;
};

/// The cheapest of several, by processor time, taken in turn so that all meet the same neighbours.
std::optional<Costs> measure(const std::string& file, int repetitions) {
  std::optional<Costs> least;
  for (int k = 0; k < repetitions; ++k) {
    const auto manifest = cost_of([&] { return read_manifest(file); });
    const auto whole = cost_of([&] { return extract(file, true); });
    const auto by_item = cost_of([&] { return extract(file, false); });
    if (!manifest || !whole || !by_item) return std::nullopt;
    if (!least) least = Costs{*manifest, *whole, *by_item};
    const auto take = [](Cost& kept, const Cost& other) {
      if (other.processor_s() < kept.processor_s()) kept = other;
    };
    take(least->manifest, *manifest);
    take(least->whole, *whole);
    take(least->by_item, *by_item);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Reads a kubectl dump of real size, and says what it costs."};
  generators::BigSettings big{.seed = 1, .nodes = 5000, .pods_per_node = 30, .budgets = 200, .pending = 10};
  std::string folder = "build/bench", file;
  int repetitions = 5;
  app.add_option("--nodes", big.nodes, "Nodes of the dump, with 30 pods each")->check(CLI::Range(1, 100'000));
  app.add_option("--file", file, "Read this dump instead, and leave it there");
  app.add_option("--folder", folder, "Where the dump and the result are written");
  app.add_option("--repetitions", repetitions, "Of each reading")->check(CLI::Range(1, 100));
  CLI11_PARSE(app, argc, argv);

  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const bool made = file.empty();
  if (made) {
    file = (std::filesystem::path(folder) / "dump.json").string();
    // In a process of its own: what the generator needs is not to count as memory of the readers.
    const auto written = cost_of([&] {
      std::ofstream out(file, std::ios::binary);
      generators::write_kubectl_dump(big_cluster(big), out);
      out.flush();
      return static_cast<bool>(out);
    });
    if (!written) return 1;
  }
  const double bytes = static_cast<double>(std::filesystem::file_size(file, failed));
  const auto costs = measure(file, repetitions);
  if (made) std::filesystem::remove(file, failed);
  if (!costs) return 1;
  fmt::print("{:.2f} GB, the cheapest of {}; warm file\n", bytes / 1e9, repetitions);
  fmt::print("{:<30} {:>10} {:>10} {:>10} {:>10} {:>12}\n", "", "user s", "system s", "elapsed s", "GB/s",
             "peak MiB");
  const auto tell = [&](const char* name, const Cost& cost) {
    fmt::print("{:<30} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>12.0f}\n", name, cost.user_s, cost.system_s,
               cost.elapsed_s, bytes / 1e9 / cost.processor_s(), cost.peak_mib);
  };
  tell("manifest/", costs->manifest);
  tell("simdjson On-Demand, whole file", costs->whole);
  tell("simdjson On-Demand, by item", costs->by_item);
  fmt::print(
      "manifest/ is {:.2f} times as fast as On-Demand over the whole file (at least 0.6), {:.2f} by item\n",
      costs->whole.processor_s() / costs->manifest.processor_s(),
      costs->by_item.processor_s() / costs->manifest.processor_s());
  std::ofstream json(std::filesystem::path(folder) / "manifest.json");
  const auto as_json = [](const Cost& cost) {
    return nlohmann::json{{"userSeconds", cost.user_s},
                          {"systemSeconds", cost.system_s},
                          {"elapsedSeconds", cost.elapsed_s},
                          {"peakMiB", cost.peak_mib}};
  };
  json << nlohmann::json{{"bytes", bytes},
                         {"manifest", as_json(costs->manifest)},
                         {"onDemandWhole", as_json(costs->whole)},
                         {"onDemandByItem", as_json(costs->by_item)}}
              .dump(1)
       << '\n';
  return 0;
}
