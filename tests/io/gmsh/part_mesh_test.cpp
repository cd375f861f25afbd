/// Meshes of parts: sizes to the error of the polygon, groups by each selector, the outside of a body, and what is
/// refused and how.
#include "io/gmsh/part_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numbers>
#include <regex>

#include "io/gmsh/part_unit.hpp"
#include "mesh/topology.hpp"
#include "support/files.hpp"
#include "support/meshes.hpp"
#include "support/part_files.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;
using test::measure;
using test::sum_of;

using PartMesh = test::PartFiles;

const std::string box_with_hole =
    "Box(1) = {0, 0, 0, 4, 2, 2}; Cylinder(2) = {1, 1, -1, 0, 0, 4, 0.5};\n"
    "BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n";
const double hole_volume = 2 * pi * 0.25;

TEST_F(PartMesh, SurfacesOfABoxAreItsGroups) {
  for (const char* name : {"a.step", "a.stp", "a.brep"}) {
    const MeshSource mesh = read(request(part(name, "Box(1) = {0, 0, 0, 1, 2, 3};\n")));
    EXPECT_EQ(mesh.dimension, 3) << name;
    EXPECT_NEAR(measure(mesh), 6, 1e-9) << name;
    const auto found = test::areas_of_patches(mesh);
    EXPECT_EQ(found.size(), 6u) << name;
    EXPECT_NEAR(sum_of(found), 22, 1e-9) << name;
    EXPECT_EQ(found.count("1"), 1u) << name;
    EXPECT_GT(build_topology(mesh).cells(), 0) << name;
  }
}

TEST_F(PartMesh, CurvedSurfacesHaveTheErrorOfTheirPolygons) {
  const fs::path cylinder = part("cylinder.step", "Cylinder(1) = {0, 0, 0, 0, 0, 2, 1};\n");
  double before = 0;
  for (const double edges : {12.0, 24.0}) {
    MeshRequest wanted = request(cylinder, 10);
    wanted.part.per_circle = edges;
    wanted.part.size_min = 0.01;
    const double missing = 2 * pi - measure(read(wanted));
    const double of_polygon = 2 * (pi - edges / 2 * std::sin(2 * pi / edges));
    EXPECT_GT(missing, 0.5 * of_polygon) << edges;
    EXPECT_LT(missing, 1.2 * of_polygon) << edges;
    if (before > 0) {
      EXPECT_NEAR(before / missing, 4, 0.9);
    }
    before = missing;
  }
  MeshRequest ball = request(part("ball.brep", "Sphere(1) = {0, 0, 0, 1};\n"), 0.25);
  const MeshSource mesh = read(ball);
  EXPECT_NEAR(measure(mesh), 4 * pi / 3, 0.1);
  EXPECT_LT(measure(mesh), 4 * pi / 3);
  EXPECT_NEAR(sum_of(test::areas_of_patches(mesh)), 4 * pi, 0.2);
}

TEST_F(PartMesh, GroupsByEachSelector) {
  const fs::path file = part("part.step", box_with_hole);
  MeshRequest wanted = request(file);
  wanted.part.groups = {{"inlet", PartPlane{{0, 0, 0}, {-2, 0, 0}}},
                        {"outlet", PartNear{{4.5, 1, 1}}},
                        {"rod", PartNear{{1, 1.4, 1}}},
                        {"wall", PartRest{}},
                        {"floor", PartPlane{{9, 9, 0}, {0, 0, 1}}}};
  auto found = test::areas_of_patches(read(wanted));
  EXPECT_EQ(found.size(), 5u);
  EXPECT_NEAR(found["inlet"], 4, 1e-9);
  EXPECT_NEAR(found["outlet"], 4, 1e-9);
  EXPECT_NEAR(found["floor"], 8 - pi * 0.25, 0.02);
  EXPECT_NEAR(found["rod"], 2 * pi, 0.05);
  EXPECT_NEAR(found["wall"], 2 * 8 + 8 - pi * 0.25, 0.02);

  // By the numbers of the list; a name may have several tables.
  const NamedPart listed = examine_part(wanted);
  const auto number = [&](const std::string& name) {
    const auto at = std::find(listed.names.of_surface.begin(), listed.names.of_surface.end(), name);
    return listed.part.surfaces[static_cast<std::size_t>(at - listed.names.of_surface.begin())].number;
  };
  wanted.part.groups = {
      {"ends", PartSurfaces{{number("inlet")}}}, {"ends", PartSurfaces{{number("outlet")}}}, {"rest", PartRest{}}};
  found = test::areas_of_patches(read(wanted));
  EXPECT_EQ(found.size(), 2u);
  EXPECT_NEAR(found["ends"], 8, 1e-9);

  wanted.part.groups = {{"core", PartVolumes{{1}}}};
  EXPECT_EQ(read(wanted).regions, std::vector<std::string>{"core"});
}

