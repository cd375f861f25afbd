#include "io/foreign/poly_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "io/foreign/foam_file.hpp"
#include "io/foreign/polyhedra.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

using Ids = std::vector<std::int64_t>;

/// Places in an array; ids are checked when they are read.
std::size_t place(std::int64_t id) { return static_cast<std::size_t>(id); }

struct Patch {
  std::string name, type;
  std::int64_t begin = 0, end = 0;  ///< of its faces
};

class PolyMesh {
 public:
  PolyMesh(const fs::path& folder, std::string name) : folder_(folder), name_(std::move(name)) {
    read_points();
    read_faces();
    read_patches();
    read_zones();
  }

  std::vector<Vec3> points;
  Ids owner, neighbour;
  std::vector<Patch> patches;
  std::vector<std::string> zones;
  std::vector<int> zone_of_cell;  ///< index into `zones`, -1: none

  std::int64_t cell_count() const { return std::ssize(zone_of_cell); }
  std::int64_t face_count() const { return std::ssize(owner); }
  std::span<const std::int64_t> corners(std::int64_t face) const {
    const auto begin = place(faces_.begin[place(face)]), end = place(faces_.begin[place(face) + 1]);
    return std::span(faces_.nodes).subspan(begin, end - begin);
  }
  [[noreturn]] void fail(const std::string& fault) const { throw Error(ExitCode::bad_input, name_ + ": " + fault); }

 private:
  FoamFile file(const char* part) const { return {folder_ / part, (fs::path(name_) / part).string()}; }
  void check_range(const Ids& ids, std::int64_t end, const char* part, const char* kind) const;
  void read_points();
  void read_faces();
  void read_patches();
  void read_zones();

  fs::path folder_;
  std::string name_;
  FoamFile::Polygons faces_;
};

void PolyMesh::check_range(const Ids& ids, std::int64_t end, const char* part, const char* kind) const {
  for (const std::int64_t id : ids) {
    if (id < 0 || id >= end) fail(message("{} names {} {}, of which there are {}", part, kind, id, end));
  }
}

void PolyMesh::read_points() {
  const std::vector<double> x = file("points").vectors();
  for (std::size_t k = 0; k + 2 < x.size(); k += 3) {
    points.push_back({static_cast<real>(x[k]), static_cast<real>(x[k + 1]), static_cast<real>(x[k + 2])});
  }
}

void PolyMesh::read_faces() {
  faces_ = file("faces").faces();
  check_range(faces_.nodes, std::ssize(points), "faces", "point");
  const std::int64_t faces = std::ssize(faces_.begin) - 1;
  owner = file("owner").labels(faces);
  neighbour = file("neighbour").labels(faces);
  if (face_count() != faces) fail(message("owner has {} faces, faces has {}", face_count(), faces));
  check_range(owner, faces, "owner", "cell");
  check_range(neighbour, faces, "neighbour", "cell");
  std::int64_t cells = 0;
  for (const Ids* of : {&owner, &neighbour}) {
    for (const std::int64_t cell : *of) cells = std::max(cells, cell + 1);
  }
  zone_of_cell.assign(place(cells), -1);
  for (std::int64_t face = 0; face < faces; ++face) {
    if (corners(face).size() < 3)
      fail(message("face {} has {} corners, expected 3 or more", face, corners(face).size()));
  }
}

void PolyMesh::read_patches() {
  FoamFile boundary = file("boundary");
  const std::int64_t count = boundary.count();
  const auto number = [&](std::map<std::string, std::string>& entries, const char* key) {
    const std::string& text = entries[key];
    const bool is_number =
        !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) boundary.fail(message("found `{}` for `{}`, expected a whole number", text, key));
    return std::stoll(text);
  };
  boundary.expect('(');
  for (std::int64_t k = 0; k < count; ++k) {
    Patch patch{.name = boundary.word("the name of a patch"), .type = {}};
    std::map<std::string, std::string> entries = boundary.entries();
    patch.type = entries["type"];
    patch.begin = number(entries, "startFace");
    patch.end = patch.begin + number(entries, "nFaces");
    if (patch.begin < std::ssize(neighbour) || patch.end > face_count()) {
      boundary.fail(message("patch `{}` has the faces from {} to {}, expected some from {} to {}", patch.name,
                            patch.begin, patch.end, std::ssize(neighbour), face_count()));
    }
    if (patch.type == "wedge") {
      fail(
          message("patch `{}` is a wedge: flows with an axis of symmetry are computed in space here; make a mesh of "
                  "the body, or of a sector between planes of symmetry",
                  patch.name));
    }
    if (patch.type.starts_with("processor")) {
      fail(message("patch `{}` is the side of a part: reconstructParMesh -constant makes a whole mesh", patch.name));
    }
    patches.push_back(std::move(patch));
  }
  boundary.expect(')');
}

