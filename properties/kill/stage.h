// What may find a mutant out, one question at a time: the reference, or a law. Tests and the kill
// matrix go through the same list.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/properties/laws/law.h"

namespace reprieve::kill {

class Stage {
 public:
  virtual ~Stage() = default;

  /// "reference", "law victims-have-lower-priority".
  virtual std::string_view name() const = 0;

  /// Whether a decision that is the right one shows nothing here: then nobody need ask.
  virtual bool judges_the_decision_alone() const = 0;

  /// What is wrong with the decision, as one sentence; nothing when nothing shows.
  virtual std::optional<std::string> finds(const laws::Inquiry& inquiry) = 0;
};

/// The reference first, then every law in the order of the registry.
std::vector<std::unique_ptr<Stage>> all_stages();
/// nullptr when there is none of that name.
std::unique_ptr<Stage> make_stage(std::string_view name);

}  // namespace reprieve::kill