TEST_F(PartMesh, ListTellsAreaCentreAndOutwardNormal) {
  const NamedPart named = examine_part(request(part("part.step", box_with_hole)));
  ASSERT_EQ(named.part.surfaces.size(), 7u);
  EXPECT_NEAR(named.part.volumes.at(0).volume, 16 - hole_volume, 1e-6);
  int flat = 0;
  for (const PartSurface& surface : named.part.surfaces) {
    flat += surface.is_flat;
    if (!surface.is_flat) {
      EXPECT_NEAR(surface.area, 2 * pi, 1e-6);
      EXPECT_EQ(surface.type, "Cylinder");
      EXPECT_LT(norm(surface.centre - Vec3{1, 1, 1}), 1e-2);
      continue;
    }
    EXPECT_NEAR(norm(surface.normal), 1, 1e-9);
    EXPECT_GT(dot(surface.normal, surface.centre - Vec3{2, 1, 1}), 0.9) << surface.number;
  }
  EXPECT_EQ(flat, 6);
  EXPECT_NEAR(named.part.unit.metres.value_or(0), 1e-3, 1e-12);
}

/// Adds a colour of the face in line `place` of the faces of a .step.
void paint(const fs::path& file, std::size_t place, const std::string& rgb) {
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  in.close();
  std::vector<std::string> faces;
  int last = 0;
  const std::regex face("#(\\d+) = ADVANCED_FACE"), number("#(\\d+) =");
  for (std::sregex_iterator k(text.begin(), text.end(), face), end; k != end; ++k) faces.push_back((*k)[1]);
  for (std::sregex_iterator k(text.begin(), text.end(), number), end; k != end; ++k)
    last = std::max(last, std::stoi((*k)[1]));
  std::string more;
  const auto add = [&](const std::string& what) {
    more += "#" + std::to_string(++last) + " = " + what + ";\n";
    return "#" + std::to_string(last);
  };
  const std::string colour = add("COLOUR_RGB(''," + rgb + ")");
  const std::string fill = add("FILL_AREA_STYLE('',(" + add("FILL_AREA_STYLE_COLOUR(''," + colour + ")") + "))");
  const std::string style = add("SURFACE_SIDE_STYLE('',(" + add("SURFACE_STYLE_FILL_AREA(" + fill + ")") + "))");
  const std::string use =
      add("PRESENTATION_STYLE_ASSIGNMENT((" + add("SURFACE_STYLE_USAGE(.BOTH.," + style + ")") + "))");
  const std::string item = add("STYLED_ITEM('color',(" + use + "),#" + faces.at(place) + ")");
  std::smatch context;
  ASSERT_TRUE(std::regex_search(text, context, std::regex("#(\\d+) = \\( GEOMETRIC_REPRESENTATION_CONTEXT")));
  add("MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(" + item + "),#" + context[1].str() + ")");
  text.insert(text.rfind("ENDSEC;"), more);
  std::ofstream(file) << text;
}

