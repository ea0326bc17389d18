#include "reprieve/subjects/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>  // sigdescr_np, strerrordesc_np
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

extern char** environ;

namespace reprieve::subjects {

namespace {

struct Pipe {
  int read = -1;
  int write = -1;

  // Close-on-exec at once: children started meanwhile by other threads must not hold our ends,
  // or end-of-file would never reach this child.
  bool open() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
};

void close_fd(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

void set_non_blocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

std::string describe(int status) {
  if (WIFEXITED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), sigdescr_np(WTERMSIG(status)));
  }
  return "stopped";
}

}  // namespace

std::expected<Child, std::string> Child::start(const std::vector<std::string>& argv) {
  static std::once_flag ignore_sigpipe;
  std::call_once(ignore_sigpipe, [] { signal(SIGPIPE, SIG_IGN); });

  Pipe in;
  Pipe out;
  Pipe err;
  if (!in.open() || !out.open() || !err.open()) {
    for (int* fd : {&in.read, &in.write, &out.read, &out.write, &err.read, &err.write}) close_fd(*fd);
    return std::unexpected(std::string("cannot make a pipe"));
  }

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);

  std::vector<char*> words;
  words.reserve(argv.size() + 1);
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close_fd(in.read);
  close_fd(out.write);
  close_fd(err.write);

  Child child;
  child.input_ = in.write;
  child.output_ = out.read;
  child.error_ = err.read;
  if (failed != 0) {
    return std::unexpected(fmt::format("cannot start {}: {}", argv.front(), strerrordesc_np(failed)));
  }
  child.pid_ = pid;
  for (const int fd : {child.input_, child.output_, child.error_}) set_non_blocking(fd);
  return child;
}

Child::~Child() {
  close_fd(input_);  // a well-behaved program ends by itself at the end of its input
  if (pid_ > 0) end(50);
  close_pipes();
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      error_(std::exchange(other.error_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(input_, other.input_);
  std::swap(output_, other.output_);
  std::swap(error_, other.error_);
  return *this;
}

std::string Child::end(int grace_ms) {
  if (pid_ <= 0) return "not running";
  int status = 0;
  for (int waited_ms = 0; waited_ms <= grace_ms; ++waited_ms) {
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      kill(-pid_, SIGKILL);  // what it has left behind
      pid_ = -1;
      return describe(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(-pid_, SIGKILL);
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return "still running";
}

void Child::close_pipes() {
  close_fd(input_);
  close_fd(output_);
  close_fd(error_);
}

}  // namespace reprieve::subjects
