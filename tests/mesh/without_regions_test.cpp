/// What remains of a mesh beside solids, against the same mesh made without their cells.
#include "mesh/submesh.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "mesh/domain.hpp"
#include "support/meshes.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

bool in_the_middle(const Vec3& x) {
  return std::abs(x.x - 0.5) < 0.2 && std::abs(x.y - 0.5) < 0.2 && (x.z == 0 || std::abs(x.z - 0.5) < 0.3);
}

/// By name: boundary faces, and their area vector out of the mesh as numbers.
std::map<std::string, std::vector<real>> boundary_of(const GlobalMesh& mesh) {
  const Geometry geometry(mesh);
  std::map<std::string, std::vector<real>> found;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0) {
      EXPECT_NE(mesh.face_cells_of(f)[1], -1);
      continue;
    }
    EXPECT_EQ(mesh.face_cells_of(f)[1], -1);
    const int cell = mesh.face_cells_of(f)[0];
    int corner = 0;
    while (mesh.cell_faces_of(cell)[corner] != f) ++corner;
    const real outward = geometry.face_area[f] * mesh.face_sign(cell, corner, [](int a, int b) { return a < b; });
    std::vector<real>& sums = found[mesh.patches[mesh.face_patch[f]]];
    sums.resize(4, 0);
    sums[0] += 1;
    sums[1] += std::abs(outward * geometry.face_normal[f].x);
    sums[2] += std::abs(outward * geometry.face_normal[f].y);
    sums[3] += outward * dot(geometry.face_normal[f], geometry.face_centre[f]);  // d times the volume, in all
  }
  return found;
}

TEST(WithoutRegions, IsTheMeshMadeWithoutTheirCells) {
  for (const MeshSource& whole : {unit_square(15, 0.2), unit_cube(6, 0.1)}) {
    const GlobalMesh rest =
        without_regions("case.toml", build_topology(with_solid(whole, in_the_middle, "block")), {"block"}).mesh;
    const GlobalMesh made = build_topology(without_cells(whole, in_the_middle, "block"));
    EXPECT_EQ(rest.cells(), made.cells());
    EXPECT_EQ(rest.faces(), made.faces());
    EXPECT_EQ(rest.edges(), made.edges());
    EXPECT_EQ(rest.nodes(), made.nodes());
    const auto found = boundary_of(rest), expected = boundary_of(made);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, sums] : expected) {
      ASSERT_TRUE(found.contains(name)) << name;
      expect_equal(found.at(name), sums, name, 1e-12);
    }
    const Domain domain = examine_domain(rest), of_made = examine_domain(made);
    EXPECT_EQ(domain.parts.size(), of_made.parts.size());
    EXPECT_EQ(domain.holes, of_made.holes);
    EXPECT_EQ(domain.cavities, of_made.cavities);
    EXPECT_EQ(rest.boundary_loop_is_hole.size(), made.boundary_loop_is_hole.size());
    for (int c = 0; c < rest.cells(); ++c) {
      for (const int n : rest.cell_nodes_of(c)) EXPECT_LE(rest.node_first_cell[n], c);
    }
  }
}

/// A slab in the middle of a channel that goes on beyond both of its ends.
TEST(WithoutRegions, KeepsPeriodicPairs) {
  const auto is_in_slab = [](const Vec3& x) { return std::abs(x.y - 0.5) < 0.2; };
  MeshSource source = with_patches(unit_square(10), side_of_square);
  source.pairs = {{"left", "right"}};
  const GlobalMesh rest =
      without_regions("case.toml", build_topology(with_solid(source, is_in_slab, "slab")), {"slab"}).mesh;
  EXPECT_EQ(examine_domain(rest).parts.size(), 2u);
  EXPECT_EQ(std::count(rest.face_pair.begin(), rest.face_pair.end(), 0), rest.faces() - 6);
  const auto boundary = boundary_of(rest);
  EXPECT_NEAR(boundary.at("slab")[2], 2, 1e-12);
  EXPECT_FALSE(boundary.contains("left"));
}

TEST(WithoutRegions, RefusesAMeshOfSolidsAlone) {
  const auto everywhere = [](const Vec3&) { return true; };
  const GlobalMesh mesh = build_topology(with_solid(unit_square(3), everywhere, "steel"));
  EXPECT_THROW(without_regions("case.toml", mesh, {"steel"}), Error);
}

}  // namespace
}  // namespace solenoid::test
