#include "physics/flow/momentum/frame_forces.hpp"

#include "base/partial_sum.hpp"
#include "field/assign.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

FrameForces::FrameForces(const LocalMesh& mesh, const RotatingFrame& frame, const ClosedParts& closed,
                         const MemoryOf& /*scope*/)
    : twice_rate_(2 * frame.rate),
      coriolis_(mesh),
      potential_(mesh, closed, [&](int /*cell*/, const Vec3& x) { return frame.centrifugal_potential(x); }) {}

void FrameForces::extrapolate(const Extrapolation& expected, const Field<Cell, Vec3>& velocity,
                              const Field<Cell, Vec3>& velocity_old, const Field<Cell, Vec3>& velocity_older) {
  const Vec3 rate = twice_rate_;
  const real recent = expected.recent, older = expected.older, oldest = expected.oldest;
  const auto u = velocity.view(), u_old = velocity_old.view(), u_older = velocity_older.view();
  const auto result = coriolis_.view();
  count_owned(velocity, velocity_old, velocity_older, coriolis_);
  forall(
      coriolis_.owned(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        result[c] = cross(rate, recent * u[c] + older * u_old[c] + oldest * u_older[c]);
      });
}

void FrameForces::add_to(Field<Cell, Vec3>& forcing) const { forcing = forcing + coriolis_; }

real FrameForces::power(const Field<Cell, Vec3>& velocity) const {
  const LocalMesh& mesh = velocity.mesh();
  const auto V = mesh.cell_volume();
  const auto u = velocity.view(), a = coriolis_.view();
  return total(mesh.comm(), reduce_sum(
                                mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                  const Index<Cell> c{i};
                                  return V[c] * dot(u[c], a[c]);
                                }));
}

}  // namespace solenoid
