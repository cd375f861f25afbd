/// Openings of a domain, and the mean pressure there without a solve for it.
#pragma once

#include <variant>
#include <vector>

#include "model/patch_integral.hpp"
#include "physics/flow/balance/pressure_probe_flux.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/solenoidal/pressure.hpp"

namespace solenoid {

/// An opening and, if its flux is prescribed, the flux h that the pressure alone would drive with uniform inflow, 1 in
/// all: h = U_b - (A/L) G phi. It leaves through outlets; in a part of the domain without, it is absorbed evenly by the
/// cells, where the volume mean of the pressure is zero. With the momentum residual r = -G p, h . r is the mean of p on
/// the opening, for the p that the system of h would solve from r, at any tolerance.
struct Opening {
  int patch;  ///< place in mesh.part().patches
  std::variant<PatchIntegral, PressureProbeFlux>
      pressure;  ///< source of its mean: the prescribed values of an outlet, else h
};

/// Inlets, outlets and far fields, in ascending order of their places. Collective; throws as cg does.
std::vector<Opening> find_openings(const LocalMesh& mesh, const FlowBoundaries& boundaries, const FluxSurfaces& pairs,
                                   PressureSystem& system, const SolveControl& control);

}  // namespace solenoid
