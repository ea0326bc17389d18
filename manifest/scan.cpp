#include "reprieve/manifest/scan.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace reprieve::manifest::scan {

namespace portable {
namespace {

/// Sixteen bytes at once. A comparison gives all ones where it holds.
using Bytes [[gnu::vector_size(16)]] = unsigned char;
using Words [[gnu::vector_size(16)]] = std::uint64_t;
constexpr std::size_t kStep = 2 * sizeof(Bytes);

Bytes load(const char* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

}  // namespace

std::size_t count_newlines(std::string_view text) {
  // The counts gather in the bytes of two vectors, which overflow after 255 rounds.
  constexpr std::size_t kRounds = 255;
  std::size_t count = 0;
  std::size_t at = 0;
  while (at + kStep <= text.size()) {
    const std::size_t end = at + kStep * std::min(kRounds, (text.size() - at) / kStep);
    Bytes even{}, odd{};
    for (; at < end; at += kStep) {
      even -= (load(text.data() + at) == '\n');
      odd -= (load(text.data() + at + sizeof(Bytes)) == '\n');
    }
    for (std::size_t i = 0; i < sizeof(Bytes); ++i) count += even[i] + odd[i];
  }
  return count + static_cast<std::size_t>(std::ranges::count(text.substr(at), '\n'));
}

std::size_t skip_indented_lines(std::string_view text, std::size_t at, std::size_t width, char blank) {
  const auto wanted = static_cast<unsigned char>(blank);
  while (at + width + 1 + kStep <= text.size()) {
    const auto ends = [&](const char* here) {
      return (load(here) == '\n') & (load(here + 1 + width) != wanted);
    };
    const char* here = text.data() + at;
    const auto found = std::bit_cast<Words>(ends(here) | ends(here + sizeof(Bytes)));
    if ((found[0] | found[1]) != 0) {
      while (text[at] != '\n' || text[at + 1 + width] == blank) ++at;
      return at;
    }
    at += kStep;
  }
  return text.find('\n', at);
}

}  // namespace portable

#if defined(__x86_64__)

// Which processors have AVX2 is known only where the program runs. These pass over whole steps, and leave
// what is over to the portable loops.
namespace {
namespace avx2 {

constexpr std::size_t kHalf = sizeof(__m256i);
constexpr std::size_t kStep = 2 * kHalf;

bool is_supported() {
  static const bool supported = __builtin_cpu_supports("avx2") != 0;
  return supported;
}

[[gnu::target("avx2")]] __m256i equal(const char* from, __m256i wanted) {
  return _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)), wanted);
}

/// Of a text of whole steps.
[[gnu::target("avx2")]] std::size_t count_newlines(std::string_view text) {
  // A step adds at most one to each byte of a vector, which overflows after 255; then its bytes are summed.
  constexpr std::size_t kRounds = 255;
  const __m256i zero = _mm256_setzero_si256();
  const __m256i newline = _mm256_set1_epi8('\n');
  __m256i sums = zero;  // four, each of eight places
  for (const char *here = text.data(), *end = here + text.size(); here < end;) {
    __m256i even = zero, odd = zero;
    for (std::size_t round = 0; round < kRounds && here < end; ++round, here += kStep) {
      even = _mm256_sub_epi8(even, equal(here, newline));
      odd = _mm256_sub_epi8(odd, equal(here + kHalf, newline));
    }
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(even, zero));
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(odd, zero));
  }
  std::uint64_t four[4];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(four), sums);
  return four[0] + four[1] + four[2] + four[3];
}

/// The first step from `at` on that holds such a newline or reaches too near the end.
[[gnu::target("avx2")]] std::size_t skip_steps(std::string_view text, std::size_t at, std::size_t width,
                                               char blank) {
  const __m256i wanted = _mm256_set1_epi8(blank);
  const __m256i newline = _mm256_set1_epi8('\n');
  for (; at + width + 1 + kStep <= text.size(); at += kStep) {
    const char* here = text.data() + at;
    const char* there = here + width + 1;
    const __m256i even = _mm256_andnot_si256(equal(there, wanted), equal(here, newline));
    const __m256i odd = _mm256_andnot_si256(equal(there + kHalf, wanted), equal(here + kHalf, newline));
    const __m256i found = _mm256_or_si256(even, odd);
    if (_mm256_testz_si256(found, found) == 0) break;
  }
  return at;
}

}  // namespace avx2
}  // namespace

std::size_t count_newlines(std::string_view text) {
  if (!avx2::is_supported()) return portable::count_newlines(text);
  const std::size_t steps = text.size() / avx2::kStep * avx2::kStep;
  return avx2::count_newlines(text.substr(0, steps)) + portable::count_newlines(text.substr(steps));
}

std::size_t skip_indented_lines(std::string_view text, std::size_t at, std::size_t width, char blank) {
  if (avx2::is_supported()) at = avx2::skip_steps(text, at, width, blank);
  return portable::skip_indented_lines(text, at, width, blank);
}

#else

std::size_t count_newlines(std::string_view text) { return portable::count_newlines(text); }
std::size_t skip_indented_lines(std::string_view text, std::size_t at, std::size_t width, char blank) {
  return portable::skip_indented_lines(text, at, width, blank);
}

#endif

}  // namespace reprieve::manifest::scan
