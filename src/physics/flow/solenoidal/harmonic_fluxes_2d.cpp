#include "physics/flow/solenoidal/harmonic_fluxes_2d.hpp"

#include <string>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "solve/bring_in.hpp"
#include "solve/dense_system.hpp"

namespace solenoid {

HarmonicFluxes2d::HarmonicFluxes2d(const LocalMesh& mesh, const BoundaryStreamFunction& boundary) {
  const MeshPart& part = mesh.part();
  Field<Cell, Vec3> in_cells(mesh);
  std::vector<Field<Face>> masses;
  for (int pair = 0; pair < static_cast<int>(part.pairs.size()); ++pair) {
    std::vector<real> turns;
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      const std::span<const int> ends = part.face_points_of(f);
      turns.push_back(part.turns(ends[1], pair) - part.turns(ends[0], pair));
    }
    Field<Face>& flux = fluxes_.emplace_back(mesh, turns);
    if (!boundary.jump_is_given(pair)) {
      const std::vector<real> along_boundary = boundary.of_free_jump(pair);
      Field<Edge> potential(mesh);
      potential.from_host(std::span(along_boundary).first(static_cast<std::size_t>(mesh.owned<Edge>())));
      flux = flux + mesh.C * halo(potential);
    }
  }
  for (std::size_t k = 0; k < boundary.ways(); ++k) fluxes_.emplace_back(mesh).copy_from(boundary.way(k));
  for (Field<Face>& flux : fluxes_) {
    masses.emplace_back(mesh);
    apply_face_mass(halo(flux), in_cells, masses.back());
    circulations_.emplace_back(mesh);
    circulations_.back() = mesh.R * halo(masses.back());
  }
  for (const Field<Face>& flux : fluxes_) {
    for (const Field<Face>& mass : masses) masses_.push_back(dot(flux, mass));
  }
}

void HarmonicFluxes2d::add_fluxes(const std::vector<real>& jumps, Field<Face>& flux) const {
  for (std::size_t k = 0; k < count(); ++k) {
    if (jumps[k] != 0) flux = flux + jumps[k] * fluxes_[k];
  }
}

void HarmonicFluxes2d::add_circulations(const std::vector<real>& jumps, Field<Edge>& circulation) const {
  for (std::size_t k = 0; k < count(); ++k) {
    if (jumps[k] != 0) circulation = circulation + jumps[k] * circulations_[k];
  }
}

std::vector<real> HarmonicFluxes2d::products(const Field<Face>& x) const {
  std::vector<real> result;
  for (const Field<Face>& flux : fluxes_) result.push_back(dot(flux, x));
  return result;
}

JumpUnknowns::JumpUnknowns(const HarmonicFluxes2d& jumps, const BoundaryStreamFunction& boundary,
                           const Space<Edge>& unknowns, const SparseMatrix<Edge>& laplacian, Field<Edge>& inverse_mass)
    : jumps_(jumps), unknowns_(unknowns), laplacian_(laplacian), inverse_mass_(inverse_mass) {
  for (std::size_t k = 0; k < jumps.count(); ++k) {
    if (boundary.jump_is_given(static_cast<int>(k))) continue;
    pairs_.push_back(k);
    responses_.emplace_back(unknowns.mesh());
  }
}

void JumpUnknowns::eliminate(real alpha, real viscosity, const Solve& solve) {
  if (pairs_.empty() || (alpha == alpha_ && viscosity == viscosity_)) return;
  const LocalMesh& mesh = unknowns_.mesh();
  Field<Edge> friction(mesh);
  std::vector<Field<Edge>> columns;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Field<Edge>& circulation = jumps_.circulation(pairs_[i]);
    friction = inverse_mass_ * circulation;
    Field<Edge>& column = columns.emplace_back(mesh);
    column = alpha * circulation + viscosity * (laplacian_ * halo(friction));
    unknowns_.restrict_to_unknowns(column);
    if (alpha_ == 0) bring_in(unknowns_, responses_[i]);  // a restored state may belong to another boundary
    solve(column, responses_[i]);
  }
  schur_.clear();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    friction = inverse_mass_ * jumps_.circulation(pairs_[i]);
    for (std::size_t j = 0; j < pairs_.size(); ++j) {
      schur_.push_back(alpha * jumps_.mass(pairs_[i], pairs_[j]) +
                       viscosity * dot(friction, jumps_.circulation(pairs_[j])) - dot(responses_[i], columns[j]));
    }
  }
  alpha_ = alpha;
  viscosity_ = viscosity;
}

void JumpUnknowns::complete(const Field<Edge>& b, const std::vector<real>& of_jumps, Field<Edge>& x,
                            std::vector<real>& jumps) const {
  if (pairs_.empty()) return;
  std::vector<real> left;
  for (std::size_t i = 0; i < pairs_.size(); ++i) left.push_back(of_jumps[pairs_[i]] - dot(responses_[i], b));
  const std::vector<real> found = solve_dense(schur_, left);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    jumps[pairs_[i]] += found[i];
    x = x - found[i] * responses_[i];
  }
}

void JumpUnknowns::visit_state(StateVisitor& visitor) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    visitor.field("jump_response_" + std::to_string(i), responses_[i]);
  }
}

}  // namespace solenoid
