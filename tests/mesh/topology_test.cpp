/// Topology and geometry of whole meshes, and what a faulty mesh is answered.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "mesh/geometry.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

TEST(Topology, CountsSatisfyEuler) {
  for (const auto& [source, expected] :
       {std::pair{unit_square(6, 0.3), 1}, {square_with_hole(6), 0}, {unit_cube(3, 0.2), 1}}) {
    const GlobalMesh mesh = build_topology(source);
    const int sides = mesh.dimension == 2 ? mesh.nodes() - mesh.faces() + mesh.cells()
                                          : mesh.nodes() - mesh.edges() + mesh.faces() - mesh.cells();
    EXPECT_EQ(sides, expected) << source.name;
  }
}

TEST(Topology, VolumesFillTheUnitSquareAndCube) {
  for (const MeshSource& source : {unit_square(7, 0.35), unit_cube(4, 0.25)}) {
    const GlobalMesh mesh = build_topology(source);
    const Geometry geometry(mesh);
    real volume = 0;
    for (real v : geometry.cell_volume) {
      EXPECT_GT(v, 0);
      volume += v;
    }
    EXPECT_NEAR(volume, 1, 1e-13);
  }
}

TEST(Topology, SignsAgreeWithOutwardNormals) {
  for (const MeshSource& source : {unit_square(5, 0.35), unit_cube(3, 0.25)}) {
    const GlobalMesh mesh = build_topology(source);
    const Geometry geometry(mesh);
    for (int c = 0; c < mesh.cells(); ++c) {
      for (int k = 0; k < mesh.corners(); ++k) {
        const int f = mesh.cell_faces[c * mesh.corners() + k];
        const int sign = mesh.face_sign(c, k, [](int a, int b) { return a < b; });
        EXPECT_GT(sign * dot(geometry.face_normal[f], geometry.face_centre[f] - geometry.cell_centre[c]), 0);
      }
    }
  }
}

TEST(Topology, NumberingKeepsNeighboursClose) {
  const GlobalMesh mesh = build_topology(unit_square(64));
  std::vector<int> distance;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_cells[2 * f + 1] >= 0)
      distance.push_back(std::abs(mesh.face_cells[2 * f] - mesh.face_cells[2 * f + 1]));
  }
  std::sort(distance.begin(), distance.end());
  EXPECT_LE(distance[distance.size() / 2],
            3);  // half of the neighbours lie next to each other; row by row it would be 127
}

TEST(Topology, FindsTheWallsAndTheHole) {
  const GlobalMesh mesh = build_topology(square_with_hole(9));
  ASSERT_EQ(mesh.boundary_loop_is_hole.size(), 2u);
  for (int n = 0; n < mesh.nodes(); ++n) {
    const Vec3& x = mesh.points[n];
    const bool outer = x.x == 0 || x.x == 1 || x.y == 0 || x.y == 1;
    if (outer) {
      EXPECT_EQ(mesh.boundary_loop_is_hole[mesh.node_boundary_loop[n]], 0);
    } else if (mesh.node_boundary_loop[n] >= 0) {
      EXPECT_EQ(mesh.boundary_loop_is_hole[mesh.node_boundary_loop[n]], 1);
    }
  }
}

std::string fault_of(const MeshSource& source) {
  try {
    build_topology(source);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no fault found";
}

TEST(Topology, NamesWhatIsWrong) {
  const MeshSource good = unit_square(3);

  MeshSource uncovered = good;
  uncovered.boundary_faces.erase(uncovered.boundary_faces.end() - 2, uncovered.boundary_faces.end());
  uncovered.boundary_patch.pop_back();
  EXPECT_NE(fault_of(uncovered).find("1 boundary faces belong to no boundary group"), std::string::npos)
      << fault_of(uncovered);

  MeshSource inside = good;
  inside.boundary_faces.insert(inside.boundary_faces.end(),
                               {good.cells[0], good.cells[2]});  // the first cell's diagonal
  inside.boundary_patch.push_back(1);
  EXPECT_NE(fault_of(inside).find("\"wall\" has a face inside the domain"), std::string::npos) << fault_of(inside);

  MeshSource twice = good;
  twice.boundary_faces.insert(twice.boundary_faces.end(), good.boundary_faces.begin(), good.boundary_faces.begin() + 2);
  twice.boundary_patch.push_back(1 - good.boundary_patch[0]);
  EXPECT_NE(fault_of(twice).find("put it into one of them"), std::string::npos) << fault_of(twice);

  MeshSource flat = good;
  flat.points[flat.cells[2]] = (flat.points[flat.cells[0]] + flat.points[flat.cells[1]]) / 2;
  EXPECT_NE(fault_of(flat).find("cell 1 of \"fluid\" near (0.166667, 0, 0) is flat"), std::string::npos)
      << fault_of(flat);

  MeshSource doubled = good;
  doubled.cells.insert(doubled.cells.end(), good.cells.begin() + 24, good.cells.begin() + 27);
  doubled.cell_ids.push_back(99);
  doubled.cell_region.push_back(0);
  EXPECT_NE(fault_of(doubled).find("9 of \"fluid\""), std::string::npos) << fault_of(doubled);
  EXPECT_NE(fault_of(doubled).find("99 of \"fluid\""), std::string::npos) << fault_of(doubled);

  MeshSource folded = unit_square(4);
  folded.points[6] = {0.6, 0.55, 0};
  EXPECT_NE(fault_of(folded).find("lie on the same side of the face"), std::string::npos) << fault_of(folded);

  MeshSource lonely = good;
  lonely.points.push_back({5, 5, 0});
  lonely.point_ids.push_back(77);
  EXPECT_NE(fault_of(lonely).find("1 nodes belong to no cell"), std::string::npos) << fault_of(lonely);
}

/// Two unit squares, the second moved by (1, 1): with `touch` they have the corner there in common.
MeshSource two_squares(bool touch) {
  MeshSource mesh = unit_square(3);
  const MeshSource other = unit_square(2);
  std::vector<int> number;
  const int corner = static_cast<int>(mesh.points.size()) - 1;
  for (const Vec3& x : other.points) {
    const bool shared = touch && norm(x) == 0;
    number.push_back(shared ? corner : static_cast<int>(mesh.points.size()));
    if (shared) continue;
    mesh.points.push_back(x + Vec3{1, 1, 0});
    mesh.point_ids.push_back(1000 + static_cast<std::int64_t>(mesh.points.size()));
  }
  for (int point : other.cells) mesh.cells.push_back(number[point]);
  for (int point : other.boundary_faces) mesh.boundary_faces.push_back(number[point]);
  mesh.boundary_patch.insert(mesh.boundary_patch.end(), other.boundary_patch.begin(), other.boundary_patch.end());
  mesh.cell_region.resize(mesh.cell_count(), 0);
  for (int c = unit_square(3).cell_count(); c < mesh.cell_count(); ++c) mesh.cell_ids.push_back(c + 1);
  return mesh;
}

TEST(Topology, RefusesAMeshThatTouchesItself) {
  const std::string fault = fault_of(two_squares(true));
  EXPECT_NE(fault.find("touches itself at the node 16 at (1, 1, 0): 4 boundary faces"), std::string::npos) << fault;
}

TEST(Topology, WallsOfSeparatePartsBoundNoHole) {
  EXPECT_EQ(build_topology(two_squares(false)).boundary_loop_is_hole, (std::vector<char>{0, 0}));
}

}  // namespace
}  // namespace solenoid::test
