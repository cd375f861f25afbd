/// Checkpoint files: what one partition writes another one reads, bit by bit, and what was damaged is noticed.
#include "io/checkpoint/checkpoint_file.hpp"

#include <gtest/gtest.h>

#include "io/checkpoint/file_seal.hpp"
#include "io/hdf5/hdf5_objects.hpp"
#include "mesh/mesh_fingerprint.hpp"
#include "mesh/mesh_rows.hpp"
#include "support/files.hpp"
#include "support/meshes.hpp"
#include "support/shared_folder.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

namespace fs = std::filesystem;

class CheckpointFile : public SharedFolder {
 protected:
  const fs::path file = folder / "state.h5";
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
  writer.list("series", {0.25, -1e300, 1.0 / 3, 4, 5});
  writer.list("nothing", {});
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
      EXPECT_EQ(reader.list("series"), (std::vector<double>{0.25, -1e300, 1.0 / 3, 4, 5}));
      EXPECT_EQ(reader.list("nothing"), std::vector<double>());
      EXPECT_FALSE(reader.list("count"));
      EXPECT_EQ(reader.array("vectors", mesh->numbering<Cell>(), 3), values_of(mesh->numbering<Cell>(), 3));
      EXPECT_EQ(reader.left_over(), std::vector<std::string>{"potential"});
      EXPECT_EQ(reader.array("potential", mesh->numbering<Edge>(), 1), values_of(mesh->numbering<Edge>(), 1));
      EXPECT_TRUE(reader.left_over().empty());
    }
  }
}

/// Points, cells and groups as they were, for a mesh of either dimension.
TEST_F(CheckpointFile, HasTheMeshAsItWasRead) {
  for (const auto& [dimension, is_shared] : {std::pair(2, false), {3, false}, {2, true}, {3, true}}) {
    MeshSource source = with_patches(dimension == 2 ? unit_square(4) : unit_cube(2, 0.1),
                                     [](const Vec3& x) { return x.x < 1e-6 ? "left side" : "rest"; });
    source.regions = {"fluid"};
    source.cell_region.assign(source.cell_region.size(), 0);
    source.cell_region.front() = -1;
    source.origin = 0xfedcba9876543210;
    {
      CheckpointWriter writer(comm, file, {});
      std::optional<MeshSource> mesh = comm.is_root() ? std::optional(source) : std::nullopt;
      if (is_shared) mesh = shared_by_rows(comm, std::move(mesh));
      if (is_shared) {
        EXPECT_LE(mesh->cells.size() / (dimension + 1), source.cell_ids.size() / comm.size() + 1);
      }
      writer.mesh(mesh);
      writer.close();
    }
    const std::optional<MeshSource> found = CheckpointReader(comm, file).mesh();
    ASSERT_EQ(found.has_value(), comm.is_root());
    if (!found) continue;
    EXPECT_EQ(found->dimension, dimension);
    EXPECT_EQ(found->origin, source.origin);
    EXPECT_EQ(found->name, file.string());
    ASSERT_EQ(found->points.size(), source.points.size());
    for (std::size_t k = 0; k < source.points.size(); ++k) {
      EXPECT_EQ(norm(found->points[k] - source.points[k]), 0) << k;
    }
    EXPECT_EQ(found->cells, source.cells);
    EXPECT_EQ(found->cell_region, source.cell_region);
    EXPECT_EQ(found->regions, source.regions);
    EXPECT_EQ(found->boundary_faces, source.boundary_faces);
    EXPECT_EQ(found->boundary_patch, source.boundary_patch);
    EXPECT_EQ(found->patches, source.patches);
    EXPECT_EQ(found->cell_ids.size(), source.cell_ids.size());
  }
}

TEST_F(CheckpointFile, IsRefusedWhereItsMeshDoesNotHangTogether) {
  const auto expect_refused = [&](const std::optional<MeshSource>& mesh) {
    {
      CheckpointWriter writer(comm, file, {});
      if (mesh) writer.mesh(comm.is_root() ? mesh : std::nullopt);
      writer.close();
    }
    const CheckpointReader reader(comm, file);
    try {
      reader.mesh();
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      EXPECT_NE(std::string(error.what()).find("its mesh differs from that written"), std::string::npos)
          << error.what();
    }
    comm.barrier();
  };
  expect_refused(std::nullopt);
  MeshSource mesh = unit_cube(2, 0);
  mesh.cells[5] = static_cast<int>(mesh.points.size());
  expect_refused(mesh);
  mesh = unit_cube(2, 0);
  mesh.cell_region.pop_back();
  expect_refused(mesh);
  mesh = unit_cube(2, 0);
  mesh.boundary_patch[3] = -1;
  expect_refused(mesh);
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

/// Of each part of the file one bit is turned.
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
  EXPECT_EQ(refused, static_cast<int>(places));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{100}, std::size_t{24}, whole.size() / 2, whole.size() - 1}) {
    refused = 0;
    read_again(whole.substr(0, size));
    EXPECT_EQ(refused, 1) << size;
  }
}

/// Whole to its seal, and other than what Solenoid writes.
TEST_F(CheckpointFile, IsRefusedWhereItsContentIsAnother) {
  const auto mesh = make_mesh(comm, unit_cube(2, 0));
  const auto fault_of = [&](const std::function<void(hid_t)>& change) {
    write(comm, file, *mesh);
    if (comm.is_root()) {
      const hdf5::Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);  // its end is no seal then
      EXPECT_TRUE(opened.is_there());
      change(opened);
    }
    comm.barrier();
    seal_file(comm, file);
    try {
      CheckpointReader reader(comm, file);
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const auto put = [](hid_t opened, const char* name, hid_t type, std::vector<hsize_t> size) {
    H5Ldelete(opened, name, H5P_DEFAULT);
    const hdf5::Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    const hdf5::Handle made(H5Dcreate2(opened, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    EXPECT_TRUE(made.is_there());
  };
  EXPECT_EQ(fault_of([&](hid_t) {}), "nothing");
  const std::string name = file.string() + ": is broken: ", too_large = " has more values than the file has bytes";
  EXPECT_EQ(fault_of([&](hid_t f) {
              put(f, "arrays/vectors", H5T_NATIVE_DOUBLE, {hsize_t{1} << 40, 3});
            }),
            name + "`vectors`" + too_large);
  EXPECT_EQ(fault_of([&](hid_t f) {
              put(f, "arrays/x", H5T_NATIVE_DOUBLE, {1, hsize_t{1} << 31});
            }),
            name + "`x`" + too_large);
  EXPECT_EQ(fault_of([&](hid_t f) { put(f, "arrays/x", H5T_STD_REF_OBJ, {1, 1}); }), name + "`x` cannot be read");
  EXPECT_EQ(fault_of([&](hid_t f) { put(f, "case", hdf5::text_type(H5T_VARIABLE), {1}); }),
            name + "its case differs from that written");
  EXPECT_EQ(fault_of([](hid_t f) {
              H5Adelete(f, "step");
              const hsize_t several = 1000;
              const hdf5::Handle space(H5Screate_simple(1, &several, nullptr), H5Sclose);
              H5Aclose(H5Acreate2(f, "step", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT));
            }),
            name + "its header is incomplete");
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
