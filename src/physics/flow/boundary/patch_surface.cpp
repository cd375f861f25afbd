#include "physics/flow/boundary/patch_surface.hpp"

#include <algorithm>

#include "mesh/host_exchange.hpp"

namespace solenoid {

namespace {

/// Per node, whether one of the faces in `walls` has it as a corner.
std::vector<char> nodes_of(const Connectivity& mesh, const std::vector<int>& walls) {
  std::vector<char> touched(static_cast<std::size_t>(mesh.nodes()), 0);
  for (const int f : walls) {
    for (const int n : mesh.face_nodes_of(f)) touched[n] = 1;
  }
  return touched;
}

/// `inward`: +1 if the face's own normal points into the domain, else -1; `id_of(node)`: its global id.
template <class IdOf>
PatchFace patch_face(const Connectivity& mesh, const Geometry& geometry, int face, std::int64_t id, real inward,
                     const std::vector<char>& touched, const IdOf& id_of) {
  PatchFace of{id, {}, {}, {}, inward * geometry.face_normal[face], geometry.face_area[face]};
  const std::span<const int> nodes = mesh.face_nodes_of(face), points = mesh.face_points_of(face);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    of.node[k] = id_of(nodes[k]);
    of.corner[k] = mesh.points[points[k]];
    of.on_wall[k] = touched[nodes[k]] != 0;
  }
  return of;
}

}  // namespace

std::array<real, 3> barycentric_coordinates(const std::array<Vec3, 3>& corner, int dimension, const Vec3& x) {
  const auto& [a, b, c] = corner;
  if (dimension == 2) {
    const real s = dot(x - a, b - a) / dot(b - a, b - a);
    return {1 - s, s, 0};
  }
  const Vec3 twice_area = cross(b - a, c - a);
  const real square = dot(twice_area, twice_area);
  const real s = dot(cross(x - a, c - a), twice_area) / square, t = dot(cross(b - a, x - a), twice_area) / square;
  return {1 - s - t, s, t};
}

std::vector<char> walls_among(const std::vector<FlowBoundary>& of_patch) {
  std::vector<char> is_wall;
  for (const FlowBoundary& condition : of_patch) is_wall.push_back(std::holds_alternative<Wall>(condition));
  return is_wall;
}

std::vector<PatchFace> patch_surface(const LocalMesh& mesh, const std::vector<char>& is_wall, int patch) {
  const std::vector<std::int64_t>&faces = mesh.numbering<Face>().global_id, &nodes = mesh.numbering<Node>().global_id;
  std::vector<int> walls;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (is_wall[b.patch]) walls.push_back(b.face);
  }
  const std::vector<char> touched = nodes_of(mesh.part(), walls);
  std::vector<PatchFace> own;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || b.patch != patch) continue;
    own.push_back(patch_face(mesh.part(), mesh.geometry(), b.face, faces[b.face], static_cast<real>(-b.orientation),
                             touched, [&](int n) { return nodes[n]; }));
  }
  std::vector<PatchFace> all = from_all_ranks(mesh.comm(), own);
  std::sort(all.begin(), all.end(), [](const PatchFace& a, const PatchFace& b) { return a.id < b.id; });
  return all;
}

std::vector<PatchFace> patch_surface(const GlobalMesh& mesh, const Geometry& geometry, const std::vector<char>& is_wall,
                                     int patch) {
  std::vector<int> walls;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] >= 0 && is_wall[mesh.face_patch[f]]) walls.push_back(f);
  }
  const std::vector<char> touched = nodes_of(mesh, walls);
  std::vector<PatchFace> all;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] != patch) continue;
    const int cell = mesh.face_cells_of(f)[0];
    const Vec3 outward = geometry.centre_seen(mesh, f, cell) - geometry.cell_centre[cell];
    const real inward = dot(geometry.face_normal[f], outward) < 0 ? 1 : -1;
    all.push_back(patch_face(mesh, geometry, f, f, inward, touched, [](int n) { return std::int64_t{n}; }));
  }
  return all;
}

}  // namespace solenoid
