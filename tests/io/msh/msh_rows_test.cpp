/// Binary .msh files read by all ranks: the rows of the mesh are those that one rank reads, and faults are refused on
/// all ranks, with the words of the serial reader.
#include "io/msh/msh_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/msh/msh_check.hpp"
#include "support/files.hpp"
#include "support/shared_folder.hpp"

namespace solenoid {
namespace {

using test::content;
using test::test_meshes;

/// A file of format 4.1 in parts that tests change.
struct BinaryMsh {
  struct Node {
    std::int64_t id;
    Vec3 x;
  };
  struct Nodes {
    int dimension, entity, parametric;
    std::vector<Node> nodes;
  };
  struct Elements {
    int dimension, entity, type;
    std::vector<std::vector<std::int64_t>> rows;  ///< number, nodes
  };
  std::map<std::pair<int, int>, std::string> names;
  std::array<std::map<int, std::vector<int>>, 4> groups;  ///< of each entity, by dimension
  std::vector<Nodes> nodes;
  std::vector<Elements> elements;

  Elements& elements_of(int dimension, int entity) {
    const auto found = std::find_if(elements.begin(), elements.end(), [&](const Elements& block) {
      return block.dimension == dimension && block.entity == entity;
    });
    if (found != elements.end()) return *found;
    constexpr int types[] = {15, 1, 2, 4};
    return elements.emplace_back(Elements{dimension, entity, types[dimension], {}});
  }

