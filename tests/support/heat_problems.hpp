/// Problems of heat conduction on the unit square and cube for the tests.
#pragma once

#include "physics/heat/heat_conduction.hpp"

namespace solenoid::test {

using Data = Coefficient<real>;

inline HeatSolverSettings tight(TimeScheme scheme = TimeScheme::second_order) {
  return {scheme, {"heat", 1e-13, 20000, PreconditionerKind::jacobi}};
}

/// Patches "lid" (y = 1) and "wall" (the rest) of the unit square and cube.
inline HeatProblem problem_between(const NodalBoundary& lid, const NodalBoundary& wall, real conductivity = 1) {
  return {Data(conductivity), OnRegions(Data(1)), Data(0), {lid, wall}};
}

inline NodalBoundary temperature(const Data& value) { return given_temperature(value); }
inline NodalBoundary flux(const Data& value) { return given_heat_flux(value); }
inline NodalBoundary convection(const Data& h, const Data& ambient) { return heat_exchange(h, ambient); }

}  // namespace solenoid::test
