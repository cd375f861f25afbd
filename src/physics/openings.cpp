#include "physics/openings.hpp"

#include <algorithm>
#include <optional>

#include "field/assign.hpp"
#include "physics/flux_tree.hpp"

namespace solenoid {

namespace {

/// Fluxes into the domain through a patch, the same everywhere on it and 1 in all. Collective.
Field<Face> even_inflow(const LocalMesh& mesh, int patch) {
  std::vector<real> flux(static_cast<std::size_t>(mesh.owned<Face>()), 0);
  PartialSum owned_area;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || b.patch != patch) continue;
    flux[b.face] = -b.orientation * norm(b.outward_area);
    owned_area += norm(b.outward_area);
  }
  const real area = total(mesh.comm(), owned_area);
  for (real& value : flux) value /= area;
  return {mesh, flux};
}

/// Takes the sums of `sources` over closed parts of the domain evenly out of their cells. Collective.
void spread_over_parts(const std::vector<int>& part_of_cell, Field<Cell>& sources) {
  const LocalMesh& mesh = sources.mesh();
  const std::vector<real>& volume = mesh.geometry().cell_volume;
  const auto parts = static_cast<std::size_t>(
      mesh.comm().max(part_of_cell.empty() ? std::int64_t{-1}
                                           : *std::max_element(part_of_cell.begin(), part_of_cell.end())) +
      1);
  std::vector<real> source = sources.to_host();
  std::vector<PartialSum> owned(2 * parts);
  for (std::size_t c = 0; c < source.size(); ++c) {
    if (part_of_cell[c] < 0) continue;
    owned[2 * part_of_cell[c]] += source[c];
    owned[2 * part_of_cell[c] + 1] += volume[c];
  }
  const std::vector<real> sums = totals(mesh.comm(), owned);
  for (std::size_t c = 0; c < source.size(); ++c) {
    if (part_of_cell[c] >= 0) source[c] -= volume[c] * sums[2 * part_of_cell[c]] / sums[2 * part_of_cell[c] + 1];
  }
  sources.from_host(source);
}

}  // namespace

std::vector<Opening> find_openings(const LocalMesh& mesh, const FlowBoundaries& boundaries, const PairFaces& pairs,
                                   PressureSystem& system, const SolveControl& control) {
  constexpr real loosest = sizeof(real) == sizeof(double) ? 1e-10 : 1e-5;
  SolveControl tight = control;
  tight.tolerance = std::min(tight.tolerance, loosest);
  tight.max_iterations = std::max(tight.max_iterations, SolveControl{}.max_iterations);
  std::vector<Opening> openings;
  std::optional<std::vector<int>> closed_parts;
  Field<Cell> sources(mesh), potential(mesh);
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) {
    if (boundaries.outlet(p)) openings.push_back({p, PatchIntegral(mesh, {p})});
    if (!boundaries.lets_given_flux_pass(p)) continue;
    if (!closed_parts) closed_parts = FluxTree(mesh, boundaries).closed_parts();
    Field<Face> flow = even_inflow(mesh, p);
    sources = -(mesh.D * halo(flow));
    spread_over_parts(*closed_parts, sources);
    potential = 0 * potential;
    system.solve_apart(sources, potential, tight);
    flow = flow - system.conductance() * (mesh.G * halo(potential));
    openings.push_back({p, VirtualFlow(flow, pairs)});
  }
  return openings;
}

}  // namespace solenoid
