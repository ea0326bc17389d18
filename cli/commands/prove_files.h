// What `reprieve prove` says of a file: a case, whose decision is certified.
#pragma once

#include <string>

namespace reprieve::cli {

/// `certificate`: the file of one that is to be checked; empty: one is made. Exit code 0: certified, and the
/// decision is the best choice; 1: there is a better one, or something is left open.
int prove_file(const std::string& path, const std::string& certificate, const std::string& output);

}  // namespace reprieve::cli
