// reprieve subject: the engine or the reference behind the subject protocol.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <memory>

#include "reprieve/cli/command.h"
#include "reprieve/manifest/protocol.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::cli {

namespace {

constexpr const char* kHelp =
    R"(Speaks the subject protocol: one JSON object a line on standard input, one on standard output, in
the same order. A request is

  {"id":"c1","policy":"kubernetes-1.37","preemptor":"default/high","objects":[<Node>,<Pod>,...]}

and its answer

  {"id":"c1","outcome":"nominated","nominated":["n1"],"cleared":[],"nodes":{"n1":{"status":"candidate",...},...}}

A line that cannot be understood is answered with outcome "error" and the reason, and the next line
is served. The engine answers in both of its depths and says "error" if they differ. Answers are
written as soon as no further request is waiting.)";

constexpr std::size_t kReadBytes = 1 << 20;
constexpr std::size_t kFlushBytes = 1 << 20;

bool write_all(std::string& text) {
  for (std::size_t from = 0; from < text.size();) {
    const ssize_t count = write(STDOUT_FILENO, text.data() + from, text.size() - from);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) from += static_cast<std::size_t>(count);
  }
  text.clear();
  return true;
}

bool more_is_waiting() {
  pollfd fd{STDIN_FILENO, POLLIN, 0};
  return poll(&fd, 1, 0) > 0;
}

/// Serves until the end of the input. False when nobody reads the answers any more.
bool serve(subjects::Subject& subject) {
  manifest::ProtocolReader reader;
  std::string in;
  std::string out;
  const auto answer = [&](std::string_view line) {
    auto question = reader.read_request(line);
    out += question ? manifest::write_response_to(reader.last_id_json(), subject.decide(*question))
                    : manifest::write_error_response(question.error());
    out += '\n';
  };

  std::size_t scanned = 0;  // no newline before it
  while (true) {
    const std::size_t old_size = in.size();
    in.resize(old_size + kReadBytes);
    ssize_t count = 0;
    do {
      count = read(STDIN_FILENO, in.data() + old_size, kReadBytes);
    } while (count < 0 && errno == EINTR);
    in.resize(old_size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count <= 0) break;

    std::size_t begin = 0;
    for (std::size_t end = 0; (end = in.find('\n', scanned)) != std::string::npos;
         begin = scanned = end + 1) {
      answer(std::string_view(in).substr(begin, end - begin));
      if (out.size() >= kFlushBytes && !write_all(out)) return false;
    }
    in.erase(0, begin);
    scanned = in.size();
    // Whoever asks one by one waits for the answer; whoever pours in lines is served in bulk.
    if (!more_is_waiting() && !write_all(out)) return false;
  }
  if (!in.empty()) answer(in);
  return write_all(out);
}

int run(const std::string& which, const std::string& depth) {
  std::unique_ptr<subjects::Subject> subject;
  if (which == "reference") {
    subject = std::make_unique<subjects::ReferenceSubject>();
  } else {
    using enum subjects::EngineDepths;
    subject = std::make_unique<subjects::EngineSubject>(depth == "answer" ? kAnswer
                                                        : depth == "full" ? kFull
                                                                          : kBoth);
  }
  if (!serve(*subject)) return fail(fmt::format("cannot write the answers: {}", std::strerror(errno)));
  return kHeld;
}

}  // namespace

void add_subject(CLI::App& app, int& exit_code) {
  auto which = std::make_shared<std::string>();
  auto depth = std::make_shared<std::string>("both");
  CLI::App* command =
      app.add_subcommand("subject", "Serve the engine or the reference over the subject protocol");
  command->footer(kHelp);
  command->add_option("NAME", *which, "engine or reference")
      ->required()
      ->check(CLI::IsMember({"engine", "reference"}));
  command->add_option("--depth", *depth, "Of the engine: answer, full, or both (and compare them)")
      ->check(CLI::IsMember({"answer", "full", "both"}));
  command->callback([which, depth, &exit_code] { exit_code = run(*which, *depth); });
}

}  // namespace reprieve::cli
