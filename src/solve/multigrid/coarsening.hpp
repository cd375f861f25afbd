/// Coarsening of a level: the coarser level and the transfers between the two.
#pragma once

#include <optional>

#include "solve/multigrid/spectrum.hpp"
#include "solve/multigrid/transfer.hpp"

namespace solenoid {

/// What a level has become.
struct Coarsening {
  LocalNumbering numbering;    ///< of the level: its rows, and a halo that holds all that its matrices gather from
  std::vector<int> column_of;  ///< per local unknown of the level as it was: its place there
  SingleRows prolongation;     ///< (1 - smoothing A) P of the owned rows, columns in coarse.numbering
  SingleRows restriction;      ///< its transpose, a row for each owned coarse unknown, columns in `numbering`
  HostLevel coarse;
};

/// Nothing where no unknown has a strong coupling: the smoother is all that such a level needs. `highest`: not less
/// than the largest eigenvalue; `smoothing`: the step that the prolongation takes from the smoother; `depth`: 0 on the
/// finest level. Collective.
std::optional<Coarsening> coarsen(const HostExchange& exchange, const HostLevel& level, double highest, float smoothing,
                                  int depth);

}  // namespace solenoid