  std::string bytes() const;
};

template <class T>
void put(std::string& text, T value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class Blocks, class List, class Id>
void put_header(std::string& text, const Blocks& blocks, const List& list_of, const Id& id_of) {
  std::int64_t total = 0, lowest = std::numeric_limits<std::int64_t>::max(), highest = 0;
  for (const auto& block : blocks) {
    for (const auto& item : list_of(block)) {
      ++total;
      lowest = std::min(lowest, id_of(item));
      highest = std::max(highest, id_of(item));
    }
  }
  for (const std::int64_t number : {std::ssize(blocks), total, lowest, highest}) put<std::int64_t>(text, number);
}

std::string BinaryMsh::bytes() const {
  std::string text = "$MeshFormat\n4.1 1 8\n";
  put(text, 1);
  text += message("\n$EndMeshFormat\n$PhysicalNames\n{}\n", names.size());
  for (const auto& [group, name] : names) text += message("{} {} \"{}\"\n", group.first, group.second, name);
  text += "$EndPhysicalNames\n$Entities\n";
  for (const auto& of_dimension : groups) put<std::int64_t>(text, std::ssize(of_dimension));
  for (std::size_t d = 0; d < 4; ++d) {
    for (const auto& [entity, of_entity] : groups[d]) {
      put(text, entity);
      for (int k = 0; k < (d == 0 ? 3 : 6); ++k) put(text, 0.0);
      put<std::int64_t>(text, std::ssize(of_entity));
      for (const int group : of_entity) put(text, group);
      if (d > 0) put<std::int64_t>(text, 0);
    }
  }
  text += "\n$EndEntities\n$Nodes\n";
  put_header(
      text, nodes, [](const Nodes& block) { return block.nodes; }, [](const Node& node) { return node.id; });
  for (const Nodes& block : nodes) {
    for (const int number : {block.dimension, block.entity, block.parametric}) put(text, number);
    put<std::int64_t>(text, std::ssize(block.nodes));
    for (const Node& node : block.nodes) put(text, node.id);
    for (const Node& node : block.nodes) {
      for (const double x : {node.x.x, node.x.y, node.x.z}) put(text, x);
      for (int k = 0; k < block.parametric * block.dimension; ++k) put(text, 0.5);
    }
  }
  text += "\n$EndNodes\n$Elements\n";
  put_header(
      text, elements, [](const Elements& block) { return block.rows; }, [](const auto& row) { return row[0]; });
  for (const Elements& block : elements) {
    for (const int number : {block.dimension, block.entity, block.type}) put(text, number);
    put<std::int64_t>(text, std::ssize(block.rows));
    for (const auto& row : block.rows) {
      for (const std::int64_t number : row) put(text, number);
    }
  }
  return text + "\n$EndElements\n";
}

/// `mesh` with sparse node numbers without order and element numbers from 1 to beyond 2^53, nodes of no element, lines
/// and points beside the elements, several entities in a group, one in none, a group without elements, one without a
/// name, and in some blocks parameters of nodes.
BinaryMsh binary_of(const MeshSource& mesh) {
  const int d = mesh.dimension;
  std::mt19937 random(7);
  BinaryMsh file;
  file.names = {{{d, 9}, "right"}, {{d, 4}, "empty"}, {{d - 1, 3}, "lid"}, {{d - 1, 5}, "nowhere"}};
  const auto of = static_cast<std::size_t>(d);
  file.groups[of] = {{1, {9}}, {2, {9, 9}}, {3, {2}}, {4, {}}, {5, {4}}};
  file.groups[of - 1] = {{1, {3}}, {2, {-8}}, {3, {8}}, {6, {3}}, {8, {}}};
  for (std::size_t k = 0; k + 1 < of; ++k) file.groups[k][1] = {};

  const auto number = [](std::size_t point) { return static_cast<std::int64_t>(2147483647 - 12345 * point); };
  std::vector<BinaryMsh::Node> nodes;
  for (std::size_t point = 0; point < mesh.points.size(); ++point) {
    nodes.push_back({number(point), mesh.points[point]});
    if (point % 5 == 0) nodes.push_back({number(point) - 1, {100, 100, 100}});
  }
  std::shuffle(nodes.begin(), nodes.end(), random);
  file.nodes = {{d, 1, 0, {}}, {d - 1, 2, 1, {}}, {d - 1, 8, 0, {}}, {d, 5, 0, {}}};
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    file.nodes[k < 3 ? 1 : k % 4 == 0 ? 3 : 0].nodes.push_back(nodes[k]);
  }

  std::vector<std::int64_t> ids;
  for (std::int64_t k = 0; k < mesh.cell_count() + mesh.boundary_face_count() + 8; ++k) {
    ids.push_back(k < 9 ? k + 1 : (std::int64_t{1} << (k % 3 == 0 ? 31 : 60)) + k);
  }
  std::shuffle(ids.begin(), ids.end(), random);
  const auto add = [&](int dimension, int entity, const auto& points) {
    std::vector<std::int64_t> row{ids.back()};
    ids.pop_back();
    for (const int point : points) row.push_back(number(static_cast<std::size_t>(point)));
    file.elements_of(dimension, entity).rows.push_back(row);
  };
  add(0, 1, mesh.points_of_cell(0).first(1));
  for (int face = 0; face < mesh.boundary_face_count(); ++face) {
    const bool is_lid = mesh.patches[static_cast<std::size_t>(mesh.boundary_patch[face])] == "lid";
    add(d - 1, is_lid ? (face % 2 == 0 ? 6 : 1) : 2 + face % 2, mesh.points_of_boundary_face(face));
  }
  for (int cell = 0; cell < mesh.cell_count(); ++cell) add(d, 1 + cell % 4, mesh.points_of_cell(cell));
  const std::array inner{0, mesh.cells.back(), mesh.cells[mesh.cells.size() - 2]};
  add(d - 1, 8, std::span(inner).first(static_cast<std::size_t>(d)));  // in no group
  return file;
}

class MshRows : public test::SharedFolder {
 protected:
  std::filesystem::path put_file(const std::string& text) const {
    comm.barrier();
    if (comm.is_root()) std::ofstream(folder / "a.msh", std::ios::binary) << text;
    comm.barrier();
    return folder / "a.msh";
  }
  template <class T>
  std::vector<T> own(const std::vector<T>& all, int each = 1) const {
    const std::int64_t rows = std::ssize(all) / each;
    return {all.begin() + each * (rows * comm.rank() / comm.size()),
            all.begin() + each * (rows * (comm.rank() + 1) / comm.size())};
  }
  void expect_rows_of(const MeshSource& whole, const MeshSource& rows) const {
    EXPECT_EQ(rows.dimension, whole.dimension);
    EXPECT_EQ(rows.name, whole.name);
    EXPECT_EQ(rows.regions, whole.regions);
    EXPECT_EQ(rows.patches, whole.patches);
    EXPECT_EQ(rows.point_ids, own(whole.point_ids));
    EXPECT_EQ(rows.cells, own(whole.cells, whole.dimension + 1));
    EXPECT_EQ(rows.cell_ids, own(whole.cell_ids));
    EXPECT_EQ(rows.cell_region, own(whole.cell_region));
    EXPECT_EQ(rows.boundary_faces, own(whole.boundary_faces, whole.dimension));
    EXPECT_EQ(rows.boundary_patch, own(whole.boundary_patch));
    const std::vector<Vec3> points = own(whole.points);
    ASSERT_EQ(rows.points.size(), points.size());
    for (std::size_t n = 0; n < points.size(); ++n) {
      EXPECT_TRUE(rows.points[n].x == points[n].x && rows.points[n].y == points[n].y &&
                  rows.points[n].z == points[n].z);
    }
  }
  static MeshSource whole(const std::filesystem::path& file, const LengthUnits& unit) {
    const MshSummary found = check_msh(file, "a.msh");
    return mesh_of_records(found.records, found.dimension, unit, "a.msh");
  }
  MeshSource expect_same(const std::string& text) const {
    const std::filesystem::path file = put_file(text);
    const LengthUnits unit(0.001, 0.01, 3);
    EXPECT_EQ(obstacle_to_rows(comm, file, "a.msh"), "");
    MeshSource mesh = whole(file, unit);
    expect_rows_of(mesh, read_msh_rows(comm, file, unit, "a.msh"));
    return mesh;
  }
  /// The input error that `work` throws, on every rank if it is `collective`; "" for none.
  static std::string fault_of(bool collective, const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input) << error.what();
      EXPECT_EQ(error.collective(), collective) << error.what();
      return error.what();
    }
    return "";
  }
  std::string fault(const std::filesystem::path& file) const {
    return fault_of(true, [&] { read_msh_rows(comm, file, 1, "a.msh"); });
  }
  static std::string fault_on_one_rank(const std::filesystem::path& file) {
    return fault_of(false, [&] { whole(file, 1); });
  }
  /// Both readers refuse the file, with these words.
  void expect_refused(const std::string& text, const std::string& words) const {
    const std::filesystem::path file = put_file(text);
    for (const std::string& found : {fault(file), fault_on_one_rank(file)}) {
      EXPECT_NE(found.find(words), std::string::npos) << "no `" << words << "` in: " << found;
    }
  }
};

