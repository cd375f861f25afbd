#include "model/tractions.hpp"

#include <algorithm>
#include <cstdlib>

#include "field/assign.hpp"
#include "operators/p1.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

namespace {

/// Per local node: 1 on `patches`, 0 on the rest of the boundary, -1 inside. Collective.
std::vector<real> boundary_weights(const LocalMesh& mesh, const std::vector<int>& patches) {
  std::vector<real> of_owned(mesh.owned<Node>(), -1);
  for (const BoundaryFace& b : mesh.boundary()) {
    const bool counts = std::find(patches.begin(), patches.end(), b.patch) != patches.end();
    for (const int n : mesh.part().face_nodes_of(b.face)) {
      if (n < mesh.owned<Node>()) of_owned[n] = std::max(of_owned[n], counts ? real{1} : real{0});
    }
  }
  Field<Node> weights(mesh, of_owned);
  halo(weights);
  return weights.all_to_host();
}

/// Collective; throws as cg does.
Field<Node> weights_of_nodes(const LocalMesh& mesh, const std::vector<int>& patches) {
  const std::vector<real> given = boundary_weights(mesh, patches);
  std::vector<int> roles;
  std::vector<real> start;
  for (const real weight : given) {
    roles.push_back(weight < 0 ? Space<Node>::free : Space<Node>::prescribed);
    start.push_back(std::max(weight, real{0}));
  }
  start.resize(static_cast<std::size_t>(mesh.owned<Node>()));
  const Space<Node> space(mesh, roles);
  const MatrixRows rows = p1_stiffness(mesh);
  Field<Node> weights(mesh, start), right_side(mesh);
  right_side = -1 * (SparseMatrix<Node>(rows) * halo(weights));
  space.restrict_to_unknowns(right_side);
  const SolveControl control{"force", 1e-6, 10000, PreconditionerKind::automatic, 0, {}};
  LinearSystem<Node>(space, rows, control.preconditioner).solve(right_side, weights, control);
  return weights;
}

}  // namespace

ForceTestFunction::ForceTestFunction(const LocalMesh& mesh, const std::vector<int>& patches)
    : in_cells_(mesh), gradient_(mesh), over_faces_(mesh) {
  Field<Node> of_nodes = weights_of_nodes(mesh, patches);
  const auto weights = halo(of_nodes);
  P1Gradient(mesh).apply(weights, gradient_);
  const std::vector<real> at = of_nodes.all_to_host();
  const auto mean = [&](std::span<const int> nodes) {
    real sum = 0;
    for (const int n : nodes) sum += at[n];
    return sum / static_cast<real>(nodes.size());
  };
  std::vector<real> of_cells, of_faces;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) of_cells.push_back(mean(mesh.part().cell_nodes_of(c)));
  for (const BoundaryFace& b : mesh.boundary()) {
    of_faces.push_back(b.is_owned ? mean(mesh.part().face_nodes_of(b.face)) * norm(b.outward_area) : 0);
  }
  const MeshPart& part = mesh.part();
  std::vector<std::array<PartialSum, 3>> over_pairs(part.pairs.size());
  for (int f = 0; f < mesh.owned<Face>() && !part.pairs.empty(); ++f) {
    if (part.face_pair[f] == 0) continue;
    const real area = (part.face_pair[f] > 0 ? 1 : -1) * mesh.geometry().face_area[f];
    add_to(over_pairs[static_cast<std::size_t>(std::abs(part.face_pair[f]) - 1)],
           (area * mean(part.face_nodes_of(f))) * mesh.geometry().face_normal[f]);
  }
  for (const auto& of_pair : over_pairs) over_pairs_.push_back(total(mesh.comm(), of_pair));
  in_cells_.from_host(of_cells);
  over_faces_.from_host(of_faces);
}

}  // namespace solenoid
