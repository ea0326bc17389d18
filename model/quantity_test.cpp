#include "reprieve/model/quantity.h"

#include <gtest/gtest.h>

namespace reprieve {
namespace {

TEST(Quantity, IsRoundedOnceAfterTheSumAndNotBefore) {
  const Quantity half = quantity_from_milli(500);
  EXPECT_EQ(ceil_units(half), 1);
  EXPECT_EQ(ceil_units(half + half), 1);
  EXPECT_EQ(ceil_units(half + half + quantity_from_milli(1)), 2);
}

TEST(Quantity, CarriesThousandthsIntoUnits) {
  EXPECT_EQ(quantity_from_milli(999) + quantity_from_milli(2), (Quantity{.units = 1, .milli = 1}));
  EXPECT_EQ(to_milli(quantity_from_milli(2500)), 2500);
}

TEST(Quantity, IsOrderedByValue) {
  EXPECT_LT(quantity_from_milli(999), quantity_from_milli(1000));
  EXPECT_LT(quantity_from_milli(1001), quantity_from_milli(2000));
  EXPECT_TRUE(is_zero(Quantity{}));
  EXPECT_FALSE(is_zero(quantity_from_milli(1)));
}

}  // namespace
}  // namespace reprieve
