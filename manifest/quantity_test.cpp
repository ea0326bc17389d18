#include "reprieve/manifest/quantity.h"

#include <gtest/gtest.h>

#include <string>

namespace reprieve::manifest {
namespace {

constexpr std::int64_t kMax = 9223372036854775807;

struct Row {
  std::string_view text;
  std::int64_t units;
  std::int32_t milli = 0;
};

// Values of quantity_test.go, TestQuantityParseZero and TestQuantityParse, and the edges around them.
constexpr Row kRows[] = {
    {"0", 0},
    {"00", 0},
    {"-0", 0},
    {"-0.000", 0},
    {"+0m", 0},
    {"0Ki", 0},
    {"0e5", 0},
    {"0e999999999999999999", 0},
    {"1", 1},
    {"+1", 1},
    {"007", 7},
    {"1.", 1},
    {".5", 0, 500},
    {"1.5", 1, 500},
    {"1.500", 1, 500},
    {"1.G", 1000000000},
    {"100m", 0, 100},
    {"2500m", 2, 500},
    {"1n", 0, 1},  // finer than a thousandth: up
    {"1u", 0, 1},
    {"1000u", 0, 1},
    {"1001u", 0, 2},
    {"1000000n", 0, 1},
    {"1000001n", 0, 2},
    {"0.0001", 0, 1},
    {"0.1m", 0, 1},
    {"9.0001", 9, 1},
    {"1.0000000000000000000000001", 1, 1},
    {"1k", 1000},
    {"1M", 1000000},
    {"1G", 1000000000},
    {"1T", 1000000000000},
    {"1P", 1000000000000000},
    {"1E", 1000000000000000000},
    {"1Ki", 1024},
    {"1Mi", 1048576},
    {"1Gi", 1073741824},
    {"1Ti", 1099511627776},
    {"1Pi", 1125899906842624},
    {"1Ei", 1152921504606846976},
    {"1.5Gi", 1610612736},
    {"0.5Ki", 512},
    {".1Ki", 102, 400},
    {"0.001Ki", 1, 24},
    {"0.0001Ki", 0, 103},  // 0.1024
    {"1.1Mi", 1153433, 600},
    {"1e3", 1000},
    {"1E3", 1000},
    {"1e+3", 1000},
    {"1.5e3", 1500},
    {"1e-3", 0, 1},
    {"1e-4", 0, 1},
    {"1e-999999999999", 0, 1},
    {"123456789012e-9", 123, 457},
    {"100000e-5", 1},
    {"9223372036854775807", kMax},
    {"9223372036854775806.999", kMax - 1, 999},
    {"7Ei", 8070450532247928832},
    {"9.223372036854775807E", kMax},
    {"9223372036854775807000m", kMax},
    {"0000000000000000000000000000000000001", 1},
    {"0.00000000000000000000000000000000000000000001E", 0, 1},
};

TEST(Quantity, IsReadExactlyAndWhatIsFinerThanAThousandthIsRoundedUp) {
  for (const Row& row : kRows) {
    const auto quantity = parse_quantity(row.text, false);
    ASSERT_TRUE(quantity) << row.text << ": " << quantity.error();
    EXPECT_EQ(*quantity, (Quantity{.units = row.units, .milli = row.milli})) << row.text;
  }
}

TEST(Quantity, OfCpuIsTheSame) {
  EXPECT_EQ(*parse_quantity("250m", true), quantity_from_milli(250));
  EXPECT_EQ(*parse_quantity("1.0001", true), quantity_from_milli(1001));
}

TEST(Quantity, OutsideTheGrammarIsAnError) {
  for (const std::string_view text :
       {"",   " ",     " 1",     "1 ",   "1.1.M", "1+1.0M", "0.1mi", "0.1am", "aoeu", ".5i",
        "1i", "3.01i", "3.01e-", "1e",   "1e+",   "1e1.5",  "1Ee3",  "1ki",   "1KI",  "1K",
        "1g", "1mm",   "1Mim",   "0x10", "1_000", "1,5",    "--1",   "+-1",   ".",    "+",
        "-",  "m",     "Ki",     ".m",   "e3",    "1e3k",   "NaN",   "inf",   "1\n",  "\xef\xbc\x91"}) {
    const auto quantity = parse_quantity(text, false);
    ASSERT_FALSE(quantity) << "\"" << text << "\" was read";
    EXPECT_NE(quantity.error().find("is not a quantity"), std::string::npos) << quantity.error();
  }
  EXPECT_FALSE(parse_quantity(std::string_view("1\0", 2), false));
}

TEST(Quantity, BelowZeroIsAnErrorHoweverSmall) {
  for (const std::string_view text : {"-1", "-1n", "-0.0000000000001", "-1Ki", "-1e-400"}) {
    const auto quantity = parse_quantity(text, false);
    ASSERT_FALSE(quantity) << text;
    EXPECT_NE(quantity.error().find("negative"), std::string::npos) << quantity.error();
  }
}

TEST(Quantity, ThatDoesNotFitInto64BitsIsAnErrorAndNotCapped) {
  for (const std::string_view text :
       {"9223372036854775808", "9223372036854775807.001", "9223372036854775807.0001", "8Ei", "8192Pi", "10E",
        "9.3E", "1e19", "1e999999999999999999", "1e9223372036854775807", "100000Ei",
        "9223372036854775807001m", "7.9999999999999999999Ei", "99999999999999999999999999999999999999999999",
        "18446744073709551616"}) {
    const auto quantity = parse_quantity(text, false);
    ASSERT_FALSE(quantity) << text << " is " << quantity->units;
    EXPECT_NE(quantity.error().find("64 bits"), std::string::npos) << quantity.error();
  }
}

TEST(Quantity, OfCpuMustFitInThousandths) {
  EXPECT_EQ(*parse_quantity("9223372036854775807m", true), quantity_from_milli(kMax));
  EXPECT_EQ(*parse_quantity("9223372036854775.807", true), quantity_from_milli(kMax));
  EXPECT_FALSE(parse_quantity("9223372036854775808m", true));
  EXPECT_FALSE(parse_quantity("9223372036854775.8071", true));
  EXPECT_FALSE(parse_quantity("9223372036854776", true));
  EXPECT_TRUE(parse_quantity("9223372036854776", false));
}

TEST(Quantity, OfAMillionDigitsIsReadToo) {
  const std::string zeros(1'000'000, '0');
  EXPECT_EQ(*parse_quantity("1." + zeros + "1", false), (Quantity{.units = 1, .milli = 1}));
  EXPECT_EQ(*parse_quantity(zeros + "1", false), (Quantity{.units = 1}));
  EXPECT_EQ(*parse_quantity("1" + zeros + "e-1000000", false), (Quantity{.units = 1}));
  EXPECT_EQ(*parse_quantity("0." + zeros + "1e1000001", false), (Quantity{.units = 1}));
  EXPECT_FALSE(parse_quantity("1" + zeros, false));
}

TEST(Quantity, IsWrittenSoThatItReadsTheSame) {
  for (const Quantity quantity :
       {Quantity{}, Quantity{.units = 1}, Quantity{.milli = 1}, Quantity{.units = 1, .milli = 5},
        Quantity{.units = kMax}, Quantity{.units = kMax - 1, .milli = 999}, Quantity{.units = 1000000}}) {
    const std::string text = format_quantity(quantity);
    const auto again = parse_quantity(text, false);
    ASSERT_TRUE(again) << text << ": " << again.error();
    EXPECT_EQ(*again, quantity) << text;
  }
  EXPECT_EQ(format_quantity({.units = 2}), "2");
  EXPECT_EQ(format_quantity({.units = 1, .milli = 500}), "1500m");
  EXPECT_EQ(format_quantity({.milli = 7}), "7m");
}

}  // namespace
}  // namespace reprieve::manifest
