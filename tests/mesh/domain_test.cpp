/// What is said of a whole mesh before a run: its topology, its quality, and what a partition costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/domain.hpp"
#include "mesh/quality.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

const auto between = [](real x, real low, real high) { return x > low && x < high; };

TEST(Domain, CountsPartsHolesAndPiecesOfTheBoundaryInThePlane) {
  const Domain whole = examine_domain(build_topology(unit_square(6, 0.3)));
  ASSERT_EQ(whole.parts.size(), 1u);
  EXPECT_EQ(whole.parts[0].cells, 72);
  EXPECT_EQ(whole.holes, 0);
  EXPECT_EQ(whole.boundary_pieces, 1);

  const Domain ring = examine_domain(build_topology(square_with_hole(6)));
  EXPECT_EQ(ring.parts.size(), 1u);
  EXPECT_EQ(ring.holes, 1);
  EXPECT_EQ(ring.boundary_pieces, 2);

  const auto band = [](const Vec3& x) { return between(x.x, 0.5, 0.7); };
  const Domain two = examine_domain(build_topology(without_cells(unit_square(10), band, "gap")));
  ASSERT_EQ(two.parts.size(), 2u);
  EXPECT_EQ(two.holes, 0);
  EXPECT_EQ(two.parts[0].cells, 100);  // 5 columns of 10 squares
  EXPECT_EQ(two.parts[1].cells, 60);
  EXPECT_LT(two.parts[0].place.x, 0.5);
  EXPECT_GT(two.parts[1].place.x, 0.7);
  EXPECT_EQ(std::count(two.part_of_cell.begin(), two.part_of_cell.end(), 1), 60);
}

TEST(Domain, TellsTunnelsFromCavitiesInSpace) {
  const auto in_middle = [](real x) { return between(x, real{1} / 3, real{2} / 3); };
  const Domain whole = examine_domain(build_topology(unit_cube(3)));
  EXPECT_EQ(
      (std::vector<int>{static_cast<int>(whole.parts.size()), whole.holes, whole.cavities, whole.boundary_pieces}),
      (std::vector<int>{1, 0, 0, 1}));

  const auto core = [&](const Vec3& x) { return in_middle(x.x) && in_middle(x.y) && in_middle(x.z); };
  const Domain hollow = examine_domain(build_topology(without_cells(unit_cube(3), core, "core")));
  EXPECT_EQ(
      (std::vector<int>{static_cast<int>(hollow.parts.size()), hollow.holes, hollow.cavities, hollow.boundary_pieces}),
      (std::vector<int>{1, 0, 1, 2}));

  const auto bore = [&](const Vec3& x) { return in_middle(x.x) && in_middle(x.y); };
  const Domain tube = examine_domain(build_topology(without_cells(unit_cube(3), bore, "bore")));
  EXPECT_EQ((std::vector<int>{static_cast<int>(tube.parts.size()), tube.holes, tube.cavities, tube.boundary_pieces}),
            (std::vector<int>{1, 1, 0, 1}));
}

/// One cell with these corners, all of its boundary in one patch.
MeshSource one_cell(std::vector<Vec3> corners) {
  const int count = static_cast<int>(corners.size());
  MeshSource mesh;
  mesh.dimension = count - 1;
  mesh.points = std::move(corners);
  mesh.patches = {"wall"};
  for (int i = 0; i < count; ++i) {
    mesh.cells.push_back(i);
    mesh.point_ids.push_back(i + 1);
    for (int j = 0; j < count; ++j) {
      if (j != i) mesh.boundary_faces.push_back(j);
    }
  }
  mesh.boundary_patch.assign(count, 0);
  mesh.cell_ids = {7};
  mesh.cell_region = {-1};
  return mesh;
}

std::vector<real> qualities(const MeshSource& source) {
  const GlobalMesh mesh = build_topology(source);
  std::vector<real> values;
  for (const QualityMeasure& measure : measure_quality(mesh, Geometry(mesh))) values.push_back(measure.value.at(0));
  return values;
}

void expect_near(const std::vector<real>& found, const std::vector<real>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10) << i;
}

