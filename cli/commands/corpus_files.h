// The commands of `reprieve corpus` that make and change files.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "reprieve/model/case.h"

namespace CLI {
class App;
}

namespace reprieve::cli {

void add_corpus_convert(CLI::App& corpus, int& exit_code);
void add_corpus_import(CLI::App& corpus, int& exit_code);
void add_corpus_add_regression(CLI::App& corpus, int& exit_code);
void add_corpus_minimise(CLI::App& corpus, int& exit_code);

/// A case file (*.yaml, *.yml, *.json), or a fuzzer's input, which is any other file. Its name is that of the
/// file. The error is one line, with the file.
std::expected<Case, std::string> read_case_or_bytes(const std::string& file);
bool is_case_file(const std::string& file);

/// Of folders every file, recursively and in order, but hidden ones.
std::vector<std::string> all_files(const std::vector<std::string>& paths);

}  // namespace reprieve::cli
