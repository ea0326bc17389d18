#include "reprieve/engine/name_table.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace reprieve::engine {
namespace {

TEST(NameTable, FindsWhatAMapFindsWhateverComesAndGoes) {
  // Few names and a table that is small for them: runs of places that touch each other, over its end too.
  std::mt19937_64 random(7);
  for (const std::size_t names : {1, 5, 8, 30, 500}) {
    NameTable table;
    std::vector<std::string> name_of;
    for (std::size_t i = 0; i < names; ++i) name_of.push_back("default/pod-" + std::to_string(i));
    const auto get = [&](std::uint32_t number) -> const std::string& { return name_of[number]; };
    std::unordered_map<std::string, std::uint32_t> map;
    for (int step = 0; step < 20'000; ++step) {
      const auto number = static_cast<std::uint32_t>(random() % names);
      const std::string& name = name_of[number];
      if (map.contains(name)) {
        ASSERT_EQ(table.find(name, NameTable::hash_of(name), get), number);
        table.erase(NameTable::hash_of(name), number);
        map.erase(name);
      } else {
        ASSERT_EQ(table.find(name, NameTable::hash_of(name), get), NameTable::kAbsent);
        table.insert(NameTable::hash_of(name), number);
        map.emplace(name, number);
      }
      ASSERT_EQ(table.size(), map.size());
    }
    for (std::uint32_t number = 0; number < names; ++number) {
      EXPECT_EQ(table.find(name_of[number], NameTable::hash_of(name_of[number]), get),
                map.contains(name_of[number]) ? number : NameTable::kAbsent);
    }
  }
}

TEST(NameTable, OfNoNamesFindsNone) {
  const NameTable table;
  EXPECT_EQ(table.find("a", NameTable::hash_of("a"), [](std::uint32_t) { return std::string("a"); }),
            NameTable::kAbsent);
}

}  // namespace
}  // namespace reprieve::engine
