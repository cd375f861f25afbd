/// Checkpoint files: what one partition writes another one reads, bit by bit, and what was damaged is noticed.
#include "io/checkpoint_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "run/checkpoints.hpp"
#include "support/files.hpp"
#include "support/meshes.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for all ranks.
class CheckpointFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-XXXXXX").string();
    if (comm.is_root()) {
      ASSERT_NE(mkdtemp(name.data()), nullptr);
    }
    folder = comm.broadcast(name);
    file = folder / "state.h5";
  }
  void TearDown() override {
    comm.barrier();
    if (comm.is_root()) fs::remove_all(folder);
  }
  const Comm comm;
  fs::path folder, file;
};

/// `components` for each owned entity, from its global id alone.
std::vector<real> values_of(const LocalNumbering& numbering, int components) {
  std::vector<real> values;
  for (int i = 0; i < numbering.owned; ++i) {
    for (int k = 0; k < components; ++k) values.push_back(value_of(7 * numbering.global_id[i] + k));
  }
  return values;
}

void write(const Comm& comm, const fs::path& file, const LocalMesh& mesh) {
  CheckpointWriter writer(comm, file, {12, 0.1, 2.5, fingerprint_of(mesh), R"({"a": 1})"});
  writer.number("time", 1.0 / 3);
  writer.number("count", std::int64_t{-5});
  writer.array("vectors", mesh.numbering<Cell>(), values_of(mesh.numbering<Cell>(), 3), 3);
  writer.array("potential", mesh.numbering<Edge>(), values_of(mesh.numbering<Edge>(), 1), 1);
  writer.close();
}

TEST_F(CheckpointFile, IsReadOnAnyPartition) {
  const MeshSource source = unit_cube(3, 0.2);
  for (const NamedPartitioner& before : partitioners()) {
    const auto writes = make_mesh(comm, source, before.partition);
    write(comm, file, *writes);
    for (const NamedPartitioner& after : partitioners()) {
      const auto mesh = make_mesh(comm, source, after.partition);
      CheckpointReader reader(comm, file);
      EXPECT_EQ(reader.header().step, 12);
      EXPECT_EQ(reader.header().time, 0.1);
      EXPECT_EQ(reader.header().wall_seconds, 2.5);
      EXPECT_EQ(reader.header().mesh, fingerprint_of(*mesh)) << before.name << ", " << after.name;
      EXPECT_EQ(reader.header().settings, R"({"a": 1})");
      EXPECT_EQ(reader.number("time"), 1.0 / 3);
      EXPECT_EQ(reader.integer("count"), -5);
      EXPECT_EQ(reader.array("vectors", mesh->numbering<Cell>(), 3), values_of(mesh->numbering<Cell>(), 3));
      EXPECT_EQ(reader.left_over(), std::vector<std::string>{"potential"});
      EXPECT_EQ(reader.array("potential", mesh->numbering<Edge>(), 1), values_of(mesh->numbering<Edge>(), 1));
      EXPECT_TRUE(reader.left_over().empty());
    }
  }
}

TEST_F(CheckpointFile, HasNothingOfOtherNamesAndSizes) {
  const auto mesh = make_mesh(comm, unit_cube(2, 0));
  write(comm, file, *mesh);
  CheckpointReader reader(comm, file);
  EXPECT_FALSE(reader.number("count"));
  EXPECT_FALSE(reader.integer("time"));
  EXPECT_FALSE(reader.array("vectors", mesh->numbering<Cell>(), 1));
  EXPECT_FALSE(reader.array("vectors", mesh->numbering<Face>(), 3));
  EXPECT_FALSE(reader.array("pressure", mesh->numbering<Cell>(), 1));
}

/// Of each part of the file one bit is turned: either it is refused, or nothing of what is read is touched.
TEST_F(CheckpointFile, IsRefusedWhereItIsDamaged) {
  const auto mesh = make_mesh(comm, unit_cube(2, 0));
  write(comm, file, *mesh);
  const std::string whole = content(file);
  comm.barrier();
  int refused = 0;
  const auto read_again = [&](const std::string& damaged) {
    if (comm.is_root()) std::ofstream(file, std::ios::binary) << damaged;
    comm.barrier();
    try {
      CheckpointReader reader(comm, file);
      EXPECT_EQ(reader.header().step, 12);
      EXPECT_EQ(reader.number("time").value_or(1.0 / 3), 1.0 / 3);
      if (const auto vectors = reader.array("vectors", mesh->numbering<Cell>(), 3)) {
        EXPECT_EQ(*vectors, values_of(mesh->numbering<Cell>(), 3));
      }
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_EQ(error.code(), ExitCode::bad_input) << error.what();
      ++refused;
    }
    comm.barrier();
  };
  constexpr std::size_t places = 97;
  for (std::size_t k = 0; k < places; ++k) {
    std::string damaged = whole;
    damaged[k * whole.size() / places] ^= 4;
    read_again(damaged);
  }
  EXPECT_GE(refused, static_cast<int>(places / 2));  // what is not used of the file may be otherwise
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    refused = 0;
    read_again(whole.substr(0, size));
    EXPECT_EQ(refused, 1) << size;
  }
}

/// A node that moved, a region or a patch that is another one.
TEST(Fingerprint, TellsMeshesApart) {
  const MeshSource source = unit_cube(2, 0);
  MeshSource moved = source, other_patches = source;
  moved.points[13].x += 1e-12;
  other_patches = with_patches(source, [](const Vec3& x) { return x.x < 1e-6 ? "left" : "rest"; });
  const Comm comm;
  const std::int64_t known = fingerprint_of(*make_mesh(comm, source));
  for (const NamedPartitioner& p : partitioners()) {
    EXPECT_EQ(fingerprint_of(*make_mesh(comm, source, p.partition)), known) << p.name;
  }
  EXPECT_NE(fingerprint_of(*make_mesh(comm, moved)), known);
  EXPECT_NE(fingerprint_of(*make_mesh(comm, other_patches)), known);
}

}  // namespace
}  // namespace solenoid::test