TEST_F(MshRows, AreThoseThatOneRankReads) {
  const MeshSource cube = expect_same(binary_of(unit_cube(4, 0.2)).bytes());
  EXPECT_EQ(cube.regions, (std::vector<std::string>{"2", "right"}));
  EXPECT_EQ(cube.patches, (std::vector<std::string>{"lid", "8"}));
  EXPECT_EQ(cube.cell_count(), 6 * 64);
  EXPECT_EQ(cube.points.size(), 125u);
  EXPECT_GT(cube.cell_ids.back(), std::int64_t{1} << 60);
  const MeshSource square = expect_same(binary_of(unit_square(7, 0.2)).bytes());
  EXPECT_EQ(square.cell_count(), 2 * 49);
  expect_same(content(test_meshes / "square-4.1-binary.msh"));
}

TEST_F(MshRows, MayBeFewerThanRanks) {
  BinaryMsh file;
  file.groups = {{{}, {{1, {1}}}, {{1, {}}}, {}}};
  file.nodes = {{2, 1, 0, {{7, {0, 0, 0}}, {3, {1, 0, 0}}, {5, {0, 1, 0}}}}};
  file.elements = {{1, 1, 1, {{2, 7, 5}}}, {2, 1, 2, {{1, 3, 5, 7}}}};
  EXPECT_EQ(expect_same(file.bytes()).point_ids, (std::vector<std::int64_t>{3, 5, 7}));
}

