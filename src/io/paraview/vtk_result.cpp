#include "io/paraview/vtk_result.hpp"

#include <vtkCell.h>
#include <vtkCellLocator.h>
#include <vtkDataArray.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.hpp"
#include "base/vec3.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

/// The value after each `key="` of a file, in file order.
std::vector<std::string> values_of(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  require_input(in.good(), [&] {
    return message("{}: no such file: expected the folder of an earlier run, with its ParaView files", file.string());
  });
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

/// The nearest value to each point so far, and its distance.
struct Nearest {
  Vec3 value;
  real distance = std::numeric_limits<real>::max(), reach = 0;
};

void look_in(vtkUnstructuredGrid* piece, vtkDataArray* values, std::span<const Vec3> points,
             std::vector<Nearest>& nearest) {
  if (piece->GetNumberOfCells() == 0) return;
  vtkNew<vtkCellLocator> locator;
  locator->SetDataSet(piece);
  locator->BuildLocator();
  vtkNew<vtkGenericCell> cell;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (nearest[i].distance == 0) continue;
    double x[3] = {points[i].x, points[i].y, points[i].z}, closest[3], parametric[3], weights[4], squared = 0;
    vtkIdType id = -1;
    int part = 0;
    locator->FindClosestPoint(x, closest, cell, id, part, squared);
    if (id < 0 || !(std::sqrt(squared) < nearest[i].distance)) continue;
    piece->GetCell(id, cell);
    double there[3];
    cell->EvaluatePosition(closest, there, part, parametric, squared, weights);
    Nearest& found = nearest[i];
    found.distance = norm(points[i] - Vec3{real(closest[0]), real(closest[1]), real(closest[2])});
    found.reach = 2 * static_cast<real>(std::sqrt(cell->GetLength2()));
    found.value = {};
    for (vtkIdType k = 0; k < cell->GetNumberOfPoints(); ++k) {
      const double* const u = values->GetTuple3(cell->GetPointId(static_cast<int>(k)));
      found.value += static_cast<real>(weights[k]) * Vec3{real(u[0]), real(u[1]), real(u[2])};
    }
  }
}

}  // namespace

std::vector<Vec3> sample_result(const fs::path& folder, const std::string& name, std::span<const Vec3> points) {
  require_input(fs::exists(folder / "fields.pvd") || !fs::exists(folder / "fields.vtkhdf"), [&] {
    return message("{}: values cannot be taken from fields.vtkhdf; run that case with `format = \"pvtu\"` in [output]",
                   folder.string());
  });
  const std::vector<std::string> outputs = values_of(folder / "fields.pvd", "file");
  require_input(!outputs.empty(), [&] { return message("{}: names no output", (folder / "fields.pvd").string()); });
  std::vector<Nearest> nearest(points.size());
  for (const std::string& source : values_of(folder / outputs.back(), "Source")) {
    const fs::path file = folder / source;
    require_input(fs::exists(file),
                  [&] { return message("{}: no such file, and the earlier run names it", file.string()); });
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName(file.c_str());
    reader->Update();
    vtkDataArray* const values = reader->GetOutput()->GetPointData()->GetArray(name.c_str());
    require_input(values && values->GetNumberOfComponents() == 3, [&] {
      return message("{}: has no `{}` at its points: the earlier run needs it among the `fields` of [output]",
                     file.string(), name);
    });
    look_in(reader->GetOutput(), values, points, nearest);
  }
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    require_input(nearest[i].distance <= nearest[i].reach, [&] {
      return message("{}: the point {} lies {:.3g} m outside the mesh of the earlier run", folder.string(),
                     text_of_place(points[i]), nearest[i].distance);
    });
    result.push_back(nearest[i].value);
  }
  return result;
}

}  // namespace solenoid
