// Holding one subject to the laws (properties/laws), and making a finding of a law that it breaks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reprieve/cli/check/stage.h"
#include "reprieve/model/case.h"
#include "reprieve/properties/laws/law.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::cli {

/// The laws of these names, in the order of the registry; all of them when there are none.
std::vector<const laws::Law*> chosen_laws(const std::vector<std::string>& names);

/// The same of those about one decision.
std::vector<const laws::Law*> one_decision_laws(const std::vector<std::string>& names);

/// The command that holds the law against cases of a corpus, first by that draw; without its --corpus.
std::string repeat_on_the_corpus(const laws::Law& law, std::uint64_t draw);

/// The command that holds the law against the random case of that seed.
std::string repeat_law(const laws::Law& law, const CheckOptions& options, std::uint64_t seed);

/// Whether the law asks for a story that the subject does not tell: it is silent about all it decides.
bool is_beyond(const laws::Law& law, const subjects::Subject& subject);

/// The law held against a decision; `seed` is that of the case, and with the law it says what is drawn.
laws::Judgement hold_law(const laws::Law& law, const Case& question, const Decision& decision,
                         laws::Facts& facts, subjects::Subject& subject, std::uint64_t seed);

/// How a law is broken, and by which draw.
struct Broken {
  std::string why;
  std::uint64_t draw = 0;
};

/// How the subject breaks the law on this case; nothing when it does not. A law of two decisions is given
/// several draws, the first of them that of `seed`.
std::optional<Broken> how_broken(const laws::Law& law, const Case& question, subjects::Subject& subject,
                                 std::uint64_t seed);

/// The smallest case on which the subject still breaks the law, as `question` does.
Case smallest_breach(const laws::Law& law, const Case& question, subjects::Subject& subject,
                     std::uint64_t seed);

/// A finding of a case on which the subject breaks the law, shrunk unless the run is to fail fast. `where`
/// names the case.
Finding finding_of(const laws::Law& law, const Case& question, const std::string& where,
                   subjects::Subject& subject, std::uint64_t seed, const CheckOptions& options,
                   std::string repeat);

}  // namespace reprieve::cli
