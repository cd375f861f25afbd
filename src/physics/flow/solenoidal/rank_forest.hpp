/// Trees of the ranks' cells, joined through faces between ranks.
#pragma once

#include <vector>

namespace solenoid {

/// All ranks know how the trees hang together; each rank knows its own trees' cells. Numbered over all ranks.
struct RankForest {
  static constexpr int none = -1;

  /// A step from a cell to its parent.
  struct Step {
    int cell, face, before;  // local; `before`: the parent, `none` if another rank's or outside
    int sign;                // +1 where the face's normal leaves the cell, else -1
    bool is_owned;           // whether this rank owns the face
  };
  /// Flux that another tree, hanging into an own one, passes on.
  struct Arrival {
    int from;   // tree
    Step step;  // its last step; `before` is the own cell that receives
  };

  int first = 0;                // number of the first own tree
  std::vector<int> before;      // of all ranks' trees: the tree that each hangs into, or `none`
  std::vector<int> from_roots;  // all trees, each after the one it hangs into
  std::vector<Step> roots;      // per own tree: its step out; face `none` if there is none
  std::vector<Arrival> arrivals;
  std::vector<Step> steps;  // from roots to leaves, without the roots
};

}  // namespace solenoid