void PolyMesh::read_zones() {
  std::error_code ignored;
  if (!fs::exists(folder_ / "cellZones", ignored)) return;
  FoamFile in = file("cellZones");
  const std::int64_t count = in.count();
  if (!in.take('(')) return;
  for (std::int64_t k = 0; k < count; ++k) {
    zones.push_back(in.word("the name of a zone"));
    in.expect('{');
    while (!in.take('}')) {
      if (in.word("a key or `}`") != "cellLabels") {
        in.skip_entry();
        continue;
      }
      in.word("List<label>");
      const Ids cells = in.labels(cell_count());
      check_range(cells, cell_count(), "cellZones", "cell");
      for (const std::int64_t cell : cells) {
        int& zone = zone_of_cell[place(cell)];
        if (zone >= 0 && zone != static_cast<int>(k)) {
          fail(message("cell {} is in the zones `{}` and `{}`, expected one zone; remove one of them", cell,
                       zones[place(zone)], zones.back()));
        }
        zone = static_cast<int>(k);
      }
      in.expect(';');
    }
  }
  in.expect(')');
}

/// Faces of each cell.
struct FacesOfCells {
  Ids begin, faces;
  explicit FacesOfCells(const PolyMesh& mesh) : begin(place(mesh.cell_count()) + 1, 0) {
    const auto each = [&](const auto& use) {
      for (std::int64_t f = 0; f < mesh.face_count(); ++f) {
        use(mesh.owner[place(f)], f);
        if (f < std::ssize(mesh.neighbour)) use(mesh.neighbour[place(f)], f);
      }
    };
    each([&](std::int64_t cell, std::int64_t) { ++begin[place(cell) + 1]; });
    for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
    faces.resize(place(begin.back()));
    Ids next = begin;
    each([&](std::int64_t cell, std::int64_t face) { faces[place(next[place(cell)]++)] = face; });
  }
  std::span<const std::int64_t> operator[](std::int64_t cell) const {
    return std::span(faces).subspan(place(begin[place(cell)]), place(begin[place(cell) + 1] - begin[place(cell)]));
  }
};

/// The name of a solid by the corners of its faces.
std::string kind_of(const PolyMesh& mesh, std::span<const std::int64_t> faces) {
  std::array<int, 3> count{};  // triangles, quadrangles, others
  for (const std::int64_t face : faces) ++count[std::min<std::size_t>(mesh.corners(face).size(), 5) - 3];
  using Counts = std::array<int, 3>;
  static const std::map<Counts, std::string> known{
      {{4, 0, 0}, "tetrahedra"}, {{4, 1, 0}, "pyramids"}, {{2, 3, 0}, "prisms"}, {{0, 6, 0}, "hexahedra"}};
  const auto found = known.find(count);
  return found == known.end() ? "polyhedra" : found->second;
}

/// Collects what a mesh is divided into.
class DividedMesh {
 public:
  DividedMesh(PolyMesh& mesh, int dimension) : mesh_(mesh), polyhedra_(mesh.points) {
    result_.dimension = dimension;
    const auto name = [&](int of, int number, const std::string& text) {
      result_.records.names[{of, number}] = text;
      result_.records.groups[place(of)][number] = {number};
    };
    for (std::size_t k = 0; k < mesh.patches.size(); ++k) {
      name(dimension - 1, static_cast<int>(k) + 1, mesh.patches[k].name);
    }
    for (std::size_t k = 0; k < mesh.zones.size(); ++k) name(dimension, static_cast<int>(k) + 1, mesh.zones[k]);
  }

  PolyhedronDivision& polyhedra() { return polyhedra_; }
  int group_of(std::int64_t cell) const { return mesh_.zone_of_cell[place(cell)] + 1; }
  void count(const std::string& kind, const char* of_simplex) {
    if (kind != of_simplex) ++counts_[kind];
  }
  /// Simplices of this dimension, all of one number.
  void add(int dimension, int group, std::int64_t id, const Ids& nodes) {
    MshElements& elements = result_.records.elements[place(dimension)];
    elements.nodes.insert(elements.nodes.end(), nodes.begin(), nodes.end());
    for (std::size_t k = 0; k < nodes.size() / place(dimension + 1); ++k) elements.begin(group, id);
  }

  FileMesh result() {
    for (const auto& [kind, count] : counts_) {
      result_.divided += message("{}{} {}", result_.divided.empty() ? "" : ", ", count, kind);
    }
    result_.cells = std::ssize(result_.records.elements[place(result_.dimension)].ids);
    for (std::size_t n = 0; n < mesh_.points.size(); ++n) {
      const Vec3& x = mesh_.points[n];
      result_.records.node_ids.push_back(static_cast<std::int64_t>(n));
      for (const real value : {x.x, x.y, x.z}) result_.records.positions.push_back(static_cast<double>(value));
    }
    return std::move(result_);
  }

