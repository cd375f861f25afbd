#include "io/paraview/vtkhdf_lists.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <type_traits>

#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid {

using hdf5::Handle;

namespace {

constexpr const char* own_group = "/Solenoid";
constexpr const char* point_rows = "PointRows";
constexpr const char* cell_rows = "CellRows";
constexpr const char* cells_of_mesh_list = "CellsOfMesh";
constexpr std::int64_t list_rows_at_once = 128;

/// Calls work(name in the file, list) for each list.
template <class Lists, class Work>
bool for_each_list(Lists& lists, const Work& work) {
  return work("Steps/Values", lists.times) && work("Steps/PartOffsets", lists.first_part) &&
         work("Steps/NumberOfParts", lists.parts) && work("Steps/PointOffsets", lists.first_point) &&
         work("Steps/CellOffsets", lists.first_cell) && work("Steps/ConnectivityIdOffsets", lists.first_corner) &&
         work(point_rows, lists.first_point_row) && work(cell_rows, lists.first_cell_row) &&
         work("StepNumbers", lists.steps) && work("NumberOfPoints", lists.points) &&
         work("NumberOfCells", lists.cells) && work("NumberOfConnectivityIds", lists.corners) &&
         work("Fingerprints", lists.fingerprints) && work(cells_of_mesh_list, lists.cells_of_mesh);
}

Handle group_in(hid_t place, const std::string& name) {
  return Handle(H5Gcreate2(place, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
}

Handle open_group(hid_t place, const std::string& name) {
  return Handle(H5Gopen2(place, name.c_str(), H5P_DEFAULT), H5Gclose);
}

/// The name of the active group.
std::string name_now(hid_t own) {
  char text[2]{};
  return H5Lget_val(own, "now", text, sizeof text, H5P_DEFAULT) >= 0 ? std::string(text) : std::string();
}

}  // namespace

std::int64_t VtkHdfLists::end(const std::vector<std::int64_t>& first,
                              const std::vector<std::int64_t>& count_of_parts) const {
  if (size() == 0) return 0;
  const auto last_mesh = count_of_parts.begin() + first_part.back();
  return std::accumulate(last_mesh, last_mesh + parts.back(), first.back());
}

void VtkHdfLists::cut(std::size_t count) {
  if (count >= size()) return;
  for (auto* list : {&steps, &first_part, &parts, &first_point, &first_cell, &first_corner, &first_point_row,
                     &first_cell_row, &cells_of_mesh}) {
    list->resize(count);
  }
  times.resize(count);
  const auto kept = static_cast<std::size_t>(parts_end());
  for (auto* list : {&points, &cells, &corners, &fingerprints}) list->resize(kept);
}

bool VtkHdfLists::add(const Output& output) {
  const auto last_mesh = fingerprints.begin() + (size() == 0 ? 0 : first_part.back());
  const bool has_new_mesh =
      !std::equal(last_mesh, fingerprints.end(), output.fingerprints.begin(), output.fingerprints.end());
  first_point_row.push_back(point_rows_end());
  first_cell_row.push_back(cell_rows_end());
  if (has_new_mesh) {
    const std::int64_t part = parts_end(), point = points_end(), cell = cells_end(), corner = corners_end();
    first_part.push_back(part), first_point.push_back(point), first_cell.push_back(cell),
        first_corner.push_back(corner);
    parts.push_back(static_cast<std::int64_t>(output.points.size()));
    points.insert(points.end(), output.points.begin(), output.points.end());
    cells.insert(cells.end(), output.cells.begin(), output.cells.end());
    corners.insert(corners.end(), output.corners.begin(), output.corners.end());
    fingerprints.insert(fingerprints.end(), output.fingerprints.begin(), output.fingerprints.end());
  } else {
    for (auto* list : {&first_point, &first_cell, &first_corner, &first_part, &parts}) list->push_back(list->back());
  }
  steps.push_back(output.step);
  times.push_back(output.time);
  cells_of_mesh.push_back(output.cells_of_mesh);
  return has_new_mesh;
}

bool VtkHdfLists::make(hid_t file, hid_t root) {
  const Handle own = group_in(file, own_group);
  bool done = own.is_there() && H5Lcreate_soft("a", own, "now", H5P_DEFAULT, H5P_DEFAULT) >= 0;
  for (const char* name : {"a", "b"}) {
    const Handle group = group_in(own, name), steps = group_in(group, "Steps");
    done = done && group_in(steps, "PointDataOffsets").is_there() && group_in(steps, "CellDataOffsets").is_there() &&
           hdf5::write_attribute(steps, "NSteps", std::int64_t{0});
    VtkHdfLists none;
    done = done && for_each_list(none, [&](const char* list, auto& values) {
             using Value = typename std::remove_reference_t<decltype(values)>::value_type;
             return hdf5::make_rows(group, list, hdf5::type_of<Value>(), 1, list_rows_at_once).is_there();
           });
  }
  for (const char* name : {"Steps", "NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"}) {
    const std::string target = std::string(own_group) + "/now/" + name;
    done = done && H5Lcreate_soft(target.c_str(), root, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
  }
  return done;
}

bool VtkHdfLists::name_array(hid_t file, bool of_points, const std::string& name) {
  bool done = true;
  for (const char* list : {"/a", "/b"}) {
    const Handle group = open_group(file, std::string(own_group) + list);
    const std::string known = std::string("Steps/") + (of_points ? "PointDataOffsets/" : "CellDataOffsets/") + name;
    done = H5Lcreate_hard(group, of_points ? point_rows : cell_rows, group, known.c_str(), H5P_DEFAULT, H5P_DEFAULT) >=
               0 &&
           done;
  }
  return done;
}

std::vector<std::string> VtkHdfLists::arrays(hid_t file, bool of_points) {
  const char* const known = of_points ? "/a/Steps/PointDataOffsets" : "/a/Steps/CellDataOffsets";
  return hdf5::links_of(open_group(file, std::string(own_group) + known));
}

bool VtkHdfLists::put(hid_t file) const {
  const Handle own = open_group(file, own_group), group = open_group(own, name_now(own) == "a" ? "b" : "a"),
               series = open_group(group, "Steps");
  const auto count = static_cast<std::int64_t>(size());
  const Handle attribute(H5Aopen(series, "NSteps", H5P_DEFAULT), H5Aclose);
  if (H5Lexists(group, cells_of_mesh_list, H5P_DEFAULT) == 0)
    hdf5::make_rows(group, cells_of_mesh_list, hdf5::type_of<std::int64_t>(), 1, list_rows_at_once);
  return H5Awrite(attribute, hdf5::type_of<std::int64_t>(), &count) >= 0 &&
         for_each_list(*this, [&](const char* list, const auto& values) {
           const Handle rows(H5Dopen2(group, list, H5P_DEFAULT), H5Dclose);
           const auto length = static_cast<std::int64_t>(values.size());
           // Shortened after the write: HDF5 keeps the chunk that it cuts, and writes it last.
           return hdf5::grow_to(rows, length) && hdf5::write_rows(rows, 0, values) && hdf5::set_rows(rows, length);
         });
}

bool VtkHdfLists::turn(hid_t file) {
  const Handle own = open_group(file, own_group);
  const char* const other = name_now(own) == "a" ? "b" : "a";
  return H5Ldelete(own, "now", H5P_DEFAULT) >= 0 && H5Lcreate_soft(other, own, "now", H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

bool VtkHdfLists::read(hid_t file) {
  const Handle group = open_group(file, std::string(own_group) + "/now");
  return group.is_there() &&
         for_each_list(*this,
                       [&](const char* list, auto& values) {
                         if (std::string_view(list) == cells_of_mesh_list && H5Lexists(group, list, H5P_DEFAULT) == 0) {
                           values.assign(size(), 0);
                           return true;
                         }
                         const Handle rows(H5Dopen2(group, list, H5P_DEFAULT), H5Dclose);
                         return rows.is_there() && hdf5::read_rows(rows, values);
                       }) &&
         are_consistent();
}

bool VtkHdfLists::are_consistent() const {
  for (const auto* list : {&first_part, &parts, &first_point, &first_cell, &first_corner, &first_point_row,
                           &first_cell_row, &cells_of_mesh}) {
    if (list->size() != size()) return false;
  }
  for (const auto* list : {&cells, &corners, &fingerprints}) {
    if (list->size() != points.size()) return false;
  }
  for (std::size_t k = 0; k < size(); ++k) {
    if (first_part[k] < 0 || parts[k] < 0 || first_part[k] + parts[k] > static_cast<std::int64_t>(points.size()))
      return false;
  }
  return times.size() == size();
}

}  // namespace solenoid
