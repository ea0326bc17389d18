#include "reprieve/manifest/window.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "reprieve/manifest/decoder.h"
#include "reprieve/manifest/scan.h"

namespace reprieve::manifest {
namespace {

constexpr std::size_t kChunk_bytes = std::size_t{1} << 20;  // stays in the second-level cache

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw DecodeError{Error{.where = {.file = path, .line = 0, .column = 0, .field = {}},
                          .message = fmt::format("{}: {}", what, std::strerror(errno))}};
}

// read(2) into a buffer that is used again, not a mapping: a file that shrinks while it is mapped
// kills the process, and mapped pages count as memory.
class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : path_(path) {
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(path, "cannot be opened");
    struct stat status{};
    if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<std::size_t>(status.st_size);
  }
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    while (true) {
      const ssize_t count = ::read(descriptor_, to, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) fail(path_, "cannot be read");
    }
  }
  std::size_t size() const override { return size_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
};

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text), size_(text.size()) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t count = rest_.copy(to, size);
    rest_.remove_prefix(count);
    return count;
  }
  std::size_t size() const override { return size_; }

 private:
  std::string_view rest_;
  std::size_t size_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> text_source(std::string_view text) { return std::make_unique<TextSource>(text); }

Window::Window(ByteSource& source) : source_(&source) { reserve(kChunk_bytes); }

void Window::reserve(std::size_t size) {
  // Fresh memory, not zeroed: only what is read is ever looked at, the padding aside.
  auto larger = std::make_unique_for_overwrite<char[]>(size + kPadding);
  std::memset(larger.get(), 0, 1);
  if (end_ > begin_) std::memcpy(larger.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  buffer_ = std::move(larger);
  capacity_ = size;
}

bool Window::extend() {
  if (at_end_) return false;
  if (end_ == capacity_) {
    if (begin_ >= capacity_ / 2) {
      std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    } else {
      reserve(capacity_ * 2);
    }
  }
  const std::size_t before = end_;
  while (end_ < capacity_ && !at_end_) {
    const std::size_t count = source_->read(buffer_.get() + end_, capacity_ - end_);
    end_ += count;
    at_end_ = count == 0;
  }
  // simdjson may look at the padding, never act on it.
  std::memset(buffer_.get() + end_, 0, kPadding);
  return end_ > before;
}

void Window::drop(std::size_t size) {
  const std::string_view dropped = text().substr(0, size);
  const std::size_t last = dropped.rfind('\n');
  if (last == std::string_view::npos) {
    position_.column += size;
  } else {
    position_.line += scan::count_newlines(dropped);
    position_.column = size - last;
  }
  begin_ += size;
  offset_ += size;
}

}  // namespace reprieve::manifest
