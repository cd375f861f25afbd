#include "physics/flow/balance/pressure_probe_flux.hpp"

#include "field/inner_product.hpp"

namespace solenoid {

PressureProbeFlux::PressureProbeFlux(const Field<Face>& flow, const FluxSurfaces& pairs)
    : flow_(flow.mesh()), leaving_(flow.mesh()), through_pairs_(pairs.sum(flow)) {
  flow_.copy_from(flow);
  const std::vector<real> fluxes = flow.to_host();
  std::vector<real> leaving;
  for (const BoundaryFace& b : flow.mesh().boundary()) {
    leaving.push_back(b.is_owned ? b.orientation * fluxes[b.face] : 0);
  }
  leaving_.from_host(leaving);
}

real PressureProbeFlux::power(const Field<Face>& residual, const BoundaryField<real>& pressure) const {
  const real *const out = leaving_.data(), *const p = pressure.data();
  const PartialSum of_boundary = reduce_sum(
      leaving_.size(), SOLENOID_KERNEL(int i) { return out[i] * p[i]; });
  return dot(flow_, residual) + total(residual.mesh().comm(), of_boundary);
}

}  // namespace solenoid
