#include "physics/flow/momentum/third_order_momentum.hpp"

#include <cmath>

#include "operators/interpolation.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"

namespace solenoid {

namespace {

constexpr real upwind_share = 0.5;

std::vector<Vec3> along_faces(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  std::vector<Vec3> along;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    const std::span<const int> ends = part.face_points_of(f);
    along.push_back(part.points[ends[1]] - part.points[ends[0]]);
  }
  return along;
}

/// The larger value of a face's two ends.
SOLENOID_HD inline real larger_at_ends(const View<Node, const real>& share, const IncidenceView<Face, Edge>& ends,
                                       Index<Face> f) {
  real larger = 0;
  for (const auto [node, sign, k] : ends[f]) {
    const real there = share[Index<Node>{node.value}];
    larger = there > larger ? there : larger;
  }
  return larger;
}

/// Scales down the missed flux of faces by the share that enters at an end.
void lessen_missed(Exchanged<Node> entering, const DeviceArray<int>& faces, Field<Face>& missed) {
  const auto ends = missed.mesh().C.view();
  const auto share = entering.view();
  const auto miss = missed.view();
  const int* const face = faces.data();
  forall(
      static_cast<int>(faces.size()), SOLENOID_KERNEL(int k) {
        const Index<Face> f{face[k]};
        miss[f] *= 1 - larger_at_ends(share, ends, f);
      });
}

/// Replaces the momentum of faces by that with the upstream cell's velocity, by the share that enters at an end.
void use_upstream(Exchanged<Face> flux, Exchanged<Cell, Vec3> velocity, Exchanged<Node> entering,
                  const DeviceArray<int>& faces, Field<Face, Vec3>& momentum) {
  const LocalMesh& mesh = momentum.mesh();
  const auto ends = mesh.C.view();
  const auto cells = mesh.G.view();
  const auto share = entering.view();
  const auto U = flux.view();
  const auto u = velocity.view();
  const auto carried = momentum.view();
  const int* const face = faces.data();
  forall(
      static_cast<int>(faces.size()), SOLENOID_KERNEL(int k) {
        const Index<Face> f{face[k]};
        const real larger = larger_at_ends(share, ends, f);
        Vec3 upstream{};
        for (const auto [c, sign, slot] : cells[f]) {
          if (sign * U[f] <= 0) upstream = u[c];
        }
        carried[f] = (1 - larger) * carried[f] + (larger * U[f]) * upstream;
      });
}

}  // namespace

ThirdOrderMomentum::ThirdOrderMomentum(const LocalMesh& mesh, const WideHaloMesh& wide,
                                       const FlowBoundaries& boundaries, const MemoryOf& /*scope*/)
    : fit_(mesh, wide, boundaries),
      along_(along_faces(mesh)),
      given_(faces_of_given_flux(mesh, boundaries)),
      missed_(mesh),
      excess_(mesh),
      entering_(mesh, boundaries) {}

void ThirdOrderMomentum::carry(Exchanged<Face> flux, Exchanged<Cell, Vec3> velocity, Field<Face, Vec3>& momentum) {
  const LocalMesh& mesh = flux.mesh();
  const auto ends = mesh.C.view();
  const auto cells = mesh.G.view();  // the sign of G is the opposite of D's
  const Vec3* const along = along_.data();
  const auto U = flux.view();
  const auto carried = momentum.view();
  {
    const auto v = fit_.fit(flux.field()).view();
    const auto missed = missed_.view();
    forall(
        momentum.owned(), SOLENOID_KERNEL(int i) {
          const Index<Face> f{i};
          Vec3 mean{}, change{}, bend{};
          for (const auto [node, sign, k] : ends[f]) {  // the sign of the first end is -1
            const PlaneVelocity& there = v[Index<Node>{node.value}];
            mean += there.value() / 2;
            change += sign * there.value();
            bend -= (sign / 8) * there.change(along[i]);
          }
          const Vec3 area{along[i].y, -along[i].x, 0};
          const Vec3 u = mean + (real{2} / 3) * bend;  // by Simpson's rule
          carried[f] = U[f] * u + (dot(area, change) / 12) * change;
          missed[f] = U[f] - dot(area, u);
        });
    const int* const given = given_.data();
    forall(
        static_cast<int>(given_.size()), SOLENOID_KERNEL(int k) { missed[Index<Face>{given[k]}] = 0; });
  }
  std::optional<Exchanged<Node>> entering;
  if (entering_.has_outlets()) {
    entering = entering_.compute(flux);
    lessen_missed(*entering, entering_.faces(), missed_);
  }
  interpolate(halo(missed_), excess_);
  const auto r = halo(excess_).view();
  forall(
      momentum.owned(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        const real speed = std::fabs(U[f]);
        for (const auto [c, sign, k] : cells[f]) carried[f] -= (upwind_share / 2 * speed * sign) * r[c];
      });
  if (entering) use_upstream(flux, velocity, *entering, entering_.faces(), momentum);
}

}  // namespace solenoid
