#include "io/foreign/vtk_mesh.hpp"

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "io/msh/msh_sections.hpp"

namespace solenoid {

namespace {

constexpr std::int64_t most_groups = 10000;

/// Of groups: by Gmsh, meshio, MMG, Salome, Exodus and others.
constexpr const char* usual_names[] = {"gmsh:physical",   "CellEntityIds", "medit:ref", "cell_tags", "PhysicalIds",
                                       "ElementBlockIds", "group",         "marker",    "region",    "material"};

/// The numbers of groups at the cells; null: none.
vtkDataArray* groups_in(vtkCellData* data, const std::string& name) {
  constexpr std::string_view reserved[] = {"vtkGhostType", "vtkOriginalCellIds", "GlobalCellIds"};
  std::vector<vtkDataArray*> whole;
  for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data->GetArray(k);
    if (!array || !array->GetName() || array->GetNumberOfComponents() != 1) continue;
    if (std::find(std::begin(reserved), std::end(reserved), array->GetName()) != std::end(reserved)) continue;
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
  require_input(
      grid->GetCells()->IsValid() && grid->GetCellTypesArray()->GetNumberOfValues() == grid->GetNumberOfCells(),
      [&] { return message("{}: its lists of cells do not fit each other; write the mesh again", name); });
  vtkDataArray* const groups = groups_in(grid->GetCellData(), name);
  require_input(!groups || groups->GetNumberOfTuples() == grid->GetNumberOfCells(), [&] {
    return message("{}: `{}` has {} values for {} cells; write the mesh again", name, groups->GetName(),
                   groups->GetNumberOfTuples(), grid->GetNumberOfCells());
  });
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
    const double number = groups ? groups->GetComponent(c, 0) : 0;
    require_input(std::abs(number) < std::numeric_limits<int>::max(), [&] {
      return message("{}: cell {} is in the group {} of `{}`, expected a number of 32 bits", name, c, number,
                     groups->GetName());
    });
    const int group = static_cast<int>(number);
    append_element(contents, group, c, shape, corners);
    if (groups) records.groups[static_cast<std::size_t>(dimension_of(shape))][group] = {group};
    ++contents.elements[*type];
  }
  for (const auto& of_dimension : records.groups) {
    require_input(std::ssize(of_dimension) <= most_groups, [&] {
      return message(
          "{}: `{}` has {} different numbers, expected {} groups at most; leave it out, or call the groups "
          "`group`",
          name, groups->GetName(), of_dimension.size(), most_groups);
    });
  }
  FileMesh mesh = mesh_of_contents(std::move(contents));
  require_input(mesh.cells > 0, [&] {
    return message("{}: has neither triangles nor tetrahedra, nor elements that are divided into them", name);
  });
  return mesh;
}

/// Notes an error of a reader; with a listener VTK prints nothing itself.
void note_fault(vtkObject*, unsigned long, void* has_fault, void*) { *static_cast<bool*>(has_fault) = true; }

/// Refuses lengths in a legacy file that the file cannot hold, which VTK 9.1 believes.
void check_lengths(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t begin = text.find("\nCELLS ");
  require_input(begin != std::string::npos, [&] {
    return message("{}: has no line `CELLS`, expected an unstructured grid of VTK; write it again", name);
  });
  const auto check = [&](bool is_sound) {
    require_input(is_sound, [&] { return message("{}: tells of more cells than it has; write the mesh again", name); });
  };
  std::istringstream words(text.substr(begin + 1));
  std::string word;
  std::int64_t cells = 0, numbers = 0;
  words >> word >> cells >> numbers;
  check(words && cells >= 0 && numbers >= cells && numbers <= std::ssize(text));
  const std::size_t data = std::min(text.find('\n', begin + 1), text.size() - 1) + 1;
  if (text.compare(data, 7, "OFFSETS") == 0) return;
  const bool is_binary = text.find("\nBINARY") < begin;
  check(!is_binary || 4 * numbers <= std::ssize(text) - static_cast<std::int64_t>(data));
  std::int64_t count = 0, left = 0;  // cells so far, points left of the last one
  for (std::int64_t k = 0; k < numbers; ++k) {
    std::int64_t value = 0;
    if (is_binary) {
      for (std::size_t byte = 0; byte < 4; ++byte) {
        value = value << 8 | static_cast<unsigned char>(text[data + 4 * static_cast<std::size_t>(k) + byte]);
      }
    } else {
      check(static_cast<bool>(words >> value));
    }
    if (left > 0) {
      --left;
      continue;
    }
    check(value >= 0 && value < numbers - k);
    left = value;
    ++count;
  }
  check(count == cells);
}

template <class Reader>
FileMesh read_with(const std::filesystem::path& file, const std::string& name) {
  bool has_fault = false;
  vtkNew<vtkCallbackCommand> listener;
  listener->SetCallback(note_fault);
  listener->SetClientData(&has_fault);
  vtkNew<Reader> reader;
  reader->AddObserver(vtkCommand::ErrorEvent, listener);
  reader->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, listener);
  reader->SetFileName(file.c_str());
  reader->Update();
  require_input(!has_fault && reader->GetErrorCode() == vtkErrorCode::NoError, [&] {
    return message(
        "{}: cannot be read as an unstructured grid of VTK: it is damaged, cut off or of another kind; write "
        "it again",
        name);
  });
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
  const std::string ending = file.extension().string();
  if (ending == ".vtu" || ending == ".VTU") return read_with<vtkXMLUnstructuredGridReader>(file, name);
  check_lengths(file, name);
  return read_with<vtkUnstructuredGridReader>(file, name);
}

}  // namespace solenoid
