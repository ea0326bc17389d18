// Requests of the subject protocol.
#include <fmt/core.h>

#include <cstring>

#include "reprieve/manifest/decode_kinds.h"
#include "reprieve/manifest/decoder.h"
#include "reprieve/manifest/loader.h"
#include "reprieve/manifest/protocol.h"

namespace reprieve::manifest {

struct ProtocolReader::State {
  simdjson::dom::parser parser;
  std::string last_id_json = "null";
  std::string buffer;  // the line, with the padding that simdjson reads beyond it
};

ProtocolReader::ProtocolReader() : state_(std::make_unique<State>()) {}
ProtocolReader::~ProtocolReader() = default;
ProtocolReader::ProtocolReader(ProtocolReader&&) noexcept = default;
ProtocolReader& ProtocolReader::operator=(ProtocolReader&&) noexcept = default;

namespace {

/// An error as one sentence; where in the line it stands helps nobody, the field does.
std::string message_of(const Error& error) {
  return error.where.field.empty() ? error.message : error.where.field + ": " + error.message;
}

/// The id as JSON, as it was written; "null" when there is none.
std::string written_id(std::string_view line, Element root) {
  Element id;
  if (root.at_key("id").get(id) != simdjson::SUCCESS) return "null";
  if (!id.is_string() && !id.is_number()) return "null";
  const Step step{.key = "id"};
  return JsonSourceText(line, {}).written({&step, 1});
}

/// Reads the fields of a request. What a later version may add is let pass.
Case decode_request(Decoder& decoder, Loader& loader, std::string_view line, Element root) {
  Case question;
  bool has_objects = false;
  question.policy = *builtin_policy("kubernetes");
  decoder.fields(root, [&](std::string_view key, Element field) {
    if (key == "id") {
      std::string_view id;
      // A number is given back as it was written.
      if (field.get(id) == simdjson::SUCCESS) {
        question.name = id;
      } else if (field.is_number()) {
        question.name = written_id(line, root);
      } else {
        decoder.fail("expected a string");
      }
    } else if (key == "policy") {
      question.policy = decode_policy(decoder, field);
    } else if (key == "preemptor") {
      question.preemptor = decoder.text(field);
    } else if (key == "objects") {
      decoder.elements(field, [&](Element element) { loader.add(element, {}); });
      has_objects = true;
    } else if (key == "extenders") {
      question.extenders = decode_extenders(decoder, field);
    }
  });
  if (question.preemptor.empty()) decoder.fail_at("preemptor", "is required");
  if (!has_objects) decoder.fail_at("objects", "is required");
  loader.finish();
  question.cluster = std::move(loader.cluster);
  return question;
}

}  // namespace

const std::string& ProtocolReader::last_id_json() const { return state_->last_id_json; }

std::expected<Case, RequestError> ProtocolReader::read_request(std::string_view line) {
  RequestError error;
  State& state = *state_;
  state.buffer.reserve(line.size() + simdjson::SIMDJSON_PADDING);
  if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // byte order mark
  state.buffer.assign(line);
  const std::string_view text = state.buffer;
  state.last_id_json = "null";
  Element root;
  const auto code = state.parser.parse(text.data(), text.size(), false).get(root);
  if (code != simdjson::SUCCESS) {
    const std::optional<SyntaxError> syntax = find_syntax_error(text);
    error.message = syntax ? fmt::format("column {}: {}", syntax->offset + 1, syntax->message)
                           : fmt::format("malformed JSON: {}", simdjson::error_message(code));
    return std::unexpected(std::move(error));
  }
  if (!root.is_object()) {
    error.message = "a request must be a JSON object";
    return std::unexpected(std::move(error));
  }
  state.last_id_json = written_id(text, root);
  Loader loader(nullptr);
  const JsonSourceText source(text, {});
  loader.decoder().begin({}, source, {});
  try {
    return decode_request(loader.decoder(), loader, text, root);
  } catch (const DecodeError& failure) {
    error.message = message_of(failure.error);
  } catch (const std::exception& failure) {
    error.message = failure.what();  // memory has run out
  }
  error.id_json = state.last_id_json;
  return std::unexpected(std::move(error));
}

}  // namespace reprieve::manifest
