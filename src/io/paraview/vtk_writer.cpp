#include "io/paraview/vtk_writer.hpp"

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPolyDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/user_text.hpp"
#include "io/hdf5/compressed_blocks.hpp"

namespace solenoid {

namespace {

namespace fs = std::filesystem;
using RealArray = std::conditional_t<std::is_same_v<real, double>, vtkDoubleArray, vtkFloatArray>;

constexpr const char* real_type = std::is_same_v<real, double> ? "Float64" : "Float32";

/// A VTK array over `values`, without a copy; `values` must live as long.
template <class Array, class T>
vtkNew<Array> wrap(const char* name, int components, const T* values, std::size_t count) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetArray(const_cast<T*>(values), static_cast<vtkIdType>(count), 1);
  return array;
}

void add_arrays(vtkDataSetAttributes* data, const std::vector<VtkArray>& arrays, std::size_t rows, const char* where) {
  for (const VtkArray& array : arrays) {
    const std::size_t expected = rows * static_cast<std::size_t>(array.components);
    require(array.values.size() == expected, [&] {
      return message("output array `{}`: {} values, expected {} ({} {} of {} components)", array.name,
                     array.values.size(), expected, rows, where, array.components);
    });
    data->AddArray(wrap<RealArray>(array.name.c_str(), array.components, array.values.data(), array.values.size()));
  }
}

/// Adds a copy of `values`.
template <class Array, class T>
vtkNew<Array> copied(const char* name, const std::vector<T>& values) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfValues(static_cast<vtkIdType>(values.size()));
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  return array;
}

void add_global_ids(vtkDataSetAttributes* data, const std::vector<std::int64_t>& ids, std::size_t rows,
                    const char* where) {
  require(ids.size() == rows, [&] { return message("output: {} global ids for {} {}", ids.size(), rows, where); });
  data->SetGlobalIds(copied<vtkIdTypeArray>("global_id", ids));
}

/// Points over `positions`, which must live as long.
vtkNew<vtkPoints> points_of(const std::vector<Vec3>& positions) {
  static_assert(sizeof(Vec3) == 3 * sizeof(real), "points are handed to VTK as triples");
  vtkNew<vtkPoints> points;
  points->SetData(wrap<RealArray>("Points", 3, reinterpret_cast<const real*>(positions.data()), 3 * positions.size()));
  return points;
}

/// Cells over `nodes`, which must live as long; `begin`: the first of each, and the end.
vtkNew<vtkCellArray> cells_of(const std::vector<int>& nodes, const std::vector<int>& begin) {
  static_assert(sizeof(int) == 4, "corners are handed to VTK as they are");
  vtkNew<vtkCellArray> cells;
  cells->SetData(copied<vtkTypeInt32Array>("offsets", begin),
                 wrap<vtkTypeInt32Array>("connectivity", 1, nodes.data(), nodes.size()));
  return cells;
}

/// Simplices of `corners` corners each, over `nodes`, which must live as long.
vtkNew<vtkCellArray> simplices(const std::vector<int>& nodes, std::size_t corners) {
  std::vector<int> begin;
  for (std::size_t c = 0; c <= nodes.size() / corners; ++c) begin.push_back(static_cast<int>(c * corners));
  return cells_of(nodes, begin);
}

/// Sets the faces of a mesh of this dimension.
void set_faces(vtkPolyData* data, vtkCellArray* faces, int dimension) {
  if (dimension == 2) {
    data->SetLines(faces);
  } else {
    data->SetPolys(faces);
  }
}

/// Marks entities that `rank` does not own as ghosts.
void add_ghosts(vtkDataSetAttributes* data, const std::vector<int>& owners, int rank) {
  std::vector<unsigned char> ghost;
  for (int owner : owners) ghost.push_back(owner == rank ? 0 : vtkDataSetAttributes::DUPLICATECELL);
  static_assert(int{vtkDataSetAttributes::DUPLICATECELL} == int{vtkDataSetAttributes::DUPLICATEPOINT});
  data->AddArray(copied<vtkUnsignedCharArray>(vtkDataSetAttributes::GhostArrayName(), ghost));
}

vtkNew<vtkDoubleArray> time_array(double time) {
  vtkNew<vtkDoubleArray> now;
  now->SetName("TimeValue");
  now->InsertNextValue(time);
  return now;
}

