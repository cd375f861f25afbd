#include "support/meshes.hpp"

#include <cmath>
#include <numeric>
#include <set>

namespace solenoid::test {

std::vector<int> all_on_last_rank(const GlobalMesh& mesh, int ranks) {
  return std::vector<int>(mesh.cells(), ranks - 1);
}

std::vector<int> one_cell_on_first_rank(const GlobalMesh& mesh, int ranks) {
  std::vector<int> owner = partition_cells(mesh, ranks);
  if (ranks == 1) return owner;
  for (int& rank : owner) {
    if (rank == 0) rank = 1;
  }
  owner[mesh.cells() / 2] = 0;
  return owner;
}

std::vector<int> scattered(const GlobalMesh& mesh, int ranks) {
  std::vector<int> owner(mesh.cells());
  for (int c = 0; c < mesh.cells(); ++c) owner[c] = c / 5 * 7 % ranks;
  return owner;
}

const std::vector<NamedPartitioner>& partitioners() {
  static const std::vector<NamedPartitioner> all{{"METIS", partition_cells},
                                                 {"all on the last rank", all_on_last_rank},
                                                 {"one cell on rank 0", one_cell_on_first_rank},
                                                 {"scattered", scattered}};
  return all;
}

MeshPart share_out(const Comm& comm, const MeshSource& source, int layers, const Partitioner& partition) {
  std::optional<GlobalMesh> whole;
  std::vector<int> owner;
  if (comm.is_root()) {
    whole = build_topology(source);
    owner = partition(*whole, comm.size());
  }
  return distribute(comm, whole, owner, layers);
}

std::unique_ptr<LocalMesh> make_mesh(const Comm& comm, const MeshSource& source, const Partitioner& partition) {
  return std::make_unique<LocalMesh>(comm, share_out(comm, source, 1, partition));
}

namespace {

/// Drops the cells for which `drop(centre)` holds, with the points nobody uses; sides left open go to a new patch.
MeshSource without_cells(const MeshSource& source, const std::function<bool(const Vec3&)>& drop,
                         const std::string& new_patch) {
  MeshSource result = source;
  result.cells.clear(), result.cell_ids.clear(), result.cell_region.clear(), result.points.clear(),
      result.point_ids.clear();
  result.boundary_faces.clear(), result.boundary_patch.clear();
  result.patches.push_back(new_patch);
  std::vector<int> number(source.points.size(), -1);
  std::set<std::pair<int, int>> open;
  for (int c = 0; c < source.cell_count(); ++c) {
    const int* v = &source.cells[3 * c];
    if (drop((source.points[v[0]] + source.points[v[1]] + source.points[v[2]]) / 3)) continue;
    result.cell_ids.push_back(source.cell_ids[c]);
    result.cell_region.push_back(source.cell_region[c]);
    for (int k = 0; k < 3; ++k) {
      if (number[v[k]] < 0) {
        number[v[k]] = static_cast<int>(result.points.size());
        result.points.push_back(source.points[v[k]]);
        result.point_ids.push_back(source.point_ids[v[k]]);
      }
      result.cells.push_back(number[v[k]]);
    }
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(number[v[k]], number[v[(k + 1) % 3]]);
      if (!open.erase({a, b})) open.insert({a, b});
    }
  }
  for (int f = 0; f < source.boundary_face_count(); ++f) {
    const auto [a, b] = std::minmax(number[source.boundary_faces[2 * f]], number[source.boundary_faces[2 * f + 1]]);
    open.erase({a, b});
    result.boundary_faces.insert(result.boundary_faces.end(), {a, b});
    result.boundary_patch.push_back(source.boundary_patch[f]);
  }
  for (const auto& [a, b] : open) {
    result.boundary_faces.insert(result.boundary_faces.end(), {a, b});
    result.boundary_patch.push_back(static_cast<int>(result.patches.size()) - 1);
  }
  return result;
}

}  // namespace

MeshSource square_with_hole(int n) {
  const auto inside = [](real x) { return x > real{1} / 3 && x < real{2} / 3; };
  return without_cells(
      unit_square((n + 2) / 3 * 3), [&](const Vec3& x) { return inside(x.x) && inside(x.y); }, "hole");
}

MeshSource equilateral(int n, real length) {
  MeshSource mesh;
  mesh.name = "equilateral triangles";
  mesh.patches = {"wall"};
  const real h = length / n, height = std::sqrt(real{3}) / 2;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) mesh.points.push_back({h * (i + real{0.5} * j), h * height * j, 0});
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      mesh.cells.insert(mesh.cells.end(), {a, b, c, b, d, c});
      if (j == 0) mesh.boundary_faces.insert(mesh.boundary_faces.end(), {a, b});
      if (j == n - 1) mesh.boundary_faces.insert(mesh.boundary_faces.end(), {c, d});
      if (i == 0) mesh.boundary_faces.insert(mesh.boundary_faces.end(), {a, c});
      if (i == n - 1) mesh.boundary_faces.insert(mesh.boundary_faces.end(), {b, d});
    }
  }
  mesh.boundary_patch.assign(mesh.boundary_faces.size() / 2, 0);
  mesh.cell_region.assign(mesh.cell_count(), -1);
  mesh.cell_ids.resize(mesh.cell_count());
  std::iota(mesh.cell_ids.begin(), mesh.cell_ids.end(), 1);
  mesh.point_ids.resize(mesh.points.size());
  std::iota(mesh.point_ids.begin(), mesh.point_ids.end(), 1);
  return mesh;
}

real value_of(std::int64_t id, int salt) {
  return std::sin(static_cast<real>(12.9898 * static_cast<double>(id) + 78.233 * salt + 1));
}

Field<Face> constant_flux(const LocalMesh& mesh, const Vec3& velocity) {
  Field<Face> flux(mesh);
  std::vector<real> values;
  for (int f = 0; f < flux.owned(); ++f)
    values.push_back(mesh.geometry().face_area[f] * dot(mesh.geometry().face_normal[f], velocity));
  flux.from_host(values);
  return flux;
}

}  // namespace solenoid::test
