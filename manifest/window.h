// A window that slides over a file, standard input or a text in memory, so that what is read needs
// memory for one object at a time. Internal to manifest/.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "reprieve/manifest/json_text.h"

namespace reprieve::manifest {

/// Where bytes come from.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads at most `size` bytes; 0 at the end. Throws DecodeError when reading fails.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// How many bytes there are in all, as far as that is known; else 0.
  virtual std::size_t size() const { return 0; }
};

/// A file by path, or standard input for "-". Throws DecodeError when it cannot be opened.
std::unique_ptr<ByteSource> open_source(const std::string& path);
std::unique_ptr<ByteSource> text_source(std::string_view text);

class Window {
 public:
  explicit Window(ByteSource& source);

  /// What has been read and not been dropped. kPadding readable bytes follow it.
  std::string_view text() const { return {buffer_.get() + begin_, end_ - begin_}; }
  /// Reads more, so that text() grows at its end; false when there is no more. Unless it is the first
  /// or the last time, text() at least doubles: looking through all of it after each time costs no
  /// more than looking through it twice, however small the pieces that a pipe gives.
  bool extend();
  /// Forgets the first bytes of text().
  void drop(std::size_t size);
  /// Where text() begins in the file.
  Position position() const { return position_; }
  std::size_t offset() const { return offset_; }
  /// Of the whole source, 0 when that is not known.
  std::size_t size() const { return source_->size(); }

  static constexpr std::size_t kPadding = 64;

 private:
  void reserve(std::size_t size);

  ByteSource* source_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  Position position_;
  std::size_t offset_ = 0;
};

}  // namespace reprieve::manifest
