/// Meshes of parts: sizes to the error of the polygon, groups by each selector, the outside of a body, holes of an
/// .stl, and what is refused and how.
#include "io/gmsh/part_mesh.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>

#include "base/error.hpp"
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/part_unit.hpp"
#include "mesh/topology.hpp"
#include "support/meshes.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
constexpr double pi = 3.14159265358979323846;

class PartMesh : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-part-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    setenv("SOLENOID_CACHE", (folder / "cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("SOLENOID_CACHE");
    fs::remove_all(folder);
  }

  fs::path put(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  /// A file that Gmsh writes of the shapes of OpenCASCADE in `geo`.
  fs::path part(const std::string& name, const std::string& geo) const {
    const fs::path source = put("shapes.geo", "SetFactory(\"OpenCASCADE\");\n" + geo);
    const GmshSession session;
    gmsh::merge(source.string());
    gmsh::write((folder / name).string());
    return folder / name;
  }
  MeshRequest request(const fs::path& file, double size = 0.5) const { return {file, size, 1}; }
  MeshSource read(const MeshRequest& wanted) {
    said.clear();
    return read_mesh(wanted, [this](const std::string& line) { said += line + "\n"; });
  }
  void expect_refused(const MeshRequest& wanted, const std::vector<std::string>& parts) {
    try {
      read(wanted);
      ADD_FAILURE() << wanted.file << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input) << error.what();
      for (const std::string& part : parts) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << "no `" << part << "` in: " << error.what();
      }
    }
  }
  bool was_said(const std::string& text) const { return said.find(text) != std::string::npos; }

  fs::path folder;
  std::string said;
};

const std::string box_with_hole =
    "Box(1) = {0, 0, 0, 4, 2, 2}; Cylinder(2) = {1, 1, -1, 0, 0, 4, 0.5};\n"
    "BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n";
const double hole_volume = 2 * pi * 0.25;

/// Of the cells.
double measure(const MeshSource& mesh) {
  double sum = 0;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const auto points = mesh.points_of_cell(c);
    const auto x = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(points[k])]; };
    const Vec3 normal = cross(x(1) - x(0), x(2) - x(0));
    sum += mesh.dimension == 2 ? norm(normal) / 2 : std::abs(dot(normal, x(3) - x(0))) / 6;
  }
  return sum;
}

double sum_of(const std::map<std::string, double>& areas) {
  double sum = 0;
  for (const auto& area : areas) sum += area.second;
  return sum;
}

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
  EXPECT_NEAR(named.part.unit.value_or(0), 1e-3, 1e-12);
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
  read(wanted);
  EXPECT_TRUE(was_said("is in mm, as it says, and without `scale` it is taken as in metres")) << said;
  EXPECT_TRUE(was_said("add `scale = 0.001` in [mesh]")) << said;
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

// ---- triangles alone

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

TEST_F(PartMesh, TrianglesAreDividedAtSharpEdges) {
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

TEST_F(PartMesh, SolidsOfAnStlNameItsSurfaces) {
  const auto box = box_triangles({0, 0, 0}, {1, 1, 1});
  const std::string text = solid("inlet", {box.begin(), box.begin() + 2}) +
                           solid("outlet", {box.begin() + 2, box.begin() + 4}) +
                           solid("wall", {box.begin() + 4, box.end()});
  auto found = test::areas_of_patches(read(request(put("box.stl", text), 0.5)));
  EXPECT_EQ(found.size(), 3u);
  EXPECT_NEAR(found["inlet"], 1, 1e-6);
  EXPECT_NEAR(found["wall"], 4, 1e-6);
}

TEST_F(PartMesh, SolidsOfOneNameAreOneAndNamelessOnesAreTold) {
  const auto box = box_triangles({0, 0, 0}, {1, 1, 1});
  const std::string text = solid("wall", {box.begin(), box.begin() + 2}) +
                           solid("", {box.begin() + 2, box.begin() + 4}) + solid("wall", {box.begin() + 4, box.end()});
  auto found = test::areas_of_patches(read(request(put("box.stl", text), 0.5)));
  EXPECT_EQ(found.size(), 2u);
  EXPECT_NEAR(found["wall"], 5, 1e-6);
  EXPECT_TRUE(was_said("box.stl: 1 surface is of solids without a name, from surface 2 on")) << said;
}

TEST_F(PartMesh, TrianglesWithoutAnAreaJoinNoSurfaces) {
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

TEST_F(PartMesh, RoundTrianglesAreMeshedAnew) {
  MeshRequest surface = request(part("ball.brep", "Sphere(1) = {0, 0, 0, 1};\n"), 0.3);
  const fs::path stl = folder / "ball.stl";
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
  EXPECT_NEAR(measure(mesh), 4 * pi / 3, 0.2);

  MeshRequest outside = request(stl, 0.6);
  outside.part.outside = Box{{-2, -2, -2}, {3, 2, 2}};
  const MeshSource around = read(outside);
  EXPECT_NEAR(measure(around), 80 - 4 * pi / 3, 0.2);
  EXPECT_NEAR(test::areas_of_patches(around)["x-min"], 16, 1e-6);
  outside.part.outside = Box{{0, -2, -2}, {3, 2, 2}};
  expect_refused(outside, {"ball.stl: reaches to (", "out of the box of [mesh.outside]"});
}

TEST_F(PartMesh, ShellsWithinShellsAreCavities) {
  const auto outer = box_triangles({0, 0, 0}, {3, 3, 3}), inner = box_triangles({1, 1, 1}, {2, 2, 2});
  const MeshSource mesh = read(request(put("hollow.stl", solid("a", outer) + solid("b", inner)), 1));
  EXPECT_NEAR(measure(mesh), 26, 1e-6);
  auto found = test::areas_of_patches(mesh);
  EXPECT_NEAR(found["a"], 54, 1e-6);
  EXPECT_NEAR(found["b"], 6, 1e-6);
}

TEST_F(PartMesh, FaultsOfAnStlAreNamedWithTheirPlace) {
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