TEST_F(MshRows, SayWhatIsInTheWay) {
  const auto obstacle = [&](const std::string& text) { return obstacle_to_rows(comm, put_file(text), "a.msh"); };
  EXPECT_EQ(obstacle(content(test_meshes / "square-4.1.msh")), "it is a text file");
  EXPECT_EQ(obstacle(content(test_meshes / "square-2.2.msh")), "it is a text file");
  EXPECT_EQ(obstacle(content(test_meshes / "square-2.2-binary.msh")), "it is of format 2.2");
  BinaryMsh file = binary_of(unit_square(2));
  file.elements.push_back({2, 5, 3, {{77, 1, 2, 3, 4}, {78, 5, 6, 7, 8}}});
  EXPECT_EQ(obstacle(file.bytes()), "it has 2 quadrangles");
  file.elements.back() = {2, 5, 9, {{77, 1, 2, 3, 4, 5, 6}}};
  EXPECT_EQ(obstacle(file.bytes()), "it has 1 triangles of 6 nodes");
  std::string swapped = content(test_meshes / "square-4.1-binary.msh");
  std::reverse(swapped.begin() + 20, swapped.begin() + 24);
  EXPECT_NE(fault_of(true, [&] { obstacle(swapped); }).find("the other byte order"), std::string::npos);
}

TEST_F(MshRows, AreRefusedOnEveryRank) {
  const BinaryMsh good = binary_of(unit_cube(2));
  const auto refused = [&](const std::function<void(BinaryMsh&)>& spoil, const std::string& words) {
    BinaryMsh file = good;
    spoil(file);
    expect_refused(file.bytes(), words);
  };
  const std::int64_t stranger = 2147483646, used = 2147483647;
  const auto cell = [](BinaryMsh& file) -> std::vector<std::int64_t>& { return file.elements_of(3, 1).rows[3]; };
  const auto face = [](BinaryMsh& file) -> std::vector<std::int64_t>& { return file.elements_of(2, 2).rows.back(); };
  const std::int64_t cell_id = BinaryMsh(good).elements_of(3, 1).rows[3][0];
  for (const std::int64_t node : {std::int64_t{1}, std::int64_t{1} << 31, std::int64_t{1} << 62}) {
    refused([&](BinaryMsh& file) { cell(file)[2] = node; },
            message("$Elements, element {}: has node {}, which is not among the nodes of the file", cell_id, node));
  }
  refused([&](BinaryMsh& file) { file.elements_of(0, 1).rows[0][1] = 2; }, "has node 2, which is not among the nodes");
  refused(
      [&](BinaryMsh& file) {
        file.nodes[3].nodes.push_back({used, {}});
      },
      message("$Nodes, node {}: is there a second time, expected a number of its own for each node", used));
  refused(
      [&](BinaryMsh& file) { face(file)[0] = cell_id; },
      message("$Elements, element {}: is there a second time, expected a number of its own for each element", cell_id));
  refused(
      [](BinaryMsh& file) {
        file.groups[3][1] = {9, 2};
      },
      "is in two physical groups of dimension 3, `2` and `right`");
  refused([&](BinaryMsh& file) { cell(file)[1] = cell(file)[4]; }, "twice, expected different nodes");
  refused(
      [&](BinaryMsh& file) {
        std::vector<std::int64_t> again = file.elements_of(3, 2).rows[0];
        again[0] = 100;
        std::swap(again[1], again[3]);
        file.elements_of(3, 2).rows.push_back(again);
      },
      "have the same nodes; remove one of them");
  refused(
      [&](BinaryMsh& file) {
        std::vector<std::int64_t> again = file.elements_of(2, 2).rows[0];
        again[0] = 100;
        file.elements_of(2, 6).rows.push_back(again);
      },
      "have the same nodes and are in two physical groups of dimension 2");
  refused([&](BinaryMsh& file) { face(file)[1] = stranger; },
          message("of the physical group `8` has node {}, which belongs to no cell", stranger));
  refused(
      [](BinaryMsh& file) {
        file.groups[2] = {{1, {}}, {2, {}}, {3, {}}, {6, {}}, {8, {}}};
      },
      "a.msh: the mesh has 48 tetrahedra, but no group of its boundary");
  refused(
      [](BinaryMsh& file) {
        file.names[{3, 9}] = "2";
      },
      "the physical groups 2 and 9 of dimension 3 are both called `2`");
  refused(
      [&](BinaryMsh& file) {
        for (auto& block : file.nodes) {
          for (auto& node : block.nodes) {
            if (node.id == used) node.x.y = 1e80;
          }
        }
      },
      message("node {} is 1e+80 m away", used));
  refused([](BinaryMsh& file) { file.nodes[0].nodes[5].x.z = std::numeric_limits<double>::infinity(); },
          "found `inf` for z, expected a finite number");
  refused([](BinaryMsh& file) { file.nodes[0].nodes[5].id = std::int64_t{1} << 31; }, "expected a number of at most");
  BinaryMsh square = binary_of(unit_square(3));
  square.nodes[3].nodes.push_back({1, {0, 0, 1}});
  square.elements_of(2, 1).rows[0][1] = 1;
  expect_refused(square.bytes(), "the triangles reach from z = 0 to z = 1");
}

