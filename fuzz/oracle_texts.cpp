// What is written and read: the codec, manifests, requests, policies, quantities.
#include <fmt/format.h>

#include "reprieve/fuzz/codec.h"
#include "reprieve/fuzz/finding.h"
#include "reprieve/fuzz/oracle.h"
#include "reprieve/fuzz/statistics.h"
#include "reprieve/manifest/policy.h"
#include "reprieve/manifest/protocol.h"
#include "reprieve/manifest/quantity.h"
#include "reprieve/manifest/read.h"
#include "reprieve/manifest/write.h"
#include "reprieve/properties/generators/valid.h"

namespace reprieve::fuzz {
namespace {

manifest::ProtocolReader& protocol() {
  static manifest::ProtocolReader shared;
  return shared;
}

Fault case_file_fault(const Case& question) {
  const std::string yaml = manifest::write_case_yaml(question);
  const auto input = manifest::read_text(yaml, "case.yaml");
  if (!input)
    return {.kind = "a written case does not read", .details = manifest::to_string(input.error()) + "\n"};
  const auto read = manifest::to_case(*input);
  if (!read)
    return {.kind = "a written case is no case", .details = manifest::to_string(read.error()) + "\n"};
  if (*read == question) return {};
  return {.kind = "a case file reads as another case", .details = manifest::write_case_yaml(*read)};
}

Fault request_fault(const Case& question) {
  const auto read = protocol().read_request(manifest::write_request(question));
  if (!read) return {.kind = "a written request does not read", .details = read.error().message + "\n"};
  if (*read == question) return {};
  return {.kind = "a request reads as another case", .details = manifest::write_case_yaml(*read)};
}

Fault manifest_fault(const Case& question) {
  Fault fault = case_file_fault(question);
  return fault ? fault : request_fault(question);
}

}  // namespace

int hold_codec(ByteSpan bytes) {
  const Case question = decode(bytes);
  if (const auto invalid = generators::find_fault(question)) {
    found({.kind = "decoded bytes are no valid case", .details = *invalid + "\n"},
          manifest::write_case_yaml(question));
  }
  const auto again = encode(question);
  if (!again) {
    found({.kind = "a decoded case does not encode", .details = again.error() + "\n"},
          manifest::write_case_yaml(question));
  }
  statistics().add(true);
  return kMayKeep;
}

int hold_manifests(const Case& question) {
  if (const Fault fault = manifest_fault(question)) found(question, fault, manifest_fault);
  statistics().add(true);
  return kMayKeep;
}

int hold_manifest_text(std::string_view text) {
  const auto input = manifest::read_text(text, "input");
  const auto question = input ? manifest::to_case(*input) : std::unexpected(input.error());
  statistics().add(question.has_value());
  if (question) {
    if (const Fault fault = case_file_fault(*question)) found(fault, text);
  } else if (input) {
    // A dump: no case, but what is in it is written and read all the same.
    const auto again = manifest::read_text(manifest::write_json(input->cluster, -1), "again");
    if (!again || again->cluster != input->cluster)
      found({.kind = "a written cluster reads as another", .details = {}}, text);
  }
  return kMayKeep;
}

int hold_policy_text(std::string_view text) {
  const auto input = manifest::read_text(text, "input");
  const bool is_policy = input && input->policy;
  statistics().add(is_policy);
  if (!is_policy) return kMayKeep;
  if (const auto invalid = manifest::validate(*input->policy)) {
    found({.kind = "a policy that reads is not valid", .details = manifest::to_string(*invalid) + "\n"},
          text);
  }
  const std::string yaml = manifest::write_policy_yaml(*input->policy);
  const auto again = manifest::read_text(yaml, "again");
  if (!again || again->policy != input->policy)
    found({.kind = "a written policy reads as another", .details = yaml}, text);
  return kMayKeep;
}

int hold_request_text(std::string_view text) {
  const auto question = protocol().read_request(text);
  statistics().add(question.has_value());
  if (!question) return kMayKeep;
  if (const Fault fault = request_fault(*question)) found(fault, text);
  return kMayKeep;
}

int hold_quantity_text(std::string_view text) {
  bool reads = false;
  for (const bool cpu : {false, true}) {
    const auto quantity = manifest::parse_quantity(text, cpu);
    if (!quantity) continue;
    reads = true;
    const std::string written = manifest::format_quantity(*quantity);
    const auto again = manifest::parse_quantity(written, cpu);
    if (!again || *again != *quantity)
      found({.kind = "a written quantity reads as another", .details = written + "\n"}, text);
    if (quantity->units < 0 || quantity->milli < 0 || quantity->milli > 999) {
      found({.kind = "a quantity is out of its range", .details = written + "\n"}, text);
    }
  }
  statistics().add(reads);
  return kMayKeep;
}

}  // namespace reprieve::fuzz
