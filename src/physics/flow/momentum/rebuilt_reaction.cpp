/// Forces and powers on the boundary by the momentum of a rebuilt velocity.
#include <array>
#include <utility>

#include "field/inner_product.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"
#include "physics/flow/momentum/velocity_gradient.hpp"

namespace solenoid {

/// e - N e for each of sliding_node and each direction e.
std::vector<Vec3> RebuiltMomentum::constants_lack() {
  const std::vector<Vec3> area = tables_.area.to_host();
  const std::size_t count = tables_.sliding_node.size();
  std::vector<Vec3> lacks(3 * count);
  Field<Face> constant(mesh_);
  const std::array<Vec3, 3> directions{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<real> fluxes;
    for (int f = 0; f < mesh_.owned<Face>(); ++f) fluxes.push_back(dot(area[f], directions[k]));
    constant.from_host(fluxes);
    at_nodes_.from_host(std::vector<Vec3>(mesh_.owned<Node>(), directions[k]));
    fit_.compute(halo(constant), at_nodes_);
    const std::vector<Vec3> found = at_nodes_.to_host();
    for (std::size_t i = 0; i < count; ++i) lacks[3 * i + k] = directions[k] - found[tables_.sliding_node[i]];
  }
  return lacks;
}

void RebuiltMomentum::add_tractions(BoundaryField<Vec3>& tractions) {
  Field<Face, Vec3> stress(mesh_);  // A nu T n where a velocity is prescribed
  {
    const int* const face = tables_.boundary_face.data();
    const FaceKind* const kind = tables_.kind.data();
    const Vec3* const area = tables_.area.data();
    const auto cells = mesh_.G.view();
    const auto w = std::as_const(rebuilt_).view();
    const auto nu = std::as_const(viscosity_).view();
    const auto result = stress.view();
    const real viscosity = last_viscosity_, transposed = stress_ == Stress::symmetric ? 1 : 0;
    const real* const of_eddies = last_has_eddies_ ? std::as_const(eddies_->viscosity).view().data : nullptr;
    forall(
        static_cast<int>(tables_.boundary_face.size()), SOLENOID_KERNEL(int i) {
          const Index<Face> f{face[i]};
          const bool gives = kind[f.value] == FaceKind::sticking || kind[f.value] == FaceKind::far;
          if (!gives) return;
          const auto [c, sign, slot] = *cells[f].begin();  // the sign of G is the opposite of D's
          const Vec3* const T = w[c].change;
          const Vec3& n = area[f.value];
          result[f] = (-sign * viscosity * nu[c]) * (times(T, n) + transposed * transposed_times(T, n));
          if (of_eddies) result[f] -= (sign * of_eddies[c.value]) * (times(T, n) + transposed_times(T, n));
        });
  }
  add_open_tractions(tractions);
  const auto of_faces = halo(stress).view();
  Field<Node, Vec3> reaction(mesh_);
  reaction.copy_from(psi_);
  const auto left = reaction.view();
  {
    const int *const node = tables_.given_node.data(), *const begin = tables_.giving_begin.data(),
                     *const face = tables_.giving_face.data();
    const real corners = static_cast<real>(mesh_.dimension());
    forall(
        static_cast<int>(tables_.given_node.size()), SOLENOID_KERNEL(int i) {
          Vec3 sum{};
          for (int k = begin[i]; k < begin[i + 1]; ++k) sum += of_faces[Index<Face>{face[k]}];
          left[Index<Node>{node[i]}] -= sum / corners;
        });
    const int* const sliding = sliding_node_.data();
    const Vec3* const lacks = lacks_.data();
    forall(
        static_cast<int>(sliding_node_.size()), SOLENOID_KERNEL(int i) {
          Vec3& psi = left[Index<Node>{sliding[i]}];
          psi = Vec3{dot(lacks[3 * i], psi), dot(lacks[3 * i + 1], psi), dot(lacks[3 * i + 2], psi)};
        });
  }
  const auto psi = halo(reaction).view();
  const auto inverse_area = std::as_const(inverse_area_).view();
  const BoundaryView faces = mesh_.boundary().owned();
  const FaceKind* const kind = tables_.kind.data();
  const int* const corners = tables_.corners.data();
  const Vec3* const area = tables_.area.data();
  Vec3* const t = tractions.data();
  const int count = mesh_.dimension();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const int f = faces.face[i];
        if (kind[f] == FaceKind::open || kind[f] == FaceKind::directed) return;
        const bool slides = kind[f] == FaceKind::sliding;
        const real side = slides ? -1 : 1;
        for (int k = 0; k < count; ++k) {
          const Index<Node> n{corners[count * f + k]};
          const real share = side * inverse_area[n];
          if (share > 0) t[faces.place[i]] -= share * psi[n];
        }
        if (!slides) t[faces.place[i]] -= of_faces[Index<Face>{f}] / norm(area[f]);
      });
}

