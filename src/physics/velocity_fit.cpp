#include "physics/velocity_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace solenoid {

namespace {

constexpr int unknowns = 9;               // coefficients of x, y, xx, xy, yy, xxx, xxy, xyy, yyy in psi
constexpr double rows_per_unknown = 6;    // three rings inside a mesh: measured, see docs/verification.md
constexpr double worst_condition = 1e-4;  // smallest over largest pivot of the column-scaled system
constexpr double distance_offset = 0.3;

using Row = Eigen::Matrix<double, 1, unknowns>;

/// The monomials of psi at a point.
Row potential_row(double x, double y) {
  Row row;
  row << x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y;
  return row;
}
/// d psi/dy, the x-velocity, and -d psi/dx, the y-velocity.
Row x_velocity_row(double x, double y) {
  Row row;
  row << 0, 1, 0, x, 2 * y, 0, x * x, 2 * x * y, 3 * y * y;
  return row;
}
Row y_velocity_row(double x, double y) {
  Row row;
  row << -1, 0, -2 * x, -y, 0, -3 * x * x, -2 * x * y, -y * y, 0;
  return row;
}

/// Places of the two-point Gauss rule along a segment.
const double gauss[2] = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};

}  // namespace

VelocityFit::VelocityFit(const LocalMesh& mesh, MeshPart wide)
    : mesh_(mesh),
      wide_(std::move(wide)),
      exchange_(mesh.comm(), plan_exchange(mesh.comm(), wide_.face_numbering)),
      wide_flux_(wide_.face_numbering.total()) {
  mesh.comm().guard([&] {
    require(wide_.dimension == 2, [] { return "the quadratic velocity fit works on triangle meshes"; });
    require(wide_.face_numbering.owned == mesh.owned<Face>(),
            [] { return "the velocity fit was given another partition"; });
  });
  node_cell_offset_.assign(wide_.nodes() + 1, 0);
  for (int n : wide_.cell_nodes) ++node_cell_offset_[n + 1];
  for (int n = 0; n < wide_.nodes(); ++n) node_cell_offset_[n + 1] += node_cell_offset_[n];
  node_cells_.resize(wide_.cell_nodes.size());
  std::vector<int> next(node_cell_offset_.begin(), node_cell_offset_.end() - 1);
  for (int slot = 0; slot < static_cast<int>(wide_.cell_nodes.size()); ++slot)
    node_cells_[next[wide_.cell_nodes[slot]]++] = slot / 3;
}

std::vector<int> VelocityFit::grow(const std::vector<int>& cells) const {
  std::vector<int> grown;
  for (int c : cells) {
    for (int k = 0; k < 3; ++k) {
      const int n = wide_.cell_nodes[3 * c + k];
      grown.insert(grown.end(), node_cells_.begin() + node_cell_offset_[n],
                   node_cells_.begin() + node_cell_offset_[n + 1]);
    }
  }
  std::sort(grown.begin(), grown.end());
  grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
  return grown;
}

/// Faces of these cells, ascending in their global ids: the same order on any partition.
std::vector<int> VelocityFit::faces_of(const std::vector<int>& cells) const {
  std::vector<int> faces;
  for (int c : cells) faces.insert(faces.end(), &wide_.cell_faces[3 * c], &wide_.cell_faces[3 * c] + 3);
  const auto& id = wide_.face_numbering.global_id;
  std::sort(faces.begin(), faces.end(), [&](int a, int b) { return id[a] < id[b]; });
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  return faces;
}

