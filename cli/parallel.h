// Work in batches over a few threads.
#pragma once

#include <cstdint>
#include <functional>

#include "reprieve/cli/check/effort.h"

namespace reprieve::cli {

class Progress;

/// `requested` threads, though no more than a few for each processor; one for each when that is 0.
unsigned thread_count(unsigned requested);

/// Calls work(thread, begin, end) for consecutive batches that together are [0, total), each on
/// one of `threads` threads, until all are done or `work` has answered false; a batch that has
/// begun is finished. Every batch before the first one that answered false has then been worked,
/// so the smallest failing index does not depend on the number of threads. Past the deadline no batch
/// begins; progress.done() says how far it came. Draws the progress.
void for_batches(std::uint64_t total, std::uint64_t batch, unsigned threads, Progress& progress,
                 const std::function<bool(unsigned thread, std::uint64_t begin, std::uint64_t end)>& work,
                 const Deadline& deadline = std::nullopt);

}  // namespace reprieve::cli