TEST(Quality, OfRegularCellsIsIdeal) {
  expect_near(qualities(one_cell({{0, 0, 0}, {2, 0, 0}, {1, std::sqrt(real{3}), 0}})), {60, 60, 1, 0, 1});
  const real dihedral = std::acos(real{1} / 3) * 180 / std::acos(real{-1});
  expect_near(qualities(one_cell({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}})), {dihedral, dihedral, 1, 0, 1});
}

/// The corner of a cube and half a square: angles and radii known by hand.
TEST(Quality, OfRightAngledCells) {
  const real radius_2d = 1 - std::sqrt(real{0.5}),
             aspect_2d = std::sqrt(real{2}) / (2 * std::sqrt(real{3}) * radius_2d);
  const std::vector<real> triangle = qualities(one_cell({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_NEAR(triangle[0], 45, 1e-10);
  EXPECT_NEAR(triangle[1], 90, 1e-10);
  EXPECT_NEAR(triangle[2], aspect_2d, 1e-10);
  // From the centroid (1/3, 1/3) to the middle (1/2, 0) of a leg: atan(1/2) off its normal.
  EXPECT_NEAR(triangle[3], std::atan(real{0.5}) * 180 / std::acos(real{-1}), 1e-10);

  const std::vector<real> corner = qualities(one_cell({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_NEAR(corner[0], std::acos(1 / std::sqrt(real{3})) * 180 / std::acos(real{-1}), 1e-10);
  EXPECT_NEAR(corner[1], 90, 1e-10);
  const real radius_3d = real{0.5} / (real{1.5} + std::sqrt(real{3}) / 2);  // 3 V / S
  EXPECT_NEAR(corner[2], std::sqrt(real{2}) / (2 * std::sqrt(real{6}) * radius_3d), 1e-10);
}

TEST(Quality, VolumeJumpIsTheLargestRatioOverAFace) {
  MeshSource mesh = one_cell({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  mesh.points.push_back({2, 2, 0});  // beside it a triangle three times as large
  mesh.point_ids.push_back(4);
  mesh.cells.insert(mesh.cells.end(), {1, 3, 2});
  mesh.cell_ids.push_back(8);
  mesh.cell_region.push_back(-1);
  mesh.boundary_faces = {0, 1, 0, 2, 1, 3, 2, 3};
  mesh.boundary_patch.assign(4, 0);
  const GlobalMesh whole = build_topology(mesh);
  const std::vector<QualityMeasure> measures = measure_quality(whole, Geometry(whole));
  for (real jump : measures[4].value) EXPECT_NEAR(jump, 3, 1e-12);
}

/// The preview tells what the ranks of a run then hold.
TEST(PartitionReport, AgreesWithWhatTheRanksHold) {
  const Comm comm;
  for (const MeshSource& source : {unit_square(12, 0.3), square_with_hole(9), unit_cube(4, 0.2)}) {
    for (const auto& [name, partition] : partitioners()) {
      const GlobalMesh whole = build_topology(source);
      const PartitionReport report = report_partition(whole, partition(whole, comm.size()), comm.size());
      const std::unique_ptr<LocalMesh> mesh = make_mesh(comm, source, partition);
      const std::int64_t owned = mesh->owned<Cell>(), halo_cells = mesh->total<Cell>() - owned;
      EXPECT_EQ(report.cells_min, comm.min(owned)) << name;
      EXPECT_EQ(report.cells_max, comm.max(owned)) << name;
      EXPECT_EQ(report.halo_cells_sum, comm.sum(halo_cells)) << name;
      EXPECT_EQ(report.halo_cells_max, comm.max(halo_cells)) << name;
      EXPECT_NEAR(report.imbalance, static_cast<double>(comm.max(owned)) * comm.size() / whole.cells() - 1, 1e-12);
      std::vector<int> owners = mesh->numbering<Cell>().owner;
      std::sort(owners.begin(), owners.end());
      const auto ranks_held = std::unique(owners.begin(), owners.end()) - owners.begin();
      EXPECT_EQ(report.neighbours_max, comm.max(static_cast<std::int64_t>(owned > 0 ? ranks_held - 1 : ranks_held)));
    }
  }
}

}  // namespace
}  // namespace solenoid::test
