// Recorded decisions of the real kube-scheduler: gzip files of lines
// {"request": <request>, "expect": {"1.36": <response>, "1.37": <response>}}.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli {

struct Vector {
  Case question;  // under the policy of the release
  Decision expected;
  bool tells_cleared = false;  // else nobody looked which nominations were cleared
};

/// The folder `vectors` beside the corpus's case files, when there is one; else empty.
std::string vectors_of_corpus(const std::string& corpus);

/// *.jsonl.gz and *.jsonl in the folder (or the file itself), in order of name.
std::vector<std::string> vector_files(const std::string& path);

/// Every line of a file under every release that it has an answer for. The error is one line with
/// file and line number.
std::expected<std::vector<Vector>, std::string> read_vectors(const std::string& file);

}  // namespace reprieve::cli
