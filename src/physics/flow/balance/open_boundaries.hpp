/// Openings of a domain, and the mean pressure there without a solve for it.
#pragma once

#include <variant>
#include <vector>

#include "model/patch_integral.hpp"
#include "physics/flow/balance/pressure_probe_flux.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/solenoidal/pressure.hpp"

namespace solenoid {

/// An opening with a given flux, and the flow h that the pressure alone would drive if as much entered everywhere on
/// it, 1 in all: h = U_b - (A/L) G phi. It leaves through outlets, and vanishes evenly in the cells of a part of the
/// domain without, where the volume mean of the pressure is zero. Where momentum leaves r = -G p over, h . r is the
/// mean of p on the opening: of the pressure that the system of h would find from r, at any tolerance.
struct Opening {
  int patch;  ///< its place in mesh.part().patches
  std::variant<PatchIntegral, PressureProbeFlux>
      pressure;  ///< how its mean is read: of an outlet, where it is given; by h
};

/// Inlets, outlets and far fields, ascending in their places. Collective; throws as cg does.
std::vector<Opening> find_openings(const LocalMesh& mesh, const FlowBoundaries& boundaries, const PairFaces& pairs,
                                   PressureSystem& system, const SolveControl& control);

}  // namespace solenoid
