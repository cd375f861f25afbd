/// The last output of a time series of .pvtu files.
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "io/paraview/pvd_file.hpp"
#include "io/paraview/result_output.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

/// The value after each `key="` of a file, in file order.
std::vector<std::string> values_of(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  require_input(in.good(), [&] { return message("{}: no such file, and the earlier run names it", file.string()); });
  std::vector<std::string> values;
  const std::string before = key + "=\"";
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find(before);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + before.size();
    values.push_back(line.substr(begin, line.find('"', begin) - begin));
  }
  return values;
}

/// At the points, else in the cells; null if there is none.
vtkDataArray* array_of(vtkUnstructuredGrid& grid, const std::string& name) {
  vtkDataArray* const at_points = grid.GetPointData()->GetArray(name.c_str());
  return at_points ? at_points : grid.GetCellData()->GetArray(name.c_str());
}

class PvdOutput : public ResultOutput {
 public:
  explicit PvdOutput(const fs::path& pvd) {
    const std::vector<std::string> outputs = values_of(pvd, "file"), times = values_of(pvd, "timestep");
    require_input(!outputs.empty() && times.size() == outputs.size(),
                  [&] { return message("{}: names no output", pvd.string()); });
    time_ = std::strtod(times.back().c_str(), nullptr);
    const fs::path last = pvd.parent_path() / outputs.back();
    const std::vector<std::string> arrays = values_of(last, "Name");
    is_part_ = std::find(arrays.begin(), arrays.end(), cells_of_mesh_name) != arrays.end();
    for (const std::string& source : values_of(last, "Source")) files_.push_back(pvd.parent_path() / source);
    require_input(!files_.empty(), [&] { return message("{}: names no piece", last.string()); });
    for (const fs::path& file : files_) {
      std::error_code ignored;
      require_input(fs::exists(file, ignored),
                    [&] { return message("{}: no such file, and the earlier run names it", file.string()); });
    }
  }

  double time() const override { return time_; }
  int pieces() const override { return static_cast<int>(files_.size()); }
  bool is_part() const override { return is_part_; }

  bool has(const std::string& name, int components) const override {
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName(files_.front().c_str());
    reader->Update();
    vtkDataArray* const values = array_of(*reader->GetOutput(), name);
    return values && values->GetNumberOfComponents() == components;
  }

  ResultPiece piece(int index, const std::string& name, int components) const override {
    const std::string file = files_[static_cast<std::size_t>(index)].string();
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName(file.c_str());
    reader->Update();
    vtkUnstructuredGrid* const grid = reader->GetOutput();
    ResultPiece piece;
    for (vtkIdType k = 0; k < grid->GetNumberOfPoints(); ++k) {
      double x[3];
      grid->GetPoint(k, x);
      piece.points.push_back({real(x[0]), real(x[1]), real(x[2])});
    }
    if (grid->GetNumberOfCells() > 0) piece.dimension = grid->GetCellType(0) == VTK_TETRA ? 3 : 2;
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      vtkIdType count = 0;
      const vtkIdType* corners = nullptr;
      grid->GetCellPoints(c, count, corners);
      require_input(count == piece.corners(), [&] { return message("{}: has cells of several kinds", file); });
      const auto is_there = [&](vtkIdType corner) { return corner >= 0 && corner < grid->GetNumberOfPoints(); };
      require_input(std::all_of(corners, corners + count, is_there),
                    [&] { return message("{}: is broken: a cell has points that are not there", file); });
      piece.cells.insert(piece.cells.end(), corners, corners + count);
    }
    if (vtkDataArray* const ghosts = grid->GetCellData()->GetArray("vtkGhostType")) {
      for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
        piece.is_ghost.push_back(ghosts->GetComponent(c, 0) != 0);
    }
    if (name.empty()) return piece;
    vtkDataArray* const values = array_of(*grid, name);
    piece.is_in_cells = !grid->GetPointData()->HasArray(name.c_str());
    require_input(
        values && values->GetNumberOfComponents() == components &&
            values->GetNumberOfTuples() == (piece.is_in_cells ? grid->GetNumberOfCells() : grid->GetNumberOfPoints()),
        [&] { return message("{}: has no `{}`, which the first piece has", file, name); });
    for (vtkIdType k = 0; k < values->GetNumberOfTuples(); ++k) {
      for (int i = 0; i < components; ++i) piece.values.push_back(static_cast<real>(values->GetComponent(k, i)));
    }
    return piece;
  }

 private:
  std::vector<fs::path> files_;
  double time_ = 0;
  bool is_part_ = false;
};

}  // namespace

std::unique_ptr<ResultOutput> read_pvd_output(const fs::path& pvd) { return std::make_unique<PvdOutput>(pvd); }

}  // namespace solenoid