vtkNew<vtkUnstructuredGrid> grid_of(const VtkPiece& piece, double time) {
  vtkNew<vtkUnstructuredGrid> grid;
  grid->SetPoints(points_of(piece.points));
  const std::size_t corners = static_cast<std::size_t>(piece.dimension) + 1, count = piece.cells.size() / corners;
  grid->SetCells(piece.dimension == 2 ? VTK_TRIANGLE : VTK_TETRA, simplices(piece.cells, corners));

  add_global_ids(grid->GetPointData(), piece.point_ids, piece.points.size(), "points");
  add_global_ids(grid->GetCellData(), piece.cell_ids, count, "cells");
  if (piece.has_regions) grid->GetCellData()->AddArray(copied<vtkIntArray>("region", piece.cell_region));

  grid->GetFieldData()->AddArray(time_array(time));
  return grid;
}

/// Notes an error of VTK; with a listener VTK prints nothing itself.
void note_complaint(vtkObject*, unsigned long, void* complained, void*) { *static_cast<bool*>(complained) = true; }

/// Writes version 1.0, which is enough for simplices: VTK's own 2.2 stands for features that such a file does not have,
/// and other readers refuse it.
template <class Writer>
class PlainWriter : public Writer {
 public:
  static PlainWriter* New() { VTK_STANDARD_NEW_BODY(PlainWriter); }

 protected:
  int GetDataSetMajorVersion() override { return 1; }
  int GetDataSetMinorVersion() override { return 0; }
};

/// zlib at its fastest level for compressible blocks, such as ids and zero fields, and zlib's stored form for others:
/// the last digits of a flow are noise, on which the fastest level spends ten times as long as on writing them, to save
/// a twentieth. Reuses earlier results from `blocks`, if present.
class SparingCompressor : public vtkZLibDataCompressor {  // named in the file by its base class
 public:
  static SparingCompressor* New() { VTK_STANDARD_NEW_BODY(SparingCompressor); }
  CompressedBlocks* blocks = nullptr;

 protected:
  std::size_t CompressBuffer(const unsigned char* from, std::size_t size, unsigned char* to,
                             std::size_t space) override {
    constexpr std::size_t sample = 2048;  // of a block of 32 KiB
    if (const auto* const known = blocks ? blocks->find(from, size) : nullptr) {
      std::copy(known->begin(), known->end(), to);
      return known->size();
    }
    CompressionLevel = 1;
    if (size > 4 * sample && 4 * vtkZLibDataCompressor::CompressBuffer(from, sample, to, space) > 3 * sample) {
      CompressionLevel = 0;
    }
    const std::size_t compressed = vtkZLibDataCompressor::CompressBuffer(from, size, to, space);
    if (blocks && CompressionLevel > 0) blocks->keep({from, size}, {to, compressed});
    return compressed;
  }
};

template <class Writer>
void write_data(vtkDataSet* data, const fs::path& file, CompressedBlocks* blocks = nullptr) {
  bool complained = false;
  vtkNew<vtkCallbackCommand> listener;
  listener->SetCallback(note_complaint);
  listener->SetClientData(&complained);
  vtkNew<PlainWriter<Writer>> writer;
  writer->AddObserver(vtkCommand::ErrorEvent, listener);
  writer->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, listener);
  std::fclose(create_file(file));  // VTK would follow a link
  writer->SetFileName(file.c_str());
  writer->SetInputData(data);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  vtkNew<SparingCompressor> compressor;  // zlib: other readers support it too
  compressor->blocks = blocks;
  if (blocks) blocks->begin_file();
  writer->SetCompressor(compressor);
  writer->SetHeaderTypeToUInt64();
  errno = 0;
  const bool written = writer->Write() == 1 && writer->GetErrorCode() == vtkErrorCode::NoError && !complained;
  const int reason = errno;
  require(written, [&] {
    return message("{}: cannot be written: {}", file.string(),
                   reason != 0 ? std::strerror(reason) : vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode()));
  });
}

std::string data_array(const std::string& type, const std::string& name, int components) {
  return message("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", type, name, components);
}

