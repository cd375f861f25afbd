#include "physics/flow/momentum/edge_vorticity.hpp"

#include "field/assign.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "solve/bring_in.hpp"
#include "solve/prescribed_nodes.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// 1 per owned edge (node in 2D) without vorticity, else 0.
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

constexpr real implicit_part = 0.87;  // a, of the friction in 3D

std::vector<real> lumped_inverse_mass(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  const bool is_planar = mesh.dimension() == 2;
  const std::vector<real> marks = marks_without_vorticity(mesh, boundaries),
                          mass = is_planar ? p1_lumped_mass(mesh) : lower_edge_mass(mesh);
  std::vector<real> inverse;
  for (std::size_t e = 0; e < mass.size(); ++e)
    inverse.push_back(marks[e] > 0 ? 0 : (is_planar ? 1 : implicit_part) / mass[e]);
  return inverse;
}

}  // namespace

EdgeVorticity::Rest::Rest(const LocalMesh& mesh, const std::vector<int>& roles)
    : space(mesh, roles), last(mesh), before(mesh), expected(mesh) {}

EdgeVorticity::EdgeVorticity(const LocalMesh& mesh, const FlowBoundaries& boundaries, Finds finds,
                             const MemoryOf& /*scope*/)
    : lumped_inverse_mass_(mesh, solenoid::lumped_inverse_mass(mesh, boundaries)) {
  if (mesh.dimension() == 2 || finds == Finds::nothing) return;
  rest_.emplace(mesh, prescribed_where<Edge>(mesh, marks_without_vorticity(mesh, boundaries)));
  constexpr int of_largest = 10;  // eigenvalues down to a tenth of the largest count
  mass_.emplace(rest_->space, edge_mass(mesh), of_largest);
}

void EdgeVorticity::compute(const Field<Edge>& circulation, Field<Edge>& vorticity) {
  constexpr real nearly = tolerance::of_vorticity;
  constexpr int most = 1000;
  vorticity = lumped_inverse_mass_ * circulation;
  if (!rest_) return;
  vorticity = vorticity + rest_->last;
  mass_->solve(circulation, vorticity, nearly, most);
  keep_rest(circulation, vorticity);
}

void EdgeVorticity::compute_after_step(const Field<Edge>& circulation, Field<Edge>& vorticity, int iterations) {
  vorticity = lumped_inverse_mass_ * circulation;
  if (!rest_) return;
  vorticity = vorticity + rest_->expected;
  mass_->improve(circulation, vorticity, iterations);
  keep_rest(circulation, vorticity);
}

void EdgeVorticity::keep_rest(const Field<Edge>& circulation, const Field<Edge>& vorticity) {
  if (!keeps_older_) std::swap(rest_->last, rest_->before);
  rest_->last = vorticity - lumped_inverse_mass_ * circulation;
}

void EdgeVorticity::extrapolate(real older) {
  if (rest_) rest_->expected = (1 - older) * rest_->last + older * rest_->before;
}

void EdgeVorticity::add_extrapolated_rest(Field<Edge>& circulation) const {
  circulation = lumped_inverse_mass_ * circulation;
  if (rest_) circulation = circulation + rest_->expected;
}

void EdgeVorticity::visit_state(StateVisitor& visitor) {
  if (!rest_) return;
  part_of_rest_ = implicit_part;
  visitor.number("vorticity_part", part_of_rest_);
  has_rest_ = visitor.field("edge_vorticity_rest", rest_->last);
  visitor.field("edge_vorticity_rest_old", rest_->before);
  bring_in(rest_->space, rest_->last);  // the state may have had other edges without vorticity
  bring_in(rest_->space, rest_->before);
}

void EdgeVorticity::go_on(const Field<Edge>& circulation, const Field<Edge>& vorticity) {
  if (!rest_) return;
  if (has_rest_ && part_of_rest_ == implicit_part) return;
  keep_rest(circulation, vorticity);
  rest_->before.copy_from(rest_->last);
}

}  // namespace solenoid