NodeVelocity VelocityFit::fit_node(int node, const std::vector<real>& flux, const WallMotion& walls, real time) const {
  const Vec3 origin = wide_.points[node];
  std::vector<int> cells(node_cells_.begin() + node_cell_offset_[node],
                         node_cells_.begin() + node_cell_offset_[node + 1]);
  Row solution = Row::Zero();
  double scale = 1;
  for (int ring = 1; ring <= layers; ++ring) {
    const std::vector<int> faces = faces_of(cells);
    const auto boundary = std::count_if(faces.begin(), faces.end(), [&](int f) { return wide_.face_patch[f] >= 0; });
    const auto rows = static_cast<Eigen::Index>(faces.size()) + boundary;
    const bool last = ring == layers;
    if (!last && static_cast<double>(rows) < rows_per_unknown * unknowns) {
      cells = grow(cells);
      continue;
    }

    const auto centre = [&](int f) {
      return (wide_.points[wide_.face_nodes[2 * f]] + wide_.points[wide_.face_nodes[2 * f + 1]]) / 2;
    };
    scale = 0;
    for (int f : faces) scale += norm(centre(f) - origin);
    scale /= static_cast<double>(faces.size());

    Eigen::Matrix<double, Eigen::Dynamic, unknowns> matrix(rows, unknowns);
    Eigen::VectorXd value(rows);
    Eigen::Index row = 0;
    for (int f : faces) {
      const Vec3 a = (wide_.points[wide_.face_nodes[2 * f]] - origin) / scale;
      const Vec3 b = (wide_.points[wide_.face_nodes[2 * f + 1]] - origin) / scale;
      const double length = norm(b - a);
      const double weight = 1 / (norm(a + b) / 2 + distance_offset);
      matrix.row(row) = weight / length * (potential_row(b.x, b.y) - potential_row(a.x, a.y));  // U = psi_b - psi_a
      value[row++] = weight * flux[f] / (length * scale);
      if (wide_.face_patch[f] < 0) continue;
      const Vec3 along = (b - a) / length;
      matrix.row(row).setZero();
      value[row] = 0;
      for (double place : gauss) {
        const Vec3 x = a + place * (b - a);
        const Vec3 u = walls.velocity(wide_.face_patch[f], origin + scale * x, time);
        matrix.row(row) += weight / 2 * (along.x * x_velocity_row(x.x, x.y) + along.y * y_velocity_row(x.x, x.y));
        value[row] += weight / 2 * dot(along, u);
      }
      ++row;
    }
    const Row column_norm = matrix.colwise().norm().cwiseMax(1e-300);
    matrix.array().rowwise() /= column_norm.array();
    Eigen::ColPivHouseholderQR<Eigen::Matrix<double, Eigen::Dynamic, unknowns>> factors(matrix);
    const auto pivots = factors.matrixQR().diagonal().cwiseAbs();
    const bool good = rows >= unknowns && pivots.minCoeff() > worst_condition * pivots.maxCoeff();
    if (good || last) {
      factors.setThreshold(worst_condition);  // where even the last ring leaves a direction open, it stays zero
      solution = factors.solve(value).transpose().cwiseQuotient(column_norm);
      break;
    }
    cells = grow(cells);
  }
  const auto coefficient = [&](int k) { return static_cast<real>(solution[k]); };
  const real h = static_cast<real>(scale);
  NodeVelocity result{};
  result.value = {coefficient(1), -coefficient(0), 0};
  result.gradient[0] = Vec3{coefficient(3), -2 * coefficient(2), 0} / h;
  result.gradient[1] = Vec3{2 * coefficient(4), -coefficient(3), 0} / h;
  return result;
}

void VelocityFit::fit(const Field<Face>& flux, const WallMotion& walls, real time, Field<Node, NodeVelocity>& nodes) {
  copy_on_device(wide_flux_.data(), flux.view().data, sizeof(real) * flux.owned());
  exchange_.start(wide_flux_.data(), 1);
  exchange_.finish();
  const std::vector<real> wide_flux = wide_flux_.to_host();

  mesh_.comm().guard([&] {
    std::vector<NodeVelocity> result(mesh_.owned<Node>());
    for (int n = 0; n < mesh_.owned<Node>(); ++n) result[n] = fit_node(n, wide_flux, walls, time);

    std::vector<int> touching(mesh_.owned<Node>(), 0);
    std::vector<Vec3> prescribed(mesh_.owned<Node>());
    const MeshPart& part = mesh_.part();
    for (int f : mesh_.boundary_faces()) {
      for (int end = 0; end < 2; ++end) {
        const int n = part.face_nodes[2 * f + end];
        if (n >= mesh_.owned<Node>()) continue;
        prescribed[n] += walls.velocity(part.face_patch[f], part.points[n], time);
        ++touching[n];
      }
    }
    for (int n = 0; n < mesh_.owned<Node>(); ++n) {
      if (touching[n] > 0) result[n].value = prescribed[n] / static_cast<real>(touching[n]);
    }
    nodes.from_host(result);
  });
  halo(nodes);
}

Vec3 interpolate_velocity(int corners, const Vec3* position, const NodeVelocity* node, const real* weight,
                          const Vec3& x) {
  Vec3 sum;
  for (int i = 0; i < corners; ++i) {
    const Vec3 d = x - position[i];
    sum += weight[i] *
           (node[i].value + (d.x * node[i].gradient[0] + d.y * node[i].gradient[1] + d.z * node[i].gradient[2]) / 2);
  }
  return sum;
}

std::vector<Vec3> velocity_at_centres(const LocalMesh& mesh, const std::vector<NodeVelocity>& nodes_with_halo) {
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  std::vector<Vec3> velocity;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    Vec3 position[4];
    NodeVelocity node[4];
    real weight[4];
    for (int k = 0; k < corners; ++k) {
      const int n = part.cell_nodes[c * corners + k];
      position[k] = part.points[n];
      node[k] = nodes_with_halo[n];
      weight[k] = real{1} / corners;
    }
    velocity.push_back(interpolate_velocity(corners, position, node, weight, mesh.geometry().cell_centre[c]));
  }
  return velocity;
}

}  // namespace solenoid
