#include "reprieve/cli/check/guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // kill
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <set>
#include <thread>

#include "reprieve/cli/output/message.h"

namespace reprieve::cli {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{10};

/// How somebody ends a run who has had enough of it, or of its output.
const std::set<int> kMeant{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

/// Which threads have come no further, and since when.
class Hangs {
 public:
  bool any(std::chrono::milliseconds longest) {
    const auto now = steady_clock::now();
    if (now < next_look_) return false;
    next_look_ = now + std::chrono::seconds{1};
    std::map<std::size_t, Stand> stands;
    bool hangs = false;
    for (const subjects::ThreadPlace& place : subjects::places()) {
      // What takes long by nature, as a theorem does, has a limit of its own.
      if (place.begun.back().doing == subjects::Doing::kOther) continue;
      const auto known = stands_.find(place.thread);
      const bool stands_still = known != stands_.end() && known->second.steps == place.steps;
      const Stand stand = stands_still ? known->second : Stand{.steps = place.steps, .since = now};
      hangs = hangs || now - stand.since > longest;
      stands.emplace(place.thread, stand);
    }
    stands_ = std::move(stands);
    return hangs;
  }

 private:
  struct Stand {
    std::uint64_t steps = 0;
    steady_clock::time_point since;
  };
  std::map<std::size_t, Stand> stands_;
  steady_clock::time_point next_look_;
};

}  // namespace

struct Guard::Shared {
  pid_t guard = 0;
  std::atomic<std::int64_t> longest_ms{0};
  std::atomic<pid_t> run{0};
  std::atomic<pid_t> backup{0};
  std::atomic<bool> left{false};  // the run ended by itself
  std::atomic<int> deaths{0};     // written after `death`
  Death death;
};

void Guard::begin(std::chrono::milliseconds longest) {
  std::fflush(nullptr);
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || !subjects::keep_places()) return;
  auto* shared = new (memory) Shared;
  shared->guard = getpid();
  shared->longest_ms.store(longest.count());
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // the copy becomes a child of the guard when the run dies
  const pid_t child = fork();
  if (child == -1) return;
  if (child > 0) {
    shared->run.store(child);
    watch(*shared);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != shared->guard) _exit(EXIT_FAILURE);
  shared->run.store(getpid());
  shared_ = shared;
  static Shared* at_exit = nullptr;
  at_exit = shared;
  std::atexit([] { at_exit->left.store(true); });
}

void Guard::set_longest(std::chrono::milliseconds longest) {
  if (shared_ != nullptr) shared_->longest_ms.store(longest.count());
}

void Guard::watch(Shared& shared) {
  Hangs hangs;
  bool ended_by_us = false;
  for (;;) {
    std::this_thread::sleep_for(kPause);
    if (!ended_by_us && hangs.any(std::chrono::milliseconds{shared.longest_ms.load()})) {
      ended_by_us = true;
      kill(shared.run.load(), SIGKILL);
    }
    int status = 0;
    for (pid_t ended = waitpid(-1, &status, WNOHANG); ended > 0; ended = waitpid(-1, &status, WNOHANG)) {
      if (ended != shared.run.load()) continue;  // a copy that was released, a program outside
      if (WIFEXITED(status) && shared.left.load()) _exit(WEXITSTATUS(status));
      const Death death = ended_by_us ? Death{.kind = Death::Kind::kHang, .number = 0} : death_of(status);
      ended_by_us = false;
      const pid_t backup = shared.backup.exchange(0);
      const bool meant = death.kind == Death::Kind::kSignal && kMeant.contains(death.number);
      if (backup == 0 || meant) {
        if (backup != 0) kill(backup, SIGKILL);
        if (!meant) to_stderr(fmt::format("error: the run {}, not within a stage\n", to_string(death)));
        if (death.kind != Death::Kind::kSignal) _exit(death.number == 0 ? EXIT_FAILURE : death.number);
        signal(death.number, SIG_DFL);
        raise(death.number);
        _exit(128 + death.number);
      }
      shared.run.store(backup);
      shared.death = death;
      shared.deaths.fetch_add(1);
    }
  }
}

std::optional<Accident> Guard::point() {
  if (shared_ == nullptr) return std::nullopt;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::fflush(nullptr);
  const int deaths = shared_->deaths.load();
  const pid_t copy = fork();
  if (copy != 0) {
    close(ends[0]);
    if (copy == -1) {
      close(ends[1]);
    } else {
      shared_->backup.store(copy);
      backup_ = ends[1];
    }
    return std::nullopt;
  }

  close(ends[1]);
  char released = 0;
  if (read(ends[0], &released, 1) == 1) _exit(EXIT_SUCCESS);
  close(ends[0]);
  // The run is dead, and the guard will know how, or is dead itself.
  while (shared_->deaths.load() == deaths) {
    if (getppid() != shared_->guard && kill(shared_->guard, 0) != 0) _exit(EXIT_FAILURE);
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not before: the run was the parent until now
  if (getppid() != shared_->guard) _exit(EXIT_FAILURE);
  Accident accident{.death = shared_->death, .places = subjects::places()};
  subjects::forget_places();
  return accident;
}

void Guard::release() {
  if (backup_ == -1) return;
  shared_->backup.store(0);
  const char released = 1;
  static_cast<void>(!write(backup_, &released, 1));
  close(backup_);
  backup_ = -1;
}

}  // namespace reprieve::cli
