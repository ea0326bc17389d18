// The subject protocol: one JSON object a line, a request in, a response out, in the same order.
// docs/SUBJECTS.md describes it.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reprieve/manifest/error.h"
#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::manifest {

/// Why a request line could not be understood. `id_json` is the id as JSON ("\"c1\"" or "null").
struct RequestError {
  std::string id_json = "null";
  std::string message;
};

/// Keeps parsers and buffers between lines; one for each thread.
class ProtocolReader {
 public:
  ProtocolReader();
  ~ProtocolReader();
  ProtocolReader(ProtocolReader&&) noexcept;
  ProtocolReader& operator=(ProtocolReader&&) noexcept;

  /// The case of a request line; its name is the id. Defaults are applied.
  std::expected<Case, RequestError> read_request(std::string_view line);

  /// The id of the last request as JSON, as it was written ("null": none).
  const std::string& last_id_json() const;

  /// The decision of a response line, and the id it carries.
  struct Response {
    std::string id;
    Decision decision;
  };
  std::expected<Response, std::string> read_response(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One line, without the newline. Objects are written defaulted.
std::string write_request(const Case& question);

/// One line, without the newline.
std::string write_response(std::string_view id, const Decision& decision);
/// The same with an id that is JSON already, so that a number is given back as a number.
std::string write_response_to(std::string_view id_json, const Decision& decision);
std::string write_error_response(const RequestError& error);

}  // namespace reprieve::manifest
