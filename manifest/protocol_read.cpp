#include "reprieve/manifest/protocol.h"

namespace reprieve::manifest {

struct ProtocolReader::State {};

ProtocolReader::ProtocolReader() = default;
ProtocolReader::~ProtocolReader() = default;
ProtocolReader::ProtocolReader(ProtocolReader&&) noexcept = default;
ProtocolReader& ProtocolReader::operator=(ProtocolReader&&) noexcept = default;

std::expected<Case, RequestError> ProtocolReader::read_request(std::string_view) {
  return std::unexpected(RequestError{.message = "reading requests is not built yet"});
}

}  // namespace reprieve::manifest
