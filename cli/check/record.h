// What a program outside decided, kept: so that a machine without it still has the truth.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli {

/// Decisions in the format of vectors.h, by seed; for one thread, `merge` brings several together.
class Recording {
 public:
  /// Errors are left out: they say that the program could not decide, not how it does.
  void add(std::uint64_t seed, const Case& question, const Decision& decision);
  void merge(Recording&& other);

  /// Adds the lines to a gzip file, which is made when it is absent. A request that it holds already
  /// keeps its line, which then tells of one more release. How many decisions were written, or
  /// one sentence.
  std::expected<std::size_t, std::string> write(const std::string& path) const;

 private:
  struct Entry {
    std::string request;   // without a policy, unless it samples
    std::string release;   // "1.37"
    std::string response;  // the line
  };
  std::map<std::uint64_t, Entry> entries_;
};

}  // namespace reprieve::cli
