#include "io/foreign/vtk_mesh.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "io/msh/msh_sections.hpp"

namespace solenoid {

namespace {

/// Of groups: by Gmsh, meshio, MMG, Salome, Exodus and others.
constexpr const char* usual_names[] = {"gmsh:physical",   "CellEntityIds", "medit:ref", "cell_tags", "PhysicalIds",
                                       "ElementBlockIds", "group",         "marker",    "region",    "material"};

/// The numbers of groups at the cells; null: none.
vtkDataArray* groups_in(vtkCellData* data, const std::string& name) {
  std::vector<vtkDataArray*> whole;
  for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data->GetArray(k);
    if (!array || !array->GetName() || array->GetNumberOfComponents() != 1) continue;
    if (array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE) whole.push_back(array);
  }
  if (whole.size() <= 1) return whole.empty() ? nullptr : whole.front();
  std::vector<std::string> names;
  for (vtkDataArray* const array : whole) names.emplace_back(array->GetName());
  for (const char* usual : usual_names) {
    const auto found = std::find(names.begin(), names.end(), usual);
    if (found != names.end()) return whole[static_cast<std::size_t>(found - names.begin())];
  }
  throw Error(
      ExitCode::bad_input,
      message("{}: which of the cell arrays {} has the groups? Leave one, or call it `group`", name, name_list(names)));
}

FileMesh mesh_of_grid(vtkUnstructuredGrid* grid, const std::string& name) {
  require_input(grid && grid->GetNumberOfCells() > 0 && grid->GetNumberOfPoints() > 0, [&] {
    return message("{}: cannot be read as an unstructured grid of VTK with cells; write it again", name);
  });
  MshContents contents;
  MshRecords& records = contents.records;
  for (vtkIdType n = 0; n < grid->GetNumberOfPoints(); ++n) {
    std::array<double, 3> x{};
    grid->GetPoint(n, x.data());
    require_input(std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]),
                  [&] { return message("{}: the position of point {} is not finite; write the mesh again", name, n); });
    records.node_ids.push_back(n);
    records.positions.insert(records.positions.end(), x.begin(), x.end());
  }
  vtkDataArray* const groups = groups_in(grid->GetCellData(), name);
  vtkNew<vtkIdList> points;
  std::vector<std::int64_t> corners;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    const std::optional<int> type = gmsh_type_of_vtk(grid->GetCellType(c));
    require_input(type.has_value(), [&] {
      return message(
          "{}: cell {} is of VTK's type {}, expected triangles, quadrangles, tetrahedra, hexahedra, prisms "
          "or pyramids of first or second order",
          name, c, grid->GetCellType(c));
    });
    const ElementShape shape = shape_of(*type);
    grid->GetCellPoints(c, points);
    corners.clear();
    for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k) {
      const vtkIdType node = points->GetId(k);
      require_input(node >= 0 && node < grid->GetNumberOfPoints(), [&] {
        return message("{}: cell {} has point {}, of which there are {}; write the mesh again", name, c, node,
                       grid->GetNumberOfPoints());
      });
      corners.push_back(node);
    }
    require_input(std::ssize(corners) >= corners_of(shape), [&] {
      return message("{}: cell {} has {} points, expected {}; write the mesh again", name, c, corners.size(),
                     corners_of(shape));
    });
    const int group = groups ? static_cast<int>(groups->GetComponent(c, 0)) : 0;
    append_element(contents, group, c, shape, corners);
    if (groups) records.groups[static_cast<std::size_t>(dimension_of(shape))][group] = {group};
    ++contents.elements[*type];
  }
  FileMesh mesh = mesh_of_contents(std::move(contents));
  require_input(mesh.cells > 0, [&] {
    return message("{}: has neither triangles nor tetrahedra, nor elements that are divided into them", name);
  });
  return mesh;
}

template <class Reader>
FileMesh read_with(const std::filesystem::path& file, const std::string& name) {
  vtkNew<Reader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return mesh_of_grid(reader->GetOutput(), name);
}

}  // namespace

std::optional<int> gmsh_type_of_vtk(int cell) {
  static const std::map<int, int> types{{1, 15},  {3, 1},   {5, 2},   {9, 3},   {10, 4},  {12, 5},
                                        {13, 6},  {14, 7},  {21, 8},  {22, 9},  {23, 16}, {24, 11},
                                        {25, 17}, {26, 18}, {27, 19}, {28, 10}, {29, 12}};
  const auto found = types.find(cell);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

FileMesh read_vtk_mesh(const std::filesystem::path& file, const std::string& name) {
  return file.extension() == ".vtu" ? read_with<vtkXMLUnstructuredGridReader>(file, name)
                                    : read_with<vtkUnstructuredGridReader>(file, name);
}

}  // namespace solenoid
