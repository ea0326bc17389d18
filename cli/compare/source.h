// Where the questions of a comparison come from: a dump with its pending pods, case files, a trace, or
// generated clusters. All are asked by number, so that any of them can be made again.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/model/case.h"

namespace reprieve::cli::comparison {

struct SourceOptions {
  std::vector<std::string> files;   // dumps, or case files and folders of them
  std::vector<std::string> pods;    // of a dump: only these preemptors, "namespace/name"
  std::string trace;                // the trace's folder
  std::uint64_t preemptors = 1000;  // of the trace
  std::uint64_t cases = 100'000;    // generated
  std::uint64_t seed = 1;
  std::string features = "all,-extenders";
  std::optional<int> pods_per_node;
};

class Source {
 public:
  virtual ~Source() = default;

  virtual std::uint64_t size() const = 0;
  /// "100,000 clusters from seed 1".
  virtual std::string description() const = 0;
  /// The options of the command line that give the same questions again.
  virtual std::string options() const = 0;

  /// Hands questions out, for one thread. The case is its own: whoever asks may change its policy.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual Case& question(std::uint64_t number) = 0;
  };
  virtual std::unique_ptr<Reader> reader() const = 0;
};

/// The error is one sentence. Warnings of manifests have then been printed.
std::expected<std::unique_ptr<Source>, std::string> open_source(const SourceOptions& options);

}  // namespace reprieve::cli::comparison
