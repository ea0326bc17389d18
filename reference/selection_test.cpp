#include "reprieve/reference/selection.h"

#include <gtest/gtest.h>

namespace reprieve::reference {
namespace {

using Flags = std::vector<bool>;

// A node where the preemptor fits as long as the pods that are left take no more than `room`.
struct Shelf {
  std::vector<int> sizes;
  int room;
  int taken = 0;
  int asked = 0;

  explicit Shelf(std::vector<int> pods, int space) : sizes(std::move(pods)), room(space) {
    for (const int size : sizes) taken += size;
  }
  void take_off(std::size_t pod) { taken -= sizes[pod]; }
  void put_back(std::size_t pod) { taken += sizes[pod]; }
  bool fits() {
    ++asked;
    return taken <= room;
  }
};

Selectable<int> selectable(std::vector<Flags> selects, std::vector<int> allowed, Charging charging) {
  Selectable<int> question{.selects = selects, .disrupted = {}, .allowed = allowed, .charging = charging};
  for (const Flags& pod : selects) question.disrupted.emplace_back(pod.size(), false);
  return question;
}

TEST(Selection, ChargesEveryBudgetEvenAfterOneFell) {
  // The second budget has nothing left for the second pod only because the first pod paid it too.
  const auto pods = charge_budgets(selectable({{true, true}, {false, true}}, {0, 1}, Charging::kEveryBudget));
  EXPECT_EQ(pods[0].charges.size(), 2u);
  EXPECT_TRUE(pods[0].violating);
  EXPECT_EQ(pods[1].charges[0].left, -1);
  EXPECT_TRUE(pods[1].violating);
}

TEST(Selection, StopsAtTheFirstBudgetBelowZeroWhenToldSo) {
  const auto pods =
      charge_budgets(selectable({{true, true}, {false, true}}, {0, 1}, Charging::kUntilViolated));
  EXPECT_EQ(pods[0].charges.size(), 1u);
  EXPECT_TRUE(pods[0].violating);
  EXPECT_EQ(pods[1].charges[0].left, 0);
  EXPECT_FALSE(pods[1].violating);
}

TEST(Selection, DoesNotChargeAPodThatIsAlreadyDisrupted) {
  Selectable<int> question = selectable({{true}, {true}}, {1}, Charging::kEveryBudget);
  question.disrupted[0][0] = true;
  const auto pods = charge_budgets(question);
  EXPECT_TRUE(pods[0].charges[0].disrupted);
  EXPECT_EQ(pods[0].charges[0].left, 1);
  EXPECT_FALSE(pods[0].violating);
  EXPECT_FALSE(pods[1].violating);
}

TEST(Selection, FindsNothingWhenAnEmptyNodeIsTooSmall) {
  Shelf shelf({1, 1}, -1);
  EXPECT_FALSE(select_victims(selectable({{}, {}}, {}, Charging::kEveryBudget), shelf).has_value());
  EXPECT_EQ(shelf.asked, 1);
}

TEST(Selection, SparesViolatingPodsBeforeMoreImportantOnes) {
  // Room for one of two equal pods under a budget of one: the less important is classed violating,
  // so it is spared, and the more important one goes although evicting the other violates nothing.
  Shelf shelf({1, 1}, 1);
  const auto selection = select_victims(selectable({{true}, {true}}, {1}, Charging::kEveryBudget), shelf);
  ASSERT_TRUE(selection.has_value());
  EXPECT_EQ(selection->evicted, (Flags{true, false}));
  EXPECT_EQ(selection->violations, 0);
}

TEST(Selection, DoesNotMinimiseViolations) {
  // The large pod takes the room that the two small ones needed: two violations where one would do.
  Shelf shelf({2, 1, 1}, 2);
  const auto selection =
      select_victims(selectable({{true}, {true}, {true}}, {0}, Charging::kEveryBudget), shelf);
  EXPECT_EQ(selection->evicted, (Flags{false, true, true}));
  EXPECT_EQ(selection->violations, 2);
}

TEST(Selection, CountsAViolationThatIsNone) {
  // Evicting the second pod alone violates nothing, for the budget allows one; it is classed
  // violating because the first one was charged before it.
  Shelf shelf({1, 2}, 1);
  const auto selection = select_victims(selectable({{true}, {true}}, {1}, Charging::kEveryBudget), shelf);
  EXPECT_EQ(selection->evicted, (Flags{false, true}));
  EXPECT_EQ(selection->violations, 1);
}

TEST(Selection, GoesOnAfterAPodThatDoesNotFitBack) {
  Shelf shelf({3, 1}, 1);
  const auto selection = select_victims(selectable({{}, {}}, {}, Charging::kEveryBudget), shelf);
  EXPECT_EQ(selection->evicted, (Flags{true, false}));
}

// What a symbolic integer offers, and nothing more: no conversion, no order but <, and a comparison
// that is a bool only where a condition asks for it.
struct Condition {
  bool value;
  explicit operator bool() const { return value; }
};
struct Term {
  explicit Term(int number) : value(number) {}
  Term& operator-=(const Term& other) {
    value -= other.value;
    return *this;
  }
  friend Condition operator<(const Term& a, const Term& b) { return {a.value < b.value}; }
  int value;
};
struct SymbolicNode {
  void take_off(std::size_t) { ++gone; }
  void put_back(std::size_t) { --gone; }
  Condition fits() const { return {gone >= 1}; }
  int gone = 0;
};

TEST(Selection, RunsOnASymbolicInteger) {
  const Selectable<Term, Condition> question{.selects = {{Condition{true}}, {Condition{true}}},
                                             .disrupted = {{Condition{false}}, {Condition{false}}},
                                             .allowed = {Term(1)},
                                             .charging = Charging::kUntilViolated};
  SymbolicNode node;
  const auto selection = select_victims(question, node);
  ASSERT_TRUE(selection.has_value());
  EXPECT_EQ(selection->evicted, (Flags{true, false}));
  EXPECT_EQ(selection->violations.value, 0);
}

}  // namespace
}  // namespace reprieve::reference
