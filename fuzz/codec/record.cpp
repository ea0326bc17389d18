#include "reprieve/fuzz/codec/record.h"

#include "reprieve/fuzz/codec/pools.h"

namespace reprieve::fuzz {

std::int64_t Units::milli_of(std::string_view resource) const {
  if (resource == "cpu") return pools::kCpuUnits_milli[cpu];
  if (resource == "memory" || resource == "ephemeral-storage") return pools::kByteUnits_milli[bytes];
  if (resource == "hugepages-2Mi") return 2 * pools::kMebi_milli;
  if (resource == "hugepages-1Gi") return 1024 * pools::kMebi_milli;
  return 1000;
}

std::uint8_t byte_of(const Units& units, std::string_view resource, Quantity amount) {
  if (resource == "pods" && amount == Quantity{.units = 110, .milli = 0}) return kUsualPods;
  const std::int64_t unit = units.milli_of(resource);
  if (amount.units > (kMostSteps + 1) * unit / 1000) return 0;
  const std::int64_t milli = to_milli(amount);
  if (milli % unit != 0 || milli / unit > kMostSteps) return 0;
  return static_cast<std::uint8_t>(milli / unit + 1);
}

std::uint8_t RecordWriter::find(Field field, Numbers pool, std::int64_t value, int shift) {
  const auto found = std::find(pool.begin(), pool.end(), value);
  if (found != pool.end()) return static_cast<std::uint8_t>(found - pool.begin() + shift);
  encoding_.exact.push_back({field, value});
  return static_cast<std::uint8_t>(shift);
}

void RecordWriter::quantity(Numbers pool_milli, Quantity value) {
  for (std::size_t i = 0; i < pool_milli.size(); ++i) {
    if (quantity_from_milli(pool_milli[i]) == value) return byte(static_cast<std::uint8_t>(i));
  }
  encoding_.exact_quantity = value;
  byte(0);
}

void RecordWriter::pods(std::span<const std::string> names, int most) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i) {
    if (i >= names.size()) {
      byte(0);
      continue;
    }
    const auto found = std::find(encoding_.pod_names.begin(), encoding_.pod_names.end(), names[i]);
    byte(found == encoding_.pod_names.end()
             ? intern(names[i])
             : static_cast<std::uint8_t>(found - encoding_.pod_names.begin() + 1));
  }
}

std::uint8_t RecordWriter::intern(std::string_view text) {
  auto& texts = encoding_.texts;
  const auto found = std::find(texts.begin(), texts.end(), text);
  const auto index = static_cast<std::size_t>(found - texts.begin());
  if (found == texts.end()) {
    if (texts.size() == kMaxTexts) return kFirstText;  // out of bounds: decoding will show it
    texts.emplace_back(text);
  }
  return static_cast<std::uint8_t>(kFirstText + index);
}

}  // namespace reprieve::fuzz
