// The second opinion on a theorem: the queries on which its verdict rests, written as SMT-LIB and asked of
// cvc5.
//
// One query is one (check-sat). A statement about the rules is one formula, so one query, with one more for
// each step of its proof, and its contrast is another. A statement about code that ships is explored, and
// rests on many: each side of a turn that was left out as impossible, and each path's end. Of these a sample
// can be drawn; that the code was explored wholly is the first solver's word.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reprieve/smt/solve/second_opinion.h"
#include "reprieve/smt/theorems/theorem.h"

namespace reprieve::smt {

/// How many queries of one theorem are asked, drawn by `seed` from all on which it rests; 0: all.
struct Sample {
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
};

/// The script that is asked; empty when the first solver's answer is not the expected one.
struct Exported {
  std::string smtlib;
  std::uint64_t queries = 0;               // in the script
  std::uint64_t all = 0;                   // on which the verdict rests
  Answer answer = Answer::kUnsatisfiable;  // to each of them
  std::optional<Proof> proof;              // the first solver's, where it was asked for this
};

/// Of what is explored the contrast exports nothing: that it is refuted rests on no query.
Exported exported(const Theorem& theorem, Terms& terms, const Bounds& bounds, bool contrast,
                  const ProofSettings& settings, const Sample& sample = {});

struct CrossCheck {
  std::uint64_t queries = 0;
  std::uint64_t agreed = 0;
  std::uint64_t undecided = 0;   // within the time given
  std::uint64_t all = 0;         // of which those asked were drawn
  std::string fault;             // a disagreement, or words that are no answer; empty: none
  std::uint64_t time_us = 0;     // of the second solver's processor time
  std::uint64_t longest_us = 0;  // of one script
};

CrossCheck cross_check(const Exported& exported, const SecondOpinion& opinion, std::uint32_t time_out_ms);

/// The statement as it was exported, and of one formula its contrast too.
CrossCheck cross_check(const Theorem& theorem, const Exported& statement, const Bounds& bounds,
                       const ProofSettings& settings, const SecondOpinion& opinion,
                       std::uint32_t time_out_ms);

/// What is asked of the second solver over all: it decides every query about every cluster, and of those up
/// to bounds at least `kPercent`, of the formulas as well as of those drawn from explored code.
class Tally {
 public:
  static constexpr std::uint64_t kPercent = 90;

  void add(const Theorem& theorem, const CrossCheck& check);
  bool holds() const;
  std::string to_string() const;  // a line for each of the three

 private:
  CrossCheck unbounded_, formulas_, explored_;
  std::uint64_t faults_ = 0;
};

}  // namespace reprieve::smt
