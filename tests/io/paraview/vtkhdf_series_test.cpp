/// One file for a series: what its lists say lies where they say, on 1, 2, 3 ... ranks, one of them empty; runs that go
/// on, on other ranks, with other arrays, and behind one that died while it wrote.
#include "io/paraview/vtkhdf_series.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "io/hdf5/hdf5_objects.hpp"
#include "io/paraview/result_output.hpp"
#include "io/paraview/vtkhdf_file.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
using hdf5::Handle;

/// Two triangles at x >= 10 * rank; nothing where `filled` is false.
VtkPiece strip_of(int rank, bool filled) {
  VtkPiece piece;
  if (!filled) return piece;
  const real x = 10 * static_cast<real>(rank);
  piece.points = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x + 1, 1, 0}};
  for (int k = 0; k < 4; ++k) piece.point_ids.push_back((std::int64_t{1} << 40) + 100 * rank + k);
  piece.cells = {0, 1, 2, 1, 3, 2};
  piece.cell_ids = {1000 * rank, 1000 * rank + 1};
  piece.point_ranks.assign(4, rank);
  piece.cell_ranks.assign(2, rank);
  return piece;
}

real value_of(std::int64_t id, int step, int component) {
  return static_cast<real>(id % 1024) / 3 + 1000 * static_cast<real>(component) + 7 * static_cast<real>(step);
}

VtkArray array_of(const std::string& name, int components, const std::vector<std::int64_t>& ids, int step) {
  VtkArray array{name, components, {}};
  for (const std::int64_t id : ids) {
    for (int k = 0; k < components; ++k) array.values.push_back(value_of(id, step, k));
  }
  return array;
}

void write(VtkHdfSeries& series, int step, const VtkPiece& piece, const std::string& at_points = "velocity") {
  series.write(step, 0.5 * step, piece, {array_of(at_points, 3, piece.point_ids, step)},
               {array_of("pressure", 1, piece.cell_ids, step)});
}

/// What a file has, read by one rank.
class Content {
 public:
  explicit Content(const fs::path& path) : file_(vtkhdf::open_file(Comm(MPI_COMM_SELF), path, H5F_ACC_RDONLY)) {
    EXPECT_TRUE(file_.is_there() && lists.read(file_)) << path;
  }

  template <class T>
  std::vector<T> all(const std::string& name) const {
    const Handle array(H5Dopen2(file_, ("/VTKHDF/" + name).c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(H5Dget_type(array), H5Tclose);
    EXPECT_GT(H5Tequal(type, hdf5::type_of<T>()), 0) << name;
    std::vector<T> values;
    EXPECT_TRUE(hdf5::read_rows(array, values)) << name;
    return values;
  }
  std::int64_t outputs() const {
    const Handle steps(H5Gopen2(file_, "/VTKHDF/Steps", H5P_DEFAULT), H5Gclose);
    return hdf5::read_attribute<std::int64_t>(steps, "NSteps").value_or(-1);
  }
  /// At the points of an output, by global id: the values, `components` each.
  std::map<std::int64_t, std::vector<real>> at_points(std::size_t output, const std::string& name,
                                                      int components) const {
    const auto ids = all<std::int64_t>("PointData/global_id");
    const auto values = all<real>("PointData/" + name);
    const auto first_row = all<std::int64_t>("Steps/PointDataOffsets/" + name);
    std::map<std::int64_t, std::vector<real>> found;
    std::int64_t row = first_row[output], point = lists.first_point[output];
    for (std::int64_t part = 0; part < lists.parts[output]; ++part) {
      for (std::int64_t k = lists.points[lists.first_part[output] + part]; k > 0; --k, ++row, ++point) {
        const auto begin = values.begin() + row * components;
        found[ids[point]] = {begin, begin + components};
      }
    }
    return found;
  }

  VtkHdfLists lists;

 private:
  Handle file_;
};

class VtkHdf : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-vtkhdf-XXXXXX").string();
    if (comm.is_root() && !mkdtemp(name.data())) comm.abort(ExitCode::failure);
    folder = comm.broadcast(name);
    file = folder / "fields.vtkhdf";
  }
  void TearDown() override {
    comm.barrier();
    if (comm.is_root()) fs::remove_all(folder);
  }
  VtkPiece piece() const { return strip_of(comm.rank(), comm.rank() != 1); }  ///< rank 1 has nothing
  std::int64_t filled_ranks() const { return comm.size() > 1 ? comm.size() - 1 : 1; }
  OutputFolder going_on_from(std::int64_t step) const {
    OutputFolder results(folder);
    results.go_on_from({step, 0.5 * static_cast<double>(step)});
    return results;
  }
  void expect_values(const Content& content, std::size_t output, int step, std::int64_t ranks) const {
    const auto found = content.at_points(output, "velocity", 3);
    EXPECT_EQ(static_cast<std::int64_t>(found.size()), 4 * ranks);
    for (const auto& [id, values] : found) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(values[k], value_of(id, step, k)) << id;
    }
  }

  const Comm comm;
  fs::path folder, file;
};

