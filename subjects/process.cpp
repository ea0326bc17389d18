#include "reprieve/subjects/process.h"

#include <errno.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace reprieve::subjects {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxUnsentBytes = 1 << 20;
constexpr std::size_t kErrorTailBytes = 4096;
constexpr std::size_t kReadBytes = 1 << 16;
constexpr int kDeathGraceMs = 200;  // between the end of its output and its exit

/// Appends what can be read at once; false at the end of the file.
bool read_available(int fd, std::string& into) {
  std::array<char, kReadBytes> buffer{};
  while (true) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0) {
      into.append(buffer.data(), static_cast<std::size_t>(count));
      if (static_cast<std::size_t>(count) < buffer.size()) return true;
    } else if (count == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
  }
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kMaxBytes = 160;
  return text.size() <= kMaxBytes ? std::string(text) : std::string(text.substr(0, kMaxBytes)) + "...";
}

}  // namespace

struct ProcessSubject::Exchange {
  std::span<const Case> questions;
  std::vector<Decision> decisions;  // those answered so far
  std::size_t sent = 0;             // questions written into `unsent` or beyond
  std::size_t careful_until = 0;    // before this one, one request at a time
  std::string unsent;
  std::size_t unsent_from = 0;

  std::size_t answered() const { return decisions.size(); }
  bool done() const { return answered() == questions.size(); }
};

ProcessSubject::ProcessSubject(ProcessOptions options) : options_(std::move(options)) {
  if (options_.name.empty()) options_.name = fmt::format("{}", fmt::join(options_.argv, " "));
}

Decision ProcessSubject::decide(const Case& question) { return decide_all({&question, 1}).front(); }

std::vector<Decision> ProcessSubject::decide_all(std::span<const Case> questions) {
  Exchange exchange{.questions = questions, .decisions = {}, .unsent = {}};
  exchange.decisions.reserve(questions.size());
  std::string unexplained;  // a failure with several requests under way
  const auto fail = [&](std::size_t index, std::string_view what) {
    return subject_failure(options_.name, questions[index].name, what);
  };

  while (!exchange.done()) {
    if (!gave_up_because_.empty()) {
      exchange.decisions.push_back(fail(exchange.answered(), gave_up_because_));
      continue;
    }
    const std::size_t begun_at = exchange.answered();
    std::optional<std::string> what = pump(exchange);
    if (exchange.answered() > begun_at) failures_in_a_row_ = 0;

    // Past the requests that were asked again one at a time, and all of them were answered.
    if (!unexplained.empty() && exchange.answered() >= exchange.careful_until) {
      exchange.decisions[exchange.careful_until - 1] = fail(
          exchange.careful_until - 1,
          unexplained + "; it did not happen again when the requests under way were repeated one by one");
      unexplained.clear();
    }
    if (!what) continue;

    child_.reset();
    from_child_.clear();
    const std::size_t under_way = exchange.sent - exchange.answered();
    if (under_way > 1) {
      exchange.careful_until = exchange.sent;
      unexplained = *what;
    } else {
      exchange.decisions.push_back(fail(exchange.answered(), *what));
      unexplained.clear();
      if (++failures_in_a_row_ >= options_.give_up_after) {
        gave_up_because_ =
            fmt::format("not asked after {} failures in a row, the last: {}", failures_in_a_row_, *what);
      }
    }
    exchange.sent = exchange.answered();
    exchange.unsent.clear();
    exchange.unsent_from = 0;
  }
  return std::move(exchange.decisions);
}