TEST_F(PartMesh, GroupsByColour) {
  const fs::path file = part("part.step", "Box(1) = {0, 0, 0, 1, 2, 3};\n");
  paint(file, 0, "1.,0.5,0.");
  MeshRequest wanted = request(file);
  wanted.part.groups = {{"orange", PartColour{255, 128, 0}}, {"wall", PartRest{}}};
  const auto found = test::areas_of_patches(read(wanted));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found.at("orange"), 6, 1e-9);  // x = 0
  wanted.part.groups = {{"blue", PartColour{0, 0, 255}}};
  expect_refused(wanted, {"part.step: [[mesh.group]] `blue`", "no surface has the colour #0000ff",
                          "those of the file are #ff7f00"});
}

TEST_F(PartMesh, OutsideOfABody_Long) {
  MeshRequest wanted = request(part("part.step", box_with_hole), 1);
  wanted.part.outside = Box{{-3, -3, -3}, {9, 5, 5}};
  wanted.part.groups = {{"rod", PartNear{{1, 1.4, 1.5}}}, {"body", PartRest{}}, {"inlet", PartNear{{-9, 1, 3}}}};
  const MeshSource mesh = read(wanted);
  auto found = test::areas_of_patches(mesh);
  EXPECT_EQ(mesh.patches.size(), 8u);
  EXPECT_NEAR(measure(mesh), 12 * 8 * 8 - (16 - hole_volume), 0.1);
  EXPECT_NEAR(found["rod"], 2 * pi, 0.1);
  EXPECT_NEAR(found["body"], 2 * 8 + 2 * 4 + 2 * (8 - pi * 0.25), 0.1);
  EXPECT_NEAR(found["inlet"], 64, 1e-9);
  for (const char* side : {"x-max", "y-min", "y-max", "z-min", "z-max"}) EXPECT_GT(found[side], 60) << side;

  // The body stands on the floor of the box, and keeps the numbers of its surfaces where the box cuts them.
  wanted.part.outside = Box{{-3, -3, 1}, {9, 5, 5}};
  const MeshSource standing = read(wanted);
  found = test::areas_of_patches(standing);
  EXPECT_NEAR(measure(standing), 12 * 8 * 4 - (16 - hole_volume) / 2, 0.1);
  EXPECT_NEAR(found["rod"], pi, 0.05);
  EXPECT_NEAR(found["body"], 8 + 4 + 8 - pi * 0.25, 0.05);
  EXPECT_NEAR(found["z-min"], 12 * 8 - 8 + pi * 0.25, 0.02);

  wanted.part.outside = Box{{20, 20, 20}, {30, 30, 30}};
  expect_refused(wanted, {"part.step: ", "[mesh.outside]"});
  wanted.part.outside = Box{{-3, -3, 1}, {9, 5, 1}};
  expect_refused(wanted, {"part.step: has solids, and the box of [mesh.outside] no extent along z"});
}

TEST_F(PartMesh, PiecesOfSurfacesSideBySideKeepTheirNumbers) {
  // A plate with a disc in its upper side, and a lower side of two triangles: the box cuts all of them.
  MeshRequest wanted = request(part("plate.brep",
                                    "Box(1) = {0, 0, 0, 4, 4, 1}; Disk(100) = {2, 2, 1, 0.5};\n"
                                    "Point(101) = {0, 0, 0}; Point(102) = {4, 0, 0}; Point(103) = {0, 4, 0};\n"
                                    "Line(101) = {101, 102}; Line(102) = {102, 103}; Line(103) = {103, 101};\n"
                                    "Curve Loop(101) = {101, 102, 103}; Plane Surface(101) = {101};\n"
                                    "BooleanFragments{ Volume{1}; Delete; }{ Surface{100, 101}; Delete; }\n"),
                               0.4);
  wanted.part.outside = Box{{2.1, -2, -2}, {6, 6, 4}};
  wanted.part.groups = {{"disc", PartNear{{2.3, 2, 1}}},
                        {"top", PartNear{{3.5, 2, 1}}},
                        {"low", PartNear{{2.5, 0.5, 0}}},
                        {"high", PartNear{{3.5, 3, 0}}},
                        {"rest", PartRest{}}};
  auto found = test::areas_of_patches(read(wanted));
  const double angle = std::acos(0.2), half_disc = 0.25 * (angle - std::sin(2 * angle) / 2);
  EXPECT_NEAR(found["disc"], half_disc, 0.02);
  EXPECT_NEAR(found["top"], 1.9 * 4 - half_disc, 0.02);
  EXPECT_NEAR(found["low"], 1.9 * 1.9 / 2, 1e-6);
  EXPECT_NEAR(found["high"], 1.9 * (4 - 1.9 / 2), 1e-6);
  EXPECT_NEAR(found["rest"], 4 + 2 * 1.9, 1e-6);
  EXPECT_NEAR(examine_part(wanted).part.extent, 4, 1e-6);  // that of the part, not of the box
}

