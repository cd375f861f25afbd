/// Flows by both methods in the plane and in space, through the unit square and the unit cube as ducts along x.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "support/flows.hpp"
#include "support/openings.hpp"

namespace solenoid::test {

constexpr FlowMethod both_methods[] = {FlowMethod::exact, FlowMethod::classical};

template <class Visit>
void in_both_methods(const Visit& visit) {
  for (const int dimension : {2, 3}) {
    for (const FlowMethod method : both_methods) {
      SCOPED_TRACE(std::to_string(dimension) + "D, method " + std::to_string(static_cast<int>(method)));
      visit(dimension, method);
    }
  }
}

/// Tight, with the forms of convection and friction that the program chooses.
inline FlowStepSettings settings_of(FlowMethod method, real viscosity) {
  FlowStepSettings settings = tight_settings(viscosity, 1e-12);
  settings.method = method;
  settings.convection = ConvectionForm::automatic;
  settings.diffusion = DiffusionForm::automatic;
  return settings;
}

inline MeshSource unit_box(int dimension, int n, real wiggle) {
  return dimension == 2 ? unit_square(n, wiggle) : unit_cube(n, wiggle);
}

/// left and right: the ends; bottom, top; side: in space the two others.
inline std::string side_of_duct(const Vec3& x) {
  constexpr real near = 1e-9;
  return x.x < near ? "left" : x.x > 1 - near ? "right" : x.y < near ? "bottom" : x.y > 1 - near ? "top" : "side";
}

inline MeshSource duct(int dimension, int n, real wiggle) {
  return with_patches(unit_box(dimension, n, wiggle), side_of_duct);
}

/// Of which every 1 m is the same.
inline MeshSource endless_duct(int dimension, int n, real wiggle) {
  MeshSource mesh = duct(dimension, n, wiggle);
  mesh.pairs = {{"left", "right"}};
  return mesh;
}

/// Around the duct planes of symmetry; at its ends these conditions, or none where it is endless.
inline FlowBoundaries frictionless(const LocalMesh& mesh, const std::map<std::string, FlowBoundary>& ends,
                                   const std::vector<PairDrive>& drives = {}) {
  std::map<std::string, FlowBoundary> all{{"bottom", Symmetry{}}, {"top", Symmetry{}}, {"side", Symmetry{}}};
  all.insert(ends.begin(), ends.end());
  return conditions(mesh, all, drives);
}

inline PairDrive drive_of_flux(real flux) {
  PairDrive drive;
  drive.flux = Coefficient<real>(flux);
  return drive;
}

/// At rest, in this problem.
inline std::unique_ptr<FlowStep> flow_in(const FlowProblem& problem, const FlowStepSettings& settings,
                                         const FlowBoundaries& boundaries) {
  return make_flow_step(*problem.mesh, settings, boundaries, 0, &problem.wide);
}

inline void advance(FlowStep& flow, int steps, real dt) {
  for (int k = 0; k < steps; ++k) flow.advance(dt);
}

}  // namespace solenoid::test
