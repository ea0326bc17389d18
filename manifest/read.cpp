#include "reprieve/manifest/read.h"

namespace reprieve::manifest {

std::expected<Input, Error> read_files(const std::vector<std::string>&) {
  return std::unexpected(Error{{}, "reading files is not built yet"});
}

std::expected<Input, Error> read_text(std::string_view, const std::string& file) {
  return std::unexpected(Error{{.file = file}, "reading text is not built yet"});
}

std::expected<Case, Error> to_case(const Input&) { return std::unexpected(Error{{}, "not built yet"}); }

}  // namespace reprieve::manifest
