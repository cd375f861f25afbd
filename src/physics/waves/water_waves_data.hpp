/// Water waves on a mesh: the coefficients of the cells, the matrix of the vertical velocity, and the fluxes of sides.
#pragma once

#include <map>
#include <vector>

#include "operators/matrix_rows.hpp"
#include "physics/waves/water_waves.hpp"

namespace solenoid {

struct WaterWavesData {
  std::vector<real> depth;                // of local cells [m]
  std::vector<Vec3> current;              // of local cells [m/s]; empty: none
  std::vector<ProfileIntegrals> profile;  // of local cells
  MatrixRows elliptic;                    // K(N) + M(M)
  std::vector<real> area;                 // of owned nodes [m^2]
  std::vector<real> leaving;              // F per elevation, of owned nodes [m^2/s]
  std::vector<real> leaving_vertical;     // G per elevation
  std::vector<WaterAtSides> sea;          // by patch: the means along all sides with the same incoming waves
  struct Component {
    real frequency, phase, flux, vertical;
  };
  std::map<int, std::vector<Component>> incoming;  // by owned node

  /// Collective; throws a collective Error (exit code 2) if the depth is not above 0, the current is as fast as long
  /// waves, or waves at a side cannot run against it.
  WaterWavesData(const LocalMesh& mesh, const WaterProblem& problem);

  /// At the sides of each zone.
  std::vector<WaterAtSides> sea_of(const std::vector<ZoneSettings>& zones) const;
  std::vector<real> of_cells(real ProfileIntegrals::*which) const;

 private:
  void add_side(const LocalMesh& mesh, const WaterProblem& problem, int patch, const PatchNodes& nodes);
};

}  // namespace solenoid
