#include "reprieve/fuzz/finding.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "reprieve/fuzz/statistics.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/generators/random.h"
#include "reprieve/properties/shrink/shrink.h"

namespace reprieve::fuzz {
namespace {

/// Where findings are kept, as the caller told; empty: nowhere.
std::string kept_as(const std::string& name) {
  const char* folder = std::getenv("REPRIEVE_FUZZ_FINDINGS");
  if (folder == nullptr || *folder == '\0') return {};
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  return fmt::format("{}/{}.yaml", folder, name);
}

/// A name that the same finding gets again.
std::string name_of(std::string_view text) {
  return fmt::format("{}-{:08x}", statistics().target, generators::seed_of(text) >> 32);
}

[[noreturn]] void give_up(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace

void found(const Case& question, const Fault& fault, const std::function<Fault(const Case&)>& look) {
  Case smallest = shrink::shrink(question, [&](const Case& smaller) {
                    return look(smaller).kind == fault.kind;
                  }).smallest;
  const Fault left = look(smallest);
  smallest.name = name_of(fault.kind + manifest::write_case_yaml(smallest));
  const std::string yaml = manifest::write_case_yaml(smallest);
  std::string text = fmt::format("\n==== {}: {}\n{}\nThe smallest case: {} nodes, {} pods\n\n{}\n",
                                 statistics().target, fault.kind, left ? left.details : fault.details,
                                 smallest.cluster.nodes.size(), smallest.cluster.pods.size(), yaml);
  const std::string file = kept_as(smallest.name);
  if (!file.empty() && (std::ofstream(file, std::ios::binary) << yaml)) {
    text += fmt::format("Kept as {}\nRepeat: reprieve check --only corpus --corpus {}\n", file, file);
  }
  give_up(text);
}

void found(const Fault& fault, std::string_view input) {
  give_up(fmt::format("\n==== {}: {}\n{}\nThe input, {} bytes:\n{}\n", statistics().target, fault.kind,
                      fault.details, input.size(), input));
}

}  // namespace reprieve::fuzz
