#include "physics/flow/solenoidal/stream_function.hpp"

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "operators/p1.hpp"
#include "solve/bring_in.hpp"
#include "solve/dense_system.hpp"

namespace solenoid {

namespace {

/// c_k, and s along the boundary for each free jump of 1.
std::vector<Field<Face>> fluxes_of_jumps(const LocalMesh& mesh, const BoundaryStreamFunction& boundary,
                                         std::vector<Field<Edge>>& along_boundary) {
  const MeshPart& part = mesh.part();
  std::vector<Field<Face>> fluxes;
  for (int pair = 0; pair < static_cast<int>(part.pairs.size()); ++pair) {
    std::vector<real> turns;
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      const std::span<const int> ends = part.face_points_of(f);
      turns.push_back(part.turns(ends[1], pair) - part.turns(ends[0], pair));
    }
    Field<Face>& flux = fluxes.emplace_back(mesh, turns);
    if (boundary.jump_is_given(pair)) continue;
    const std::vector<real> of_nodes = boundary.of_free_jump(pair);
    Field<Edge>& potential = along_boundary.emplace_back(mesh);
    potential.from_host(std::span(of_nodes).first(static_cast<std::size_t>(mesh.owned<Edge>())));
    flux = flux + mesh.C * halo(potential);
  }
  for (std::size_t k = 0; k < boundary.ways(); ++k) fluxes.emplace_back(mesh).copy_from(boundary.way(k));
  return fluxes;
}

}  // namespace

StreamFunction::StreamFunction(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                               PreconditionerKind preconditioner, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      preconditioner_(preconditioner),
      boundary_(mesh, boundaries),
      offset_(mesh),
      given_jumps_(mesh.part().pairs.size() + boundary_.ways(), 0),
      potential_(mesh),
      right_side_(mesh),
      values_(mesh) {}

void StreamFunction::set(const std::vector<real>& fluxes, const RunningSums& running_sums,
                         const EdgeIntegrals& circulations, const std::vector<real>& through_pairs) {
  const BoundaryStreamFunction::Offsets offsets = boundary_.offsets(fluxes, running_sums, circulations, through_pairs);
  offset_.from_host(std::span(offsets.of_nodes).first(offset_.owned()));
  given_jumps_ = offsets.jumps;
  ends_.clear();
  for (const BoundaryFace& b : mesh_.boundary()) {
    const std::span<const int> nodes = mesh_.part().face_nodes_of(b.face);
    ends_.push_back({offsets.of_nodes[nodes[0]], offsets.of_nodes[nodes[1]]});
  }
}

StreamFunction::Laplacian& StreamFunction::laplacian() {
  if (!laplacian_) {
    laplacian_ = std::make_unique<Laplacian>(mesh_, boundary_.roles(), p1_stiffness(mesh_), preconditioner_);
  }
  return *laplacian_;
}

StreamFunction::Jumps& StreamFunction::jumps(const SolveControl& control) {
  if (jumps_) return *jumps_;
  Jumps& all = jumps_.emplace();
  all.fluxes = fluxes_of_jumps(mesh_, boundary_, all.along_boundary);
  Field<Cell, Vec3> in_cells(mesh_);
  std::vector<Field<Face>> masses;
  for (Field<Face>& flux : all.fluxes) {
    apply_face_mass(halo(flux), in_cells, masses.emplace_back(mesh_));
    all.circulations.emplace_back(mesh_) = mesh_.R * halo(masses.back());
  }
  for (const Field<Face>& flux : all.fluxes) {
    for (const Field<Face>& mass : masses) all.masses.push_back(dot(flux, mass));
  }
  for (std::size_t k = 0; k < all.fluxes.size(); ++k) {
    if (!boundary_.jump_is_given(static_cast<int>(k))) all.free.push_back(k);
  }
  std::vector<Field<Edge>> columns;
  for (const std::size_t k : all.free) {
    columns.emplace_back(mesh_).copy_from(all.circulations[k]);
    laplacian().unknowns.restrict_to_unknowns(columns.back());
    laplacian().system.solve(columns.back(), all.responses.emplace_back(mesh_), control);
  }
  for (std::size_t i = 0; i < all.free.size(); ++i) {
    for (std::size_t j = 0; j < all.free.size(); ++j) {
      all.schur.push_back(all.masses[all.free[i] * all.fluxes.size() + all.free[j]] -
                          dot(all.responses[i], columns[j]));
    }
  }
  return all;
}

Field<Edge>& StreamFunction::compute(Field<Face>& along_duals, const SolveControl& control) {
  const Space<Edge>& unknowns = laplacian().unknowns;
  const Jumps& all = jumps(control);
  right_side_ = mesh_.R * halo(along_duals) - laplacian().matrix * halo(offset_);
  for (std::size_t k = 0; k < given_jumps_.size(); ++k) {
    if (given_jumps_[k] != 0) right_side_ = right_side_ - given_jumps_[k] * all.circulations[k];
  }
  unknowns.restrict_to_unknowns(right_side_);
  bring_in(unknowns, potential_);  // a restored state may belong to another boundary
  laplacian().system.solve(right_side_, potential_, control);

  std::vector<real> of_jumps;  // residuals of the rows of free jumps
  for (std::size_t i = 0; i < all.free.size(); ++i) {
    const std::size_t k = all.free[i];
    real row = dot(all.fluxes[k], along_duals) - dot(all.circulations[k], offset_) - dot(all.responses[i], right_side_);
    for (std::size_t j = 0; j < given_jumps_.size(); ++j)
      row -= all.masses[k * given_jumps_.size() + j] * given_jumps_[j];
    of_jumps.push_back(row);
  }
  values_ = potential_ + offset_;
  if (all.free.empty()) return values_;
  const std::vector<real> free_jumps = solve_dense(all.schur, of_jumps);
  for (std::size_t i = 0; i < free_jumps.size(); ++i) {
    values_ = values_ - free_jumps[i] * all.responses[i] + free_jumps[i] * all.along_boundary[i];
  }
  return values_;
}

}  // namespace solenoid
