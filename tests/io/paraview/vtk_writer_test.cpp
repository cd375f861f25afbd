/// The ParaView series: what VTK reads back on 1, 2, 3 ... ranks, one of them empty, and failures that reach every
/// rank.
#include "io/paraview/vtk_writer.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLMultiBlockDataReader.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <fstream>
#include <random>

#include "base/error.hpp"
#include "support/files.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
using test::content;

/// One folder for all ranks.
class VtkWriter : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-vtk-XXXXXX").string();
    if (comm.is_root() && !mkdtemp(name.data())) comm.abort(ExitCode::failure);
    folder = comm.broadcast(name);
  }
  void TearDown() override {
    comm.barrier();
    if (comm.is_root()) fs::remove_all(folder);
  }
  bool has_cells() const { return comm.rank() != 1; }  ///< rank 1 has none
  int filled_ranks() const { return comm.size() > 1 ? comm.size() - 1 : 1; }

  const Comm comm;
  fs::path folder;
};

/// Two triangles of a strip along x, or one tetrahedron, at x >= 10 * rank; nothing where `filled` is false.
VtkPiece piece_of(int dimension, int rank, bool filled) {
  VtkPiece piece;
  piece.dimension = dimension;
  if (!filled) return piece;
  const real x = 10 * static_cast<real>(rank);
  piece.points = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x + 1, 1, dimension == 3 ? real(1) : real(0)}};
  for (int k = 0; k < 4; ++k) piece.point_ids.push_back((std::int64_t{1} << 40) + 100 * rank + k);
  piece.cells = dimension == 2 ? std::vector<int>{0, 1, 2, 1, 3, 2} : std::vector<int>{0, 1, 2, 3};
  for (int k = 0; k < (dimension == 2 ? 2 : 1); ++k) piece.cell_ids.push_back(1000 * rank + k);
  piece.point_ranks.assign(piece.points.size(), rank);
  piece.cell_ranks.assign(piece.cell_ids.size(), rank);
  return piece;
}
real point_value(std::int64_t id, int component) {
  return static_cast<real>(id % 1000) / 3 + 1000 * static_cast<real>(component);
}
real cell_value(std::int64_t id) { return -static_cast<real>(id) / 7; }

std::vector<VtkArray> point_data(const VtkPiece& piece) {
  VtkArray velocity{"velocity", 3, {}};
  for (const std::int64_t id : piece.point_ids) {
    for (int k = 0; k < 3; ++k) velocity.values.push_back(point_value(id, k));
  }
  return {velocity};
}
std::vector<VtkArray> cell_data(const VtkPiece& piece) {
  VtkArray pressure{"pressure", 1, {}};
  for (const std::int64_t id : piece.cell_ids) pressure.values.push_back(cell_value(id));
  return {pressure};
}

TEST_F(VtkWriter, VtkReadsWhatWasWritten) {
  for (const int dimension : {2, 3}) {
    const VtkPiece piece = piece_of(dimension, comm.rank(), has_cells());
    VtkSeries series(comm, folder, "d" + std::to_string(dimension));
    series.write(123, 0.25, piece, point_data(piece), cell_data(piece));

    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    const fs::path file = folder / ("d" + std::to_string(dimension) + "_000123.pvtu");
    ASSERT_TRUE(fs::exists(file));
    reader->SetFileName(file.c_str());
    reader->Update();
    vtkUnstructuredGrid* grid = reader->GetOutput();
    ASSERT_EQ(grid->GetNumberOfPoints(), 4 * filled_ranks());
    ASSERT_EQ(grid->GetNumberOfCells(), (dimension == 2 ? 2 : 1) * filled_ranks());
    vtkDataArray* point_ids = grid->GetPointData()->GetGlobalIds();
    vtkDataArray* cell_ids = grid->GetCellData()->GetGlobalIds();
    vtkDataArray* velocity = grid->GetPointData()->GetArray("velocity");
    vtkDataArray* pressure = grid->GetCellData()->GetArray("pressure");
    vtkDataArray* rank = grid->GetCellData()->GetArray("rank");
    ASSERT_TRUE(point_ids && cell_ids && velocity && pressure && rank);
    EXPECT_STREQ(point_ids->GetName(), "global_id");
    EXPECT_STREQ(cell_ids->GetName(), "global_id");
    EXPECT_EQ(velocity->GetNumberOfComponents(), 3);
    EXPECT_EQ(velocity->GetDataTypeSize(), static_cast<int>(sizeof(real)));
    for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
      const std::int64_t id = point_ids->GetVariantValue(p).ToLongLong();
      EXPECT_GE(id, std::int64_t{1} << 40);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(velocity->GetComponent(p, k), point_value(id, k));
      EXPECT_EQ(grid->GetPoint(p)[0], 10. * double(id % 1024 / 100) + double(id % 1024 % 100 % 2));
    }
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      const std::int64_t id = cell_ids->GetVariantValue(c).ToLongLong();
      EXPECT_EQ(pressure->GetComponent(c, 0), cell_value(id));
      EXPECT_EQ(rank->GetComponent(c, 0), double(id / 1000));
      EXPECT_EQ(grid->GetCellType(c), dimension == 2 ? VTK_TRIANGLE : VTK_TETRA);
    }
    ASSERT_NE(grid->GetFieldData()->GetArray("TimeValue"), nullptr);
    EXPECT_EQ(grid->GetFieldData()->GetArray("TimeValue")->GetComponent(0, 0), 0.25);
  }
}

