#include "model/cell_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "mesh/csr.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {

namespace {

/// The cells around each node that a fit needs.
class CellsAtNodes {
 public:
  CellsAtNodes(const MeshPart& part, const std::vector<CellFit*>& fits) : place_of_(part.nodes(), -1) {
    int count = 0;
    for (const CellFit* fit : fits) {
      for (const int n : part.cell_nodes_of(fit->cell)) {
        if (place_of_[n] < 0) place_of_[n] = count++;
      }
    }
    const int corners = part.corners();
    cells_ = Csr<int>(count, [&](const auto& visit) {
      for (int slot = 0; slot < static_cast<int>(part.cell_nodes.size()); ++slot) {
        const int at = place_of_[part.cell_nodes[slot]];
        if (at >= 0) visit(at, slot / corners);
      }
    });
  }
  std::span<const int> operator[](int node) const { return cells_[place_of_[node]]; }

 private:
  std::vector<int> place_of_;
  Csr<int> cells_;
};

/// Rows g.(x_j - x_c) = v_j - v_c, weighted with 1 / |x_j - x_c|; g is zero in a direction that no row determines.
void solve_rows(const LocalMesh& mesh, CellFit& fit) {
  const std::vector<Vec3>& centre = mesh.geometry().cell_centre;
  const int d = mesh.dimension();
  const auto rows = static_cast<Eigen::Index>(fit.around.size());
  fit.change.assign(fit.around.size(), 0);
  if (rows == 0) return;
  Eigen::MatrixXd matrix(rows, d);
  Eigen::VectorXd weight(rows);
  for (Eigen::Index j = 0; j < rows; ++j) {
    const Vec3 arm = centre[fit.around[j]] - centre[fit.cell];
    weight[j] = 1 / norm(arm);
    matrix(j, 0) = weight[j] * arm.x;
    matrix(j, 1) = weight[j] * arm.y;
    if (d == 3) matrix(j, 2) = weight[j] * arm.z;
  }
  const Vec3 arm = fit.point - centre[fit.cell];
  const Eigen::VectorXd along = Eigen::Vector3d(arm.x, arm.y, arm.z).head(d);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors(matrix);
  const Eigen::VectorXd change = (factors.pseudoInverse().transpose() * along).cwiseProduct(weight);
  for (Eigen::Index j = 0; j < rows; ++j) fit.change[j] = static_cast<real>(change[j]);
}

}  // namespace

void fit_around(const LocalMesh& mesh, const std::vector<CellFit*>& fits, const std::vector<char>& is_left_out) {
  const MeshPart& part = mesh.part();
  const CellsAtNodes cells_at(part, fits);
  const auto& id = part.cell_numbering.global_id;
  for (CellFit* const fit : fits) {
    std::vector<int>& around = fit->around;
    around.clear();
    for (const int n : part.cell_nodes_of(fit->cell)) {
      const std::span<const int> cells = cells_at[n];
      around.insert(around.end(), cells.begin(), cells.end());
    }
    std::sort(around.begin(), around.end(), [&](int a, int b) { return id[a] < id[b]; });
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::erase_if(around, [&](int c) {
      return c == fit->cell || (!is_left_out.empty() && is_left_out[c]) || norm(part.shift_between(c, fit->cell)) > 0;
    });
    solve_rows(mesh, *fit);
  }
}

}  // namespace solenoid
