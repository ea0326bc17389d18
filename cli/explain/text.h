// An Explanation for people.
#pragma once

#include <string>

#include "reprieve/cli/explain/explain.h"

namespace reprieve::cli::explain {

struct View {
  std::size_t width = 80;
  bool all = false;  // every node and every reprieved pod
  std::string node;  // only this node; empty: as many as matter
};

/// Paragraphs and tables no wider than view.width where words and names allow it.
std::string to_text(const Explanation& told, const View& view);

/// What is printed about one node: its status in words, and for a candidate its table of pods.
std::string node_text(const Explanation& told, const NodeDecision& node, const View& view);

/// The order in which the potential victims had their chance to be put back, from 1: violating ones
/// first, each group by importance. Parallel to node.potential_victims.
std::vector<std::size_t> turns(const NodeDecision& node);

}  // namespace reprieve::cli::explain
