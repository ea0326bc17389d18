#include "reprieve/bench/on_demand.h"

#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <span>
#include <string_view>

namespace reprieve::bench {
namespace {

namespace ondemand = simdjson::ondemand;

/// A field that is read, and what is read of it: these, or everything below it.
struct Wanted {
  std::string_view key;
  std::span<const Wanted> fields;
  bool all = false;
};

constexpr Wanted everything(std::string_view key) { return {.key = key, .fields = {}, .all = true}; }

constexpr Wanted kOwner[] = {{"controller", {}}, {"kind", {}}, {"uid", {}}};
constexpr Wanted kMetadata[] = {
    {"creationTimestamp", {}}, {"deletionTimestamp", {}},   everything("labels"), {"name", {}},
    {"namespace", {}},         {"ownerReferences", kOwner}, {"uid", {}}};
constexpr Wanted kResources[] = {everything("limits"), everything("requests")};
constexpr Wanted kPort[] = {{"containerPort", {}}, {"hostIP", {}}, {"hostPort", {}}, {"protocol", {}}};
constexpr Wanted kContainer[] = {
    {"name", {}}, {"ports", kPort}, {"resources", kResources}, {"restartPolicy", {}}};
constexpr Wanted kVolume[] = {{"name", {}}, everything("persistentVolumeClaim"), everything("ephemeral")};
constexpr Wanted kSpec[] = {everything("affinity"),
                            {"containers", kContainer},
                            {"hostNetwork", {}},
                            {"hostUsers", {}},
                            {"initContainers", kContainer},
                            {"nodeName", {}},
                            everything("nodeSelector"),
                            everything("overhead"),
                            {"preemptionPolicy", {}},
                            {"priority", {}},
                            {"priorityClassName", {}},
                            everything("schedulingGates"),
                            {"schedulerName", {}},
                            everything("selector"),
                            everything("taints"),
                            {"terminationGracePeriodSeconds", {}},
                            everything("tolerations"),
                            everything("topologySpreadConstraints"),
                            {"unschedulable", {}},
                            {"volumes", kVolume}};
constexpr Wanted kCondition[] = {{"reason", {}}, {"status", {}}, {"type", {}}};
constexpr Wanted kStatusOfContainer[] = {
    everything("allocatedResources"), {"name", {}}, {"resources", kResources}};
constexpr Wanted kStatus[] = {everything("allocatable"),
                              {"conditions", kCondition},
                              {"containerStatuses", kStatusOfContainer},
                              {"disruptionsAllowed", {}},
                              {"initContainerStatuses", kStatusOfContainer},
                              {"nominatedNodeName", {}},
                              {"phase", {}},
                              everything("resources"),
                              {"startTime", {}}};
constexpr Wanted kItem[] = {
    {"apiVersion", {}}, {"kind", {}}, {"metadata", kMetadata}, {"spec", kSpec}, {"status", kStatus}};
constexpr Wanted kRoot{.key = {}, .fields = kItem};

class Extractor {
 public:
  void extract(ondemand::value value, const Wanted& wanted) {
    switch (value.type().value()) {
      case ondemand::json_type::object: {
        for (auto field : value.get_object()) {
          const std::string_view key = field.unescaped_key();
          if (wanted.all) {
            take(key);
            extract(field.value(), wanted);
            continue;
          }
          for (const Wanted& inner : wanted.fields) {
            if (inner.key != key) continue;
            extract(field.value(), inner);
            break;
          }
        }
        break;
      }
      case ondemand::json_type::array:
        for (auto element : value.get_array()) extract(element.value(), wanted);
        break;
      case ondemand::json_type::string: take(value.get_string().value()); break;
      case ondemand::json_type::number:
        extracted.check_sum += static_cast<std::uint64_t>(value.get_int64().value());
        ++extracted.values;
        break;
      default: ++extracted.values;
    }
  }

  void item(std::string_view text, std::size_t capacity) {
    ondemand::document document = parser_.iterate(text.data(), text.size(), capacity);
    extract(document.get_value().value(), kRoot);
    ++extracted.items;
  }

  /// A whole List.
  void list(std::string_view text, std::size_t capacity) {
    ondemand::document document = parser_.iterate(text.data(), text.size(), capacity);
    for (auto element : document["items"].get_array()) {
      extract(element.value(), kRoot);
      ++extracted.items;
    }
  }

  Extracted extracted;

 private:
  void take(std::string_view text) {
    extracted.check_sum += text.size() + static_cast<unsigned char>(text.empty() ? 0 : text.front());
    ++extracted.values;
  }

  ondemand::parser parser_;
};

/// A file as memory.
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (file >= 0 && ::fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      void* at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) data_ = static_cast<const char*>(at);
    }
    if (file >= 0) ::close(file);
  }
  ~Mapped() {
    if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  std::string_view text() const { return {data_, data_ == nullptr ? 0 : size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

std::expected<Extracted, std::string> extract_on_demand(const std::string& path) {
  const Mapped mapped(path);
  const std::string_view text = mapped.text();
  constexpr std::string_view kBegin = "\n        {";
  constexpr std::string_view kEnd = "\n        }";
  Extractor extractor;
  std::size_t at = text.find(kBegin);
  if (at == std::string_view::npos) return std::unexpected(path + ": no List indented by 4");
  try {
    while (at != std::string_view::npos) {
      ++at;
      const std::size_t end = text.find(kEnd, at);
      if (end == std::string_view::npos) return std::unexpected(path + ": an item does not end");
      const std::size_t behind = end + kEnd.size();
      // Behind the last item stand the list's own closing lines: enough to look at.
      if (text.size() - behind < simdjson::SIMDJSON_PADDING) {
        const simdjson::padded_string copy(text.substr(at, behind - at));
        extractor.item(copy, copy.size() + simdjson::SIMDJSON_PADDING);
      } else {
        extractor.item(text.substr(at, behind - at), behind - at + simdjson::SIMDJSON_PADDING);
      }
      at = text.compare(behind, 1, ",") == 0 ? behind + 1 : std::string_view::npos;
    }
  } catch (const simdjson::simdjson_error& error) {
    return std::unexpected(path + ": " + error.what());
  }
  return extractor.extracted;
}

std::expected<Extracted, std::string> extract_on_demand_whole(const std::string& path) {
  const Mapped mapped(path);
  const std::string_view text = mapped.text();
  Extractor extractor;
  try {
    // The rest of the last page is mapped too; where it is too short the file is read instead.
    constexpr std::size_t kPage_bytes = 4096;
    if (text.size() % kPage_bytes != 0 &&
        kPage_bytes - text.size() % kPage_bytes >= simdjson::SIMDJSON_PADDING) {
      extractor.list(text, text.size() + simdjson::SIMDJSON_PADDING);
    } else {
      const simdjson::padded_string copy = simdjson::padded_string::load(path);
      extractor.list(copy, copy.size() + simdjson::SIMDJSON_PADDING);
    }
  } catch (const simdjson::simdjson_error& error) {
    return std::unexpected(path + ": " + error.what());
  }
  return extractor.extracted;
}

}  // namespace reprieve::bench
