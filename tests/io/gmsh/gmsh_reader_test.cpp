/// The mesh reader: one mesh in every format, what is refused and how, and the cache of meshed geometries.
#include "io/gmsh/gmsh_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "base/comm.hpp"
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "mesh/topology.hpp"
#include "support/files.hpp"
#include "support/mesh_files.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::replaced;
using test::test_meshes;

class GmshReader : public test::MeshFiles {
 protected:
  using MeshFiles::expect_refused;
  using MeshFiles::read;
  MeshSource read(const fs::path& file, std::optional<double> size = {}) { return read(MeshRequest{file, size, 1}); }
  void expect_refused(const fs::path& file, const std::vector<std::string>& parts) {
    expect_refused(MeshRequest{file, {}, 1}, parts);
  }
  static MeshRequest trusted(const fs::path& file) {
    MeshRequest request{file, {}, 1};
    request.trust = true;
    return request;
  }
  int meshes_in_cache() const {
    std::error_code ignored;  // there may be no folder
    return static_cast<int>(std::distance(fs::directory_iterator(folder / "cache", ignored), fs::directory_iterator()));
  }
};

/// A .msh 2.2 text of these node and element lines, with the names of groups 1 and 3.
std::string msh22(const std::vector<std::string>& nodes, const std::vector<std::string>& elements) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"wall\"\n2 3 \"fluid\"\n";
  text += "$EndPhysicalNames\n$Nodes\n" + std::to_string(nodes.size()) + "\n";
  for (const std::string& node : nodes) text += node + "\n";
  text += "$EndNodes\n$Elements\n" + std::to_string(elements.size()) + "\n";
  for (const std::string& element : elements) text += element + "\n";
  return text + "$EndElements\n";
}
const std::vector<std::string> square_nodes{"10 0 0 0.5", "20 2 0 0.5", "30 2 1 0.5", "40 0 1 0.5"};
const std::vector<std::string> two_triangles{"7 2 2 3 1 10 20 30", "8 2 2 3 1 10 30 40"};
const std::vector<std::string> boundary{"1 1 2 1 1 10 20", "2 1 2 1 1 20 30", "3 1 2 1 1 30 40", "4 1 2 1 1 40 10"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A square whose edge length is the constant lc; `more` is added at the end.
std::string square_geo(const std::string& more = "") {
  return "DefineConstant[ lc = 0.5 ];\n"
         "Point(1) = {0, 0, 0, lc}; Point(2) = {1, 0, 0, lc}; Point(3) = {1, 1, 0, lc}; Point(4) = {0, 1, 0, lc};\n"
         "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};\n"
         "Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};\n"
         "Physical Curve(\"wall\") = {1, 2, 4}; Physical Curve(\"lid\") = {3};\n" +
         more;
}

real volume(const MeshSource& mesh) {
  real sum = 0;
  for (std::size_t c = 0; c < mesh.cells.size(); c += 4) {
    const auto x = [&](std::size_t corner) { return mesh.points[static_cast<std::size_t>(mesh.cells[c + corner])]; };
    sum += std::abs(dot(x(1) - x(0), cross(x(2) - x(0), x(3) - x(0)))) / 6;
  }
  return sum;
}

real area(const MeshSource& mesh) {
  real sum = 0;
  for (std::size_t c = 0; c < mesh.cells.size(); c += 3) {
    const auto x = [&](std::size_t corner) { return mesh.points[static_cast<std::size_t>(mesh.cells[c + corner])]; };
    sum += norm(cross(x(1) - x(0), x(2) - x(0))) / 2;
  }
  return sum;
}

TEST_F(GmshReader, ReadsTheSameMeshFromEveryFormat) {
  const MeshSource text = read(test_meshes / "square-2.2.msh");
  EXPECT_EQ(text.dimension, 2);
  ASSERT_EQ(text.points.size(), 12u);
  ASSERT_EQ(text.cell_count(), 14);
  ASSERT_EQ(text.boundary_face_count(), 8);
  EXPECT_EQ(text.patches, (std::vector<std::string>{"wall", "lid"}));
  EXPECT_EQ(text.regions, std::vector<std::string>{"fluid"});
  EXPECT_EQ(text.boundary_patch, (std::vector<int>{0, 0, 0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(text.cell_region, std::vector<int>(14, 0));
  EXPECT_EQ(text.point_ids, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(text.cell_ids.front(), 9);
  EXPECT_EQ(text.cell_ids.back(), 22);
  EXPECT_EQ(std::vector<int>(text.cells.begin(), text.cells.begin() + 3), (std::vector<int>{5, 2, 10}));
  EXPECT_EQ(std::vector<int>(text.boundary_faces.begin() + 8, text.boundary_faces.begin() + 12),
            (std::vector<int>{2, 6, 6, 3}));
  EXPECT_NEAR(area(text), 1, 1e-14);

  for (const char* name : {"square-2.2-binary.msh", "square-4.1.msh", "square-4.1-binary.msh"}) {
    const MeshSource other = read(test_meshes / name);
    EXPECT_TRUE(was_said("read 12 nodes, 14 triangles from ")) << said;
    EXPECT_EQ(other.point_ids, text.point_ids) << name;
    EXPECT_EQ(other.cells, text.cells) << name;
    EXPECT_EQ(other.cell_ids, text.cell_ids) << name;
    EXPECT_EQ(other.cell_region, text.cell_region) << name;
    EXPECT_EQ(other.regions, text.regions) << name;
    EXPECT_EQ(other.boundary_faces, text.boundary_faces) << name;
    EXPECT_EQ(other.boundary_patch, text.boundary_patch) << name;
    EXPECT_EQ(other.patches, text.patches) << name;
    ASSERT_EQ(other.points.size(), text.points.size()) << name;
    for (std::size_t p = 0; p < text.points.size(); ++p) {
      EXPECT_LT(norm(other.points[p] - text.points[p]), 1e-15) << name << " point " << p;
    }
  }
}

TEST_F(GmshReader, KeepsNumbersAndNamesOfTheFile) {
  // Node 5 and the line 9 without a group are not used; group 6 has no name; all lines are of one entity.
  const auto nodes = square_nodes + std::vector<std::string>{"5 9 9 9"};
  std::vector<std::string> lines = boundary;
  lines[2] = "3 1 2 6 1 30 40";
  const fs::path file = put("a.msh", msh22(nodes, lines + two_triangles + std::vector<std::string>{"9 1 2 0 1 10 30"}));
  const MeshSource mesh = read(MeshRequest{file, {}, 0.01});
  EXPECT_EQ(mesh.name, file.string());
  EXPECT_EQ(mesh.point_ids, (std::vector<std::int64_t>{10, 20, 30, 40}));
  EXPECT_EQ(mesh.cell_ids, (std::vector<std::int64_t>{7, 8}));
  EXPECT_EQ(mesh.cells, (std::vector<int>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(mesh.patches, (std::vector<std::string>{"wall", "6"}));
  EXPECT_EQ(mesh.boundary_patch, (std::vector<int>{0, 0, 1, 0}));
  EXPECT_EQ(mesh.boundary_faces, (std::vector<int>{0, 1, 1, 2, 2, 3, 3, 0}));
  EXPECT_EQ(mesh.regions, std::vector<std::string>{"fluid"});
  EXPECT_LT(norm(mesh.points[2] - Vec3{0.02, 0.01, 0.005}), 1e-17);
  EXPECT_LT(norm(read(MeshRequest{file, {}, {0.01, 1, 2}}).points[2] - Vec3{0.02, 1, 1}), 1e-15);
}

TEST_F(GmshReader, ReadsTetrahedra) {
  const fs::path file = put("cube.geo", square_geo("out[] = Extrude {0, 0, 2} { Surface{1}; };\n"
                                                   "Physical Surface(\"floor\") = {1};\n"
                                                   "Physical Volume(\"body\") = {out[1]};\n"));
  const MeshSource mesh = read(file);
  ASSERT_EQ(mesh.dimension, 3);
  EXPECT_EQ(mesh.patches, std::vector<std::string>{"floor"});  // groups of curves are none of a 3D mesh
  EXPECT_EQ(mesh.regions, std::vector<std::string>{"body"});
  EXPECT_EQ(mesh.boundary_faces.size(), 3 * mesh.boundary_patch.size());
  for (const int p : mesh.boundary_faces) EXPECT_EQ(mesh.points[static_cast<std::size_t>(p)].z, 0);
  EXPECT_NEAR(volume(mesh), 2, 1e-12);
}

TEST_F(GmshReader, DividesQuadrangles) {
  const fs::path mixed = put("m.msh", msh22(square_nodes + std::vector<std::string>{"50 3 0.5 0.5"},
                                            boundary + std::vector<std::string>{"7 3 2 3 1 10 20 30 40",  //
                                                                                "8 2 2 3 1 20 50 30"}));
  const MeshSource mesh = read(mixed);
  EXPECT_TRUE(was_said("m.msh: divided 1 quadrangles into triangles\n")) << said;
  EXPECT_EQ(mesh.cell_ids, (std::vector<std::int64_t>{7, 7, 8}));
  EXPECT_EQ(mesh.cells, (std::vector<int>{0, 1, 2, 0, 2, 3, 1, 4, 2}));
  EXPECT_EQ(mesh.regions, std::vector<std::string>{"fluid"});
  EXPECT_NEAR(area(mesh), 2.5, 1e-15);

  const fs::path arrow = put("a.msh", msh22({"10 0 0 0", "20 2 0 0", "30 0.5 0.5 0", "40 0 2 0"},
                                            boundary + std::vector<std::string>{"7 3 2 3 1 20 30 40 10"}));
  EXPECT_NEAR(area(read(arrow)), 1, 1e-15);  // the diagonal from node 10 is inside
  const fs::path turned = put("t.msh", msh22({"10 2 0 0", "20 0.5 0.5 0", "30 0 2 0", "40 0 0 0"},
                                             boundary + std::vector<std::string>{"7 3 2 3 1 10 20 30 40"}));
  expect_refused(turned, {"t.msh: element 7 is not convex", "cannot be divided into triangles", "`Recombine`"});
  const std::vector<std::string> wings{"7 3 2 3 1 10 20 30 40", "9 3 2 3 1 10 20 20 40"};
  expect_refused(put("w.msh", msh22(square_nodes, boundary + wings)), {"element 9 has node 20 twice"});
  expect_refused(put("l.msh", msh22(square_nodes, boundary)), {"found 4 lines", "expected triangles or tetrahedra"});
}

TEST_F(GmshReader, DividesSolidsAndStraightensCurvedElements) {
  const std::string layers =
      "out[] = Extrude {0, 0, 2} { Surface{1}; Layers{3}; Recombine; };\n"
      "Physical Surface(\"floor\") = {1};\n"
      "Physical Surface(\"sides\") = {out[2], out[3], out[4], out[5]};\n"
      "Physical Volume(\"body\") = {out[1]};\n";
  const std::string grid = "Transfinite Surface{1}; Recombine Surface{1};\n";
  const auto check = [&](const std::string& name, const std::string& more, const char* kind, int order) {
    const MeshSource mesh = read(put(name, square_geo(more)));
    EXPECT_TRUE(was_said(kind)) << said;
    EXPECT_EQ(was_said("by their corners, with straight edges"), order > 1) << said;
    EXPECT_EQ(mesh.patches, (std::vector<std::string>{"floor", "sides"}));
    EXPECT_NEAR(volume(mesh), 2, 1e-12);
    EXPECT_EQ(std::count(mesh.boundary_patch.begin(), mesh.boundary_patch.end(), 1), 4 * 2 * 2 * 3);
  };
  check("prisms.geo", layers, "prisms", 1);
  check("blocks.geo", grid + layers, "hexahedra", 1);
  check("curved.geo", grid + layers + "Mesh.ElementOrder = 2;\n", "hexahedra of 27 nodes", 2);

  const MeshSource flat = read(put("o.geo", square_geo("Mesh.ElementOrder = 2;\n")));
  EXPECT_TRUE(was_said("triangles of 6 nodes")) << said;
  EXPECT_NEAR(area(flat), 1, 1e-12);
}

/// Swept triangles and quadrangles that have no order along the pairs.
TEST_F(GmshReader, DividesElementsAlikeOnBothPatchesOfAPair) {
  const std::string swept =
      "Periodic Curve {2} = {-4} Translate {1, 0, 0}; Periodic Curve {3} = {-1} Translate {0, 1, 0};\n"
      "Mesh.Algorithm = 6;\n"
      "out[] = Extrude {0, 0, 2} { Surface{1}; Layers{4}; Recombine; };\n"
      "Physical Surface(\"floor\") = {1}; Physical Surface(\"roof\") = {out[0]};\n"
      "Physical Surface(\"front\") = {out[2]}; Physical Surface(\"right\") = {out[3]};\n"
      "Physical Surface(\"back\") = {out[4]}; Physical Surface(\"left\") = {out[5]};\n"
      "Physical Volume(\"body\") = {out[1]};\n";
  const PatchPairs all{{"left", "right"}, {"front", "back"}, {"floor", "roof"}};
  for (const std::string& elements : {std::string(), std::string("Recombine Surface{1};\n")}) {
    MeshRequest request{put("swept.geo", square_geo(elements + swept)), 0.17, 1};
    MeshSource plain = read(request);
    plain.pairs = all;
    EXPECT_THROW(build_topology(plain), Error);  // the mesh is one that needs it
    request.pairs = all;
    MeshSource mesh = read(request);
    EXPECT_NEAR(volume(mesh), 2, 1e-12);
    EXPECT_EQ(mesh.cell_ids, plain.cell_ids);
    mesh.pairs = all;
    EXPECT_EQ(build_topology(mesh).cells(), plain.cell_count()) << elements;  // refuses faces without partners
  }
}

TEST_F(GmshReader, RefusesWrongElementsAndGroups) {
  const auto refuse = [&](const std::vector<std::string>& elements, const std::vector<std::string>& parts) {
    expect_refused(put("bad.msh", msh22(square_nodes, elements)), parts);
  };
  refuse(two_triangles, {"bad.msh", "no group", "Physical Curve(\"wall\")"});
  refuse(boundary + two_triangles + std::vector<std::string>{"9 1 2 6 1 20 10"},
         {"elements 1 and 9 have the same nodes and are in two physical groups", "`wall`", "`6`"});
  refuse(boundary + two_triangles + std::vector<std::string>{"9 1 2 1 1 20 10"},
         {"elements 1 and 9 have the same nodes"});
  refuse(boundary + two_triangles + std::vector<std::string>{"9 2 2 3 1 10 10 30"}, {"element 9 has node 10 twice"});
  refuse(boundary + std::vector<std::string>{"7 2 2 3 1 10 20 30"}, {"element 3", "`wall`", "node 40", "no cell"});
  refuse(boundary + two_triangles + std::vector<std::string>{"9 2 2 3 1 10 20 99"}, {"bad.msh", "99"});
  expect_refused(put("two.geo", square_geo("Physical Curve(\"also\") = {3};\n")), {"two.geo", "`lid`", "`also`"});
}

TEST_F(GmshReader, RefusesPointsThatLieNowhereOrOutOfThePlane) {
  auto nodes = square_nodes;
  nodes[2] = "30 2 1 0.6";
  expect_refused(put("bent.msh", msh22(nodes, boundary + two_triangles)),
                 {"from z = 0.5 to z = 0.6", "plane z = const"});
  nodes[2] = "30 nan 1 0.5";
  expect_refused(put("nan.msh", msh22(nodes, boundary + two_triangles)), {"nan.msh"});
}

TEST_F(GmshReader, RefusesFilesThatAreNoMesh) {
  expect_refused(put("empty.msh", ""), {"empty.msh", "is empty"});
  expect_refused(put("garbage.msh", std::string("\x7f"
                                                "ELF\0\1\2\3 and more",
                                                18)),
                 {"garbage.msh", "not a Gmsh mesh", ".ELF"});
  expect_refused(put("old.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n"),
                 {"old.msh:2:", "4.0", "expected 2.2 or 4.1"});
  expect_refused(put("header.msh", "$MeshFormat\n2.2 7 8\n$EndMeshFormat\n"), {"header.msh:2:", "2.2 7 8", "2.2 0 8"});
  expect_refused(put("mesh.inp", "x"), {".inp", ".geo", ".msh"});
  expect_refused(folder / "cavty.geo", {"cavty.geo", "does not exist"});
  put("cavity.geo", square_geo());
  expect_refused(folder / "cavty.geo", {"did you mean `" + (folder / "cavity.geo").string() + "`?"});
  expect_refused(folder / "none" / "a.geo", {"does not exist", "the folder " + (folder / "none").string()});
  fs::create_directory(folder / "folder.msh");
  expect_refused(folder / "folder.msh", {"folder.msh", "is a folder"});
}

TEST_F(GmshReader, ReadsWhatGmshWritesForOthers) {
  const MeshSource whole = read(put("square.geo", square_geo("Physical Surface(\"fluid\") = {1};")), 0.3);
  {
    const GmshSession session(0.3);
    gmsh::merge((folder / "square.geo").string());
    gmsh::generate_mesh(2);
    for (const char* ending : {"unv", "mesh", "bdf", "vtk", "su2"}) gmsh::write((folder / "square.").string() + ending);
  }
  for (const char* ending : {"unv", "su2"}) {  // with names
    const MeshSource mesh = read(folder / (std::string("square.") + ending));
    EXPECT_EQ(mesh.cell_count(), whole.cell_count()) << ending;
    EXPECT_EQ(mesh.boundary_face_count(), whole.boundary_face_count()) << ending;
    std::vector<std::string> names = mesh.patches;
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"lid", "wall"})) << ending;
  }
  for (const char* ending : {"mesh", "bdf", "vtk"}) {  // with numbers
    const MeshSource mesh = read(folder / (std::string("square.") + ending));
    EXPECT_EQ(mesh.cell_count(), whole.cell_count()) << ending;
    EXPECT_EQ(mesh.boundary_face_count(), whole.boundary_face_count()) << ending;
    EXPECT_GE(std::ssize(mesh.patches), 2) << ending;
  }
}

TEST_F(GmshReader, RefusesFilesThatWereCutOff) {
  for (const char* name : {"square-2.2.msh", "square-2.2-binary.msh", "square-4.1.msh", "square-4.1-binary.msh"}) {
    const std::string whole = content(test_meshes / name);
    ASSERT_GT(whole.size(), 500u) << name;
    for (std::size_t part = 1; part < 12; ++part) {
      expect_refused(put("cut.msh", whole.substr(0, whole.size() * part / 12)), {"cut.msh"});
    }
  }
}

TEST_F(GmshReader, RefusesWrongSizesAndScales) {
  const fs::path geo = put("a.geo", square_geo()), msh = test_meshes / "square-4.1.msh";
  expect_refused(MeshRequest{msh, 0.1, 1}, {"square-4.1.msh", "`size` in [mesh]"});
  expect_refused(MeshRequest{geo, -0.1, 1}, {"`size` in [mesh] is -0.1"});
  expect_refused(MeshRequest{msh, {}, 0}, {"`scale` in [mesh] is 0"});
  expect_refused(MeshRequest{msh, {}, std::numeric_limits<double>::infinity()}, {"`scale` in [mesh] is inf"});
  expect_refused(MeshRequest{msh, {}, {1, -2, 3}}, {"`scale` in [mesh] is [1, -2, 3]"});
  const fs::path fixed = put("fixed.geo", "lc = 0.5; // DefineConstant[ lc = 1 ];\n" + square_geo().substr(27));
  EXPECT_GT(read(fixed).cell_count(), 0);
  expect_refused(MeshRequest{fixed, 0.1, 1}, {"fixed.geo", "DefineConstant[ lc = 0.1 ];"});
}

TEST_F(GmshReader, QuotesWhatGmshFinds) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  expect_refused(put("syntax.geo", "Point(1) = {0, 0;\n"),
                 {"syntax.geo", "Gmsh cannot mesh it", "line 1: syntax error"});
  expect_refused(put("nothing.geo", "a = 1;\n"), {"nothing.geo", "no surface"});
  expect_refused(put("include.geo", "Include \"no.geo\";\n"), {"include.geo", "no.geo"});
  expect_refused(put("exit.geo", "Exit;\n"), {"exit.geo", "`Exit;`"});
  read(put("a.geo", square_geo()));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(GmshReader, HandsTheSizeToTheGeo) {
  const fs::path file = put("a.geo", square_geo());
  const MeshSource own = read(file), fine = read(file, 0.1), own_again = read(file);
  EXPECT_GT(fine.cell_count(), 10 * own.cell_count());
  EXPECT_EQ(own_again.cells, own.cells);
  fs::remove_all(folder / "cache");
  EXPECT_EQ(read(file).cells, own.cells);  // the size of an earlier session does not stay in Gmsh
  EXPECT_TRUE(was_said("meshing"));
  EXPECT_NEAR(area(fine), 1, 1e-12);
  EXPECT_EQ(fine.cell_region, std::vector<int>(fine.cell_ids.size(), -1));  // no group of surfaces in this .geo
}

TEST_F(GmshReader, MeshesOnceAndAgainAfterAnEdit) {
  put("tail.geo", "// nothing\n");
  put("middle.geo", "Include \"tail.geo\";\n");
  const fs::path file = put("a.geo", square_geo("Include \"middle.geo\";\n"));
  const MeshSource made = read(file, 0.3);
  EXPECT_TRUE(was_said("meshing " + file.string() + " (size 0.3)")) << said;
  const MeshSource kept = read(file, 0.3);
  EXPECT_TRUE(was_said("mesh taken from the cache " + (folder / "cache/a-").string())) << said;
  EXPECT_FALSE(was_said("meshing")) << said;
  EXPECT_EQ(kept.cells, made.cells);
  EXPECT_EQ(kept.point_ids, made.point_ids);
  EXPECT_EQ(kept.boundary_patch, made.boundary_patch);
  EXPECT_EQ(kept.name, file.string());
  EXPECT_EQ(meshes_in_cache(), 1);

  put("tail.geo", "Physical Surface(\"new\") = {1};\n");
  EXPECT_EQ(read(file, 0.3).regions, std::vector<std::string>{"new"});
  EXPECT_TRUE(was_said("meshing")) << said;
  read(file, 0.31);
  EXPECT_TRUE(was_said("meshing")) << said;
  EXPECT_EQ(meshes_in_cache(), 3);  // and no temporary files
}

TEST_F(GmshReader, WhatCannotBeToldFromTheGeoIsNotCached) {
  // A size field whose file's name is computed: the file changes, and so does the mesh.
  const auto grid = [](double size) {
    const std::string each = message(" {}", size);
    return "-1 -1 -1\n3 3 3\n2 2 2\n" + each + each + each + each + each + each + each + each + "\n";
  };
  const std::string field =
      "Field[1] = Structured; Field[1].TextFormat = 1; Field[1].FileName = {};\nBackground Field = 1;\n"
      "Mesh.CharacteristicLengthExtendFromBoundary = 0; Mesh.CharacteristicLengthFromPoints = 0;\n";
  put("grid.txt", grid(0.5));
  const auto cells_of = [&](const std::string& name) {
    return read(put("a.geo", square_geo(message(field, message("StrCat(CurrentDirectory, {})", name))))).cell_count();
  };
  const int coarse = cells_of("\"gr\", \"id.txt\"");
  EXPECT_TRUE(was_said("not kept in the cache: " + (folder / "a.geo:6").string() + ": the `FileName` of a file"))
      << said;
  put("grid.txt", grid(0.1));
  EXPECT_GT(cells_of("\"gr\", \"id.txt\""), 5 * coarse);
  EXPECT_EQ(meshes_in_cache(), 0);

  put("grid.txt", grid(0.5));
  const fs::path plain = put("b.geo", square_geo(message(field, message("\"{}\"", (folder / "grid.txt").string()))));
  EXPECT_EQ(read(plain).cell_count(), coarse);
  EXPECT_EQ(meshes_in_cache(), 1);
  put("grid.txt", grid(0.1));
  EXPECT_GT(read(plain).cell_count(), 5 * coarse);

  read(put("c.geo", square_geo("n = ListFromFile(StrCat(\"gr\", \"id.txt\"));\n")));
  EXPECT_TRUE(was_said("c.geo:6: the name that `ListFromFile` takes is computed")) << said;
  read(put("d.geo", square_geo("home = GetEnv(\"HOME\");\n")));
  EXPECT_TRUE(was_said("d.geo:6: `GetEnv` depends on data outside the file")) << said;

  const fs::path computed = put("e.geo", square_geo("Include StrCat(\"b\", \".part\");\n"));
  put("b.part", "Physical Surface(\"b\") = {1};\n");
  EXPECT_EQ(read(trusted(computed)).regions, std::vector<std::string>{"b"});
  put("b.part", "Physical Surface(\"c\") = {1};\n");
  EXPECT_EQ(read(trusted(computed)).regions, std::vector<std::string>{"c"});
  EXPECT_TRUE(was_said("not kept in the cache")) << said;
}

TEST_F(GmshReader, ACachedMeshThatHoldsSomethingElseIsMadeAgain) {
  const fs::path file = put("a.geo", square_geo());
  const MeshSource made = read(file), finer = read(file, 0.2);
  fs::path cached, other;
  for (const auto& entry : fs::directory_iterator(folder / "cache")) {
    (content(entry.path()).size() > 3000 ? other : cached) = entry.path();
  }
  const std::string whole = content(cached);
  for (const std::string& damaged :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("no mesh"), content(other)}) {
    std::ofstream(cached, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_EQ(read(file).cells, made.cells);
    EXPECT_TRUE(was_said("differs from the stored content: it is removed and made again")) << said;
    read(file);
    EXPECT_TRUE(was_said("mesh taken from the cache")) << said;
    EXPECT_EQ(meshes_in_cache(), 2);
  }
  EXPECT_EQ(read(file, 0.2).cells, finer.cells);
}

TEST_F(GmshReader, AGeoThatDoesMoreIsRefusedUnlessTrusted) {
  const fs::path hit = folder / "hit";
  const auto refuse = [&](const std::string& more, const std::string& expected) {
    const fs::path file = put("a.geo", square_geo(more));
    expect_refused(file, {"a.geo: a .geo is a program", "a.geo:" + expected, "`trust = true` in [mesh]", "--trust"});
    EXPECT_FALSE(fs::exists(hit)) << more;
  };
  put("deep.part", "Printf(\"x\") > \"hit\";\n");
  put("wide.part", "Include \"deep.part\";\n");
  refuse("SystemCall \"touch hit\";\n", "6: `SystemCall` runs a program");
  refuse("\n/* ' */ System Str(\"touch hit\");\n", "7: `System` runs a program");
  refuse("NonBlockingSystemCall\n(\"touch hit\");\n", "6: `NonBlockingSystemCall` runs a program");
  refuse("OnelabRun(\"a\", \"touch hit\");\n", "6: `OnelabRun` runs a program");
  refuse("StringToName[StrCat(\"System\", \"Call\")] \"touch hit\";\n", "6: `StringToName` makes a command of a text");
  refuse("Field[1] = ExternalProcess;\n", "6: `ExternalProcess` runs a program");
  refuse("Save \"hit\";\n", "6: `Save` writes a file");
  refuse("name = \"hit\"; Save name;\n", "6: `Save` writes a file");
  refuse("Print \"hit\";\n", "6: `Print` writes a file");
  refuse("Save View[0] \"hit\";\n", "6: `Save` writes a file");
  refuse("CreateDir \"hit\";\n", "6: `CreateDir` makes a folder");
  refuse("Printf(\"%g\", Sqrt(2)) >> \"hit\";\n", "6: `Printf` with > writes a file");
  refuse("Printf(\"a)\", (1)) > Str(\"hit\");\n", "6: `Printf` with > writes a file");
  refuse("Plugin(Bubbles).Run;\n", "6: `Plugin(Bubbles)` may write files");
  refuse("Merge \"x.msh.gz\";\n", "6: `Merge` runs gunzip on a .gz");
  refuse("Include StrCat(\"deep\", \".part\");\n", "6: `Include` carries out a file whose name is computed");
  refuse(std::string("a = 1; // \0\n", 12), "6: is not plain text");
  expect_refused(put("a.geo", square_geo("Include \"wide.part\";\n")), {(folder / "deep.part:1").string(), "`Printf`"});
  expect_refused(put("a.geo", square_geo("Merge \"wide.part\";\n")), {(folder / "deep.part:1").string(), "`Printf`"});
  // Gmsh skips what an If leaves out without regard to strings, and then carries out what comments and strings hide.
  refuse("If(0)\na = \"EndIf SystemCall 'touch hit'; // \";\nEndIf\n", "7: `SystemCall` in a comment or a string");
  refuse("If(0)\na = \"/*\";\n// */ EndIf SystemCall \"touch hit\";\n", "8: `SystemCall` in a comment or a string");
  refuse("a = \"" + std::string(1100, ' ') + "\"; // Save 'hit';\n", "6: `Save` in a comment or a string");
  expect_refused(put("a.geo", "General.AbortOnError = 4;\n"), {"a.geo:1", "AbortOnError"});

  MeshRequest does = trusted(put("a.geo", square_geo("Printf(\"x\") > \"hit\";\n")));
  for (int run = 0; run < 2; ++run) {  // each time: it is not cached
    EXPECT_GT(read(does).cell_count(), 0);
    EXPECT_TRUE(fs::remove(hit));
  }
}

TEST_F(GmshReader, WordsThatDoNothingAreNoReasonToRefuse) {
  const fs::path file = put("a.geo", square_geo("// Save \"a.msh\"; SystemCall \"x\";\n"
                                                "/* Print \"x\"; Merge StrCat(\"a\"); */ Save = 1; If (Save) EndIf\n"
                                                "Print.Background = 1; Mesh.SaveAll = 0; General.Terminal = 0;\n"
                                                "Printf(\"SystemCall %g > 3\", 2 > 1);\n"
                                                "Macro Print\nReturn\nCall Print;\n"
                                                "Physical Surface(\"Save\") = {1};\n"));
  EXPECT_EQ(read(file).regions, std::vector<std::string>{"Save"});
  EXPECT_EQ(meshes_in_cache(), 1);
}

TEST_F(GmshReader, MoreCellsThanMemoryHoldsAreRefused_Long) {
  const fs::path square = put("a.geo", square_geo());
  expect_refused(MeshRequest{square, 1e-9, 1}, {"a.geo: would become 2.3e+18 triangles or more", "GB are left here",
                                                "`size` in [mesh] is 1e-09: ", " would do"});
  expect_refused(MeshRequest{square, 1e-30, 1}, {"`size` in [mesh] is 1e-30, and the geometry is 1 across"});
  EXPECT_EQ(meshes_in_cache(), 0);
  expect_refused(put("own.geo", replaced(square_geo(), "lc = 0.5", "lc = 1e-7")),
                 {"own.geo: would become 2.3e+14 triangles", "edge lengths in it", "times as long"});
  const std::string cube = square_geo("out[] = Extrude {0, 0, 1} { Surface{1}; };\n");
  expect_refused(MeshRequest{put("cube.geo", cube + "Physical Surface(\"floor\") = {1};\n"), 1e-4, 1},
                 {"cube.geo: would become 6.7e+12 tetrahedra"});
  const std::string field = "Field[1] = MathEval; Field[1].F = \"1e-8\"; Background Field = 1;\n";
  expect_refused(put("field.geo", square_geo(field)), {"field.geo: would become 2.3e+16 triangles"});

  // Sizes that are small in a corner, or on a curve of given nodes, or in a slit, make no large mesh.
  const std::string corner = replaced(square_geo(), "Point(3) = {1, 1, 0, lc}", "Point(3) = {1, 1, 0, 1e-7}");
  EXPECT_LT(read(put("corner.geo", corner)).cell_count(), 5000);
  EXPECT_LT(read(put("curve.geo", square_geo("Transfinite Curve {1} = 401;\n"))).cell_count(), 20000);
}

TEST_F(GmshReader, NamesOfGroupsBecomeUtf8) {
  const auto named = [&](const std::string& name) {
    return put("a.msh", replaced(msh22(square_nodes, boundary + two_triangles), "\"wall\"", "\"" + name + "\""));
  };
  EXPECT_EQ(read(named("Entr\xe9"
                       "e"))
                .patches,
            std::vector<std::string>{"Entr\u00e9e"});
  EXPECT_TRUE(was_said("a.msh: the name `Entr\\xe9e` of a group is not in UTF-8; read as Latin-1 it is `Entr\u00e9e`"))
      << said;
  EXPECT_EQ(read(named("5 \x80 \x96 x")).patches, std::vector<std::string>{"5 \u20ac \u2013 x"});
  EXPECT_EQ(read(named("Entr\u00e9e")).patches, std::vector<std::string>{"Entr\u00e9e"});
  EXPECT_FALSE(was_said("UTF-8")) << said;
  expect_refused(named("a\x81"), {"a.msh", "`a\\x81`", "neither in UTF-8 nor in Latin-1"});
  expect_refused(named("\x1b[31mred"), {"a.msh", "`\\x1b[31mred`", "control character"});
  expect_refused(named("\u009b31m"), {"a.msh", "`\\xc2\\x9b31m`", "control character"});
}

TEST_F(GmshReader, SaysWhatTakesLong_Long) {
  MeshRequest request{put("a.geo", square_geo("For i In {1:200000}\n a = i;\nEndFor\n")), {}, 1};
  request.patience = 0.01;
  read(request);
  EXPECT_TRUE(was_said("the program in " + request.file.string() + " has been running for ")) << said;
  EXPECT_TRUE(was_said("is not done: Ctrl-C ends it")) << said;
}

TEST_F(GmshReader, WorksWithoutACache) {
  const fs::path file = put("a.geo", square_geo());
  setenv("SOLENOID_CACHE", (file / "below a file").c_str(), 1);
  EXPECT_GT(read(file).cell_count(), 0);
  EXPECT_TRUE(was_said("not kept in the cache: " + file.string())) << said;
}

TEST_F(GmshReader, RanksMayRaceForOneCache) {
  const Comm comm;
  const fs::path shared = comm.broadcast(folder.string());
  if (comm.is_root()) put("a.geo", square_geo());
  comm.barrier();
  setenv("SOLENOID_CACHE", (shared / "cache").c_str(), 1);
  const MeshSource mesh = read(shared / "a.geo", 0.05);
  const auto cells = static_cast<std::int64_t>(mesh.cell_count());
  EXPECT_GT(cells, 800);
  EXPECT_EQ(comm.min(cells), comm.max(cells));
  comm.barrier();
  EXPECT_EQ(std::distance(fs::directory_iterator(shared / "cache"), fs::directory_iterator()), 1);
  comm.barrier();
}

}  // namespace
}  // namespace solenoid
