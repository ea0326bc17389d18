#include "reprieve/properties/laws/extenders.h"

#include <algorithm>

namespace reprieve::laws {
namespace {

bool asked(const Extender& extender, const Pod& preemptor) {
  if (!extender.supports_preemption) return false;
  if (extender.managed_resources.empty()) return true;
  const auto manages = [&](const Container& container) {
    return std::ranges::any_of(extender.managed_resources, [&](const std::string& resource) {
      return container.requests.contains(resource);
    });
  };
  return std::ranges::any_of(preemptor.containers, manages) ||
         std::ranges::any_of(preemptor.init_containers, manages);
}

template <class Condition>
bool any_asked(const Inquiry& inquiry, Condition condition) {
  return std::ranges::any_of(inquiry.question.extenders, [&](const Extender& extender) {
    return asked(extender, *inquiry.facts.preemptor()) && condition(extender);
  });
}

}  // namespace

bool asks_extenders(const Inquiry& inquiry) {
  return any_asked(inquiry, [](const Extender&) { return true; });
}

bool extender_wrote(const Inquiry& inquiry, const NodeDecision& node) {
  return any_asked(inquiry, [&](const Extender& extender) {
    if (!extender.answer) return extender.url.has_value();
    const auto said = extender.answer->find(node.node);
    return said != extender.answer->end() && said->second.victims == node.victims &&
           said->second.violations == node.violations;
  });
}

bool extender_dropped(const Inquiry& inquiry, const NodeDecision& node) {
  return any_asked(inquiry, [&](const Extender& extender) {
    if (!extender.answer) return extender.url.has_value();
    const auto said = extender.answer->find(node.node);
    return said == extender.answer->end() || said->second.victims.empty();
  });
}

bool in_extenders_answer(const Inquiry& inquiry, const Breach& breach) {
  return breach.node != nullptr && extender_wrote(inquiry, *breach.node);
}

}  // namespace reprieve::laws