TEST_F(PartMesh, IgesHasSolidsOrTheFacesAroundThem) {
  for (const char* name : {"drilled-solid.igs", "drilled-faces.igs"}) {
    MeshRequest wanted = request(test::test_meshes / name);
    wanted.has_scale = false;
    const MeshSource mesh = read(wanted);
    EXPECT_NEAR(measure(mesh), 16 - hole_volume, 0.05) << name;
    EXPECT_EQ(test::areas_of_patches(mesh).size(), 7u) << name;
    EXPECT_TRUE(was_said(std::string(name) + " is in mm, as it says")) << said;
  }
}

TEST_F(PartMesh, PlanePartsAreMeshesOfTriangles) {
  const fs::path file = part("plate.step",
                             "Rectangle(1) = {0, 0, 0, 2, 1}; Disk(2) = {0.5, 0.5, 0, 0.2};\n"
                             "BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }\n");
  MeshRequest wanted = request(file, 0.1);
  wanted.part.groups = {
      {"rod", PartNear{{0.5, 0.5, 0}}}, {"inlet", PartPlane{{0, 0, 0}, {1, 0, 0}}}, {"wall", PartRest{}}};
  const MeshSource mesh = read(wanted);
  auto found = test::areas_of_patches(mesh);
  EXPECT_EQ(mesh.dimension, 2);
  EXPECT_NEAR(measure(mesh), 2 - pi * 0.04, 3e-3);
  EXPECT_NEAR(found["inlet"], 1, 1e-12);
  EXPECT_NEAR(found["rod"], 0.4 * pi, 5e-3);
  EXPECT_NEAR(found["wall"], 5, 1e-9);

  wanted.part.outside = Box{{-1, -1, 0}, {4, 2, 0}};
  wanted.part.groups = {{"plate", PartRest{}}};
  const MeshSource outside = read(wanted);
  EXPECT_NEAR(measure(outside), 15 - 2, 1e-9);
  EXPECT_NEAR(test::areas_of_patches(outside)["plate"], 6, 1e-9);
}

TEST_F(PartMesh, SeveralSolidsShareTheFacesBetweenThem) {
  const MeshSource mesh =
      read(request(part("two.step", "Box(1) = {0, 0, 0, 1, 1, 1}; Box(2) = {1, 0, 0, 1, 1, 1};\n")));
  EXPECT_EQ(mesh.regions, (std::vector<std::string>{"1", "2"}));
  EXPECT_NEAR(measure(mesh), 2, 1e-9);
  EXPECT_NEAR(sum_of(test::areas_of_patches(mesh)), 10, 1e-9);
  EXPECT_EQ(build_topology(mesh).cells(), mesh.cell_count());
}