TEST_F(VtkHdf, EachOutputLiesWhereTheListsSay) {
  VtkHdfSeries series(comm, OutputFolder(folder), "fields");
  for (const int step : {0, 4, 9}) {
    write(series, step, piece());
    if (!comm.is_root()) continue;
    const Content content(file);  // whole after each one
    EXPECT_EQ(content.outputs(), static_cast<std::int64_t>(content.lists.size()));
    EXPECT_EQ(content.lists.steps.back(), step);
  }
  if (!comm.is_root()) return;
  const Content content(file);
  const std::vector<std::int64_t> none{0, 0, 0};
  const std::int64_t ranks = filled_ranks();
  EXPECT_EQ(content.lists.steps, (std::vector<std::int64_t>{0, 4, 9}));
  EXPECT_EQ(content.all<double>("Steps/Values"), (std::vector<double>{0, 2, 4.5}));
  EXPECT_EQ(content.all<std::int64_t>("Steps/NumberOfParts"), std::vector<std::int64_t>(3, comm.size()));
  for (const char* name : {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"}) {
    EXPECT_EQ(content.all<std::int64_t>(std::string("Steps/") + name), none) << name;  // one mesh
  }
  EXPECT_EQ(content.all<std::int64_t>("NumberOfPoints").size(), static_cast<std::size_t>(comm.size()));
  EXPECT_EQ(content.all<real>("Points").size(), static_cast<std::size_t>(3 * 4 * ranks));
  EXPECT_EQ(content.all<std::uint8_t>("Types"), std::vector<std::uint8_t>(2 * ranks, 5));
  EXPECT_EQ(content.all<std::int64_t>("Connectivity").size(), static_cast<std::size_t>(6 * ranks));
  const auto offsets = content.all<std::int64_t>("Offsets");  // one more than cells in each part, an empty one too
  EXPECT_EQ(offsets.size(), static_cast<std::size_t>(2 * ranks + comm.size()));
  EXPECT_EQ(offsets[0] + offsets[1] + offsets[2], 0 + 3 + 6);
  EXPECT_EQ(content.all<std::uint8_t>("CellData/vtkGhostType"), std::vector<std::uint8_t>(2 * ranks, 0));
  EXPECT_EQ(content.all<int>("CellData/rank").back(), comm.size() == 2 ? 0 : comm.size() - 1);
  EXPECT_EQ(content.all<real>("CellData/pressure").size(), static_cast<std::size_t>(3 * 2 * ranks));
  for (std::size_t k = 0; k < 3; ++k) expect_values(content, k, static_cast<int>(content.lists.steps[k]), ranks);
}

TEST_F(VtkHdf, GoesOnBehindTheStepOnOtherRanks) {
  {
    VtkHdfSeries series(comm, OutputFolder(folder), "fields");
    for (const int step : {0, 4, 9, 12}) write(series, step, piece());
  }
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(comm.handle(), comm.rank(), 0, &own);
  if (comm.is_root()) {
    VtkHdfSeries series(Comm(own), going_on_from(9), "fields");
    for (const int step : {11, 13}) write(series, step, strip_of(0, true));
    const Content content(file);
    EXPECT_EQ(content.lists.steps, (std::vector<std::int64_t>{0, 4, 9, 11, 13}));
    const bool is_same = comm.size() == 1;  // the mesh is not written once more
    EXPECT_EQ(content.lists.points.size(), static_cast<std::size_t>(comm.size() + (is_same ? 0 : 1)));
    EXPECT_EQ(content.lists.first_part.back(), is_same ? 0 : comm.size());
    for (std::size_t k = 0; k < 5; ++k) {
      expect_values(content, k, static_cast<int>(content.lists.steps[k]), k < 3 ? filled_ranks() : 1);
    }
  }
  MPI_Comm_free(&own);
  comm.barrier();
  VtkHdfSeries again(comm, going_on_from(11), "fields");
  write(again, 12, piece());
  if (!comm.is_root()) return;
  const Content content(file);
  EXPECT_EQ(content.lists.steps, (std::vector<std::int64_t>{0, 4, 9, 11, 12}));
  expect_values(content, 3, 11, 1);
  expect_values(content, 4, 12, filled_ranks());
}

TEST_F(VtkHdf, GoesOnFarBehindItsEnd) {
  {
    VtkHdfSeries series(comm, OutputFolder(folder), "fields");
    for (const int step : {0, 4, 9, 12, 14}) write(series, step, piece());
  }
  VtkHdfSeries series(comm, going_on_from(4), "fields");
  write(series, 7, piece());
  if (!comm.is_root()) return;
  const Content content(file);
  EXPECT_EQ(content.lists.steps, (std::vector<std::int64_t>{0, 4, 7}));
  EXPECT_EQ(content.lists.times, (std::vector<double>{0, 2, 3.5}));
  for (std::size_t k = 0; k < 3; ++k) {
    expect_values(content, k, static_cast<int>(content.lists.steps[k]), filled_ranks());
  }
}

TEST_F(VtkHdf, IsCutBehindAMomentInStepOrInTime) {
  using Steps = std::vector<std::int64_t>;
  VtkHdfSeries series(comm, OutputFolder(folder), "fields");
  for (const int step : {0, 4, 9, 12}) write(series, step, piece());  // each at half its number
  if (!comm.is_root()) return;
  EXPECT_EQ(cut_vtkhdf_series(file, {12, 6}), Steps{});
  EXPECT_EQ(cut_vtkhdf_series(file, {10, 6}), Steps{12});
  EXPECT_EQ(Content(file).lists.steps, (Steps{0, 4, 9}));
  EXPECT_EQ(cut_vtkhdf_series(file, {20, 2.5}), Steps{9});
  const Content content(file);
  EXPECT_EQ(content.lists.steps, (Steps{0, 4}));
  for (std::size_t k = 0; k < 2; ++k) expect_values(content, k, k == 0 ? 0 : 4, filled_ranks());
  EXPECT_EQ(cut_vtkhdf_series(file, {0, -1}), (Steps{0, 4}));
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(cut_vtkhdf_series(file, {0, -1}), Steps{});
}

TEST_F(VtkHdf, WhatAnOutputLacksIsNoNumber) {
  {
    VtkHdfSeries series(comm, OutputFolder(folder), "fields");
    write(series, 0, piece(), "velocity");
  }
  VtkHdfSeries series(comm, going_on_from(0), "fields");
  write(series, 1, piece(), "heat_flux");
  if (!comm.is_root()) return;
  const Content content(file);
  expect_values(content, 0, 0, filled_ranks());
  for (const auto& [id, values] : content.at_points(1, "velocity", 3)) EXPECT_TRUE(std::isnan(values[2])) << id;
  for (const auto& [id, values] : content.at_points(0, "heat_flux", 3)) EXPECT_TRUE(std::isnan(values[0])) << id;
  for (const auto& [id, values] : content.at_points(1, "heat_flux", 3)) EXPECT_EQ(values[2], value_of(id, 1, 2));
}

TEST_F(VtkHdf, KnowsWhichOutputsShowAPart) {
  VtkPiece part = piece();
  part.cells_of_mesh = std::int64_t{1} << 40;
  {
    VtkHdfSeries series(comm, OutputFolder(folder), "fields");
    write(series, 1, piece());
    write(series, 2, part);
  }
  if (comm.is_root()) {
    EXPECT_TRUE(read_vtkhdf_output(file)->is_part());
    cut_vtkhdf_series(file, {1, 0.5});
    EXPECT_FALSE(read_vtkhdf_output(file)->is_part());
    const Handle older = vtkhdf::open_file(Comm(MPI_COMM_SELF), file, H5F_ACC_RDWR);  // without that list
    for (const char* name : {"/Solenoid/a/CellsOfMesh", "/Solenoid/b/CellsOfMesh"})
      EXPECT_GE(H5Ldelete(older, name, H5P_DEFAULT), 0);
  }
  comm.barrier();
  VtkHdfSeries series(comm, going_on_from(1), "fields");
  if (comm.is_root()) {
    EXPECT_FALSE(read_vtkhdf_output(file)->is_part());
  }
  comm.barrier();
  write(series, 3, part);
  if (!comm.is_root()) return;
  EXPECT_TRUE(read_vtkhdf_output(file)->is_part());
  EXPECT_EQ(Content(file).lists.cells_of_mesh, (std::vector<std::int64_t>{0, std::int64_t{1} << 40}));
}

TEST_F(VtkHdf, AHalfWrittenOutputIsLeftBehind) {
  {
    VtkHdfSeries series(comm, OutputFolder(folder), "fields");
    for (const int step : {0, 4}) write(series, step, piece());
  }
  if (comm.is_root()) {  // as a run leaves it that dies while it writes
    const Comm alone(MPI_COMM_SELF);
    const Handle broken = vtkhdf::open_file(alone, file, H5F_ACC_RDWR);
    ASSERT_TRUE(vtkhdf::set_unfinished(alone, broken, true));
    const Handle velocity(H5Dopen2(broken, "/VTKHDF/PointData/velocity", H5P_DEFAULT), H5Dclose);
    ASSERT_TRUE(hdf5::set_rows(velocity, 1000));
  }
  comm.barrier();
  VtkHdfSeries series(comm, going_on_from(4), "fields");
  write(series, 7, piece());
  if (!comm.is_root()) return;
  const Content content(file);
  EXPECT_EQ(content.lists.steps, (std::vector<std::int64_t>{0, 4, 7}));
  EXPECT_EQ(content.all<real>("PointData/velocity").size(), static_cast<std::size_t>(3 * 3 * 4 * filled_ranks()));
  for (std::size_t k = 0; k < 3; ++k) {
    expect_values(content, k, static_cast<int>(content.lists.steps[k]), filled_ranks());
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(VtkHdf, FailuresReachEveryRank) {
  const auto said = [&](const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_EQ(error.code(), ExitCode::failure);
      return std::string(error.what());
    }
    return std::string();
  };
  VtkHdfSeries nowhere(comm, OutputFolder(folder / "gone"), "fields");
  EXPECT_NE(said([&] { write(nowhere, 0, piece()); }).find("fields.vtkhdf: cannot be written"), std::string::npos);
  VtkHdfSeries series(comm, OutputFolder(folder), "fields");
  EXPECT_NE(said([&] {
              series.write(0, 0, piece(), {{"velocity", 3, {1}}}, {});
            }).find("output array `velocity`"),
            std::string::npos);
  if (comm.is_root()) std::fclose(std::fopen(file.c_str(), "w"));
  comm.barrier();
  EXPECT_NE(said([&] { VtkHdfSeries empty(comm, OutputFolder(folder), "fields"); }).find("cannot be read"),
            std::string::npos);
}

}  // namespace
}  // namespace solenoid
