// The two deciders that are built in.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "reprieve/model/decision.h"
#include "reprieve/subjects/subject.h"

namespace reprieve::subjects {

/// Which of the engine's depths an EngineSubject asks.
enum class EngineDepths { kBoth, kAnswer, kFull };

/// The engine. With kBoth it decides at both depths and says Outcome::kError, naming what differs,
/// unless they agree; the decision is that of depth full.
class EngineSubject final : public Subject {
 public:
  explicit EngineSubject(EngineDepths depths = EngineDepths::kBoth);
  ~EngineSubject() override;

  std::string_view name() const override { return "engine"; }
  Decision decide(const Case& question) override;
  bool tells_story() const override { return true; }
  std::unique_ptr<Subject> clone() const override { return std::make_unique<EngineSubject>(depths_); }

 private:
  struct Memory;  // kept from one decision to the next

  EngineDepths depths_;
  std::unique_ptr<Memory> memory_;
};

class ReferenceSubject final : public Subject {
 public:
  std::string_view name() const override { return "reference"; }
  Decision decide(const Case& question) override;
  bool tells_story() const override { return true; }
  std::unique_ptr<Subject> clone() const override { return std::make_unique<ReferenceSubject>(); }
};

/// How an answer at depth `answer` contradicts the full one; empty when it does not. The answer
/// may leave nodes and the deciding level out, but nothing that it says may differ.
std::string depth_difference(const Decision& answer, const Decision& full);

}  // namespace reprieve::subjects
