// Names that nothing in a case has, and that sort anywhere among those that it has.
#pragma once

#include <string>

#include "reprieve/properties/generators/random.h"

namespace reprieve::relations {

/// A name that serves for every kind of object, as a label key and as a label value. Two draws, or a draw
/// and a name that a person would write, are equal once in 10^13.
inline std::string fresh_name(generators::Random& random) {
  std::string name(1, static_cast<char>('a' + random.below(26)));
  name += 'z';
  for (int i = 0; i < 8; ++i) name += static_cast<char>('a' + random.below(26));
  return name;
}

}  // namespace reprieve::relations
