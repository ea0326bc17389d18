#include "reprieve/smt/solve/second_opinion.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace reprieve::smt {
namespace {

// What a command prints; the commands here are made of our own words and file names only.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[4096];
  while (const std::size_t count = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
  pclose(pipe);
  return text;
}

// The processor's time of all commands so far.
std::uint64_t time_of_commands_us() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto us = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(time.tv_usec);
  };
  return us(usage.ru_utime) + us(usage.ru_stime);
}

// A file that is gone at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    path_ = (std::filesystem::temp_directory_path() / "reprieve-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) return;
    std::size_t written = 0;
    while (written < content.size()) {
      const ssize_t count = write(file, content.data() + written, content.size() - written);
      if (count <= 0) break;
      written += static_cast<std::size_t>(count);
    }
    complete_ = close(file) == 0 && written == content.size();
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool complete() const { return complete_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool complete_ = false;
};

}  // namespace

SecondOpinion::SecondOpinion(std::string program) : program_(std::move(program)) {
  const std::string text = output_of(fmt::format("'{}' --version 2>/dev/null", program_));
  const std::string known = "This is cvc5 version ";
  if (const std::size_t at = text.find(known); at != std::string::npos) {
    const std::size_t from = at + known.size();
    version_ = "cvc5 " + text.substr(from, text.find_first_of(" \n", from) - from);
  }
}

Opinion SecondOpinion::ask(const std::string& smtlib, std::uint32_t time_out_ms) const {
  std::vector<Opinion> opinions = ask_all(smtlib, time_out_ms);
  if (opinions.size() == 1) return opinions[0];
  return {.answer = Answer::kError, .words = fmt::format("{} answers to one question", opinions.size())};
}

std::vector<Opinion> SecondOpinion::ask_all(const std::string& smtlib, std::uint32_t time_out_ms) const {
  const TemporaryFile file(smtlib);
  if (!available() || !file.complete()) return {{.words = "the program cannot be run"}};
  const std::uint64_t before = time_of_commands_us();
  constexpr std::string_view kQuestion = "(check-sat)";
  const bool one = smtlib.find(kQuestion) == smtlib.rfind(kQuestion);
  // The program says so itself when it is told that its processor's time is up.
  const std::string limit = one ? fmt::format("ulimit -S -t {}; exec", (time_out_ms + 999) / 1000) : "exec";
  const std::string text =
      output_of(fmt::format("{} '{}' --lang=smt2 {} '{}' 2>&1", limit, program_,
                            one ? "" : fmt::format("--tlimit-per={}", time_out_ms), file.path()));
  const std::uint64_t spent = time_of_commands_us() - before;
  std::vector<Opinion> opinions;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line == "sat") {
      opinions.push_back({.answer = Answer::kSatisfiable});
    } else if (line == "unsat") {
      opinions.push_back({.answer = Answer::kUnsatisfiable});
    } else if (line.starts_with("unknown") || line.find("interrupted by timeout") != std::string::npos) {
      opinions.push_back({.answer = Answer::kUnknown, .words = line});
    } else if (!line.empty()) {
      opinions.push_back({.answer = Answer::kError, .words = line});
      break;  // what follows is the rest of the complaint
    }
  }
  for (Opinion& opinion : opinions) opinion.time_us = spent / opinions.size();
  return opinions;
}

}  // namespace reprieve::smt
