#include "reprieve/properties/kill/stage.h"

#include <utility>

#include "reprieve/properties/compare/compare.h"
#include "reprieve/subjects/builtin.h"

namespace reprieve::kill {
namespace {

class ReferenceStage final : public Stage {
 public:
  std::string_view name() const override { return "reference"; }
  bool judges_the_decision_alone() const override { return true; }

  std::optional<std::string> finds(const laws::Inquiry& inquiry) override {
    const Decision right = reference_.decide(inquiry.question);
    const auto differences = compare::compare(inquiry.question, inquiry.decision, right, {.story = true});
    if (differences.empty()) return std::nullopt;
    const compare::Difference& first = differences.front();
    return first.field + ": " + first.left + " instead of " + first.right;
  }

 private:
  subjects::ReferenceSubject reference_;
};

class LawStage final : public Stage {
 public:
  explicit LawStage(const laws::Law& law) : law_(law), name_("law " + std::string(law.name)) {}

  std::string_view name() const override { return name_; }
  bool judges_the_decision_alone() const override { return law_.arity == laws::Arity::kOneDecision; }

  std::optional<std::string> finds(const laws::Inquiry& inquiry) override {
    const laws::Judgement judgement = laws::hold(law_, inquiry);
    if (judgement.verdict != laws::Verdict::kBroken) return std::nullopt;
    return judgement.why();
  }

 private:
  const laws::Law& law_;
  std::string name_;
};

}  // namespace

std::vector<std::unique_ptr<Stage>> all_stages() {
  std::vector<std::unique_ptr<Stage>> stages;
  stages.push_back(std::make_unique<ReferenceStage>());
  for (const laws::Law* law : laws::all_laws()) stages.push_back(std::make_unique<LawStage>(*law));
  return stages;
}

std::unique_ptr<Stage> make_stage(std::string_view name) {
  for (std::unique_ptr<Stage>& stage : all_stages()) {
    if (stage->name() == name) return std::move(stage);
  }
  return nullptr;
}

}  // namespace reprieve::kill
