#include "physics/waves/current.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "mesh/geometry.hpp"
#include "operators/assemble.hpp"
#include "operators/p1.hpp"

namespace solenoid {

std::vector<Vec3> cell_velocities(const LocalMesh& mesh, const std::optional<Coefficient<Vec3>>& velocity) {
  if (!velocity) return {};
  const MeshPart& part = mesh.part();
  const auto rule = quadrature(part.corners());
  std::vector<Vec3> points;
  for (int c = 0; c < part.cells(); ++c) {
    for (const QuadraturePoint& point : rule) points.push_back(point.in(part.points, part.cell_points_of(c)));
  }
  const std::vector<Vec3> values = velocity->at(points, 0);
  std::vector<Vec3> means(part.cells());
  for (std::size_t i = 0; i < values.size(); ++i) {
    require_input(values[i].z == 0, [&] {
      return message("`velocity` in [waves] has a z-component, {:.6g} m/s, at {}: a current in the plane has none",
                     values[i].z, text_of_place(points[i], 2));
    });
    means[i / rule.size()] += rule[i % rule.size()].weight * values[i];
  }
  return means;
}

void require_subcritical(const LocalMesh& mesh, const std::vector<Vec3>& velocity, const std::vector<real>& depth,
                         real gravity) {
  for (std::size_t c = 0; c < velocity.size(); ++c) {
    const real speed = norm(velocity[c]), of_waves = std::sqrt(gravity * depth[c]);
    require_input(speed < of_waves, [&] {
      return message(
          "`velocity` in [waves] is {:.4g} m/s at {}, and long waves have {:.4g} m/s there: the Froude number is "
          "{:.3g}, "
          "expected less than 1, for waves cannot run against such a current",
          speed, text_of_place(mesh.geometry().cell_centre[c], 2), of_waves, speed / of_waves);
    });
  }
}

namespace {

/// Q, or its transpose.
MatrixRows carrying_rows(const LocalMesh& mesh, const std::vector<Vec3>& velocity, bool is_transposed) {
  const MeshPart& part = mesh.part();
  const std::vector<Vec3> gradients = shape_gradients(part, mesh.geometry(), part.cells());
  const CellTable table{part.cell_nodes, part.corners()};
  return assemble_from_cells<Node>(mesh, table, [&](int cell, int i) {
    const auto corners = static_cast<std::size_t>(part.corners());
    const Vec3* const gradient = &gradients[static_cast<std::size_t>(cell) * corners];
    const Vec3 share = mesh.geometry().cell_volume[cell] / static_cast<real>(corners) * velocity[cell];
    return [=](int j) { return dot(share, gradient[is_transposed ? j : i]); };
  });
}

}  // namespace

Current::Current(const LocalMesh& mesh, const std::vector<Vec3>& of_cells)
    : velocity(mesh, std::vector<Vec3>(of_cells.begin(), of_cells.begin() + mesh.owned<Cell>())),
      carrying(carrying_rows(mesh, of_cells, false)),
      transposed(carrying_rows(mesh, of_cells, true)),
      water_rate(mesh),
      potential_rate(mesh),
      water_sum(mesh),
      potential_sum(mesh) {
  halo(velocity);
  PartialSum squares;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    squares += mesh.geometry().cell_volume[c] * dot(of_cells[c], of_cells[c]);
  }
  measure = measure_before = total(mesh.comm(), squares);
}

}  // namespace solenoid