 private:
  PolyMesh& mesh_;
  PolyhedronDivision polyhedra_;
  FileMesh result_;
  std::map<std::string, std::int64_t> counts_;
};

FileMesh in_space(PolyMesh& mesh) {
  DividedMesh division(mesh, 3);
  const FacesOfCells faces_of(mesh);
  Ids triangles, corners, tetrahedra;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    const std::span<const std::int64_t> faces = faces_of[cell];
    if (faces.size() < 4) mesh.fail(message("cell {} has {} faces, expected 4 or more", cell, faces.size()));
    triangles.clear(), tetrahedra.clear();
    for (const std::int64_t face : faces) {
      corners.assign(mesh.corners(face).begin(), mesh.corners(face).end());
      if (mesh.owner[place(face)] != cell) std::reverse(corners.begin(), corners.end());
      division.polyhedra().append_triangles(face, corners, triangles);
    }
    division.polyhedra().append_tetrahedra(static_cast<int>(faces.size()), triangles, tetrahedra);
    division.add(3, division.group_of(cell), cell, tetrahedra);
    division.count(kind_of(mesh, faces), "tetrahedra");
  }
  for (std::size_t k = 0; k < mesh.patches.size(); ++k) {
    for (std::int64_t face = mesh.patches[k].begin; face < mesh.patches[k].end; ++face) {
      triangles.clear();
      division.polyhedra().append_triangles(face, mesh.corners(face), triangles);
      division.add(2, static_cast<int>(k) + 1, face, triangles);
    }
  }
  return division.result();
}

bool is_empty(const Patch& patch) { return patch.type == "empty" && patch.end > patch.begin; }

/// Of each cell the `empty` face that looks towards -z.
Ids faces_below(const PolyMesh& mesh) {
  Ids below(place(mesh.cell_count()), -1);
  std::vector<int> count(below.size(), 0);
  for (const Patch& patch : mesh.patches) {
    if (!is_empty(patch)) continue;
    for (std::int64_t face = patch.begin; face < patch.end; ++face) {
      const auto corners = mesh.corners(face);
      Vec3 normal{};
      const Vec3& first = mesh.points[place(corners[0])];
      for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        normal = normal + cross(mesh.points[place(corners[k])] - first, mesh.points[place(corners[k + 1])] - first);
      }
      if (std::abs(normal.z) < (1 - real(1e-8)) * norm(normal)) {
        mesh.fail(message("the `empty` patch `{}` is not normal to z: turn the mesh with transformPoints", patch.name));
      }
      const std::size_t cell = place(mesh.owner[place(face)]);
      ++count[cell];
      if (normal.z < 0) below[cell] = face;
    }
  }
  for (std::size_t cell = 0; cell < below.size(); ++cell) {
    if (count[cell] == 2 && below[cell] >= 0) continue;
    mesh.fail(message("cell {} has {} `empty` faces, expected 2 opposite ones: a plane mesh has one layer of cells",
                      cell, count[cell]));
  }
  return below;
}

FileMesh in_plane(PolyMesh& mesh) {
  DividedMesh division(mesh, 2);
  const Ids below = faces_below(mesh);
  std::vector<char> is_below(mesh.points.size(), 0);
  Ids corners, triangles;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    const std::int64_t face = below[place(cell)];
    corners.assign(mesh.corners(face).rbegin(), mesh.corners(face).rend());
    for (const std::int64_t node : corners) is_below[place(node)] = 1;
    triangles.clear();
    division.polyhedra().append_triangles(face, corners, triangles);
    division.add(2, division.group_of(cell), cell, triangles);
    division.count(corners.size() == 3 ? "triangles" : corners.size() == 4 ? "quadrangles" : "polygons", "triangles");
  }
  for (std::size_t k = 0; k < mesh.patches.size(); ++k) {
    const Patch& patch = mesh.patches[k];
    if (is_empty(patch)) continue;
    for (std::int64_t face = patch.begin; face < patch.end; ++face) {
      Ids ends;
      for (const std::int64_t node : mesh.corners(face)) {
        if (is_below[place(node)]) ends.push_back(node);
      }
      if (ends.size() != 2) {
        mesh.fail(message("face {} of patch `{}` has {} points in the plane of the mesh, expected 2", face, patch.name,
                          ends.size()));
      }
      division.add(1, static_cast<int>(k) + 1, face, ends);
    }
  }
  return division.result();
}

}  // namespace

std::vector<fs::path> files_of_poly_mesh(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const char* name : {"points", "faces", "owner", "neighbour", "boundary", "cellZones"}) {
    if (fs::exists(folder / name, ignored)) files.push_back(folder / name);
  }
  return files;
}

FileMesh read_poly_mesh(const fs::path& folder, const std::string& name) {
  PolyMesh mesh(folder, name);
  return std::any_of(mesh.patches.begin(), mesh.patches.end(), is_empty) ? in_plane(mesh) : in_space(mesh);
}

}  // namespace solenoid
