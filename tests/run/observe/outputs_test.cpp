/// What surrounds a run's output: when it is due, and the patches of the mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "model/shown_cells.hpp"
#include "run/observe/field_sink.hpp"
#include "run/observe/observer.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

TEST(OutputTimes, LandsOnEachTimeOnce) {
  OutputSettings output;
  output.every = 0.3;
  output.times = {0.1, 0.6, 0.75};
  const OutputTimes times(output, 1);
  std::vector<double> found;
  for (real t = 0; t < 1;) {
    t = times.next(t);
    found.push_back(t);
    EXPECT_EQ(times.is_due(1, t), t < 1);
    t += 1e-13;  // round-off of a step is neither late nor early
    EXPECT_EQ(times.is_due(1, t), t < 1);
  }
  ASSERT_EQ(found.size(), 6u);
  const double expected[] = {0.1, 0.3, 0.6, 0.75, 0.9, 1};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
  EXPECT_EQ(found[3], 0.75);  // a chosen time is met to the bit
  EXPECT_FALSE(times.is_due(1, 0.5));
}

TEST(OutputTimes, CountsSteps) {
  OutputSettings output;
  output.every_steps = 4;
  output.times = {0.5};
  const OutputTimes times(output, 2);
  EXPECT_EQ(times.next(0), 0.5);
  EXPECT_EQ(times.next(0.5), 2);
  EXPECT_TRUE(times.is_due(8, 0.1));
  EXPECT_FALSE(times.is_due(7, 0.1));
  EXPECT_TRUE(times.is_due(7, 0.5));
}

TEST(Patches, CoverTheBoundaryOnceOnAnyPartition) {
  for (const MeshSource& source : {unit_square(6, 0.2), square_with_hole(6), unit_cube(3, 0.2)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      const std::vector<VtkSurface> found = gather_patches(*mesh, {});
      if (!Comm().is_root()) {
        EXPECT_TRUE(found.empty());
        continue;
      }
      const std::vector<VtkSurface> expected = gather_patches(*make_mesh(Comm(MPI_COMM_SELF), source), {});
      const GlobalMesh whole = build_topology(source);
      const std::vector<int> owner = p.partition(whole, Comm().size());
      ASSERT_EQ(found.size(), source.patches.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const VtkSurface &a = found[i], &b = expected[i];
        EXPECT_EQ(a.name, source.patches[i]);
        EXPECT_EQ(a.dimension, source.dimension);
        EXPECT_EQ(static_cast<long>(a.face_ids.size()),
                  std::count(source.boundary_patch.begin(), source.boundary_patch.end(), static_cast<int>(i)));
        EXPECT_EQ(a.face_ids, b.face_ids);
        EXPECT_EQ(a.point_ids, b.point_ids);
        EXPECT_EQ(a.faces, b.faces);
        EXPECT_EQ(a.cell_ids, b.cell_ids);
        for (std::size_t f = 0; f < a.face_ids.size(); ++f) {
          EXPECT_EQ(whole.face_patch[a.face_ids[f]], static_cast<int>(i));
          EXPECT_EQ(whole.face_cells[2 * a.face_ids[f]], a.cell_ids[f]);
          EXPECT_EQ(a.ranks[f], owner[a.cell_ids[f]]);
        }
        for (std::size_t n = 0; n < a.point_ids.size(); ++n)
          EXPECT_EQ(norm(a.points[n] - whole.points[a.point_ids[n]]), 0);
      }
    }
  }
}

TEST(Patches, TrianglesFaceOutwards) {
  const std::vector<VtkSurface> surfaces = gather_patches(*make_mesh(Comm(), unit_cube(2)), {});
  for (const VtkSurface& surface : surfaces) {
    for (std::size_t f = 0; f < surface.faces.size(); f += 3) {
      const Vec3 a = surface.points[surface.faces[f]], b = surface.points[surface.faces[f + 1]],
                 c = surface.points[surface.faces[f + 2]];
      EXPECT_GT(dot(cross(b - a, c - a), (a + b + c) / 3 - Vec3{0.5, 0.5, 0.5}), 0);
    }
  }
}

/// The owned cells of a piece by global id, each with the global ids and places of its corners.
std::map<std::int64_t, std::vector<real>> owned_cells(const MeshPiece& shown, int rank) {
  const VtkPiece& piece = shown.piece;
  const int corners = piece.dimension + 1;
  std::map<std::int64_t, std::vector<real>> cells;
  for (std::size_t c = 0; c < piece.cell_ids.size(); ++c) {
    if (piece.cell_ranks[c] != rank) continue;
    std::vector<real>& of_cell = cells[piece.cell_ids[c]];
    for (int k = 0; k < corners; ++k) {
      const int point = piece.cells[c * corners + k];
      const Vec3& x = piece.points[point];
      of_cell.insert(of_cell.end(), {static_cast<real>(piece.point_ids[point]), x.x, x.y, x.z});
    }
  }
  return cells;
}

TEST(ShownCells, AreThoseOfTheWholeMeshOnAnyPartition) {
  const ShownCells chosen[] = {
      {BoxOfPoints{{0, 0.3, 0}, {0.7, 1, 0.6}}, 1}, {BallOfPoints{{1, 0, 0}, 0.5}, 2}, {{}, 3}};
  for (const MeshSource& source : {square_with_hole(6), unit_cube(3, 0.2)}) {
    const auto whole = make_mesh(Comm(MPI_COMM_SELF), source);
    const auto expected = owned_cells(MeshPiece(*whole, {}), 0);
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      for (const ShownCells& shown : chosen) {
        const MeshPiece piece(*mesh, find_shown_cells(*mesh, shown, "a case"));
        const auto found = owned_cells(piece, Comm().rank());
        std::int64_t count = 0, all = 0;
        for (int c = 0; c < whole->owned<Cell>(); ++c)
          all += shown.has(whole->part().cell_numbering.global_id[c], whole->geometry().cell_centre[c]);
        for (const auto& [id, corners] : found) {
          ++count;
          EXPECT_EQ(corners, expected.at(id));
        }
        EXPECT_EQ(Comm().sum(count), all);
        EXPECT_EQ(count_shown_cells(*mesh, shown), all);
        EXPECT_GT(all, 0);
        EXPECT_LT(all, whole->owned<Cell>());
        EXPECT_EQ(piece.piece.cells_of_mesh, whole->owned<Cell>());
        for (const int point : piece.piece.cells) EXPECT_LT(point, static_cast<int>(piece.piece.points.size()));
        EXPECT_EQ(piece.nodes.size(), piece.piece.points.size());
        EXPECT_TRUE(std::is_sorted(piece.cells.begin(), piece.cells.end()));
      }
      EXPECT_THROW(find_shown_cells(*mesh, {BallOfPoints{{5, 0, 0}, 1}, 1}, "a case"), Error);
      EXPECT_THROW(find_shown_cells(*mesh, {BallOfPoints{{1, 0, 0}, 0.5}, 1 << 20}, "a case"), Error);
      EXPECT_EQ(MeshPiece(*mesh, {}).piece.cells_of_mesh, 0);
    }
  }
}

}  // namespace
}  // namespace solenoid::test
