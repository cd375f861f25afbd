#include "physics/edge_vorticity.hpp"

#include "field/assign.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "solve/bring_in.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

namespace {

/// Per owned edge; nodes in 2D.
std::vector<real> marks_without_vorticity(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  const MeshPart& part = mesh.part();
  std::vector<real> marks(static_cast<std::size_t>(mesh.owned<Edge>()), 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!boundaries.is_without_vorticity(b.patch)) continue;
    for (const int e : part.dimension == 2 ? part.face_nodes_of(b.face) : part.face_edges_of(b.face)) {
      if (e < mesh.owned<Edge>()) marks[e] = 1;
    }
  }
  return marks;
}

/// Of the friction in 3D that is implicit.
real implicit_part(DiffusionForm diffusion) {
  if (diffusion == DiffusionForm::moments) return 0.9;
  return diffusion == DiffusionForm::stress ? 0.8 : 0.87;
}

std::vector<real> simple_inverse(const LocalMesh& mesh, const FlowBoundaries& boundaries, real part) {
  const bool is_planar = mesh.dimension() == 2;
  const std::vector<real> marks = marks_without_vorticity(mesh, boundaries),
                          mass = is_planar ? p1_lumped_mass(mesh) : lower_edge_mass(mesh);
  std::vector<real> inverse;
  for (std::size_t e = 0; e < mass.size(); ++e) inverse.push_back(marks[e] > 0 ? 0 : (is_planar ? 1 : part) / mass[e]);
  return inverse;
}

}  // namespace

EdgeVorticity::Consistent::Consistent(const LocalMesh& mesh, const std::vector<int>& roles)
    : space(mesh, roles), mass(space, edge_mass(mesh), 10), rest(mesh), rest_old(mesh), expected(mesh) {}

EdgeVorticity::EdgeVorticity(const LocalMesh& mesh, const FlowBoundaries& boundaries, DiffusionForm diffusion,
                             bool has_vorticity)
    : part_(implicit_part(diffusion)),
      part_of_rest_(part_),
      simple_inverse_(mesh, solenoid::simple_inverse(mesh, boundaries, part_)) {
  if (mesh.dimension() == 3 && has_vorticity) {
    consistent_.emplace(mesh, prescribed_where<Edge>(mesh, marks_without_vorticity(mesh, boundaries)));
  }
  is_implicit_alone_ = diffusion == DiffusionForm::stress;
  if (diffusion == DiffusionForm::moments) moments_.emplace(Moments{{mesh, boundaries}, Field<Edge>(mesh)});
}

void EdgeVorticity::set(std::span<const Vec3> velocity) {
  if (moments_) moments_->velocity.set(velocity);
}

const Field<Edge>& EdgeVorticity::of_means(Exchanged<Cell, Vec3> velocity, const Field<Edge>& circulation) {
  if (!moments_) return circulation;
  moments_->velocity.add_circulation(velocity, circulation, moments_->circulation);
  return moments_->circulation;
}

void EdgeVorticity::find(Exchanged<Cell, Vec3> velocity, const Field<Edge>& circulation, Field<Edge>& vorticity) {
  constexpr real nearly = sizeof(real) == sizeof(double) ? 1e-13 : 1e-6;
  constexpr int most = 1000;
  vorticity = simple_inverse_ * circulation;
  if (!consistent_) return;
  vorticity = vorticity + consistent_->rest;
  consistent_->mass.solve(of_means(velocity, circulation), vorticity, nearly, most);
  keep_rest(circulation, vorticity);
}

void EdgeVorticity::find_after_step(Exchanged<Cell, Vec3> velocity, const Field<Edge>& circulation,
                                    Field<Edge>& vorticity, int iterations) {
  vorticity = simple_inverse_ * circulation;
  if (!consistent_) return;
  vorticity = vorticity + consistent_->expected;
  consistent_->mass.improve(of_means(velocity, circulation), vorticity, iterations);
  keep_rest(circulation, vorticity);
}

void EdgeVorticity::keep_rest(const Field<Edge>& circulation, const Field<Edge>& vorticity) {
  if (!keeps_older_) std::swap(consistent_->rest, consistent_->rest_old);
  consistent_->rest = vorticity - simple_inverse_ * circulation;
}

void EdgeVorticity::expect(real older) {
  if (consistent_) consistent_->expected = (1 - older) * consistent_->rest + older * consistent_->rest_old;
}

void EdgeVorticity::take_expected(Field<Edge>& circulation) const {
  if (consistent_ && !is_implicit_alone_) {
    circulation = simple_inverse_ * circulation + consistent_->expected;
  } else {
    circulation = simple_inverse_ * circulation;
  }
}

void EdgeVorticity::visit_state(StateVisitor& visitor) {
  if (!consistent_) return;
  visitor.number("vorticity_part", part_of_rest_);
  has_rest_ = visitor.field("edge_vorticity_rest", consistent_->rest);
  visitor.field("edge_vorticity_rest_old", consistent_->rest_old);
  bring_in(consistent_->space, consistent_->rest);  // of a state where other edges were without vorticity
  bring_in(consistent_->space, consistent_->rest_old);
}

void EdgeVorticity::go_on(const Field<Edge>& circulation, const Field<Edge>& vorticity) {
  if (!consistent_) return;
  const bool is_of_this = has_rest_ && part_of_rest_ == part_;
  part_of_rest_ = part_;
  has_rest_ = true;
  if (is_of_this) return;
  keep_rest(circulation, vorticity);
  consistent_->rest_old.copy_from(consistent_->rest);
}

}  // namespace solenoid
