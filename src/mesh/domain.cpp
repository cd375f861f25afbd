#include "mesh/domain.hpp"

#include <algorithm>

#include "mesh/disjoint_sets.hpp"

namespace solenoid {

Domain examine_domain(const GlobalMesh& mesh) {
  Domain domain;
  DisjointSets cells(mesh.cells()), nodes(mesh.nodes());
  std::vector<char> on_boundary(mesh.nodes(), 0);
  const int d = mesh.dimension;
  for (int f = 0; f < mesh.faces(); ++f) {
    const int first = mesh.face_cells_of(f)[0], second = mesh.face_cells_of(f)[1];
    if (second >= 0) {
      cells.join(first, second);
      continue;
    }
    for (const int n : mesh.face_nodes_of(f)) {
      on_boundary[n] = 1;
      nodes.join(mesh.face_nodes_of(f)[0], n);
    }
  }
  std::vector<char> is_bounded(mesh.cells(), 0);  // the part with this first cell
  std::vector<int> first_cells;
  std::vector<std::int64_t> count(mesh.cells(), 0);  // of the part with this first cell
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_cells_of(f)[1] < 0) is_bounded[cells.lowest(mesh.face_cells_of(f)[0])] = 1;
  }
  for (int c = 0; c < mesh.cells(); ++c) {
    if (cells.lowest(c) == c) first_cells.push_back(c);
    ++count[cells.lowest(c)];
  }
  std::stable_sort(first_cells.begin(), first_cells.end(), [&](int a, int b) { return count[a] > count[b]; });
  std::vector<int> part_of_first(mesh.cells(), -1);
  for (int first : first_cells) {
    part_of_first[first] = static_cast<int>(domain.parts.size());
    Vec3 centroid;
    for (const int n : mesh.cell_points_of(first)) centroid += mesh.points[n] / static_cast<real>(d + 1);
    domain.parts.push_back({count[first], centroid});
  }
  for (int c = 0; c < mesh.cells(); ++c) domain.part_of_cell.push_back(part_of_first[cells.lowest(c)]);
  for (int n = 0; n < mesh.nodes(); ++n) domain.boundary_pieces += on_boundary[n] && nodes.lowest(n) == n;

  const int parts = static_cast<int>(domain.parts.size());
  if (d == 2) {
    const auto closed = std::count_if(first_cells.begin(), first_cells.end(), [&](int c) { return !is_bounded[c]; });
    domain.holes = parts + static_cast<int>(closed) - (mesh.nodes() - mesh.faces() + mesh.cells());
  } else {
    const int euler = mesh.nodes() - mesh.edges() + mesh.faces() - mesh.cells();
    domain.cavities = domain.boundary_pieces - parts;
    domain.holes = parts + domain.cavities - euler;
  }
  return domain;
}

}  // namespace solenoid
