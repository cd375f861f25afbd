/// A whole mesh, on the reading rank only, before it is ordered and partitioned: from a file, or generated, of the unit
/// square and the unit cube, for tests and benchmarks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// Simplices of one dimension with named boundary groups (patches) and volume groups (regions).
struct MeshSource {
  int dimension = 2;                    ///< 2: triangles in the plane z = const, 3: tetrahedra
  std::vector<Vec3> points;             ///< node positions [m]
  std::vector<std::int64_t> point_ids;  ///< the file's own node numbers, for messages and output
  std::vector<int> cells;               ///< dimension + 1 point indices per cell, any orientation
  std::vector<std::int64_t> cell_ids;   ///< the file's own element numbers, for messages
  std::vector<int> cell_region;         ///< index into `regions` per cell, -1: none
  std::vector<std::string> regions;     ///< names of the volume groups (dimension d)
  std::vector<int> boundary_faces;      ///< dimension point indices per boundary face
  std::vector<int> boundary_patch;      ///< index into `patches` per boundary face
  std::vector<std::string> patches;     ///< names of the boundary groups (dimension d-1)
  /// Names of two patches a translation apart; the domain continues across the second at the first.
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string name;          ///< the file's name, for messages
  std::uint64_t origin = 0;  ///< identifies the source of the mesh; 0: unknown

  int cell_count() const { return static_cast<int>(cells.size()) / (dimension + 1); }
  int boundary_face_count() const { return static_cast<int>(boundary_patch.size()); }
  std::span<const int> points_of_cell(int cell) const {
    const auto corners = static_cast<std::size_t>(dimension) + 1;
    return std::span(cells).subspan(static_cast<std::size_t>(cell) * corners, corners);
  }
  std::span<const int> points_of_boundary_face(int face) const {
    const auto corners = static_cast<std::size_t>(dimension);
    return std::span(boundary_faces).subspan(static_cast<std::size_t>(face) * corners, corners);
  }
};

/// The unit square as 2 n^2 triangles. Patches: "lid" (y = 1), "wall" (the rest). `distortion` in [0, 0.4):
/// displacement of inner nodes, up to that fraction of the spacing, the same in every call.
MeshSource unit_square(int n, real distortion = 0);

/// The unit cube as 6 n^3 tetrahedra (Kuhn's division). Patches: "lid" (y = 1), "wall" (the rest).
MeshSource unit_cube(int n, real distortion = 0);

}  // namespace solenoid
