#include "physics/flow/momentum/projection_scaling.hpp"

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "solve/multigrid/scatter.hpp"

namespace solenoid {

namespace {

/// A start vector, the same on any partition.
Field<Cell> scattered_cells(const LocalMesh& mesh) {
  std::vector<real> values;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    values.push_back(static_cast<real>(scattered_value(mesh.numbering<Cell>().global_id[c])));
  }
  return {mesh, values};
}

}  // namespace

real projection_scaling(const Space<Face>& unknowns, FluxMomentumSystem& momentum, PressureSystem& pressure,
                        const std::optional<real>& given) {
  const LocalMesh& mesh = unknowns.mesh();
  if (mesh.dimension() == 2) return 1.75;
  if (given) return *given;
  constexpr int iterations = 15;
  constexpr real part = 0.9, rounding = 64;
  // Tight enough for the same rounded number on any partition.
  const SolveControl of_mass{
      "momentum, for the metric of the pressure", 1e-5, 1000, PreconditionerKind::automatic, 0, {}},
      of_pressure{"pressure, for its metric", 1e-5, 1000, PreconditionerKind::automatic, 0, {}};
  Field<Cell> cells = scattered_cells(mesh), image(mesh);
  Field<Face> gradient(mesh), flux(mesh);
  real largest = 0;
  for (int k = 0; k < iterations; ++k) {
    gradient = mesh.G * halo(cells);
    unknowns.restrict_to_unknowns(gradient);  // close to the last one, and so is its flux, the first guess
    momentum.solve_without_history(1, 0, gradient, flux, of_mass);
    const real simple = dot(gradient, gradient, pressure.conductance());
    if (!(simple > 0)) return 1;  // a single cell between walls has no correction
    largest = dot(gradient, flux) / simple;
    image = -(mesh.D * halo(flux));
    cells = largest * cells;
    pressure.solve_without_history(image, cells, of_pressure);
    pressure.closed_parts().remove_means(cells);
    const real size = norm(cells);
    cells = (1 / size) * cells;
  }
  return std::ceil(part * largest * rounding) / rounding;
}

}  // namespace solenoid
