#include "mesh/mesh_source.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace solenoid {

namespace {

/// A pseudo-random number in [-1, 1) that depends on `seed` alone (splitmix64, Steele et al. 2014).
real scatter(std::uint64_t seed) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return static_cast<real>(static_cast<double>((z ^ z >> 31) >> 11) * 0x1.0p-52 - 1);
}

/// The lattice points of [0,1]^dimension with n spacings per axis; inner points are displaced.
MeshSource lattice(int dimension, int n, real distortion) {
  MeshSource mesh;
  mesh.dimension = dimension;
  mesh.name = dimension == 2 ? "unit square" : "unit cube";
  mesh.patches = {"lid", "wall"};
  mesh.regions = {"fluid"};
  const real h = real{1} / n;
  for (int k = 0; k <= (dimension == 3 ? n : 0); ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        Vec3 x{i * h, j * h, k * h};
        const bool inner = i > 0 && i < n && j > 0 && j < n && (dimension == 2 || (k > 0 && k < n));
        const std::uint64_t id = mesh.points.size();
        if (inner)
          x += distortion * h * Vec3{scatter(3 * id), scatter(3 * id + 1), dimension == 3 ? scatter(3 * id + 2) : 0};
        mesh.points.push_back(x);
      }
    }
  }
  mesh.point_ids.resize(mesh.points.size());
  std::iota(mesh.point_ids.begin(), mesh.point_ids.end(), 1);
  return mesh;
}

void finish_cells(MeshSource& mesh) {
  mesh.cell_ids.resize(mesh.cell_count());
  std::iota(mesh.cell_ids.begin(), mesh.cell_ids.end(), 1);
  mesh.cell_region.assign(mesh.cell_count(), 0);
}

/// Adds the sides of cells that lie in a boundary plane of the unit square or cube.
void add_boundary(MeshSource& mesh) {
  const int corners = mesh.dimension + 1;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const std::span<const int> points = mesh.points_of_cell(c);
    for (int k = 0; k < corners; ++k) {
      std::array<bool, 6> in_plane;
      in_plane.fill(true);
      for (int j = 0; j < corners; ++j) {
        if (j == k) continue;
        const Vec3& x = mesh.points[points[j]];
        const std::array<bool, 6> here{x.y == 1, x.y == 0, x.x == 0, x.x == 1, mesh.dimension == 3 && x.z == 0,
                                       x.z == 1};
        for (int p = 0; p < 6; ++p) in_plane[p] = in_plane[p] && here[p];
      }
      if (std::none_of(in_plane.begin(), in_plane.end(), [](bool yes) { return yes; })) continue;
      for (int j = 0; j < corners; ++j) {
        if (j != k) mesh.boundary_faces.push_back(points[j]);
      }
      mesh.boundary_patch.push_back(in_plane[0] ? 0 : 1);
    }
  }
}

}  // namespace

MeshSource unit_square(int n, real distortion) {
  MeshSource mesh = lattice(2, n, distortion);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      if ((i + j) % 2 == 0) {  // alternating diagonals: no preferred direction
        mesh.cells.insert(mesh.cells.end(), {a, b, d, a, d, c});
      } else {
        mesh.cells.insert(mesh.cells.end(), {a, b, c, b, d, c});
      }
    }
  }
  finish_cells(mesh);
  add_boundary(mesh);
  return mesh;
}

MeshSource unit_cube(int n, real distortion) {
  MeshSource mesh = lattice(3, n, distortion);
  const int row = n + 1, layer = row * row;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int origin = k * layer + j * row + i;
        std::array<int, 3> step{1, row, layer};
        std::sort(step.begin(), step.end());
        do {  // one tetrahedron for each order of the diagonal's steps
          const int a = origin + step[0], b = a + step[1], c = b + step[2];
          mesh.cells.insert(mesh.cells.end(), {origin, a, b, c});
        } while (std::next_permutation(step.begin(), step.end()));
      }
    }
  }
  finish_cells(mesh);
  add_boundary(mesh);
  return mesh;
}

}  // namespace solenoid
