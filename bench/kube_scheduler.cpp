#include "reprieve/bench/kube_scheduler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reprieve/manifest/protocol.h"

namespace reprieve::bench {
namespace {

namespace fs = std::filesystem;

/// What the program prints for the request in `file`.
std::string run(const std::string& program, const fs::path& file) {
  const std::string command = fmt::format("'{}' < '{}'", program, file.string());
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[65536];
  for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    output.append(buffer, size);
  ::pclose(pipe);
  return output;
}

}  // namespace

std::string kube_scheduler_program() {
  const char* told = std::getenv("REPRIEVE_KUBE_SCHEDULER_DIR");
  const fs::path program = fs::path(told == nullptr ? "build/kube-scheduler" : told) / "kube-scheduler-1.37";
  return ::access(program.c_str(), X_OK) == 0 ? program.string() : std::string();
}

std::expected<KubeSchedulerTiming, std::string> time_kube_scheduler(const std::string& program,
                                                                    const Case& question, int repetitions,
                                                                    const std::string& folder) {
  std::string request = manifest::write_request(question);
  request.pop_back();  // the brace
  request += fmt::format(",\"timing\":{{\"repetitions\":{}}}}}\n", repetitions);
  const fs::path file = fs::path(folder) / fmt::format("request-{}.json", ::getpid());
  {
    std::ofstream out(file, std::ios::binary);
    out << request;
    if (!out) return std::unexpected(fmt::format("{}: cannot be written", file.string()));
  }
  std::string().swap(request);
  std::string line = run(program, file);
  std::error_code ignored;
  fs::remove(file, ignored);
  while (!line.empty() && line.back() == '\n') line.pop_back();

  manifest::ProtocolReader reader;
  auto response = reader.read_response(line);
  if (!response) return std::unexpected(fmt::format("{}: {}", program, response.error()));
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.contains("timing"))
    return std::unexpected(fmt::format("{}: no timing: {}", program, line.substr(0, 300)));
  KubeSchedulerTiming timing;
  timing.decision = std::move(response->decision);
  const auto& told = json["timing"];
  timing.potential_nodes = told.value("potentialNodes", std::int64_t{0});
  timing.candidates = told.value("candidates", std::int64_t{0});
  for (const auto& entry : told["runs"]) {
    if (!entry.contains("preemptNanoseconds") || !entry["preemptNanoseconds"].is_array()) continue;
    auto& into = entry.value("workers", 0) == 1 ? timing.one_worker_ns : timing.sixteen_workers_ns;
    into = entry["preemptNanoseconds"].get<std::vector<std::int64_t>>();
  }
  if (timing.sixteen_workers_ns.empty()) return std::unexpected(program + ": it timed nothing");
  return timing;
}

}  // namespace reprieve::bench
