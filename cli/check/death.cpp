#include "reprieve/cli/check/death.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstring>

namespace reprieve::cli {

std::string to_string(const Death& death) {
  switch (death.kind) {
    case Death::Kind::kSignal: {
      const char* name = sigabbrev_np(death.number);
      const char* words = sigdescr_np(death.number);
      return fmt::format(
          "dies of {} ({})",
          name == nullptr ? fmt::format("signal {}", death.number) : fmt::format("SIG{}", name),
          words == nullptr ? "unknown" : words);
    }
    case Death::Kind::kExit: return fmt::format("ends the process with exit code {}", death.number);
    case Death::Kind::kHang: return "does not come to an end";
  }
  return {};
}

Death death_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {Death::Kind::kSignal, WTERMSIG(wait_status)};
  return {Death::Kind::kExit, WEXITSTATUS(wait_status)};
}

}  // namespace reprieve::cli