std::optional<std::string> ProcessSubject::pump(Exchange& exchange) {
  if (!child_) {
    error_output_.clear();
    error_open_ = true;
    auto child = Child::start(options_.argv);
    if (!child) {
      exchange.sent = std::max(exchange.sent, exchange.answered() + 1);
      return child.error();
    }
    child_.emplace(std::move(*child));
  }
  const auto time_out = std::chrono::milliseconds(options_.time_out_ms);
  auto deadline = Clock::now() + time_out;

  while (!exchange.done()) {
    const std::size_t window = exchange.answered() < exchange.careful_until ? 1 : options_.window;
    while (exchange.sent < exchange.questions.size() && exchange.sent - exchange.answered() < window &&
           exchange.unsent.size() - exchange.unsent_from < kMaxUnsentBytes) {
      exchange.unsent += manifest::write_request(exchange.questions[exchange.sent++]);
      exchange.unsent += '\n';
    }

    const bool writing = exchange.unsent_from < exchange.unsent.size();
    std::array<pollfd, 3> fds{{{child_->output(), POLLIN, 0},
                               {error_open_ ? child_->error() : -1, POLLIN, 0},
                               {writing ? child_->input() : -1, POLLOUT, 0}}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    const int ready = poll(fds.data(), fds.size(), static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno != EINTR) return std::string("poll failed");
    if (ready == 0) {
      child_->end(0);
      return fmt::format("no answer within {} ms{}", options_.time_out_ms, last_words());
    }

    if ((fds[1].revents & (POLLIN | POLLHUP)) != 0) read_error_output();
    if (fds[2].revents != 0) {
      const ssize_t count = write(child_->input(), exchange.unsent.data() + exchange.unsent_from,
                                  exchange.unsent.size() - exchange.unsent_from);
      if (count > 0) exchange.unsent_from += static_cast<std::size_t>(count);
      // It reads no more. Whether it has died, or will still answer, its output tells.
      const bool closed = count < 0 && errno == EPIPE;
      if (closed || exchange.unsent_from == exchange.unsent.size()) {
        exchange.unsent.clear();
        exchange.unsent_from = 0;
      }
    }
    if ((fds[0].revents & (POLLIN | POLLHUP)) != 0) {
      const bool open = read_available(child_->output(), from_child_);
      const std::size_t before = exchange.answered();
      if (auto what = take_lines(exchange)) {
        child_->end(0);
        return *what + last_words();
      }
      if (exchange.answered() > before) deadline = Clock::now() + time_out;
      if (!open && !exchange.done()) {
        const std::string end = child_->end(kDeathGraceMs);
        read_error_output();
        const std::string rest =
            from_child_.empty() ? "" : fmt::format(" in the middle of a line: {}", excerpt(from_child_));
        return fmt::format("it ended ({}) before it answered{}{}", end, rest, last_words());
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> ProcessSubject::take_lines(Exchange& exchange) {
  std::size_t begin = 0;
  std::optional<std::string> what;
  while (!exchange.done() && exchange.answered() < exchange.sent) {
    const std::size_t end = from_child_.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string_view line(from_child_.data() + begin, end - begin);
    begin = end + 1;
    const std::string& expected_id = exchange.questions[exchange.answered()].name;
    auto response = reader_.read_response(line);
    if (!response) {
      what = fmt::format("not an answer: {}: {}", response.error(), excerpt(line));
      break;
    }
    if (response->id != expected_id) {
      what = fmt::format("an answer to case '{}', not to this one: {}", response->id, excerpt(line));
      break;
    }
    exchange.decisions.push_back(std::move(response->decision));
  }
  from_child_.erase(0, begin);
  return what;
}

void ProcessSubject::read_error_output() {
  error_open_ = read_available(child_->error(), error_output_);
  if (error_output_.size() > kErrorTailBytes) {
    error_output_.erase(0, error_output_.size() - kErrorTailBytes);
  }
}

/// The line of its error output that most likely says why: a panic, else the last one.
std::string ProcessSubject::last_words() const {
  std::string_view text = error_output_;
  if (const std::size_t at = text.find("panic:"); at != std::string_view::npos) {
    text = text.substr(at, text.find('\n', at) - at);
  } else {
    while (text.ends_with('\n')) text.remove_suffix(1);
    text = text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
  }
  return text.empty() ? "" : fmt::format("; it printed: {}", excerpt(text));
}

}  // namespace reprieve::subjects
