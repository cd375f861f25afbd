/// Trees of the ranks' cells, joined through faces between ranks.
#pragma once

#include <vector>

#include "base/comm.hpp"
#include "base/real.hpp"

namespace solenoid {

/// How the trees hang is known on all ranks; what each consists of, on its rank. Trees are numbered over all ranks.
struct RankForest {
  static constexpr int none = -1;

  /// The way from a cell to the one before it.
  struct Step {
    int cell, face, before;  // local; `before` is `none` where another rank's tree or the outside is
    real sign;               // +1 where the face's normal leaves the cell
    bool is_owned;           // the face, by this rank
  };
  /// What another tree, which hangs into an own one, hands on.
  struct Arrival {
    int from;   // tree
    Step step;  // its last one, `before` the own cell where it arrives
  };

  int first = 0;                // of the own trees
  std::vector<int> before;      // of all ranks' trees, the one each hangs into, or `none`
  std::vector<int> from_roots;  // all trees, each behind the one it hangs into
  std::vector<int> tree_of;     // per owned cell
  std::vector<Step> roots;      // of each own tree: its way out; face `none` where there is none
  std::vector<Arrival> arrivals;
  std::vector<Step> steps;  // from roots to leaves, without the roots

  /// Takes `left` [m^3/s], what the fluxes of each owned cell do not balance, out of the fluxes of owned faces: each
  /// cell hands it to the one before it, from leaves to roots. Exact where all are multiples of one grid spacing.
  /// Collective.
  void balance(const Comm& comm, std::vector<real> left, std::vector<real>& flux) const;

 private:
  std::vector<real> sums_of_trees(const Comm& comm, const std::vector<real>& left) const;
};

}  // namespace solenoid
