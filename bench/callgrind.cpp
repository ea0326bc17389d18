#include "reprieve/bench/callgrind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace reprieve::bench {
namespace {

constexpr std::array<std::string_view, 7> kFolders = {"engine", "manifest",   "model", "reference",
                                                      "marks",  "properties", "bench"};

struct Call {
  std::string callee;
  std::string part;  // of the line that calls; empty: in a library
  std::int64_t count = 0;
  std::int64_t inclusive = 0;
};

struct FunctionCost {
  std::string part;                          // of the file that it is defined in; empty: a library
  std::map<std::string, std::int64_t> self;  // by part, "" for lines of libraries
  std::vector<Call> calls;
};

/// "engine" of a function "void reprieve::engine::f<int>(...)", in a build without line numbers.
std::string component_of(std::string_view function) {
  constexpr std::string_view kNamespace = "reprieve::";
  const std::string_view name = function.substr(0, function.find_first_of("<("));
  const std::size_t at = name.find(kNamespace);
  if (at == std::string_view::npos || (at != 0 && name[at - 1] != ' ')) return {};
  const std::string_view rest = name.substr(at + kNamespace.size());
  const std::string_view component = rest.substr(0, rest.find("::"));
  return std::string(std::ranges::find(kFolders, component) != kFolders.end() ? component : "model");
}

using Shares = std::map<std::string, double>;

class Parser {
 public:
  std::expected<Profile, std::string> parse(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++number;
      if (!line(text.substr(0, end))) {
        return std::unexpected(
            fmt::format("line {} of a callgrind dump is not understood: {}", number, text.substr(0, end)));
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    finish();
    return std::move(profile_);
  }

 private:
  bool line(std::string_view text) {
    if (text.empty() || text.front() == '#') return true;
    const auto take = [&](std::string_view prefix) {
      if (!text.starts_with(prefix)) return false;
      text.remove_prefix(prefix.size());
      return true;
    };
    if ((text.front() >= '0' && text.front() <= '9') || text.front() == '+' || text.front() == '-' ||
        text.front() == '*') {
      return cost(text);
    }
    if (take("desc: Trigger: Client Request: ")) {
      profile_.name = text;
    } else if (take("fl=")) {
      file_ = part_of(text);
      line_part_ = file_;
    } else if (take("fi=") || take("fe=")) {
      line_part_ = part_of(text);
    } else if (take("fn=")) {
      current_ = &functions_[std::string(text)];
      current_->part = file_.empty() ? component_of(text) : file_;
      line_part_ = file_;
    } else if (take("cfn=")) {
      callee_ = text;
    } else if (take("calls=")) {
      std::int64_t count = 0;
      std::from_chars(text.data(), text.data() + text.size(), count);
      calls_ = count;
    }
    return true;  // other keys do not matter
  }

  /// "LINE COST": of the line itself, or behind "calls=" of the call with all that it does.
  bool cost(std::string_view text) {
    const std::size_t space = text.find(' ');
    std::int64_t cost = 0;
    if (space != std::string_view::npos) {
      const auto read = std::from_chars(text.data() + space + 1, text.data() + text.size(), cost);
      if (read.ec != std::errc()) return false;
    }
    if (current_ == nullptr) return false;
    if (calls_) {
      current_->calls.push_back({.callee = callee_,
                                 .part = line_part_.empty() ? current_->part : line_part_,
                                 .count = *calls_,
                                 .inclusive = cost});
      calls_.reset();
    } else {
      current_->self[line_part_.empty() ? current_->part : line_part_] += cost;
      profile_.total += cost;
    }
    return true;
  }

  /// For which parts a library function works: by what its callers spend in it.
  const Shares& shares(const std::string& name) {
    const auto [at, is_new] = shares_.emplace(name, Shares{});
    if (!is_new) return at->second;  // known, or a cycle: what comes round again adds nothing
    Shares sum;
    double total = 0;
    for (const auto& [caller, call] : callers_[name]) {
      const double weight = static_cast<double>(std::max<std::int64_t>(call->inclusive, 1));
      if (!call->part.empty()) {
        sum[call->part] += weight;
        total += weight;
        continue;
      }
      for (const auto& [part, share] : shares(caller)) {
        sum[part] += weight * share;
        total += weight * share;
      }
    }
    for (auto& [part, share] : sum) share /= total;
    return shares_[name] = std::move(sum);
  }

  void finish() {
    for (const auto& [name, function] : functions_)
      for (const Call& call : function.calls) callers_[call.callee].emplace_back(name, &call);
    for (const auto& [name, function] : functions_) {
      std::int64_t inclusive = 0;
      for (const auto& [part, self] : function.self) {
        inclusive += self;
        if (!part.empty()) {
          profile_.by_part[part] += self;
          continue;
        }
        std::int64_t left = self;
        for (const auto& [for_part, share] : shares(name)) {
          const auto some = static_cast<std::int64_t>(share * static_cast<double>(self));
          profile_.by_part[for_part] += some;
          left -= some;
        }
        profile_.by_part["other"] += left;
      }
      if (function.part.empty()) continue;
      for (const Call& call : function.calls) inclusive += call.inclusive;
      Profile::Function& told = profile_.by_function[name];
      told.inclusive = inclusive;
      for (const auto& [caller, call] : callers_[name]) told.calls += call->count;
    }
  }

  Profile profile_;
  std::map<std::string, FunctionCost> functions_;
  FunctionCost* current_ = nullptr;
  std::string file_, line_part_, callee_;
  std::optional<std::int64_t> calls_;
  std::map<std::string, std::vector<std::pair<std::string, const Call*>>> callers_;
  std::map<std::string, Shares> shares_;
};

}  // namespace

std::string part_of(std::string_view file) {
  std::size_t best = std::string_view::npos;
  for (const std::string_view folder : kFolders) {
    const std::string with_slashes = fmt::format("/{}/", folder);
    const std::size_t at = file.rfind(with_slashes);
    if (at == std::string_view::npos) continue;
    // The outermost folder names the part: properties/generators/engine/ would be one of properties.
    // But the include folders are build/PRESET/include/engine/reprieve/engine/: there the last counts.
    const std::size_t from = at + 1;
    if (best == std::string_view::npos || from > best) best = from;
  }
  if (best == std::string_view::npos || file.starts_with("/usr/")) return {};
  std::string_view part = file.substr(best);
  const std::size_t dot = part.rfind('.');
  return std::string(part.substr(0, dot));
}

std::expected<Profile, std::string> parse_callgrind(std::string_view text) { return Parser().parse(text); }

std::expected<std::vector<Profile>, std::string> read_callgrind(const std::string& folder,
                                                                const std::string& prefix) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().filename().string().starts_with(prefix)) files.push_back(entry.path());
  if (failed) return std::unexpected(fmt::format("{}: {}", folder, failed.message()));
  std::ranges::sort(files);
  std::vector<Profile> profiles;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    auto profile = parse_callgrind(text.str());
    if (!profile) return std::unexpected(fmt::format("{}: {}", file.string(), profile.error()));
    if (!profile->name.empty()) profiles.push_back(*std::move(profile));
  }
  if (profiles.empty()) return std::unexpected(fmt::format("no dump {}* in {}", prefix, folder));
  return profiles;
}

}  // namespace reprieve::bench
