/// Layers along walls: volumes and areas stay, faces match, and heights are the ones asked for.
#include "io/layers/wall_layers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/topology.hpp"
#include "support/meshes.hpp"

namespace solenoid {
namespace {

/// `least`: of the volumes; those of cells that are turned inside out, since `before` or in the layers, are negative.
double measure_of_layers(const MeshSource& mesh, double* least = nullptr, const MeshSource* before = nullptr) {
  const auto signed_volume = [](const MeshSource& of, int c) {
    const auto points = of.points_of_cell(c);
    const auto x = [&](std::size_t k) { return of.points[static_cast<std::size_t>(points[k])]; };
    const Vec3 normal = cross(x(1) - x(0), x(2) - x(0));
    return of.dimension == 2 ? normal.z / 2 : dot(normal, x(3) - x(0)) / 6;
  };
  double sum = 0;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const double now = signed_volume(mesh, c);
    const double turn_of_layers = mesh.dimension == 2 ? 1 : -1;  // their nodes begin with those of the wall's face
    const double turn =
        before && c < before->cell_count() ? std::copysign(1, signed_volume(*before, c)) : turn_of_layers;
    if (least) *least = std::min(*least, turn * now);
    sum += std::abs(now);
  }
  return sum;
}

std::string said;

MeshSource with_layers(MeshSource mesh, const LayerSettings& layers, const PatchPairs& pairs = {}) {
  said.clear();
  add_wall_layers(mesh, layers, pairs, [](const std::string& line) { said = line; });
  return mesh;
}

/// Heights of the nodes over y = 0 of the column at the middle.
std::set<int> heights_below(const MeshSource& mesh, double bound, double unit) {
  std::set<int> heights;
  for (const Vec3& p : mesh.points) {
    if (p.y < bound && std::abs(p.x - 0.5) < 0.2) heights.insert(static_cast<int>(std::lround(p.y / unit)));
  }
  return heights;
}

TEST(WallLayers, FillTheSameVolumeWithMatchingFaces) {
  for (const int dimension : {2, 3}) {
    const MeshSource plain = dimension == 2 ? unit_square(8, 0.2) : unit_cube(5, 0.2);
    for (const auto& patches : {std::vector<std::string>{"lid"}, {"wall"}, {"wall", "lid"}}) {
      const MeshSource mesh = with_layers(plain, {patches, 0.002, 1.5, 6});
      double least = 1;
      EXPECT_NEAR(measure_of_layers(mesh, &least, &plain), 1, 1e-12) << dimension;
      EXPECT_GT(least, 0) << dimension;
      const auto before = test::areas_of_patches(plain), now = test::areas_of_patches(mesh);
      for (const auto& [name, area] : before) EXPECT_NEAR(now.at(name), area, 1e-12) << dimension << name;
      const GlobalMesh whole = build_topology(mesh);  // refuses faces that do not match
      EXPECT_EQ(whole.cells(), mesh.cell_count());
      EXPECT_GT(mesh.cell_count(), plain.cell_count());
      EXPECT_EQ(mesh.cell_region.size(), static_cast<std::size_t>(mesh.cell_count()));
    }
  }
}

TEST(WallLayers, HaveTheHeightsAskedFor) {
  const MeshSource mesh = with_layers(unit_square(10), {{"wall"}, 0.001, 2, 4});
  EXPECT_EQ(heights_below(mesh, 0.02, 0.001), (std::set<int>{0, 1, 3, 7, 15}));
  EXPECT_NE(said.find("4 of them on 30 faces, from 0.001 m at the wall to 0.008 m, 0.015 m in all; 240 cells"),
            std::string::npos)
      << said;
}

TEST(WallLayers, AreThinnerWhereThereIsNoRoom) {
  const MeshSource plain = unit_cube(4), mesh = with_layers(plain, {{"wall", "lid"}, 0.1, 1.2, 6});
  double least = 1;
  EXPECT_NEAR(measure_of_layers(mesh, &least, &plain), 1, 1e-12);
  EXPECT_GT(least, 0);
  EXPECT_NE(said.find("for want of room thinner at"), std::string::npos) << said;
  EXPECT_EQ(build_topology(mesh).cells(), mesh.cell_count());
}

TEST(WallLayers, LeaveCurvedBoundariesAsTheyAre) {
  for (const int dimension : {2, 3}) {
    MeshSource plain = dimension == 2 ? unit_square(8) : unit_cube(5);
    for (Vec3& p : plain.points) p.y *= 1 + 0.3 * p.x * (1 - p.x) * (dimension == 2 ? 1 : 1 + p.z * p.z);
    const MeshSource mesh = with_layers(plain, {{"wall"}, 0.005, 1.2, 4});  // meets the lid, which is curved
    double least = 1;
    EXPECT_NEAR(measure_of_layers(mesh, &least, &plain), measure_of_layers(plain), 1e-12) << dimension;
    EXPECT_GT(least, 0) << dimension;
    EXPECT_GT(mesh.cell_count(), plain.cell_count()) << dimension;
    for (const auto& [name, area] : test::areas_of_patches(plain))
      EXPECT_NEAR(test::areas_of_patches(mesh).at(name), area, 1e-12) << dimension << name;
  }
}

/// The mesh with its points in another order.
MeshSource renumbered(MeshSource mesh) {
  const auto count = static_cast<int>(mesh.points.size());
  int step = count / 3;
  while (std::gcd(step, count) > 1) ++step;
  const auto number = [&](int point) { return static_cast<int>(std::int64_t{step} * point % count); };
  std::vector<Vec3> points(mesh.points.size());
  for (int point = 0; point < count; ++point) {
    points[static_cast<std::size_t>(number(point))] = mesh.points[static_cast<std::size_t>(point)];
  }
  mesh.points = points;
  for (int& point : mesh.cells) point = number(point);
  for (int& point : mesh.boundary_faces) point = number(point);
  return mesh;
}

TEST(WallLayers, KeepPatchesOfPairsATranslationApart) {
  const PatchPairs ends{{"left", "right"}}, all{{"left", "right"}, {"back", "front"}};
  for (const auto& [dimension, pairs] : {std::pair{2, ends}, {3, ends}, {3, all}}) {
    const auto name = [](const Vec3& x) {
      constexpr real near = 1e-9;
      if (x.x < near || x.x > 1 - near) return x.x < near ? "left" : "right";
      if (x.y < near || x.y > 1 - near) return x.y < near ? "floor" : "lid";
      return x.z < near ? "back" : "front";
    };
    const MeshSource plain =
        renumbered(test::with_patches(dimension == 2 ? unit_square(9, 0.25) : unit_cube(6, 0.25), name));
    for (const double first : {0.002, 0.04}) {  // with room and without
      MeshSource mesh = with_layers(plain, {{"floor", "lid"}, first, 1.3, 5}, pairs);
      EXPECT_EQ(said.find("thinner") != std::string::npos, first > 0.01) << said;
      mesh.pairs = pairs;
      EXPECT_EQ(build_topology(mesh).cells(), mesh.cell_count()) << dimension;  // refuses those that are not
      EXPECT_NEAR(measure_of_layers(mesh), 1, 1e-12);
    }
  }
}

/// A wall that ends where the period does has no layers there, on either patch.
TEST(WallLayers, EndAlikeOnBothPatchesOfAPair) {
  for (const bool is_mirrored : {false, true}) {
    for (const int dimension : {2, 3}) {
      const auto name = [&](const Vec3& x) {
        constexpr real near = 1e-9;
        if (x.x < near || x.x > 1 - near) return x.x < near ? "left" : "right";
        if (x.y < near) return (x.x < 0.5) != is_mirrored ? "floor" : "plane";
        return x.y > 1 - near ? "lid" : x.z < near ? "back" : "front";
      };
      const MeshSource plain =
          renumbered(test::with_patches(dimension == 2 ? unit_square(8, 0.25) : unit_cube(6, 0.25), name));
      MeshSource mesh = with_layers(plain, {{"floor"}, 0.005, 1.3, 5}, {{"left", "right"}});
      mesh.pairs = {{"left", "right"}};
      EXPECT_EQ(build_topology(mesh).cells(), mesh.cell_count()) << dimension << is_mirrored;
      EXPECT_NEAR(measure_of_layers(mesh), 1, 1e-12);
      EXPECT_GT(mesh.cell_count(), plain.cell_count());
    }
  }
}

void expect_refused(const MeshSource& mesh, const LayerSettings& layers, const std::string& part) {
  try {
    with_layers(mesh, layers);
    ADD_FAILURE() << "no `" << part << "`";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(WallLayers, UnknownPatchesAndTooManyCellsAreNamed) {
  expect_refused(unit_square(4), {{"wal"}, 0.001, 2, 4}, "has no boundary group `wal`: did you mean `wall`?");
  expect_refused(unit_square(4), {{"lid"}, 0.001, 1, 300'000'000}, "`count` in [mesh.layers], on 4 faces are");
}

}  // namespace
}  // namespace solenoid