std::string data_arrays(const std::vector<VtkArray>& arrays) {
  std::string text = "      <PDataArray type=\"Int64\" IdType=\"1\" Name=\"global_id\"/>\n";
  for (const VtkArray& array : arrays) text += data_array(real_type, array.name, array.components);
  return text;
}

/// The .pvtu of a step: names its arrays and the pieces in its folder; several pieces have ghosts.
std::string step_text(const std::string& step, int pieces, double time, const VtkPiece& piece,
                      const std::vector<VtkArray>& point_data, const std::vector<VtkArray>& cell_data) {
  std::string text = vtk_file_header("PUnstructuredGrid");
  text += message("  <PUnstructuredGrid GhostLevel=\"{}\">\n", pieces > 1 ? 1 : 0);
  const std::string ghosts =
      pieces > 1 ? data_array("UInt8", vtkDataSetAttributes::GhostArrayName(), 1) : std::string();
  text += message(
      "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n",
      time);
  if (piece.cells_of_mesh > 0) {
    text +=
        message("      <DataArray type=\"Int64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
                cells_of_mesh_name, piece.cells_of_mesh);
  }
  text += "    </FieldData>\n";
  text += "    <PPointData GlobalIds=\"global_id\">\n" + data_arrays(point_data) + ghosts + "    </PPointData>\n";
  text += "    <PCellData GlobalIds=\"global_id\">\n" + data_arrays(cell_data) + data_array("Int32", "rank", 1) +
          (piece.has_regions ? data_array("Int32", "region", 1) : "") + ghosts + "    </PCellData>\n";
  text += "    <PPoints>\n" + data_array(real_type, "Points", 3) + "    </PPoints>\n";
  for (int rank = 0; rank < pieces; ++rank) {
    text += message("    <Piece Source=\"{0}/{0}_{1}.vtu\"/>\n", escaped(step), rank);
  }
  return text + "  </PUnstructuredGrid>\n</VTKFile>\n";
}

/// File names for the surfaces, all different.
std::vector<std::string> file_names(const std::vector<VtkSurface>& surfaces) {
  std::vector<std::string> names;
  for (const VtkSurface& surface : surfaces) {
    std::string name = surface.name;
    for (char& c : name) {
      const auto code = static_cast<unsigned char>(c);
      if (code < 128 && !std::isalnum(code) && std::strchr("-_+=.,@", c) == nullptr) c = '_';
    }
    if (name.empty() || name[0] == '.') name.insert(0, "_");
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
    names.push_back(name);
  }
  return names;
}

}  // namespace

void write_vtu(const fs::path& file, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
               const std::vector<VtkArray>& cell_data) {
  const auto grid = grid_of(piece, 0);
  add_arrays(grid->GetPointData(), point_data, piece.points.size(), "points");
  add_arrays(grid->GetCellData(), cell_data, piece.cell_ids.size(), "cells");
  write_data<vtkXMLUnstructuredGridWriter>(grid, file);
}

