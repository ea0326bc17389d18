// A subject for the tests of ProcessSubject: answers "no-candidate" to everything, except to the
// cases named in its arguments: --crash ID, --exit ID, --hang ID, --junk ID, --swap ID (answers with
// another id), --half ID (dies in the middle of the line), --once-crash ID FILE (crashes unless FILE
// exists, and makes it). With --hold it writes its answers only when no further request is waiting.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

namespace {

/// The value of "id"; the requests are ours, so looking for it suffices.
std::string id_of(const std::string& line) {
  const std::size_t begin = line.find("\"id\":\"") + 6;
  return line.substr(begin, line.find('"', begin) - begin);
}

void misbehave(const std::string& how, const std::string& id, const std::string& argument) {
  if (how == "--crash") std::abort();
  if (how == "--exit") {
    std::cerr << "something\npanic: runtime error: index out of range\ngoroutine 1\n";
    std::exit(3);
  }
  if (how == "--hang") sleep(60);
  if (how == "--junk") std::cout << "I0101 starting up" << std::endl;
  if (how == "--half") {
    std::cout << "{\"id\":\"" << id << std::flush;
    _exit(4);
  }
  if (how == "--once-crash" && !std::ifstream(argument)) {
    std::ofstream(argument) << "crashed";
    std::abort();
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::pair<std::string, std::string>> bad;  // id -> how, argument
  bool hold = false;
  for (int i = 1; i < argc; ++i) {
    const std::string how = argv[i];
    if (how == "--hold") {
      hold = true;
    } else if (i + 1 < argc) {
      const std::string id = argv[++i];
      bad[id] = {how, how == "--once-crash" && i + 1 < argc ? argv[++i] : ""};
    }
  }
  const auto answer = [&](const std::string& line) {
    std::string id = id_of(line);
    if (const auto at = bad.find(id); at != bad.end()) {
      misbehave(at->second.first, id, at->second.second);
      if (at->second.first == "--swap") id = "another";
    }
    std::cout << R"({"id":")" << id << R"(","outcome":"no-candidate","nominated":[],"cleared":[],"nodes":{}})"
              << '\n';
    if (!hold) std::cout.flush();
  };
  std::string in;
  std::array<char, 1 << 16> buffer{};
  for (ssize_t count = 0; (count = read(STDIN_FILENO, buffer.data(), buffer.size())) > 0;) {
    in.append(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = in.find('\n')) != std::string::npos; in.erase(0, end + 1)) {
      answer(in.substr(0, end));
    }
    std::cout.flush();
  }
}
