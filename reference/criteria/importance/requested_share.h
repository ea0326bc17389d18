// importance: requestedShare. The pod that holds the larger share of the node is more important.
#pragma once

#include "reprieve/reference/criteria/share.h"
#include "reprieve/reference/importance.h"

namespace reprieve::reference::requested_share {

/// Negative: `a` is more important; 0: equal.
inline int compare(Release release, const NodeInfo& node, const Listed& a, const Listed& b) {
  const Share share_a = share_of(held_by(*a.pod, release), node);
  const Share share_b = share_of(held_by(*b.pod, release), node);
  if (is_smaller(share_b, share_a)) return -1;
  return is_smaller(share_a, share_b) ? 1 : 0;
}

}  // namespace reprieve::reference::requested_share
