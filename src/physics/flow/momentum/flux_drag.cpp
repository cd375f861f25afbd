#include "physics/flow/momentum/flux_drag.hpp"

#include <span>
#include <utility>

#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// (x - x_c)(x - x_c)^T over each owned cell by (d V)^2: V/((d+1)(d+2)) sum_k b_k b_k^T of its corners b_k = v_k - x_c.
std::vector<Tensor> moments_of_cells(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const auto d = static_cast<real>(mesh.dimension());
  std::vector<Tensor> moments(mesh.owned<Cell>());
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    const real factor = 1 / ((d + 1) * (d + 2) * d * d * mesh.geometry().cell_volume[c]);
    for (const int point : part.cell_points_of(c)) {
      moments[c] = moments[c] + Tensor::square(factor, part.points[point] - mesh.geometry().cell_centre[c]);
    }
  }
  return moments;
}

SOLENOID_HD real contraction(const Tensor& a, const Tensor& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2 * (a.xy * b.xy + a.yz * b.yz + a.zx * b.zx);
}

}  // namespace

FluxDrag::FluxDrag(const LocalMesh& mesh, PorousDrag& drag)
    : mesh_(mesh),
      drag_(drag),
      moments_(mesh),
      of_divergence_(mesh),
      least_share_(mesh),
      divergence_(mesh),
      per_volume_(mesh),
      cells_(mesh),
      along_duals_(mesh) {
  moments_.from_host(moments_of_cells(mesh));
  least_share_.from_host(std::span(drag.least_share()).first(mesh.owned<Cell>()));
  renew();
}

void FluxDrag::renew() {
  const auto R = drag_.per_viscosity().view(), T = std::as_const(moments_).view();
  const auto s = of_divergence_.view();
  count_owned(drag_.per_viscosity(), moments_, of_divergence_);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        s[c] = contraction(R[c], T[c]);
      });
}

void FluxDrag::add(const Scalar<>& factor, Field<Face>& flux, Field<Face>& along_duals) {
  interpolate(halo(flux), cells_);
  drag_.multiply(factor, cells_);
  integrate(halo(cells_), along_duals_);
  along_duals = along_duals + along_duals_;
  add_of_divergence(factor, flux, along_duals);
}

void FluxDrag::add_force(real implicit, Field<Face>& flux, Field<Face>& along_duals) {
  drag_.add_along_duals(flux, along_duals);
  add_of_divergence(implicit, flux, along_duals);
}

void FluxDrag::add_of_divergence(const Scalar<>& factor, Field<Face>& flux, Field<Face>& along_duals) {
  divergence_ = of_divergence_ * (mesh_.D * halo(flux));
  along_duals = along_duals - factor * (mesh_.G * halo(divergence_));  // G = -D^T
}

void FluxDrag::compute_diagonal(Field<Face>& diagonal) {
  const auto R = drag_.per_viscosity().view();
  const auto per_volume = per_volume_.view();
  const auto V = mesh_.cell_volume();
  count_owned(drag_.per_viscosity(), per_volume_);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        per_volume[c] = (1 / V[c]) * R[c];
      });
  const auto of_cells = halo(per_volume_).view();
  const auto s = halo(of_divergence_).view();
  const auto cells = mesh_.G.view();
  const Vec3* const arm = mesh_.cell_arm();
  const auto result = diagonal.view();
  count_gathered(per_volume_, of_divergence_);
  count_owned(diagonal);
  forall(
      mesh_.owned<Face>(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        real sum = 0;
        for (const auto [c, sign, k] : cells[f]) sum += dot(arm[k], of_cells[c] * arm[k]) + s[c];
        result[f] = sum;
      });
}

void FluxDrag::compute_least_weight(real factor, Field<Cell>& weight) const {
  const auto R = drag_.per_viscosity().view();
  const auto share = least_share_.view();
  const auto w = weight.view();
  count_owned(drag_.per_viscosity(), least_share_, weight);
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        w[c] = 1 + factor * share[c] * R[c].trace();
      });
}

}  // namespace solenoid
