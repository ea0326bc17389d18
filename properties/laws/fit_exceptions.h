// When the laws about fitting are not claimed: where the dry run's patched counts differ from a recount,
// and where more pods can help. docs/SEMANTICS.md, "Counts and patches".
//
// A breach of these laws names a node and the pods that are gone from it. Each condition names the filter
// that makes the difference, and asks whether it makes it in just this place: an implementation that
// patches wrongly, or reprieves in another order, is not excused.
#pragma once

#include <array>
#include <string_view>

#include "reprieve/properties/laws/law.h"

namespace reprieve::laws {

/// Counted afresh, `plugin` is the filter that refuses; by the patches of the dry run, nothing does.
bool only_patches_fit(const Inquiry& inquiry, const Breach& breach, std::string_view plugin);

/// Counted afresh it fits; by the patches of the dry run, `plugin` refuses.
bool patches_refuse(const Inquiry& inquiry, const Breach& breach, std::string_view plugin);

/// Of a breach that leaves one victim in place (`pods` are the others): it fits either way, but when the
/// dry run put that victim back, fewer pods were there and `plugin` refused. Greedy victims only.
bool refused_when_put_back(const Inquiry& inquiry, const Breach& breach, std::string_view plugin);

/// Of a breach that leaves every violating pod in place: it fits either way, but while they were put back
/// one after the other, `plugin` refused one. Greedy victims only.
bool refused_on_the_way(const Inquiry& inquiry, const Breach& breach, std::string_view plugin);

/// The policy guarantees budgets to pods below some priority, and the preemptor is below it.
bool guarantee_binds(const Inquiry& inquiry);

/// The node would be a candidate if budgets were not guaranteed.
bool refused_for_budgets(const NodeDecision& node);

/// Of laws that say when every violating pod could stay (the breach's pods are the others).
constexpr Exception a_volume_is_shared_with_a_pod_put_back_later(std::string_view smallest) {
  return {.name = "a-volume-is-shared-with-a-pod-put-back-later",
          .when =
              "Attach limits refused a violating pod while a pod was still away that uses the "
              "preemptor's volume.",
          .covers = [](const Inquiry& i,
                       const Breach& b) { return refused_on_the_way(i, b, "NodeVolumeLimits"); },
          .smallest = smallest};
}
constexpr Exception claim_users_are_patched(std::string_view smallest) {
  return {
      .name = "claim-users-are-patched",
      .when =
          "Putting a violating pod back counts it as a user of the ReadWriteOncePod claim by name "
          "alone, and with a nominated one there are too many.",
      .covers = [](const Inquiry& i, const Breach& b) { return patches_refuse(i, b, "VolumeRestrictions"); },
      .smallest = smallest};
}

/// Of laws that say that the preemptor fits once the victims (the breach's pods) are gone.
extern const std::array<Exception, 5> kFitsExceptions;

}  // namespace reprieve::laws
