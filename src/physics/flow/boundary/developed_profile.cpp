#include "physics/flow/boundary/developed_profile.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "mesh/disjoint_sets.hpp"

namespace solenoid {

namespace {

/// Gradient of the linear function that is 1 at corner k of the face and 0 at the others, along the face.
Vec3 gradient_on(const PatchFace& face, std::size_t k, std::size_t corners) {
  const auto& x = face.corner;
  if (corners == 2) return (x[k] - x[1 - k]) / dot(x[k] - x[1 - k], x[k] - x[1 - k]);
  const Vec3 twice_area = cross(x[1] - x[0], x[2] - x[0]);
  return cross(twice_area, x[(k + 2) % 3] - x[(k + 1) % 3]) / dot(twice_area, twice_area);
}

/// Places of the corners among the distinct nodes of the patch.
std::vector<std::array<int, 3>> numbered(const std::vector<PatchFace>& patch, std::size_t corners, int& count) {
  std::vector<std::int64_t> nodes;
  for (const PatchFace& face : patch) nodes.insert(nodes.end(), face.node.begin(), face.node.begin() + corners);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  count = static_cast<int>(nodes.size());
  std::vector<std::array<int, 3>> places;
  for (const PatchFace& face : patch) {
    std::array<int, 3>& of_face = places.emplace_back();
    for (std::size_t k = 0; k < corners; ++k) {
      of_face[k] = static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), face.node[k]) - nodes.begin());
    }
  }
  return places;
}

}  // namespace

std::vector<std::array<real, 3>> developed_profile(const std::vector<PatchFace>& patch, int dimension,
                                                   const std::string& subject) {
  const auto corners = static_cast<std::size_t>(dimension);
  int nodes = 0;
  const std::vector<std::array<int, 3>> place = numbered(patch, corners, nodes);
  std::vector<char> on_wall(static_cast<std::size_t>(nodes), 0), piece_on_wall(on_wall);
  DisjointSets pieces(nodes);
  for (std::size_t i = 0; i < patch.size(); ++i) {
    for (std::size_t k = 0; k < corners; ++k) {
      if (patch[i].on_wall[k]) on_wall[place[i][k]] = 1;
      pieces.join(place[i][0], place[i][k]);
    }
  }
  for (int n = 0; n < nodes; ++n) {
    if (on_wall[n]) piece_on_wall[pieces.lowest(n)] = 1;
  }
  for (std::size_t i = 0; i < patch.size(); ++i) {
    require_input(piece_on_wall[pieces.lowest(place[i][0])] != 0, [&] {
      return message("{} = \"developed\": no wall touches the patch around {}: take \"uniform\" or a formula", subject,
                     text_of_place(patch[i].corner[0], dimension));
    });
  }
  std::vector<int> unknown;
  int unknowns = 0;
  for (const char is_held : on_wall) unknown.push_back(is_held ? -1 : unknowns++);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(unknowns), phi = load;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    for (std::size_t k = 0; k < corners; ++k) {
      const int row = unknown[place[i][k]];
      if (row < 0) continue;
      load[row] += patch[i].area / dimension;
      for (std::size_t l = 0; l < corners; ++l) {
        const int column = unknown[place[i][l]];
        if (column < 0) continue;
        const real product = dot(gradient_on(patch[i], k, corners), gradient_on(patch[i], l, corners));
        entries.emplace_back(row, column, patch[i].area * product);
      }
    }
  }
  if (unknowns > 0) {
    Eigen::SparseMatrix<double> matrix(unknowns, unknowns);
    matrix.setFromTriplets(entries.begin(), entries.end());
    phi = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(load);
  }
  std::vector<std::array<real, 3>> values(patch.size(), std::array<real, 3>{});
  for (std::size_t i = 0; i < patch.size(); ++i) {
    for (std::size_t k = 0; k < corners; ++k) {
      const int row = unknown[place[i][k]];
      if (row >= 0) values[i][k] = static_cast<real>(phi[row]);
    }
  }
  return values;
}

}  // namespace solenoid
