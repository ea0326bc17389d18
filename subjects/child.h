// A running child process with pipes to its standard input, output and error.
#pragma once

#include <sys/types.h>

#include <expected>
#include <string>
#include <vector>

namespace reprieve::subjects {

/// Owns the process (a process group of its own, so that what it starts ends with it) and the
/// pipes, which do not block. Killed and reaped at destruction.
class Child {
 public:
  /// Starts argv[0], looked up in PATH. The error says why it could not be started.
  /// Ignores SIGPIPE in this process from then on: a child may die while it is written to.
  static std::expected<Child, std::string> start(const std::vector<std::string>& argv);

  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;

  int input() const { return input_; }    // write requests here
  int output() const { return output_; }  // read answers here
  int error() const { return error_; }    // what it prints for people

  /// Waits at most `grace_ms` for the process to end, kills what is left of its group, and says how
  /// it ended: "exit code 3", "killed by signal 11 (Segmentation fault)", or "still running" when
  /// this call had to end it.
  std::string end(int grace_ms);

 private:
  Child() = default;
  void close_pipes();

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  int error_ = -1;
};

}  // namespace reprieve::subjects
