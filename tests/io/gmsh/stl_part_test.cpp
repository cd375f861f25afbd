/// Parts that are triangles alone, .stl: their surfaces, meshes and faults.
#include "io/gmsh/stl_part.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "io/gmsh/part_mesh.hpp"
#include "mesh/topology.hpp"
#include "support/meshes.hpp"
#include "support/part_files.hpp"

namespace solenoid {
namespace {

using StlPart = test::PartFiles;
using test::measure;

constexpr double ball_volume = 4 * std::numbers::pi / 3;

using Corners = std::array<Vec3, 3>;

/// Of a box, each side two triangles, anticlockwise from outside.
std::vector<Corners> box_triangles(const Vec3& low, const Vec3& high) {
  std::array<Vec3, 8> p;
  for (int k = 0; k < 8; ++k)
    p[static_cast<std::size_t>(k)] = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
  std::vector<Corners> all;
  for (const auto& [a, b, c, d] : {std::array{0u, 4u, 6u, 2u},
                                   {1u, 3u, 7u, 5u},
                                   {0u, 1u, 5u, 4u},
                                   {2u, 6u, 7u, 3u},
                                   {0u, 2u, 3u, 1u},
                                   {4u, 5u, 7u, 6u}}) {
    all.push_back({p[a], p[b], p[c]});
    all.push_back({p[a], p[c], p[d]});
  }
  return all;
}

std::string solid(const std::string& name, const std::vector<Corners>& triangles) {
  std::string text = "solid " + name + "\n";
  for (const Corners& corners : triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const Vec3& p : corners) text += message("vertex {} {} {}\n", p.x, p.y, p.z);
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid " + name + "\n";
}

TEST_F(StlPart, TrianglesAreDividedAtSharpEdges) {
  const auto box = box_triangles({0, 0, 0}, {1, 2, 3});
  MeshRequest wanted = request(put("box.stl", solid("box", box)), 0.7);
  wanted.part.groups = {{"inlet", PartPlane{{0, 0, 0}, {1, 0, 0}}}, {"wall", PartRest{}}};
  const MeshSource mesh = read(wanted);
  EXPECT_NEAR(measure(mesh), 6, 1e-6);
  auto found = test::areas_of_patches(mesh);
  EXPECT_NEAR(found["inlet"], 6, 1e-6);
  EXPECT_NEAR(found["wall"], 16, 1e-6);
  EXPECT_TRUE(build_topology(mesh).cells() > 0);
  const NamedPart listed = examine_part(wanted);
  ASSERT_EQ(listed.part.surfaces.size(), 6u);
  for (const PartSurface& surface : listed.part.surfaces) {
    EXPECT_TRUE(surface.is_flat);
    EXPECT_GT(dot(surface.normal, surface.centre - Vec3{0.5, 1, 1.5}), 0) << surface.number;
  }
}

TEST_F(StlPart, SolidsOfAnStlNameItsSurfaces) {
  const auto box = box_triangles({0, 0, 0}, {1, 1, 1});
  const std::string text = solid("inlet", {box.begin(), box.begin() + 2}) +
                           solid("outlet", {box.begin() + 2, box.begin() + 4}) +
                           solid("wall", {box.begin() + 4, box.end()});
  auto found = test::areas_of_patches(read(request(put("box.stl", text), 0.5)));
  EXPECT_EQ(found.size(), 3u);
  EXPECT_NEAR(found["inlet"], 1, 1e-6);
  EXPECT_NEAR(found["wall"], 4, 1e-6);
}

TEST_F(StlPart, SolidsOfOneNameAreOneAndNamelessOnesAreTold) {
  const auto box = box_triangles({0, 0, 0}, {1, 1, 1});
  const std::string text = solid("wall", {box.begin(), box.begin() + 2}) +
                           solid("", {box.begin() + 2, box.begin() + 4}) + solid("wall", {box.begin() + 4, box.end()});
  auto found = test::areas_of_patches(read(request(put("box.stl", text), 0.5)));
  EXPECT_EQ(found.size(), 2u);
  EXPECT_NEAR(found["wall"], 5, 1e-6);
  EXPECT_TRUE(was_said("box.stl: 1 surface is of solids without a name, from surface 2 on")) << said;
}

TEST_F(StlPart, TrianglesWithoutAnAreaJoinNoSurfaces) {
  auto box = box_triangles({0, 0, 0}, {1, 1, 1});
  // The side y = 0 has a corner within its edge at z = 0, and a triangle between that corner and the edge.
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{1, 0, 1}, middle{0.5, 0, 0};
  box[4] = {a, middle, c};
  box.push_back({middle, b, c});
  box.push_back({a, b, middle});
  MeshRequest wanted = request(put("sliver.stl", solid("box", box)), 0.5);
  EXPECT_EQ(examine_part(wanted).part.surfaces.size(), 6u);
  const MeshSource mesh = read(wanted);
  EXPECT_NEAR(measure(mesh), 1, 1e-6);
  for (const auto& [name, area] : test::areas_of_patches(mesh)) EXPECT_NEAR(area, 1, 1e-6) << name;
}

TEST_F(StlPart, RoundTrianglesAreMeshedAnew) {
  MeshRequest surface = request(part("ball.brep", "Sphere(1) = {0, 0, 0, 1};\n"), 0.3);
  const std::filesystem::path stl = folder / "ball.stl";
  {
    const GmshSession session;
    gmsh::occ::import(surface.file.string(), "brep");
    gmsh::occ::synchronize();
    gmsh::set_option("Mesh.MeshSizeMax", 0.2);
    gmsh::set_option("Mesh.Binary", 1);
    gmsh::generate_mesh(2);
    gmsh::write(stl.string());
  }
  const MeshSource mesh = read(request(stl, 0.4));
  EXPECT_EQ(mesh.patches, std::vector<std::string>{"1"});
  EXPECT_NEAR(measure(mesh), ball_volume, 0.2);

  MeshRequest outside = request(stl, 0.6);
  outside.part.outside = Box{{-2, -2, -2}, {3, 2, 2}};
  const MeshSource around = read(outside);
  EXPECT_NEAR(measure(around), 80 - ball_volume, 0.2);
  EXPECT_NEAR(test::areas_of_patches(around)["x-min"], 16, 1e-6);
  outside.part.outside = Box{{0, -2, -2}, {3, 2, 2}};
  expect_refused(outside, {"ball.stl: reaches to (", "out of the box of [mesh.outside]"});
}

TEST_F(StlPart, ShellsWithinShellsAreCavities) {
  const auto outer = box_triangles({0, 0, 0}, {3, 3, 3}), inner = box_triangles({1, 1, 1}, {2, 2, 2});
  const MeshSource mesh = read(request(put("hollow.stl", solid("a", outer) + solid("b", inner)), 1));
  EXPECT_NEAR(measure(mesh), 26, 1e-6);
  auto found = test::areas_of_patches(mesh);
  EXPECT_NEAR(found["a"], 54, 1e-6);
  EXPECT_NEAR(found["b"], 6, 1e-6);
}

TEST_F(StlPart, FaultsOfAnStlAreNamedWithTheirPlace) {
  auto box = box_triangles({0, 0, 0}, {1, 1, 1});
  const std::string whole = solid("box", box);
  const auto extra = box_triangles({0, 0, 0}, {1, 1, 2});
  box.erase(box.begin() + 2, box.begin() + 4);  // x = 1
  expect_refused(request(put("open.stl", solid("box", box))),
                 {"open.stl: is not closed: it has 1 hole, around (1, 0.5, 0.5), 1.41 across, with 4 edges"});
  expect_refused(request(put("three.stl", whole + solid("fin", {{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, -1, -1}}}))),
                 {"three.stl: 3 triangles meet at the edge from (0, 0, 0) to (1, 0, 0)"});
  const std::vector<Corners> twice(2, {Vec3{5, 0, 0}, Vec3{6, 0, 0}, Vec3{5, 1, 0}});
  expect_refused(request(put("twice.stl", whole + solid("twice", twice))),
                 {"twice.stl: 2 triangles from (5, 0, 0) to (6, 1, 0) lie on each other and enclose nothing"});
  expect_refused(request(put("cut.stl", whole.substr(0, whole.size() / 2))), {"cut.stl:"});
  expect_refused(request(put("word.stl", "solid a\nfacet\nouter loop\nvertex 0 x 0\n")),
                 {"word.stl:4: found `vertex 0 x 0`, expected vertex and three numbers"});
  expect_refused(request(put("short.stl", std::string(200, 'x'))), {"short.stl: ", "it was cut off, or is no .stl"});
  expect_refused(request(put("none.stl", "solid a\nendsolid a\n")), {"none.stl: has no triangle"});
}

}  // namespace
}  // namespace solenoid
