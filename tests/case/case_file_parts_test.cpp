/// The keys of [mesh] for parts and wall layers in the case file.
#include "support/case_files.hpp"

namespace solenoid {
namespace {

class CaseFileParts : public test::CaseFileTest {
 protected:
  static std::string of(const std::string& mesh) {
    return "[mesh]\nfile = \"part.step\"\n" + mesh +
           "[flow]\nviscosity = 1\n[time]\nend = 2\nstep = 0.1\n[boundary.wall]\ntype = \"wall\"\n";
  }
  void expect_fault(const std::string& mesh, const std::string& part) const {
    const std::string all = faults(of(mesh));
    EXPECT_NE(all.find(part), std::string::npos) << "no `" << part << "` in: " << all;
  }
};

TEST_F(CaseFileParts, HaveDefaults) {
  const MeshSettings mesh = read(of("")).mesh;
  EXPECT_TRUE(mesh.part.given.empty());
  EXPECT_FALSE(mesh.has_scale);
  EXPECT_EQ(mesh.part.per_circle, 24);
  EXPECT_EQ(mesh.part.angle, 40);
  EXPECT_FALSE(mesh.part.outside);
  EXPECT_EQ(mesh.layers.count, 0);
}

TEST_F(CaseFileParts, AreReadKeyByKey) {
  const MeshSettings mesh =
      read(of("scale = 0.001\nsize = 2\nsize_min = 0.1\nper_circle = 12\nangle = 30\n"
              "[[mesh.group]]\nname = \"a\"\nsurfaces = [3, 7]\n[[mesh.group]]\nname = \"b\"\nvolumes = [1]\n"
              "[[mesh.group]]\nname = \"c\"\nnear = [1, 2, 3]\n"
              "[[mesh.group]]\nname = \"d\"\nplane = { point = [1, 0, 0], normal = [0, 0, 2] }\n"
              "[[mesh.group]]\nname = \"e\"\ncolour = \"#Ff8000\"\n[[mesh.group]]\nname = \"f\"\nrest = true\n"
              "[[mesh.sizes]]\npatches = [\"a\", \"b\"]\nsize = 1\n"
              "[[mesh.sizes]]\nbox = { min = [0, 0, 0], max = [1, 1, 1] }\nsize = 0.5\ngrowth = 1.5\n"
              "[[mesh.sizes]]\ncylinder = { from = [0, 0, 0], to = [1, 0, 0], radius = 3 }\nsize = 0.5\n"
              "[[mesh.sizes]]\nball = { centre = [0, 0, 4], radius = 3 }\nsize = 0.5\n"
              "[mesh.outside]\nbox = { min = [-1, -1, -1], max = [9, 9, 9] }\n"
              "[mesh.layers]\npatches = [\"f\"]\nfirst = 0.01\ngrowth = 1.3\ncount = 8\n"))
          .mesh;
  EXPECT_TRUE(mesh.has_scale);
  EXPECT_EQ(mesh.part.size_min, 0.1);
  EXPECT_EQ(mesh.part.per_circle, 12);
  EXPECT_EQ(mesh.part.angle, 30);
  const std::vector<PartGroup>& groups = mesh.part.groups;
  ASSERT_EQ(groups.size(), 6U);
  EXPECT_EQ(std::get<PartSurfaces>(groups[0].selected).numbers, (std::vector<int>{3, 7}));
  EXPECT_EQ(std::get<PartVolumes>(groups[1].selected).numbers, std::vector<int>{1});
  EXPECT_EQ(std::get<PartNear>(groups[2].selected).point.z, 3);
  EXPECT_EQ(std::get<PartPlane>(groups[3].selected).normal.z, 2);
  EXPECT_EQ(std::get<PartColour>(groups[4].selected), (PartColour{255, 128, 0}));
  EXPECT_TRUE(std::holds_alternative<PartRest>(groups[5].selected));
  const std::vector<PartSize>& sizes = mesh.part.sizes;
  ASSERT_EQ(sizes.size(), 4U);
  EXPECT_EQ(std::get<SizePatches>(sizes[0].place).names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(sizes[0].growth, 1.2);
  EXPECT_EQ(std::get<Box>(sizes[1].place).high.z, 1);
  EXPECT_EQ(sizes[1].growth, 1.5);
  EXPECT_EQ(std::get<SizeCylinder>(sizes[2].place).radius, 3);
  EXPECT_EQ(std::get<SizeBall>(sizes[3].place).centre.z, 4);
  EXPECT_EQ(mesh.part.outside->high.z, 9);
  EXPECT_EQ(mesh.layers.patches, std::vector<std::string>{"f"});
  EXPECT_EQ(mesh.layers.count, 8);
  EXPECT_NE(mesh.part.text(), read(of("size = 2\n")).mesh.part.text());
}

TEST_F(CaseFileParts, HaveOneFaultForOneMistake) {
  const std::string box = faults(of("[[mesh.sizes]]\nbox = { max = [-1, 1, 1] }\nsize = 1\n"));
  EXPECT_EQ(box.find("no coordinate less"), std::string::npos) << box;
  const std::string outside = faults(of("[mesh.outside]\nbox = { max = [1, 1, 1] }\n"));
  EXPECT_EQ(outside.find("an extent"), std::string::npos) << outside;
}

TEST_F(CaseFileParts, AreErrorsWhereTheyCannotBe) {
  expect_fault("[[mesh.group]]\nname = \"a\"\n", "`surfaces`, `volumes`, `near`, `plane`, `colour` or `rest`");
  expect_fault("[[mesh.group]]\nrest = true\n", "missing key `name` in [[mesh.group]]");
  expect_fault("[[mesh.group]]\nname = \"a\"\nrest = false\n", "expected true: all that no other group has");
  expect_fault("[[mesh.group]]\nname = \"a\"\nsurfaces = [0]\n", "a whole number from 1");
  expect_fault("[[mesh.group]]\nname = \"a\"\ncolour = \"red\"\n", "such as \"#ff8000\"");
  expect_fault("[[mesh.group]]\nname = \"a\"\nplane = { point = [0, 0, 0], normal = [0, 0, 0] }\n",
               "a direction other than (0, 0, 0)");
  expect_fault("[[mesh.group]]\nname = \"a\"\nplane = { point = [0, 0, 0] }\n", "missing key `normal`");
  expect_fault("[[mesh.sizes]]\nsize = 1\n", "`patches`, `box`, `cylinder` or `ball`");
  expect_fault("[[mesh.sizes]]\nbox = { min = [1, 0, 0], max = [0, 1, 1] }\nsize = 1\n",
               "no coordinate less than that of `min`");
  expect_fault("[[mesh.sizes]]\nball = { centre = [1, 0, 0], radius = 1 }\nsize = 1\ngrowth = 1\n",
               "a number greater than 1, at most 10");
  expect_fault("[[mesh.sizes]]\nbox = { max = [-1, 1, 1] }\nsize = 1\n", "missing key `min`");
  expect_fault("size = 1\n[[mesh.sizes]]\nball = { centre = [1, 0, 0], radius = 1 }\nsize = 2\n",
               "expected at most `size` in [mesh]");
  expect_fault("[[mesh.group]]\nname = \"a\"\nsurfaces = [1e10]\n", "a whole number from 1 to 2147483647");
  expect_fault("[[mesh.group]]\nname = 'a\"b'\nrest = true\n", "a name of one line without quotation marks");
  expect_fault("size = 1\nsize_min = 2\n", "expected at most `size`");
  expect_fault("per_circle = 2\n", "a number from 3 to 1000");
  expect_fault("[mesh.outside]\n", "`box`");
  expect_fault("[mesh.outside]\nbox = { max = [1, 1, 1] }\n", "missing key `min`");
  expect_fault("[mesh.layers]\npatches = [\"wall\"]\n", "missing key `first` in [mesh.layers]");
  expect_fault("[mesh.layers]\npatches = [\"wall\"]\nfirst = 1\ncount = 0\n", "an integer of at least 1");
  expect_fault("[mesh.layers]\npatches = [\"wall\"]\nfirst = 1\ncount = 101\n", "an integer of at most 100");
}

}  // namespace
}  // namespace solenoid
