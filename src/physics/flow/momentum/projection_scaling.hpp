/// The scaling of the pressure's metric that keeps the classical step stable.
#pragma once

#include <optional>

#include "physics/flow/momentum/flux_momentum_system.hpp"
#include "physics/flow/solenoidal/pressure.hpp"

namespace solenoid {

/// sigma in W = sigma A/L. A step is stable if the eigenvalues of D M^-1 G relative to D (A/L) G are below 4/3 sigma;
/// its error grows with sigma. On triangles they are at most 2, and sigma is 1.75; on tetrahedra .9 of the largest one
/// from power iterations, or `given`. Collective; throws as cg does.
real projection_scaling(const Space<Face>& unknowns, FluxMomentumSystem& momentum, PressureSystem& pressure,
                        const std::optional<real>& given);

}  // namespace solenoid