TEST_F(PartMesh, SizesAroundPlacesAndPatches_Long) {
  const fs::path file = part("part.step", box_with_hole);
  MeshRequest wanted = request(file, 0.5);
  wanted.part.groups = {{"rod", PartNear{{1, 1.4, 1}}}, {"wall", PartRest{}}};
  wanted.part.per_circle = 6;
  const int plain = read(wanted).cell_count();
  const auto longest_edge = [](const MeshSource& mesh, const std::function<bool(const Vec3&)>& is_there) {
    double longest = 0;
    for (int c = 0; c < mesh.cell_count(); ++c) {
      const auto points = mesh.points_of_cell(c);
      const auto x = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(points[k])]; };
      for (std::size_t k = 1; k < points.size(); ++k) {
        if (is_there(x(0)) && is_there(x(k))) longest = std::max<double>(longest, norm(x(k) - x(0)));
      }
    }
    return longest;
  };
  wanted.part.sizes = {{SizeBall{{3, 1, 1}, 0.3}, 0.1, 1.3}};
  const MeshSource ball = read(wanted);
  EXPECT_GT(ball.cell_count(), plain + 500);
  EXPECT_LT(longest_edge(ball, [](const Vec3& p) { return norm(p - Vec3{3, 1, 1}) < 0.3; }), 0.2);

  wanted.part.sizes = {{SizePatches{{"rod"}}, 0.1, 1.3}};
  const MeshSource rod = read(wanted);
  EXPECT_LT(longest_edge(rod, [](const Vec3& p) { return std::hypot(p.x - 1, p.y - 1) < 0.55; }), 0.2);
  EXPECT_GT(longest_edge(rod, [](const Vec3& p) { return p.x > 3; }), 0.3);

  wanted.part.sizes = {{SizePatches{{"rodd"}}, 0.1, 1.3}};
  expect_refused(wanted, {"`patches` in [[mesh.sizes]]: there is no group `rodd`", "did you mean `rod`?"});
  wanted.part.sizes = {{Box{{0, 0, 0}, {1, 1, 1}}, 0.1, 1.3}};
  wanted.part.size_min = 0.2;
  expect_refused(wanted, {"`size` in [[mesh.sizes]] is 0.1, below `size_min` in [mesh], 0.2"});
  wanted.part.size_min = {};
  wanted.part.sizes = {{Box{{0, 0, 0}, {1, 1, 1}}, 0.6, 1.3}};
  expect_refused(wanted, {"`size` in [[mesh.sizes]] is 0.6, above `size` in [mesh], 0.5"});
  wanted.part.sizes = {{SizePatches{{"wall"}}, 1e-4, 1.3}};
  expect_refused(wanted, {"[[mesh.sizes]] of `patches`: 0.0001 is too short for `wall`"});
  wanted.part.sizes = {{SizeBall{{3, 1, 1}, 0.3}, 1e-5, 1.3}};
  expect_refused(wanted, {"tetrahedra", "Make `size` in [mesh] and those in [[mesh.sizes]]"});
}

TEST_F(PartMesh, MeshesAreKeptByAllTheirSettings) {
  MeshRequest wanted = request(part("part.brep", "Box(1) = {0, 0, 0, 1, 1, 1};\n"));
  const std::uint64_t origin = origin_of_mesh(wanted);
  read(wanted);
  EXPECT_FALSE(was_said("taken from the cache"));
  read(wanted);
  EXPECT_TRUE(was_said("taken from the cache"));
  MeshRequest other = wanted;
  wanted.part.sizes = {{SizePatches{{"a,b"}}, 0.1, 1.3}};
  other.part.sizes = {{SizePatches{{"a", "b"}}, 0.1, 1.3}};
  EXPECT_NE(origin_of_mesh(wanted), origin_of_mesh(other));
  wanted.part.sizes = {};
  wanted.part.groups = {{"wall", PartRest{}}};
  EXPECT_NE(origin_of_mesh(wanted), origin);
  read(wanted);
  EXPECT_FALSE(was_said("taken from the cache"));
  wanted.part.per_circle = 12;
  read(wanted);
  EXPECT_FALSE(was_said("taken from the cache"));
}

