#include "physics/virtual_flow.hpp"

#include "field/assign.hpp"
#include "operators/interpolation.hpp"

namespace solenoid {

VirtualFlow::VirtualFlow(Field<Face>& flow, const PairFaces& pairs)
    : velocity_(flow.mesh()), circulation_(flow.mesh()), leaving_(flow.mesh()), through_pairs_(pairs.sum(flow)) {
  const LocalMesh& mesh = flow.mesh();
  Field<Face> momentum(mesh);
  apply_face_mass(halo(flow), velocity_, momentum);
  circulation_ = mesh.R * halo(momentum);
  std::vector<Vec3> velocity = velocity_.to_host();
  for (std::size_t c = 0; c < velocity.size(); ++c) velocity[c] = mesh.geometry().cell_volume[c] * velocity[c];
  velocity_.from_host(velocity);
  const std::vector<real> fluxes = flow.to_host();
  std::vector<real> leaving;
  for (const BoundaryFace& b : mesh.boundary()) leaving.push_back(b.is_owned ? b.orientation * fluxes[b.face] : 0);
  leaving_.from_host(leaving);
}

real VirtualFlow::power(const Field<Cell, Vec3>& acceleration, const Field<Edge>& vorticity, real viscosity,
                        const BoundaryField<real>& pressure) const {
  const LocalMesh& mesh = acceleration.mesh();
  const auto h = velocity_.view(), a = acceleration.view();
  const auto around = circulation_.view(), omega = vorticity.view();
  const real *const out = leaving_.data(), *const p = pressure.data();
  PartialSum power = reduce_sum(
      acceleration.owned(), SOLENOID_KERNEL(int i) { return dot(h[Index<Cell>{i}], a[Index<Cell>{i}]); });
  power += reduce_sum(
      vorticity.owned(),
      SOLENOID_KERNEL(int i) { return viscosity * (around[Index<Edge>{i}] * omega[Index<Edge>{i}]); });
  power += reduce_sum(
      leaving_.size(), SOLENOID_KERNEL(int i) { return out[i] * p[i]; });
  return total(mesh.comm(), power);
}

}  // namespace solenoid