TEST_F(MshRows, HaveEachNumberOnce) {  // also where the second is the first of the next rank
  BinaryMsh good = binary_of(unit_square(2));
  good.nodes.push_back({2, 1, 0, {}});
  std::vector<BinaryMsh::Node> nodes;
  for (const auto& block : good.nodes) nodes.insert(nodes.end(), block.nodes.begin(), block.nodes.end());
  for (const BinaryMsh::Node& node : nodes) {
    good.nodes.back().nodes = {node};
    expect_refused(good.bytes(), message("$Nodes, node {}: is there a second time", node.id));
  }
  good.nodes.pop_back();
  std::vector<std::int64_t> ids;
  for (const auto& block : good.elements) {
    for (const auto& row : block.rows) ids.push_back(row[0]);
  }
  for (const std::int64_t id : ids) {
    good.elements_of(0, 1).rows = {{id, nodes[0].id}};
    if (id != ids[0]) expect_refused(good.bytes(), message("$Elements, element {}: is there a second time", id));
  }
}

TEST_F(MshRows, OfDamagedFilesAreThoseOfOneRankOrNone) {
  const std::string text = binary_of(unit_square(2)).bytes();
  for (std::size_t size = 40; size < text.size() - 1; size += 97) {
    const std::filesystem::path file = put_file(text.substr(0, size));
    EXPECT_NE(fault(file), "") << size;
  }
  std::mt19937 random(3);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  int read = 0, refused = 0;
  for (int trial = 0; trial < 150; ++trial) {
    std::string damaged = text;
    const std::int64_t numbers[] = {0, -1, 1, 7, 2147483647, std::int64_t{1} << 31, std::int64_t{1} << 40};
    const std::int64_t number = numbers[below(7)];
    const std::size_t at = 40 + below(text.size() - 48);
    if (trial % 5 == 0) damaged.erase(at, 1 + below(12));
    const std::size_t size = below(2) == 0 ? 1 : 8;
    damaged.replace(at, size, std::string(reinterpret_cast<const char*>(&number), size));
    const std::filesystem::path file = put_file(damaged);
    std::string obstacle, headers;
    headers = fault_of(true, [&] { obstacle = obstacle_to_rows(comm, file, "a.msh"); });
    if (!obstacle.empty()) continue;
    const std::string on_one = fault_on_one_rank(file), found = fault(file);
    EXPECT_EQ(found.empty(), on_one.empty()) << trial << ": " << found << " / " << on_one;
    EXPECT_TRUE(headers.empty() || !on_one.empty()) << trial << ": " << headers;
    if (on_one.empty() && found.empty()) expect_rows_of(whole(file, 1), read_msh_rows(comm, file, 1, "a.msh"));
    ++(on_one.empty() ? read : refused);
  }
  EXPECT_GT(read, 10);
  EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace solenoid
