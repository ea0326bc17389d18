#include "reprieve/subjects/http_extender.h"

#include <fmt/format.h>
#include <httplib.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <expected>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "reprieve/subjects/extender_json.h"

namespace reprieve::subjects {
namespace {

using Clock = std::chrono::steady_clock;
using engine::ExtenderNodes;
using std::chrono::milliseconds;

constexpr std::string_view kPreemptVerb = "preempt";  // as subjects/kube-scheduler configures it
constexpr std::size_t kMaxAuthorityBytes = 300;       // a host name has at most 253
constexpr std::size_t kMaxAnswerBytes = std::size_t{256} << 20;

/// An extender may hang up while a large request is under way. httplib looks before it writes, but
/// what happens in between is SIGPIPE, and death. To ignore it in the whole process would change what
/// `reprieve … | head` does.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  ~WithoutSigpipe() {
    if (sigismember(&before_, SIGPIPE) == 1) return;
    constexpr timespec at_once{};
    sigtimedwait(&sigpipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t sigpipe_{};
  sigset_t before_{};
};

/// http.Client.Timeout is for the whole exchange, httplib's are for each read and write: an extender
/// that sends a byte a second would never time out. So somebody else looks at the clock.
class Watchdog {
 public:
  Watchdog(httplib::Client& client, Clock::time_point deadline)
      : thread_([this, &client, deadline] { watch(client, deadline); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(httplib::Client& client, Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    // Again and again: a connection may come to be just after a stop, which then missed it.
    while (!changed_.wait_until(lock, deadline, [this] { return done_; })) {
      client.stop();
      deadline = Clock::now() + milliseconds(20);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // last: it uses the others
};

struct Url {
  std::string origin;  // scheme://host:port
  std::string path;    // of the preempt verb
};

std::optional<Url> split(std::string_view url) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(url, is_control)) return std::nullopt;
  if (!url.starts_with("http://") && !url.starts_with("https://")) return std::nullopt;
  const std::size_t host = url.find("://") + 3;
  const std::size_t path = std::min(url.find_first_of("/?#", host), url.size());
  // httplib takes it apart by a regular expression, whose recursion must be bounded.
  if (path == host || path - host > kMaxAuthorityBytes) return std::nullopt;
  // As HTTPExtender.send puts it together, whatever the URL has behind its path.
  std::string target(url.substr(path));
  while (target.ends_with('/')) target.pop_back();
  target.append("/").append(kPreemptVerb);
  target.resize(std::min(target.find('#'), target.size()));
  if (!target.starts_with('/')) target.insert(0, "/");
  return Url{std::string(url.substr(0, path)), std::move(target)};
}

std::string_view reason(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
    case httplib::Error::ConnectionTimeout: return "cannot connect";
    case httplib::Error::Read: return "the connection ended before the answer did";
    case httplib::Error::Write: return "the connection ended before the question did";
    case httplib::Error::Canceled: return "the answer is too long";
    case httplib::Error::SSLConnection:
    case httplib::Error::SSLLoadingCerts:
    case httplib::Error::SSLServerVerification: return "no secure connection";
    default: return "the request failed";
  }
}

std::expected<std::string, std::string> post(const Url& url, const std::string& question,
                                             milliseconds time_out) {
  const WithoutSigpipe without_sigpipe;
  httplib::Client client(url.origin);
  if (!client.is_valid()) return std::unexpected("not a URL that can be asked");
  client.set_tcp_nodelay(true);
  client.set_connection_timeout(time_out);
  client.set_read_timeout(time_out);
  client.set_write_timeout(time_out);

  httplib::Request request;
  request.method = "POST";
  request.path = url.path;
  request.body = question;
  request.set_header("Content-Type", "application/json");
  std::string answer;
  request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
    if (size > kMaxAnswerBytes - answer.size()) return false;
    answer.append(data, size);
    return true;
  };

  const Clock::time_point deadline = Clock::now() + time_out;
  const httplib::Result result = [&] {
    const Watchdog watchdog(client, deadline);
    return client.send(request);
  }();
  // An answer that ends with its connection looks whole when the watchdog ends it.
  if (Clock::now() >= deadline) {
    return std::unexpected(fmt::format("no whole answer within {} ms", time_out.count()));
  }
  if (!result) return std::unexpected(std::string(reason(result.error())));
  if (result->status != 200) return std::unexpected(fmt::format("code {}", result->status));
  return answer;
}

std::expected<ExtenderNodes, std::string> ask_one(const Cluster& cluster, milliseconds time_out,
                                                  const Extender& extender, std::string_view preemptor,
                                                  const ExtenderNodes& nodes) {
  if (!extender.url) return std::unexpected(std::string("it has no url"));
  const auto url = split(*extender.url);
  if (!url) return std::unexpected(fmt::format("not a URL that can be asked: {}", *extender.url));
  const auto answer = post(*url, write_preemption_args(cluster, extender, preemptor, nodes), time_out);
  if (!answer) {
    return std::unexpected(fmt::format("failed {} with extender at URL {}{}, {}", kPreemptVerb, url->origin,
                                       url->path, answer.error()));
  }
  return read_preemption_result(cluster, *answer);
}

std::string name_of(const Extender& extender) {
  return extender.name.empty() ? extender.url.value_or("") : extender.name;
}

}  // namespace

engine::AskExtender ask_over_http(const Cluster& cluster, milliseconds time_out) {
  return [&cluster, time_out](const Extender& extender, std::string_view preemptor,
                              const ExtenderNodes& nodes) -> std::expected<ExtenderNodes, std::string> {
    std::string error;
    try {
      auto answer = ask_one(cluster, time_out, extender, preemptor, nodes);
      if (answer) return answer;
      error = answer.error();
    } catch (const std::exception& e) {  // httplib: a port out of range, no memory, no thread
      error = e.what();
    }
    return std::unexpected(fmt::format("extender {}: {}", name_of(extender), error));
  };
}

}  // namespace reprieve::subjects
