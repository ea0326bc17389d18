// The commands of `reprieve`. Each registers itself with its options and its help; when it is the
// one that was called, it leaves its exit code: 0 all held, 1 something was found, 2 the input or
// the call was wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/manifest/read.h"
#include "reprieve/model/policy.h"

namespace CLI {
class App;
}

namespace reprieve::cli {

inline constexpr int kHeld = 0;
inline constexpr int kFound = 1;
inline constexpr int kWrongInput = 2;

void add_decide(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_gen(CLI::App& app, int& exit_code);
void add_shrink(CLI::App& app, int& exit_code);
void add_policy(CLI::App& app, int& exit_code);
void add_corpus(CLI::App& app, int& exit_code);
void add_prove(CLI::App& app, int& exit_code);
void add_subject(CLI::App& app, int& exit_code);

/// Prints "error: MESSAGE" on standard error; returns kWrongInput.
int fail(std::string_view message);

/// Reads files, folders and "-", printing warnings; nothing after an error, which is printed too.
std::optional<manifest::Input> load(const std::vector<std::string>& paths);

/// The policy of `name_or_path`; when that is empty, the one that the input brings along (a
/// PreemptionPolicy or a case), else `kubernetes`. Prints the error.
std::optional<Policy> choose_policy(const std::string& name_or_path, const manifest::Input& input);

/// "ns/name" as it is, "name" in `name_space` (kubectl's -n), "default" when that is empty.
std::string qualified(const std::string& pod, const std::string& name_space);

/// What is wrong with a pod that names another namespace than -n does, as kubectl refuses it; empty:
/// nothing.
std::string namespace_conflict(const std::string& pod, const std::string& name_space);

}  // namespace reprieve::cli
