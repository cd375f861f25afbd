/// Curls of edge potentials as vectors in tetrahedra, from the fluxes C s.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// C s is the flux of sum_e s_e curl(phi_e) with Nedelec's lowest-order functions. Each curl is constant in a cell:
/// curl(phi_e) = E / (3 V) [1/m^2], E the edge opposite to e from its right to its left. I C and its transpose are
/// gathers between edges and cells.
class CellCurl {
 public:
  /// `mesh` must outlive it.
  explicit CellCurl(const LocalMesh& mesh, const MemoryOf& = MemoryOf("curl of cells"));

  /// I C s, see interpolate.
  void compute(Exchanged<Edge> s, Field<Cell, Vec3>& velocity) const;
  /// R I^T V a, see integrate.
  void circulate(Exchanged<Cell, Vec3> a, Field<Edge>& circulation) const;

  /// A cell of an edge, and the ends of E in that cell.
  struct Beside {
    int cell, from, to;
  };

 private:
  const LocalMesh& mesh_;
  DeviceArray<Vec3> points_;
  DeviceArray<int> edge_of_cell_;         // as complement (~) if its E is reversed
  DeviceArray<int> edge_of_row_, begin_;  // rows of `beside_`
  DeviceArray<Beside> beside_;
};

/// sum_c w_c curl(phi_e).curl(phi_e) at owned edges [unit of w / m^4]; `weight` per local cell.
std::vector<real> squares_of_curls(const LocalMesh& mesh, const std::vector<real>& weight);

}  // namespace solenoid