void write_vtk_points(const fs::path& file, double time, const std::vector<Vec3>& points,
                      const std::vector<std::int64_t>& ids, const std::vector<VtkArray>& point_data) {
  std::vector<int> numbers(points.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  vtkNew<vtkPolyData> data;
  data->SetPoints(points_of(points));
  data->SetVerts(simplices(numbers, 1));
  data->GetPointData()->AddArray(copied<vtkIdTypeArray>("id", ids));
  add_arrays(data->GetPointData(), point_data, points.size(), "points");
  data->GetFieldData()->AddArray(time_array(time));
  write_data<vtkXMLPolyDataWriter>(data, file);
}

void write_vtk_polygons(const fs::path& file, double time, const VtkPolygons& polygons,
                        const std::vector<VtkArray>& point_data, const std::vector<VtkArray>& cell_data) {
  vtkNew<vtkPolyData> data;
  data->SetPoints(points_of(polygons.points));
  set_faces(data, cells_of(polygons.corners, polygons.begin), polygons.dimension);
  data->GetCellData()->AddArray(copied<vtkIdTypeArray>("cell_id", polygons.cell_ids));
  add_arrays(data->GetPointData(), point_data, polygons.points.size(), "points");
  add_arrays(data->GetCellData(), cell_data, polygons.cell_ids.size(), "polygons");
  data->GetFieldData()->AddArray(time_array(time));
  write_data<vtkXMLPolyDataWriter>(data, file);
}

void write_vtk_surfaces(const OutputFolder& folder, const std::string& name, const std::vector<VtkSurface>& surfaces) {
  const std::vector<std::string> files = file_names(surfaces);
  std::string text = vtk_file_header("vtkMultiBlockDataSet") + "  <vtkMultiBlockDataSet>\n";
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const VtkSurface& surface = surfaces[i];
    vtkNew<vtkPolyData> data;
    data->SetPoints(points_of(surface.points));
    set_faces(data, simplices(surface.faces, static_cast<std::size_t>(surface.dimension)), surface.dimension);
    const std::size_t count = surface.face_ids.size();
    add_global_ids(data->GetPointData(), surface.point_ids, surface.points.size(), "points");
    add_global_ids(data->GetCellData(), surface.face_ids, surface.faces.size() / surface.dimension, "faces");
    data->GetCellData()->AddArray(copied<vtkIdTypeArray>("cell_id", surface.cell_ids));
    data->GetCellData()->AddArray(copied<vtkIntArray>("rank", surface.ranks));
    data->GetCellData()->AddArray(copied<vtkIntArray>("patch", std::vector<int>(count, surface.patch)));
    add_arrays(data->GetPointData(), surface.point_data, surface.points.size(), "points");
    add_arrays(data->GetCellData(), surface.face_data, count, "faces");
    const std::string file = files[i] + ".vtp";
    FreshFile fresh(folder.file(name + "/" + file));  // a reader may have the earlier file open
    write_data<vtkXMLPolyDataWriter>(data, fresh.path());
    fresh.replace_file();
    text += message("    <DataSet index=\"{}\" name=\"{}\" file=\"{}\"/>\n", i, escaped(surface.name),
                    escaped(name + "/" + file));
  }
  write_text_file(folder.file(name + ".vtm"), text + "  </vtkMultiBlockDataSet>\n</VTKFile>\n");
}

VtkSeries::VtkSeries(const Comm& comm, OutputFolder folder, std::string name)
    : comm_(comm),
      folder_(std::move(folder)),
      name_(std::move(name)),
      compressed_(std::make_shared<CompressedBlocks>()) {
  comm_.guard([&] {
    if (comm_.is_root()) pvd_.emplace(folder_, name_, "pvtu");
  });
}

std::string VtkSeries::step_name(int step) const { return message("{}_{:06}", name_, step); }

std::string VtkSeries::piece_name(int step, int rank) const {
  return message("{0}/{0}_{1}.vtu", step_name(step), rank);
}

void VtkSeries::write(int step, double time, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
                      const std::vector<VtkArray>& cell_data) {
  const std::string name = step_name(step);
  comm_.guard([&] {  // 1. remove pieces of an earlier run
    if (!comm_.is_root()) return;
    pvd_->drop_from(step);
    std::error_code code;
    if (fs::exists(folder_.path() / name, code)) {
      pvd_->write();
      folder_.remove_folder(name);
    }
    for (int rank = 0; rank < comm_.size(); ++rank) folder_.file(piece_name(step, rank));
  });
  comm_.guard([&] {  // 2. every rank writes its piece
    const auto grid = grid_of(piece, time);
    grid->GetCellData()->AddArray(copied<vtkIntArray>("rank", piece.cell_ranks));
    if (comm_.size() > 1) {
      add_ghosts(grid->GetPointData(), piece.point_ranks, comm_.rank());
      add_ghosts(grid->GetCellData(), piece.cell_ranks, comm_.rank());
    }
    add_arrays(grid->GetPointData(), point_data, piece.points.size(), "points");
    add_arrays(grid->GetCellData(), cell_data, piece.cell_ids.size(), "cells");
    write_data<vtkXMLUnstructuredGridWriter>(grid, folder_.file(piece_name(step, comm_.rank())), compressed_.get());
  });
  comm_.guard([&] {  // 3. the files that name the pieces
    if (!comm_.is_root()) return;
    write_text_file(folder_.file(name + ".pvtu"), step_text(name, comm_.size(), time, piece, point_data, cell_data));
    pvd_->add(step, time);
    pvd_->write();
  });
}

}  // namespace solenoid
