// The second opinion on a theorem: every query on which its verdict rests, written as SMT-LIB and asked
// of cvc5.
#pragma once

#include <string>

#include "reprieve/smt/solve/second_opinion.h"
#include "reprieve/smt/theorems/theorem.h"

namespace reprieve::smt {

struct CrossCheck {
  std::uint64_t queries = 0;
  std::uint64_t agreed = 0;
  std::uint64_t undecided = 0;  // within the time given
  std::string fault;            // a disagreement, or words that are no answer; empty: none
  std::uint64_t time_us = 0;
};

/// The script that is asked: one query of a formula; of code that was explored each side that was left
/// out as impossible, and the end of each path. Empty when the verdict is not the expected one.
struct Exported {
  std::string smtlib;
  std::uint64_t queries = 0;
  Answer answer = Answer::kUnsatisfiable;  // to each of them
};
Exported exported(const Theorem& theorem, Effort effort, const ProofSettings& settings);

CrossCheck cross_check(const Exported& exported, const SecondOpinion& opinion, std::uint32_t time_out_ms);

}  // namespace reprieve::smt