TEST_F(PartMesh, UnitsOfTheFileAreTold) {
  MeshRequest wanted = request(part("part.step", "Box(1) = {0, 0, 0, 1, 1, 1};\n"));
  wanted.has_scale = false;
  for (const bool is_cached : {false, true}) {
    read(wanted);
    EXPECT_EQ(was_said("taken from the cache"), is_cached) << said;
    EXPECT_TRUE(was_said("is in mm, as it says, and without `scale` it is taken as in metres")) << said;
    EXPECT_TRUE(was_said("if it is 1 x 1 x 1 mm across, add `scale = 0.001` in [mesh]")) << said;
  }
  wanted.scale = 0.001, wanted.has_scale = true;
  EXPECT_NEAR(measure(read(wanted)), 1e-9, 1e-15);
  wanted.part.per_circle = 23;
  read(wanted);
  EXPECT_FALSE(was_said("as it says")) << said;
  const fs::path inch = put("inch.stp",
                            "#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n#12 = (CONVERSION_BASED_UNIT "
                            "('INCH',#7) LENGTH_UNIT() NAMED_UNIT(#3));\n"
                            "#5=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#12,#2,#3)));\n");
  EXPECT_NEAR(unit_of_part(inch).value_or(0), 0.0254, 1e-12);
  const fs::path behind = put("behind.stp",
                              "#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.DECI.,.METRE.));\n"
                              "#5=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#12,#1,#3)));\n");
  EXPECT_NEAR(unit_of_part(behind).value_or(0), 0.1, 1e-12);
  const std::string card = "1H,,1H;,18446744073709551615H,5Hthree,";
  EXPECT_FALSE(unit_of_part(put("long.igs", card + std::string(72 - card.size(), ' ') + "G      1\n")));
}

TEST_F(PartMesh, UnknownUnitsAreTold) {
  const fs::path file = part("part.step", "Box(1) = {0, 0, 0, 10, 20, 30};\n");
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text = std::regex_replace(text, std::regex("SI_UNIT\\(\\.MILLI\\.,\\.METRE\\.\\)"), "SI_UNIT(.DECI.,.METRE.)");
  MeshRequest wanted = request(put("deci.step", text), 500);
  wanted.has_scale = false;
  const MeshSource mesh = read(wanted);
  EXPECT_TRUE(was_said("states no length unit, or one that is not known here: its lengths are converted to mm"))
      << said;
  EXPECT_TRUE(was_said("it is 1000 x 2000 x 3000 mm across")) << said;
  EXPECT_NEAR(measure(mesh), 6e9, 1);
}

TEST_F(PartMesh, WrongGroupsAreNamed) {
  const fs::path file = part("part.step", box_with_hole);
  MeshRequest wanted = request(file);
  const auto refused = [&](std::vector<PartGroup> groups, const std::vector<std::string>& parts) {
    wanted.part.groups = std::move(groups);
    expect_refused(wanted, parts);
  };
  refused({{"a", PartSurfaces{{99}}}}, {"part.step: [[mesh.group]] `a`: the part has no surface 99", "solenoid check"});
  refused({{"a", PartVolumes{{2}}}}, {"[[mesh.group]] `a`: the part has no volume 2, but 1"});
  refused({{"a", PartSurfaces{{1}}}, {"b", PartSurfaces{{1}}}}, {"`b`: takes surface 1", "in the group `a` already"});
  refused({{"a", PartNear{{0, 0, 0}}}}, {"`a`: (0, 0, 0) is as near to surface", "take a point within one of them"});
  refused({{"a", PartPlane{{0.1, 0, 0}, {1, 0, 0}}}}, {"`a`: no surface lies in the plane", "reaches 0.1 off it"});
  refused({{"a", PartColour{1, 2, 3}}}, {"`a`: no surface has the colour #010203; the file has no colours"});
  const std::string own = examine_part(request(file)).names.of_surface.at(1);
  refused({{own, PartSurfaces{{1}}}}, {"surface " + own + " is in no [[mesh.group]], and its own name, `" + own + "`"});
  wanted.part.groups = {};
  wanted.file = part("square.msh", "Box(1) = {0, 0, 0, 1, 1, 1}; Mesh 3;\n");
  wanted.size = {};
  wanted.part.given = "per_circle";
  expect_refused(wanted, {"square.msh: `per_circle` in [mesh] is for parts"});
  expect_refused(request(put("broken.step", "ISO-10303-21;\nHEADER;\n")), {"broken.step: "});
}

}  // namespace
}  // namespace solenoid
