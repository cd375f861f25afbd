/// Values at points from a cell field: linear around each cell by least squares.
#pragma once

#include <vector>

#include "mesh/local_mesh.hpp"

namespace solenoid {

/// A point in a cell and its value from a cell field, v_cell + sum_j change_j (v_j - v_cell), over the cells that share
/// a node with the point's cell: exact for linear fields.
struct CellFit {
  Vec3 point;                     ///< [m]
  int cell = 0;                   ///< an owned cell
  std::vector<int> around = {};   ///< local cells, ascending in their global ids
  std::vector<real> change = {};  ///< one per cell of `around`
};

/// Sets `around` and `change` of each fit. Cells where `is_left_out`, and those across a periodic pair, where values
/// may jump, are not among them. `is_left_out`: per local cell; empty: none.
void fit_around(const LocalMesh& mesh, const std::vector<CellFit*>& fits, const std::vector<char>& is_left_out = {});

}  // namespace solenoid
