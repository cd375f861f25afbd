/// Equality of the parts of a mesh, in every bit.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "mesh/mesh_part.hpp"

namespace solenoid::test {

inline void expect_the_same(const LocalNumbering& found, const LocalNumbering& wanted) {
  EXPECT_EQ(found.owned, wanted.owned);
  EXPECT_EQ(found.global_count, wanted.global_count);
  EXPECT_EQ(found.global_id, wanted.global_id);
  EXPECT_EQ(found.owner, wanted.owner);
}

inline void expect_the_same(const MeshPart& found, const MeshPart& wanted) {
  expect_the_same(found.node_numbering, wanted.node_numbering);
  expect_the_same(found.edge_numbering, wanted.edge_numbering);
  expect_the_same(found.face_numbering, wanted.face_numbering);
  expect_the_same(found.cell_numbering, wanted.cell_numbering);
  ASSERT_EQ(found.points.size(), wanted.points.size());
  for (std::size_t k = 0; k < wanted.points.size(); ++k) EXPECT_EQ(norm(found.points[k] - wanted.points[k]), 0);
  const auto tables = [](const MeshPart& of) {
    return std::vector{of.cell_nodes,  of.cell_faces,  of.cell_region,        of.face_nodes,      of.face_edges,
                       of.face_patch,  of.edge_nodes,  of.node_boundary_loop, of.copy_node,       of.copy_turns,
                       of.cell_points, of.face_points, of.face_pair,          of.node_cell_count, of.cell_swapped};
  };
  EXPECT_EQ(tables(found), tables(wanted));
  EXPECT_EQ(found.dimension, wanted.dimension);
  EXPECT_EQ(found.copy_id, wanted.copy_id);
  EXPECT_EQ(found.boundary_loop_is_hole, wanted.boundary_loop_is_hole);
  EXPECT_EQ(found.patches, wanted.patches);
  EXPECT_EQ(found.regions, wanted.regions);
  EXPECT_EQ(found.pairs.size(), wanted.pairs.size());
}

}  // namespace solenoid::test
