/// Problems of heat conduction on the unit square and cube for the tests.
#pragma once

#include "physics/heat_conduction.hpp"

namespace solenoid::test {

inline MaterialProperty uniform(real value) {
  return {[value](int, const Vec3&, real) { return value; }, false, false};
}

inline PatchQuantity constant(real value) {
  return {[value](const Vec3&, real) { return value; }, false};
}

inline PatchQuantity of_place(const std::function<real(const Vec3&)>& f) {
  return {[f](const Vec3& x, real) { return f(x); }, false};
}

inline HeatSolverSettings tight(TimeScheme scheme = TimeScheme::second_order) {
  return {scheme, {"heat", 1e-13, 20000, PreconditionerKind::jacobi}};
}

/// Patches "lid" (y = 1) and "wall" (the rest) of the unit square and cube.
inline HeatProblem problem_between(const ThermalBoundary& lid, const ThermalBoundary& wall, real conductivity = 1) {
  return {uniform(conductivity), uniform(1), uniform(0), {lid, wall}};
}

inline ThermalBoundary temperature(const PatchQuantity& value) { return {ThermalCondition::temperature, value, {}}; }
inline ThermalBoundary flux(const PatchQuantity& value) { return {ThermalCondition::flux, value, {}}; }
inline ThermalBoundary convection(real h, const PatchQuantity& ambient) {
  return {ThermalCondition::convection, ambient, constant(h)};
}

}  // namespace solenoid::test