TEST_F(VtkWriter, CellsNameTheirRegion) {
  VtkPiece piece = piece_of(2, comm.rank(), has_cells());
  piece.has_regions = true;
  for (const std::int64_t id : piece.cell_ids) piece.cell_region.push_back(static_cast<int>(id % 2));
  VtkSeries(comm, folder, "fields").write(0, 0, piece, {}, {});
  vtkNew<vtkXMLPUnstructuredGridReader> reader;
  const fs::path file = folder / "fields_000000.pvtu";
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkCellData* data = reader->GetOutput()->GetCellData();
  ASSERT_TRUE(data->GetArray("region"));
  ASSERT_EQ(data->GetArray("region")->GetNumberOfTuples(), 2 * filled_ranks());
  for (vtkIdType c = 0; c < 2 * filled_ranks(); ++c)
    EXPECT_EQ(data->GetArray("region")->GetComponent(c, 0), data->GetGlobalIds()->GetVariantValue(c).ToInt() % 2);
}

/// A strip of `count` boundary faces.
VtkSurface surface_of(const std::string& name, int dimension, int count) {
  VtkSurface surface;
  surface.name = name;
  surface.dimension = dimension;
  for (int k = 0; k < count + dimension - 1; ++k) {
    surface.points.push_back({real(k), real(k % 2), 0});
    surface.point_ids.push_back(100 + k);
  }
  for (int f = 0; f < count; ++f) {
    for (int k = 0; k < dimension; ++k) surface.faces.push_back(f + k);
    surface.face_ids.push_back(200 + f);
    surface.cell_ids.push_back(300 + f);
    surface.ranks.push_back(f % 3);
  }
  return surface;
}

TEST_F(VtkWriter, SurfacesKeepTheNamesOfTheirGroups) {
  const std::vector<std::string> names{"lid", "wall/left & <\"right\">", "wall left", "wall_left", "..", "Zufluß"};
  for (const int dimension : {2, 3}) {
    if (comm.is_root()) {
      std::vector<VtkSurface> surfaces;
      for (std::size_t i = 0; i < names.size(); ++i) {
        surfaces.push_back(surface_of(names[i], dimension, static_cast<int>(i)));  // the first one is empty
        surfaces.back().patch = static_cast<int>(i);
      }
      write_vtk_surfaces(folder, "patches", surfaces);

      vtkNew<vtkXMLMultiBlockDataReader> reader;
      const fs::path file = folder / "patches.vtm";
      reader->SetFileName(file.c_str());
      reader->Update();
      auto* blocks = vtkMultiBlockDataSet::SafeDownCast(reader->GetOutput());
      ASSERT_TRUE(blocks);
      ASSERT_EQ(blocks->GetNumberOfBlocks(), names.size());
      for (unsigned i = 0; i < names.size(); ++i) {
        EXPECT_EQ(blocks->GetMetaData(i)->Get(vtkCompositeDataSet::NAME()), names[i]);
        auto* data = vtkPolyData::SafeDownCast(blocks->GetBlock(i));
        ASSERT_TRUE(data) << names[i];
        ASSERT_EQ(data->GetNumberOfCells(), i);
        for (vtkIdType f = 0; f < data->GetNumberOfCells(); ++f) {
          EXPECT_EQ(data->GetCellType(f), dimension == 2 ? VTK_LINE : VTK_TRIANGLE);
          const std::pair<const char*, double> expected[] = {
              {"global_id", 200 + f}, {"cell_id", 300 + f}, {"rank", f % 3}, {"patch", i}};
          for (const auto& [array, value] : expected) {
            ASSERT_TRUE(data->GetCellData()->GetArray(array)) << array;
            EXPECT_EQ(data->GetCellData()->GetArray(array)->GetComponent(f, 0), value) << array;
          }
        }
        EXPECT_EQ(data->GetPoint(0)[0], 0);
        EXPECT_EQ(data->GetPointData()->GetGlobalIds()->GetVariantValue(0).ToInt(), 100);
      }
    }
    std::vector<std::string> files;
    comm.barrier();
    for (const auto& entry : fs::directory_iterator(folder / "patches")) files.push_back(entry.path().filename());
    comm.barrier();  // before rank 0 writes the next ones
    std::sort(files.begin(), files.end());
    EXPECT_EQ(files, (std::vector<std::string>{"Zufluß.vtp", "_...vtp", "lid.vtp", "wall_left.vtp", "wall_left_.vtp",
                                               "wall_left_____right__.vtp"}));
  }
}

