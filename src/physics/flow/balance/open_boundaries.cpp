#include "physics/flow/balance/open_boundaries.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "field/integral.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

namespace {

/// Uniform flux into the domain through a patch, 1 in all. Collective.
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

/// Subtracts the sums of `sources` over parts of the domain without outlets evenly from their cells. Collective.
void spread_over_parts(const ClosedParts& parts, Field<Cell>& sources) {
  const auto V = volumes(sources.mesh());
  sources = sources / V;
  parts.remove_means(sources);
  sources = V * sources;
}

}  // namespace

std::vector<Opening> find_openings(const LocalMesh& mesh, const FlowBoundaries& boundaries, const FluxSurfaces& pairs,
                                   PressureSystem& system, const SolveControl& control) {
  SolveControl tight = unrecorded(tightened(control, tolerance::of_response));
  tight.max_iterations = std::max(tight.max_iterations, SolveControl{}.max_iterations);
  std::vector<Opening> openings;
  Field<Cell> sources(mesh), potential(mesh);
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) {
    if (boundaries.outlet(p)) openings.push_back({p, PatchIntegral(mesh, {p})});
    if (!boundaries.lets_given_flux_pass(p)) continue;
    Field<Face> flow = even_inflow(mesh, p);
    sources = -(mesh.D * halo(flow));
    spread_over_parts(system.closed_parts(), sources);
    potential = 0 * potential;
    system.solve_without_history(sources, potential, tight);
    flow = flow - system.conductance() * (mesh.G * halo(potential));
    openings.push_back({p, PressureProbeFlux(flow, pairs)});
  }
  return openings;
}

}  // namespace solenoid
