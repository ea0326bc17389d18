#include "reprieve/cli/check/in_a_child.h"

#include <fcntl.h>
#include <signal.h>  // kill
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "reprieve/subjects/place.h"

namespace reprieve::cli {

namespace {

using std::chrono::steady_clock;

// Exit codes that no sanitizer and no library uses.
constexpr int kYes = 90;
constexpr int kNo = 91;

[[noreturn]] void answer(const std::function<bool()>& question) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  if (const int null = open("/dev/null", O_WRONLY); null != -1) dup2(null, STDERR_FILENO);
  _exit(question() ? kYes : kNo);
}

/// The status of the child; nothing when it took too long, and was ended.
std::optional<int> wait_for(pid_t child, std::chrono::milliseconds longest) {
  const auto end = steady_clock::now() + longest;
  std::chrono::microseconds pause{20};
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended == -1 && errno != EINTR) return std::nullopt;
    if (steady_clock::now() >= end) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds{2'000});
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return std::nullopt;
}

}  // namespace

Answer in_a_child(const std::function<bool()>& question, std::chrono::milliseconds longest) {
  const std::uint32_t depth = subjects::place_depth();
  const pid_t child = fork();
  if (child == 0) answer(question);
  if (child == -1) return {.yes = question(), .death = {}};
  const auto status = wait_for(child, longest);
  subjects::restore_place_depth(depth);
  if (!status) return {.yes = false, .death = Death{.kind = Death::Kind::kHang, .number = 0}};
  if (WIFEXITED(*status) && (WEXITSTATUS(*status) == kYes || WEXITSTATUS(*status) == kNo))
    return {.yes = WEXITSTATUS(*status) == kYes, .death = {}};
  return {.yes = false, .death = death_of(*status)};
}

bool holds_of_smaller(bool here, const std::function<bool()>& question) {
  constexpr std::chrono::seconds kLongest{10};
  return here ? in_a_child(question, kLongest).yes : question();
}

}  // namespace reprieve::cli