TEST_F(VtkWriter, PiecesAreCompressedAppendedRawAnd64Bit) {
  const VtkPiece piece = piece_of(2, comm.rank(), has_cells());
  VtkSeries(comm, folder, "fields").write(0, 0, piece, point_data(piece), cell_data(piece));
  const std::string text =
      content(folder / "fields_000000" / ("fields_000000_" + std::to_string(comm.rank()) + ".vtu"));
  for (const char* part :
       {"version=\"1.0\"", "header_type=\"UInt64\"", "vtkZLibDataCompressor", "<AppendedData encoding=\"raw\">"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST_F(VtkWriter, WhatDoesNotGetSmallerIsKeptAsItIs) {
  constexpr int count = 20000;
  VtkPiece piece = piece_of(3, 0, true);
  piece.points.resize(count, Vec3{});
  piece.point_ids.resize(count);
  std::mt19937_64 random(1);
  VtkArray noise{"noise", 1, {}}, none{"noise", 1, std::vector<real>(count, 0)};
  for (int k = 0; k < count; ++k) noise.values.push_back(std::uniform_real_distribution<real>(1, 2)(random));
  const std::string rank = std::to_string(comm.rank());
  const fs::path with_noise = folder / ("noise_" + rank + ".vtu"), without = folder / ("zeros_" + rank + ".vtu");
  write_vtu(with_noise, piece, {noise}, {});
  write_vtu(without, piece, {none}, {});
  const auto more = static_cast<double>(fs::file_size(with_noise)) - static_cast<double>(fs::file_size(without));
  EXPECT_LT(static_cast<double>(fs::file_size(without)), .1 * count * sizeof(real));
  EXPECT_GT(more, .98 * count * sizeof(real));
  EXPECT_LT(more, 1.01 * count * sizeof(real));

  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(with_noise.c_str());
  reader->Update();
  vtkDataArray* const read = reader->GetOutput()->GetPointData()->GetArray("noise");
  ASSERT_TRUE(read && read->GetNumberOfTuples() == count);
  for (int k = 0; k < count; ++k) ASSERT_EQ(read->GetComponent(k, 0), noise.values[k]) << k;
}

TEST_F(VtkWriter, AnOutputDoesNotDependOnTheOneBefore) {
  VtkPiece piece = piece_of(3, comm.rank(), has_cells());
  piece.points.resize(3000, Vec3{real(comm.rank()), 0, 0});
  piece.point_ids.resize(3000);
  piece.point_ranks.resize(3000);
  const auto values = [](int sign) {
    VtkArray array{"count", 1, {}};
    for (int k = 0; k < 3000; ++k) array.values.push_back(static_cast<real>(sign * (k / 100)));
    return array;
  };
  VtkSeries series(comm, folder, "fields"), fresh(comm, folder, "fresh");
  const std::vector<VtkArray> in_cells = cell_data(piece);
  series.write(0, 0, piece, {values(1)}, in_cells);
  series.write(1, 0, piece, {values(-1)}, in_cells);
  piece.points[2999].y = 1;
  series.write(2, 0, piece, {values(-1), values(1)}, in_cells);
  fresh.write(2, 0, piece, {values(-1), values(1)}, in_cells);
  const auto file = [&](const std::string& step) {
    return content(folder / step / (step + "_" + std::to_string(comm.rank()) + ".vtu"));
  };
  EXPECT_EQ(file("fields_000002"), file("fresh_000002"));
  EXPECT_NE(file("fields_000001"), file("fields_000000"));
}

TEST_F(VtkWriter, TheSeriesNamesEveryStepAndGoesOnAfterARestart) {
  const VtkPiece piece = piece_of(2, comm.rank(), has_cells());
  const auto lines = [&] {
    comm.barrier();
    std::vector<std::string> found;
    std::ifstream in(folder / "fields.pvd");
    for (std::string line; std::getline(in, line);) {
      if (line.find("<DataSet") != std::string::npos) found.push_back(line.substr(line.find('<')));
    }
    comm.barrier();
    return found;
  };
  const auto entry = [](const std::string& time, const std::string& step) {
    return "<DataSet timestep=\"" + time + "\" group=\"\" part=\"0\" file=\"fields_" + step + ".pvtu\"/>";
  };
  OutputFolder results(folder);
  if (comm.is_root()) results = {folder, std::make_shared<OutputList>(folder, [](const std::string&) {})};
  VtkSeries first(comm, results, "fields");
  first.write(0, 0, piece, {}, {});
  EXPECT_EQ(lines(), std::vector<std::string>{entry("0", "000000")});
  first.write(10, 0.1, piece, {}, {});
  first.write(20, 1.0 / 3, piece, {}, {});
  EXPECT_EQ(lines(), (std::vector<std::string>{entry("0", "000000"), entry("0.1", "000010"),
                                               entry("0.3333333333333333", "000020")}));
  const fs::path stale = folder / "fields_000010" / "fields_000010_99.vtu";
  const fs::path notes = folder / "fields_000010" / "notes.txt";
  if (comm.is_root()) {
    std::ofstream(results.file("fields_000010/fields_000010_99.vtu")) << "of a run on more ranks";
    std::ofstream(notes) << "of the user";
  }
  comm.barrier();

  VtkSeries restarted(comm, results, "fields");
  restarted.write(10, 0.125, piece, {}, {});
  EXPECT_EQ(lines(), (std::vector<std::string>{entry("0", "000000"), entry("0.125", "000010")}));
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_TRUE(fs::exists(notes));
  for (const auto& file : fs::directory_iterator(folder)) EXPECT_NE(file.path().extension(), ".part") << file.path();
}

TEST_F(VtkWriter, ASeriesMayHaveANameThatMeansSomethingInXml) {
  const VtkPiece piece = piece_of(2, comm.rank(), has_cells());
  const std::string name = "drag & <\"lift\">'";
  VtkSeries(comm, folder, name).write(0, 0, piece, point_data(piece), {});
  VtkSeries(comm, folder, name).write(1, 0.5, piece, point_data(piece), {});  // goes on
  const std::string series = content(folder / (name + ".pvd")),
                    in_xml = "drag &amp; &lt;&quot;lift&quot;&gt;&#39;_00000";
  for (const char* step : {"0", "1"}) {
    EXPECT_NE(series.find("file=\"" + in_xml + step + ".pvtu\""), std::string::npos) << series;
    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    const fs::path file = folder / (name + "_00000" + step + ".pvtu");
    reader->SetFileName(file.c_str());
    reader->Update();
    EXPECT_EQ(reader->GetOutput()->GetNumberOfPoints(), 4 * filled_ranks());
  }
}

TEST_F(VtkWriter, AFailureReachesEveryRankAndSparesTheSeries) {
  const VtkPiece piece = piece_of(2, comm.rank(), has_cells());
  const auto expect_failure = [&](const auto& work, const std::string& part) {
    try {
      work();
      ADD_FAILURE() << "no failure: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::failure);
      EXPECT_TRUE(error.collective());
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  VtkSeries series(comm, folder, "fields");
  series.write(1, 0.5, piece, point_data(piece), cell_data(piece));
  const std::string before = content(folder / "fields.pvd");

  auto wrong_on_last = cell_data(piece);
  if (comm.rank() == comm.size() - 1) wrong_on_last[0].values.push_back(0);
  expect_failure([&] { series.write(2, 1, piece, point_data(piece), wrong_on_last); }, "`pressure`");

  const fs::path obstacle = folder / "fields_000003";
  if (comm.is_root()) fs::create_symlink(folder / "fields.pvd" / "below a file", obstacle);
  comm.barrier();
  expect_failure([&] { series.write(3, 1, piece, {}, {}); }, obstacle.string());

  expect_failure([&] { VtkSeries(comm, folder / "fields.pvd", "x").write(1, 0, piece, {}, {}); },
                 (folder / "fields.pvd" / "x_000001").string());
  EXPECT_EQ(content(folder / "fields.pvd"), before);
  EXPECT_NE(before.find("fields_000001.pvtu"), std::string::npos);
}

}  // namespace
}  // namespace solenoid
