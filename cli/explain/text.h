// An Explanation for people.
#pragma once

#include <string>

#include "reprieve/cli/explain/explain.h"

namespace reprieve::cli::explain {

struct View {
  std::size_t width = 80;
  bool all = false;  // every node and every pod on those that were tried
  std::string node;  // only this node; empty: as many as matter
};

/// An answer about one victim leaves the rest out, unless everything or a node was asked for.
/// Paragraphs and tables no wider than view.width where words and names allow it.
std::string to_text(const Explanation& told, const View& view);

/// What is printed about one node: its status in words, and for a candidate its table of pods.
std::string node_text(const Explanation& told, const NodeDecision& node, const View& view);

}  // namespace reprieve::cli::explain
