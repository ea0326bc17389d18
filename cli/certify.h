// A decision's certificate, as commands make it: the engine's exact search says which choice is best,
// certificate/search/ looks for evidence, and certificate/check.h alone says whether that is any.
#pragma once

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/certificate/check.h"
#include "reprieve/certificate/search/search.h"
#include "reprieve/model/case.h"
#include "reprieve/model/decision.h"

namespace reprieve::cli {

struct Certification {
  std::string certificate;  // JSON
  certificate::Verdict verdict;
  std::optional<certificate::Choice> decision, better;
  std::string aside;  // what another method says where the certificate leaves something open
  double check_ms = 0;
};

/// Of a certificate as text; any bytes are safe.
certificate::Verdict verdict_on(const Case& question, std::string_view certificate);

/// The error, one sentence, says why there is nothing to certify.
std::expected<Certification, std::string> certify(const Case& question, const Decision& decision);

/// "Certified: ...", in one paragraph of lines.
std::string in_words(const Certification& certification, std::size_t nodes);
nlohmann::ordered_json to_json(const Certification& certification);

}  // namespace reprieve::cli