/// On outlets -nu (grad w)^T n.
void RebuiltMomentum::add_open_tractions(BoundaryField<Vec3>& tractions) const {
  if (stress_ == Stress::gradient) return;
  const BoundaryView faces = mesh_.boundary().owned();
  const auto w = rebuilt_.view();
  const auto nu = viscosity_.view();
  const FaceKind* const kind = tables_.kind.data();
  const real viscosity = last_open_;
  Vec3* const t = tractions.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const FaceKind of_face = kind[faces.face[i]];
        if (of_face != FaceKind::open && of_face != FaceKind::directed) return;
        const Index<Cell> c{faces.cell[i]};
        t[faces.place[i]] -= (viscosity * nu[c]) * transposed_times(w[c].change, faces.outward_normal[i]);
      });
}

real RebuiltMomentum::boundary_power() const {
  const int* const node = tables_.given_node.data();
  const Vec3* const given = given_velocity_.data();
  const auto psi = psi_.view();
  PartialSum power = reduce_sum(
      static_cast<int>(tables_.given_node.size()),
      SOLENOID_KERNEL(int i) { return dot(given[i], psi[Index<Node>{node[i]}]); });
  const auto cells = mesh_.G.view();
  const auto terms = face_terms_.view();
  const auto v = at_nodes_.view();
  const int *const face = tables_.boundary_face.data(), *const corners = tables_.corners.data();
  const FaceKind* const kind = tables_.kind.data();
  const Vec3* const velocity = boundary_velocity_.data();
  const int count = mesh_.dimension();
  power += reduce_sum(
      static_cast<int>(tables_.boundary_face.size()), SOLENOID_KERNEL(int i) {
        const Index<Face> f{face[i]};
        if (kind[f.value] != FaceKind::sticking) return real{0};
        const int* const at = corners + count * f.value;
        Vec3 sum = v[Index<Node>{at[0]}];
        for (int k = 1; k < count; ++k) sum += v[Index<Node>{at[k]}];
        const real inward = (*cells[f].begin()).sign;
        return dot(terms[f].push, -inward * (sum / static_cast<real>(count) - velocity[i]));
      });
  return total(mesh_.comm(), power);
}

real RebuiltMomentum::dissipation() {
  PartialSum sum;
  for (PendingSums<1>& part : dissipation_) sum += part.parts()[0];
  for (PendingSums<2>& part : with_eddies_) sum += part.parts()[0];
  return total(mesh_.comm(), sum);
}

real RebuiltMomentum::dissipation_by_eddies() {
  PartialSum sum;
  for (PendingSums<2>& part : with_eddies_) sum += part.parts()[1];
  return total(mesh_.comm(), sum);
}

Vec3 RebuiltMomentum::weighted(const ForceTestFunction& weight) const {
  const auto phi = weight.in_cells().view();
  const auto slope = weight.gradient().view();
  const auto on_faces = on_faces_.view();
  const auto on_corners = on_corners_.view();
  const auto faces = mesh_.D.view();
  const Vec3 *const area = tables_.area.data(), *const arm = mesh_.face_arm();
  const int d = mesh_.dimension();
  return total(mesh_.comm(), reduce_sums<3>(
                                 mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                   const Index<Cell> c{i};
                                   Vec3 sum{};
                                   for (int k = 0; k <= d; ++k) {  // x_k - x_c is -d times the arm of the opposite face
                                     const auto [f, sign, slot] = faces[c][k];
                                     const real on_slope = dot(slope[c], arm[slot]);
                                     sum += (phi[c] - static_cast<real>(d) * on_slope) * on_corners[c].of[k];
                                     sum += ((phi[c] + on_slope) * sign * on_faces[c].of[k]) * area[f.value];
                                   }
                                   return Sums<3>{{sum.x, sum.y, sum.z}};
                                 }));
}

}  // namespace solenoid
