// Terms as SMT-LIB 2 text, in the part of the language that every solver reads.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reprieve/smt/terms/term.h"

namespace reprieve::smt {

/// A query: are these satisfiable together, within the declared ranges of their variables?
/// `comment` says where the query comes from; each of its lines becomes a comment line. The logic is
/// the smallest that suffices, QF_UF (no integers) or QF_LIA.
std::string to_smtlib(const Terms& terms, std::span<const Term> assertions, std::string_view comment);

/// Many queries in one script, each between a push and a pop: as many (check-sat), in order.
std::string to_smtlib_script(const Terms& terms, std::span<const std::vector<Term>> queries,
                             std::string_view comment);

/// The variables that the assertions mention, in the order in which they were made.
std::vector<std::size_t> variables_of(const Terms& terms, std::span<const Term> assertions);

}  // namespace reprieve::smt
