#include "support/meshes.hpp"

#include <algorithm>
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

const std::vector<NamedPartitioner>& all_partitioners() {
  static const std::vector<NamedPartitioner> all{{"METIS", partition_cells},
                                                 {"one cell on rank 0", one_cell_on_first_rank},
                                                 {"all on the last rank", all_on_last_rank},
                                                 {"scattered", scattered}};
  return all;
}

std::span<const NamedPartitioner> partitioners() {
  const std::span<const NamedPartitioner> all = all_partitioners();
#if defined(SOLENOID_CHECKED) || defined(SOLENOID_CUDA_ON_HOST)
  constexpr bool is_slow = true;
#else
  constexpr bool is_slow = false;
#endif
  const int ranks = Comm().size();
  if (ranks == 1) return all.first(1);
  if (is_slow) return all.last(1);
  return ranks == 2 ? all : all.last(2);
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

MeshSource without_cells(const MeshSource& source, const std::function<bool(const Vec3&)>& removed,
                         const std::string& patch) {
  const int d = source.dimension, corners = d + 1;
  MeshSource result = source;
  result.cells.clear(), result.cell_ids.clear(), result.cell_region.clear(), result.points.clear(),
      result.point_ids.clear();
  result.boundary_faces.clear(), result.boundary_patch.clear();
  std::vector<int> number(source.points.size(), -1);
  std::set<std::vector<int>> open;  // sides of one cell so far, by their ascending points
  for (int c = 0; c < source.cell_count(); ++c) {
    const int* v = &source.cells[corners * c];
    Vec3 centroid;
    for (int k = 0; k < corners; ++k) centroid += source.points[v[k]] / static_cast<real>(corners);
    if (removed(centroid)) continue;
    result.cell_ids.push_back(source.cell_ids[c]);
    result.cell_region.push_back(source.cell_region[c]);
    for (int k = 0; k < corners; ++k) {
      if (number[v[k]] < 0) {
        number[v[k]] = static_cast<int>(result.points.size());
        result.points.push_back(source.points[v[k]]);
        result.point_ids.push_back(source.point_ids[v[k]]);
      }
      result.cells.push_back(number[v[k]]);
    }
    for (int k = 0; k < corners; ++k) {
      std::vector<int> side;
      for (int j = 0; j < corners; ++j) {
        if (j != k) side.push_back(number[v[j]]);
      }
      std::sort(side.begin(), side.end());
      if (!open.erase(side)) open.insert(side);
    }
  }
  const auto add = [&](const std::vector<int>& side, int its_patch) {
    result.boundary_faces.insert(result.boundary_faces.end(), side.begin(), side.end());
    result.boundary_patch.push_back(its_patch);
  };
  for (int f = 0; f < source.boundary_face_count(); ++f) {
    std::vector<int> side;
    for (int k = 0; k < d; ++k) side.push_back(number[source.boundary_faces[d * f + k]]);
    std::sort(side.begin(), side.end());
    if (open.erase(side)) add(side, source.boundary_patch[f]);
  }
  result.patches.push_back(patch);
  for (const std::vector<int>& side : open) add(side, static_cast<int>(result.patches.size()) - 1);
  return result;
}

MeshSource square_with_hole(int n) {
  const auto inside = [](real x) { return x > real{1} / 3 && x < real{2} / 3; };
  return without_cells(
      unit_square((n + 2) / 3 * 3), [&](const Vec3& x) { return inside(x.x) && inside(x.y); }, "hole");
}

MeshSource with_solid(MeshSource source, const std::function<bool(const Vec3&)>& is_solid, const std::string& solid) {
  source.regions = {solid, "fluid"};
  for (int c = 0; c < source.cell_count(); ++c) {
    Vec3 centroid;
    for (const int p : source.points_of_cell(c)) centroid += source.points[p] / static_cast<real>(source.dimension + 1);
    source.cell_region[c] = is_solid(centroid) ? 0 : 1;
  }
  return source;
}

MeshSource with_patches(MeshSource source, const std::function<std::string(const Vec3& centre)>& name) {
  source.patches.clear();
  for (int f = 0; f < source.boundary_face_count(); ++f) {
    Vec3 centre;
    for (const int p : source.points_of_boundary_face(f)) centre += source.points[p] / real(source.dimension);
    const std::string patch = name(centre);
    const auto known = std::find(source.patches.begin(), source.patches.end(), patch);
    source.boundary_patch[f] = static_cast<int>(known - source.patches.begin());
    if (known == source.patches.end()) source.patches.push_back(patch);
  }
  return source;
}

MeshSource mirrored(const MeshSource& source) {
  MeshSource result = source;
  std::vector<int> image;
  for (const Vec3& x : source.points) {
    image.push_back(x.y == 0 ? static_cast<int>(image.size()) : static_cast<int>(result.points.size()));
    if (x.y == 0) continue;
    result.points.push_back({x.x, -x.y, x.z});
    result.point_ids.push_back(static_cast<std::int64_t>(result.points.size()));
  }
  for (const int p : source.cells) result.cells.push_back(image[p]);
  for (int c = 0; c < source.cell_count(); ++c) {
    result.cell_ids.push_back(static_cast<std::int64_t>(result.cell_ids.size()) + 1);
    result.cell_region.push_back(source.cell_region[c]);
  }
  result.boundary_faces.clear(), result.boundary_patch.clear();
  for (int f = 0; f < source.boundary_face_count(); ++f) {
    const std::span<const int> side = source.points_of_boundary_face(f);
    if (std::all_of(side.begin(), side.end(), [&](int p) { return source.points[p].y == 0; })) continue;
    for (const bool below : {false, true}) {
      for (const int p : side) result.boundary_faces.push_back(below ? image[p] : p);
      result.boundary_patch.push_back(source.boundary_patch[f]);
    }
  }
  return result;
}

/// Numbers from 1 for points and cells, and one patch for the whole boundary.
static void number_and_group(MeshSource& mesh) {
  mesh.patches = {"wall"};
  mesh.boundary_patch.assign(mesh.boundary_faces.size() / mesh.dimension, 0);
  mesh.cell_region.assign(mesh.cell_count(), -1);
  mesh.cell_ids.resize(mesh.cell_count());
  std::iota(mesh.cell_ids.begin(), mesh.cell_ids.end(), 1);
  mesh.point_ids.resize(mesh.points.size());
  std::iota(mesh.point_ids.begin(), mesh.point_ids.end(), 1);
}

MeshSource equilateral(int n, real length) {
  MeshSource mesh;
  mesh.name = "equilateral triangles";
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
  number_and_group(mesh);
  return mesh;
}

MeshSource strip(int triangles) {
  MeshSource mesh;
  mesh.name = "strip of triangles";
  mesh.boundary_faces = {0, 1, triangles, triangles + 1};
  for (int k = 0; k < triangles + 2; ++k) mesh.points.push_back({real{0.5} * k, real(k % 2), 0});
  for (int k = 0; k < triangles; ++k) {
    mesh.cells.insert(mesh.cells.end(), {k, k + 1, k + 2});
    mesh.boundary_faces.insert(mesh.boundary_faces.end(), {k, k + 2});
  }
  number_and_group(mesh);
  return mesh;
}

MeshSource single_tetrahedron() {
  MeshSource mesh;
  mesh.dimension = 3;
  mesh.name = "tetrahedron";
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0.2, 1, 0}, {0.3, 0.2, 1}};
  mesh.cells = {0, 1, 2, 3};
  mesh.boundary_faces = {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2};
  number_and_group(mesh);
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

std::map<std::string, real> areas_of_patches(const MeshSource& mesh) {
  std::map<std::string, real> sums;
  for (int f = 0; f < mesh.boundary_face_count(); ++f) {
    const auto points = mesh.points_of_boundary_face(f);
    const auto x = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(points[k])]; };
    sums[mesh.patches[static_cast<std::size_t>(mesh.boundary_patch[static_cast<std::size_t>(f)])]] +=
        mesh.dimension == 2 ? norm(x(1) - x(0)) : norm(cross(x(1) - x(0), x(2) - x(0))) / 2;
  }
  return sums;
}

}  // namespace solenoid::test
