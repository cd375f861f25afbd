#include "physics/flow/momentum/frame_forces.hpp"

#include "base/partial_sum.hpp"
#include "field/assign.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Mean over a face of a quadratic function of place: Simpson's rule, or that of the midpoints of edges.
template <class F>
real mean_over_face(const MeshPart& part, int face, const F& f) {
  const std::span<const int> corners = part.face_points_of(face);
  const Vec3 a = part.points[corners[0]], b = part.points[corners[1]], c = part.points[corners.back()];
  if (part.dimension == 2) return (f(a) + 4 * f((a + b) / 2) + f(b)) / 6;
  return (f((a + b) / 2) + f((b + c) / 2) + f((c + a) / 2)) / 3;
}

void add_at_faces(const BoundaryField<real>& potential, BoundaryField<real>& pressure) {
  const real* const phi = potential.data();
  real* const p = pressure.data();
  forall(
      pressure.size(), SOLENOID_KERNEL(int i) { p[i] += phi[i]; });
}

}  // namespace

FrameForces::FrameForces(const LocalMesh& mesh, const RotatingFrame& frame, const ClosedParts& closed,
                         const MemoryOf& /*scope*/)
    : twice_rate_(2 * frame.rate), coriolis_(mesh), potential_(mesh), at_faces_(mesh), over_faces_(mesh) {
  const auto phi = [&](const Vec3& x) { return frame.centrifugal_potential(x); };
  std::vector<real> in_cells;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) in_cells.push_back(phi(mesh.geometry().cell_centre[c]));
  potential_.from_host(in_cells);
  closed.remove_means(potential_);
  const std::vector<real> centred = potential_.to_host();
  std::vector<real> at_centres, means;
  for (const BoundaryFace& b : mesh.boundary()) {
    const real shift = b.is_owned ? centred[b.cell] - in_cells[b.cell] : 0;
    at_centres.push_back(b.is_owned ? phi(mesh.geometry().face_centre[b.face]) + shift : 0);
    means.push_back(b.is_owned ? mean_over_face(mesh.part(), b.face, phi) + shift : 0);
  }
  at_faces_.from_host(at_centres);
  over_faces_.from_host(means);
}

void FrameForces::extrapolate(const TimeCoefficients& scheme, const Field<Cell, Vec3>& velocity,
                              const Field<Cell, Vec3>& velocity_old) {
  const Vec3 rate = twice_rate_;
  const real recent = scheme.recent, older = scheme.older;
  const auto u = velocity.view(), u_old = velocity_old.view();
  const auto result = coriolis_.view();
  count_owned(velocity, velocity_old, coriolis_);
  forall(
      coriolis_.owned(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        result[c] = cross(rate, recent * u[c] + older * u_old[c]);
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

void FrameForces::add_potential(Field<Cell>& pressure) const { pressure = pressure + potential_; }

void FrameForces::add_potential(BoundaryField<real>& pressure) const { add_at_faces(at_faces_, pressure); }

void FrameForces::add_mean_potential(BoundaryField<real>& pressure) const { add_at_faces(over_faces_, pressure); }

}  // namespace solenoid
