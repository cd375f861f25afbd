/// Elements between periodic pairs, numbered without order: divided alike on both patches, and left as they are where
/// nothing asks for more.
#include "io/msh/paired_division.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "io/msh/msh_mesh.hpp"
#include "io/msh/msh_sections.hpp"
#include "mesh/topology.hpp"

namespace solenoid {
namespace {

constexpr int cubes = 4;  // along each side

/// Numbers that go up and down along each line of nodes.
std::int64_t shuffled_number(int i, int j, int k) {
  constexpr int count = (cubes + 1) * (cubes + 1) * (cubes + 1), step = 47;
  return 1 + step * (i + (cubes + 1) * (j + (cubes + 1) * k)) % count;
}

/// Adds a hexahedron, or the two prisms that it consists of.
void append_cube(MshContents& contents, std::int64_t& id, bool as_prisms, const std::array<std::int64_t, 8>& c) {
  if (!as_prisms) return append_element(contents, 1, id++, ElementShape::hexahedron, c);
  append_element(contents, 1, id++, ElementShape::prism, std::array{c[0], c[1], c[2], c[4], c[5], c[6]});
  append_element(contents, 1, id++, ElementShape::prism, std::array{c[0], c[2], c[3], c[4], c[6], c[7]});
}

/// A unit cube between "left" and "right", "front" and "back", and a wall around the rest.
MshRecords cube_of_elements(bool as_prisms) {
  MshContents contents;
  MshRecords& records = contents.records;
  std::int64_t id = 1;
  const auto node = [](int i, int j, int k) { return shuffled_number(i, j, k); };
  for (int k = 0; k <= cubes; ++k) {
    for (int j = 0; j <= cubes; ++j) {
      for (int i = 0; i <= cubes; ++i) {
        records.node_ids.push_back(node(i, j, k));
        for (const int n : {i, j, k}) records.positions.push_back(static_cast<double>(n) / cubes);
      }
    }
  }
  for (int k = 0; k < cubes; ++k) {
    for (int j = 0; j < cubes; ++j) {
      for (int i = 0; i < cubes; ++i) {
        append_cube(contents, id, as_prisms,
                    {node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k), node(i, j, k + 1),
                     node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1)});
      }
    }
  }
  const auto side = [&](int group, const auto& at) {
    for (int a = 0; a < cubes; ++a) {
      for (int b = 0; b < cubes; ++b) {
        const std::array corners{at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b + 1)};
        if (as_prisms && group == 5) {  // the ends of prisms
          append_element(contents, group, id++, ElementShape::triangle, std::array{corners[0], corners[1], corners[2]});
          append_element(contents, group, id++, ElementShape::triangle, std::array{corners[0], corners[2], corners[3]});
        } else {
          append_element(contents, group, id++, ElementShape::quadrangle, corners);
        }
      }
    }
    records.groups[2][group] = {group};
  };
  side(1, [&](int a, int b) { return node(0, a, b); });
  side(2, [&](int a, int b) { return node(cubes, a, b); });
  side(3, [&](int a, int b) { return node(a, 0, b); });
  side(4, [&](int a, int b) { return node(a, cubes, b); });
  side(5, [&](int a, int b) { return node(a, b, 0); });
  side(5, [&](int a, int b) { return node(a, b, cubes); });
  int group = 0;
  for (const char* const name : {"left", "right", "front", "back", "wall"}) records.names[{2, ++group}] = name;
  records.groups[3][1] = {};
  return records;
}

const PatchPairs both_ways{{"left", "right"}, {"front", "back"}};

TEST(PairedDivision, IsAlikeOnBothPatches) {
  for (const bool as_prisms : {false, true}) {
    MshRecords records = cube_of_elements(as_prisms);
    MeshSource before = mesh_of_records(records, 3, 1, "cube");
    before.pairs = both_ways;
    EXPECT_THROW(build_topology(before), Error);  // the numbers are such that it is needed
    ASSERT_TRUE(divide_alike(records, before, both_ways)) << as_prisms;
    MeshSource after = mesh_of_records(records, 3, 1, "cube");
    after.pairs = both_ways;
    EXPECT_EQ(build_topology(after).cells(), 6 * cubes * cubes * cubes);
    EXPECT_FALSE(divide_alike(records, after, both_ways));
    // Elements away from the pairs keep their simplices.
    for (int cell = 0; cell < after.cell_count(); ++cell) {
      const auto points = after.points_of_cell(cell);
      const bool is_inside = std::all_of(points.begin(), points.end(), [&](int point) {
        const Vec3& x = after.points[static_cast<std::size_t>(point)];
        return std::min({x.x, 1 - x.x, x.y, 1 - x.y}) > 0.3;
      });
      const auto same = before.points_of_cell(cell);
      EXPECT_TRUE(!is_inside || std::equal(points.begin(), points.end(), same.begin()));
    }
  }
}

TEST(PairedDivision, LeavesOtherMeshesAsTheyAre) {
  MshRecords records = cube_of_elements(false);
  const MeshSource mesh = mesh_of_records(records, 3, 1, "cube");
  const std::vector<std::int64_t> before = records.elements[3].nodes;
  for (const PatchPairs& pairs : {PatchPairs{}, PatchPairs{{"left", "rihgt"}}, PatchPairs{{"left", "wall"}}}) {
    EXPECT_FALSE(divide_alike(records, mesh, pairs));
  }
  EXPECT_EQ(records.elements[3].nodes, before);
}

/// A quadrangle in no group may have nodes that no cell has.
TEST(PairedDivision, PassesOverElementsOutsideTheMesh) {
  MshRecords records = cube_of_elements(true);
  MshContents contents;
  contents.records = records;
  for (const std::int64_t id : {1000, 1001, 1002, 1003}) {
    contents.records.node_ids.push_back(id);
    contents.records.positions.insert(contents.records.positions.end(), {2, 0, 0});
  }
  append_element(contents, 9, 5000, ElementShape::quadrangle, std::array<std::int64_t, 4>{1000, 1001, 1002, 1003});
  const MeshSource mesh = mesh_of_records(contents.records, 3, 1, "cube");
  ASSERT_TRUE(divide_alike(contents.records, mesh, both_ways));
  ASSERT_TRUE(divide_alike(records, mesh, both_ways));
  EXPECT_EQ(contents.records.elements[3].nodes, records.elements[3].nodes);
  EXPECT_EQ(contents.records.elements[2].nodes.back(), 1003);
}

}  // namespace
}  // namespace solenoid
