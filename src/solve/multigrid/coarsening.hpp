/// Coarsening of a level: the coarser level and the transfers between the two.
#pragma once

#include <optional>

#include "solve/multigrid/spectrum.hpp"
#include "solve/multigrid/transfer.hpp"

namespace solenoid {

/// The result of coarsening a level.
struct Coarsening {
  LocalNumbering numbering;    ///< of the level: its rows, and a halo with all entities gathered by its matrices
  std::vector<int> column_of;  ///< per local unknown of the original level: its place there
  SingleRows prolongation;     ///< (1 - smoothing A) P of the owned rows, columns in coarse.numbering
  SingleRows restriction;      ///< its transpose, a row per owned coarse unknown, columns in `numbering`
  HostLevel coarse;
};

/// nullopt if no unknown has a strong coupling: such a level needs a smoother only. `highest`: upper bound of the
/// largest eigenvalue; `smoothing`: step of the smoother used in the prolongation; `depth`: 0 on the finest level.
/// Collective.
std::optional<Coarsening> coarsen(const HostExchange& exchange, const HostLevel& level, double highest, float smoothing,
                                  int depth);

}  // namespace solenoid
