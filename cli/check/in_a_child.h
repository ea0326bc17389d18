// A question whose answer may end the process, asked in a process of its own.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "reprieve/cli/check/death.h"

namespace reprieve::cli {

struct Answer {
  bool yes = false;            // no, when it died
  std::optional<Death> death;  // how, when it did
};

/// Asks in a fork of this process, which must have no other thread at work; its standard error is not shown.
/// What takes longer is ended. Where there can be no other process it is asked in this one.
Answer in_a_child(const std::function<bool()>& question, std::chrono::milliseconds longest);

/// A question about a smaller case, asked so where `here` is what may die of it: what differs on one case may
/// die of another that is made of it, and that is a no. A program outside does not take this process with it.
bool holds_of_smaller(bool here, const std::function<bool()>& question);

}  // namespace reprieve::cli
