/// Parts with fewer layers of halo cells against those that are shared out so.
#include <gtest/gtest.h>

#include "mesh/submesh.hpp"
#include "support/openings.hpp"

namespace solenoid::test {
namespace {

void expect_the_same(const LocalNumbering& found, const LocalNumbering& wanted) {
  EXPECT_EQ(found.owned, wanted.owned);
  EXPECT_EQ(found.global_count, wanted.global_count);
  EXPECT_EQ(found.global_id, wanted.global_id);
  EXPECT_EQ(found.owner, wanted.owner);
}

void expect_the_same(const MeshPart& found, const MeshPart& wanted) {
  expect_the_same(found.node_numbering, wanted.node_numbering);
  expect_the_same(found.edge_numbering, wanted.edge_numbering);
  expect_the_same(found.face_numbering, wanted.face_numbering);
  expect_the_same(found.cell_numbering, wanted.cell_numbering);
  ASSERT_EQ(found.points.size(), wanted.points.size());
  for (std::size_t k = 0; k < wanted.points.size(); ++k) EXPECT_EQ(norm(found.points[k] - wanted.points[k]), 0);
  const auto tables = [](const MeshPart& of) {
    return std::vector{of.cell_nodes,  of.cell_faces,  of.cell_region,        of.face_nodes,     of.face_edges,
                       of.face_patch,  of.edge_nodes,  of.node_boundary_loop, of.copy_node,      of.copy_turns,
                       of.cell_points, of.face_points, of.face_pair,          of.node_cell_count};
  };
  EXPECT_EQ(tables(found), tables(wanted));
  EXPECT_EQ(found.dimension, wanted.dimension);
  EXPECT_EQ(found.copy_id, wanted.copy_id);
  EXPECT_EQ(found.boundary_loop_is_hole, wanted.boundary_loop_is_hole);
  EXPECT_EQ(found.patches, wanted.patches);
  EXPECT_EQ(found.regions, wanted.regions);
  EXPECT_EQ(found.pairs.size(), wanted.pairs.size());
}

MeshSource periodic(MeshSource source, const std::function<std::string(const Vec3&)>& side_of) {
  source = with_patches(source, side_of);
  source.pairs = {{"left", "right"}, {"bottom", "top"}};
  return source;
}

std::string side(const Vec3& x) {
  if (x.z < 1e-9 || x.z > 1 - 1e-9) return "wall";
  return side_of_square(x);
}

class ThinnerPart : public testing::TestWithParam<int> {};

TEST_P(ThinnerPart, IsWhatFewerLayersGive) {
  const Partitioner& partition = all_partitioners()[GetParam()].partition;
  for (const MeshSource& source :
       {unit_square(9), unit_cube(5), periodic(unit_square(9), side_of_square), periodic(unit_cube(5), side)}) {
    for (const int layers : {1, 2}) {
      expect_the_same(part_with_fewer_layers(share_out(Comm(), source, 3, partition), layers),
                      share_out(Comm(), source, layers, partition));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, ThinnerPart, testing::Range(0, 4));

}  // namespace
}  // namespace solenoid::test
