// A second solver is asked the same question: cvc5, Debian's program, on the exported text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reprieve/smt/solve/solver.h"

namespace reprieve::smt {

struct Opinion {
  Answer answer = Answer::kError;
  std::string words;          // what the program printed, when that was no answer
  std::uint64_t time_us = 0;  // of processor time; of a script with many questions the mean
};

class SecondOpinion {
 public:
  /// Looks for `program` in PATH.
  explicit SecondOpinion(std::string program = "cvc5");

  bool available() const { return !version_.empty(); }
  /// "cvc5 1.0.3"; empty when there is none.
  const std::string& version() const { return version_; }

  /// Asks a script with one (check-sat), which may take so much of a processor's time, whatever else the
  /// machine does. kError when it cannot be parsed, or the program cannot be run.
  Opinion ask(const std::string& smtlib, std::uint32_t time_out_ms) const;

  /// The same with many (check-sat): one answer each; fewer when the program ended before. The time is by
  /// the clock, since a process has one account of its processor's time for all.
  std::vector<Opinion> ask_all(const std::string& smtlib, std::uint32_t time_out_ms_each) const;

 private:
  std::string program_;
  std::string version_;
};

}  // namespace reprieve::smt
