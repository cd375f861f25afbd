#include "support/mesh_kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "mesh/mesh_source.hpp"
#include "support/geometries.hpp"

namespace solenoid::test {

namespace {

/// New ids for the cells, all of them in one region, and the sides of one cell as the boundary.
void take_cells(MeshSource& mesh, std::vector<int> cells) {
  mesh.cells = std::move(cells);
  mesh.cell_ids.resize(mesh.cell_count());
  std::iota(mesh.cell_ids.begin(), mesh.cell_ids.end(), 1);
  mesh.cell_region.assign(mesh.cell_count(), 0);
  std::map<std::vector<int>, int> cells_at;  // by the ascending points of a side
  for (int c = 0; c < mesh.cell_count(); ++c) {
    for (const int opposite : mesh.points_of_cell(c)) {
      std::vector<int> side;
      for (const int p : mesh.points_of_cell(c)) {
        if (p != opposite) side.push_back(p);
      }
      std::sort(side.begin(), side.end());
      ++cells_at[side];
    }
  }
  mesh.boundary_faces.clear(), mesh.boundary_patch.clear();
  for (const auto& [side, count] : cells_at) {
    if (count > 1) continue;
    mesh.boundary_faces.insert(mesh.boundary_faces.end(), side.begin(), side.end());
    const bool is_lid = std::all_of(side.begin(), side.end(), [&](int p) { return mesh.points[p].y == 1; });
    mesh.boundary_patch.push_back(is_lid ? 0 : 1);
  }
}

}  // namespace

MeshSource moved(MeshSource mesh, const std::function<Vec3(const Vec3&)>& to) {
  for (Vec3& x : mesh.points) x = to(x);
  return mesh;
}

MeshSource one_way_square(int n) {
  MeshSource mesh = unit_square(n);
  std::vector<int> cells;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      cells.insert(cells.end(), {a, b, d, a, d, c});
    }
  }
  take_cells(mesh, std::move(cells));
  return mesh;
}

MeshSource five_in_a_cube(int n) {
  constexpr std::array<std::array<int, 4>, 5> even{
      {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}}};
  MeshSource mesh = unit_cube(n);
  std::vector<int> cells;
  const int row = n + 1, layer = row * row;
  for (int cube = 0; cube < n * n * n; ++cube) {
    const int i = cube % n, j = cube / n % n, k = cube / (n * n);
    const int mirror = (i + j + k) % 2;  // of x
    for (const auto& corners : even) {
      for (const int corner : corners) {
        const int seen = corner ^ mirror;
        cells.push_back((k + seen / 4) * layer + (j + seen / 2 % 2) * row + i + seen % 2);
      }
    }
  }
  take_cells(mesh, std::move(cells));
  return mesh;
}

MeshSource with_divided_cells(MeshSource mesh) {
  std::vector<int> cells;
  const int corners = mesh.dimension + 1;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const std::vector<int> of_cell(mesh.points_of_cell(c).begin(), mesh.points_of_cell(c).end());
    if (c % 3 != 0) {
      cells.insert(cells.end(), of_cell.begin(), of_cell.end());
      continue;
    }
    Vec3 inside = mesh.points[of_cell[static_cast<std::size_t>(c) % of_cell.size()]] / 5;
    for (const int p : of_cell) inside += mesh.points[p] * (real{4} / real(5 * corners));
    const int centre = static_cast<int>(mesh.points.size());
    mesh.points.push_back(inside);
    mesh.point_ids.push_back(centre + 1);
    for (int k = 0; k < corners; ++k) {
      std::vector<int> part = of_cell;
      part[k] = centre;
      cells.insert(cells.end(), part.begin(), part.end());
    }
  }
  take_cells(mesh, std::move(cells));
  return mesh;
}

namespace {

std::vector<NamedMesh> made_kinds(int dimension, int n) {
  constexpr real depth = 0.02;
  if (dimension == 2) {
    return {{"diagonals both ways, displaced", unit_square(n, 0.3)},
            {"diagonals one way, rows of two heights",
             moved(one_way_square(2 * (n / 2)),
                   [n](const Vec3& x) {
                     const int row =
                         static_cast<int>(std::lround(x.y * (2 * (n / 2))));  // 2/3 of a pair of rows, and 1/3
                     return Vec3{x.x, row % 2 == 0 ? x.y : x.y + 1 / real(6 * (n / 2)), 0};
                   })},
            {"divided", with_divided_cells(unit_square(n, 0.2))},
            {"flat",
             moved(unit_square(n, 0.2),
                   [](const Vec3& x) {
                     return Vec3{x.x, x.y * depth, 0};
                   }),
             depth}};
  }
  return {{"Kuhn", unit_cube(n)},
          {"Kuhn, displaced", unit_cube(n, 0.2)},
          {"five in a cube", five_in_a_cube(n)},
          {"divided", with_divided_cells(unit_cube(n, 0.2))},
          {"flat",
           moved(unit_cube(n, 0.2),
                 [](const Vec3& x) {
                   return Vec3{x.x, x.y, x.z * depth};
                 }),
           depth}};
}

}  // namespace

std::vector<NamedMesh> kinds_of_meshes(int dimension, int n) {
  std::vector<NamedMesh> kinds = made_kinds(dimension, n);
#ifdef SOLENOID_GEOMETRIES
  kinds.push_back({"Gmsh's", read_geometry(dimension == 2 ? "cavity.geo" : "cube.geo", 1 / real(n))});
#endif
  return kinds;
}

}  // namespace solenoid::test
