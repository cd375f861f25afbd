#include "io/paraview/vtkhdf_file.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid::vtkhdf {

namespace fs = std::filesystem;
using hdf5::Handle;

namespace {

constexpr const char* unfinished = "/Solenoid/unfinished";

/// Creates the group /VTKHDF of a file without outputs.
bool make_groups(hid_t file) {
  const Handle root(H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const std::string kind = "UnstructuredGrid";
  const Handle type = hdf5::text_type(kind.size()), scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const hsize_t two = 2;
  const Handle pair(H5Screate_simple(1, &two, nullptr), H5Sclose);
  const std::int64_t version[2]{2, 0};
  const Handle type_text(H5Acreate2(root, "Type", type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose),
      version_pair(H5Acreate2(root, "Version", H5T_NATIVE_INT64, pair, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  bool done = H5Awrite(type_text, type, kind.c_str()) >= 0 && H5Awrite(version_pair, H5T_NATIVE_INT64, version) >= 0;
  const Handle settings(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  constexpr unsigned most_arrays = 60;  // in the group itself, which is one write then
  H5Pset_link_phase_change(settings, most_arrays, most_arrays / 2);
  for (const char* name : {"PointData", "CellData"}) {
    done = Handle(H5Gcreate2(root, name, H5P_DEFAULT, settings, H5P_DEFAULT), H5Gclose).is_there() && done;
  }
  done = VtkHdfLists::make(file, root) && done;
  const Handle mark = hdf5::make_rows(file, unfinished, hdf5::type_of<std::int64_t>(), 1, 1);
  return mark.is_there() && hdf5::set_rows(mark, 1) && done;
}

}  // namespace

/// The content has the format of HDF5 1.10, whose arrays grow without moving data; the first bytes are of an older one,
/// since those of 1.10 mark a file as broken if a killed run had it open.
Handle make_file(const Comm& comm, const fs::path& path) {
  const Handle access = hdf5::access_by(comm);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110);
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  H5Fset_libver_bounds(file, H5F_LIBVER_V110, H5F_LIBVER_V110);
  return make_groups(file) ? std::move(file) : Handle();
}

Handle open_file(const Comm& comm, const fs::path& path, unsigned how) {
  return Handle(H5Fopen(path.c_str(), how, hdf5::access_by(comm)), H5Fclose);
}

bool set_unfinished(const Comm& comm, hid_t file, bool yes) {
  const Handle mark(H5Dopen2(file, unfinished, H5P_DEFAULT), H5Dclose);
  return hdf5::write_rows(mark, 0, std::vector<std::int64_t>(comm.is_root() ? 1 : 0, yes ? 1 : 0));
}

bool is_unfinished(hid_t file) {
  std::vector<std::int64_t> value;
  return !hdf5::read_rows(Handle(H5Dopen2(file, unfinished, H5P_DEFAULT), H5Dclose), value) || value.at(0) != 0;
}

bool mark_global_ids(hid_t array) {
  const std::string meaning = "GlobalIds";
  const Handle type = hdf5::text_type(meaning.size()), scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle text(H5Acreate2(array, "Attribute", type, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return H5Awrite(text, type, meaning.c_str()) >= 0;
}

void close_file(const Comm& comm, Handle file, const fs::path& path, std::string failure) {
  hsize_t size = 0;
  if (failure.empty() && comm.is_root()) {  // HDF5 records its size first, and then tests whether the disk takes it
    std::error_code code;
    if (H5Fget_filesize(file, &size) >= 0 && fs::file_size(path, code) < size) fs::resize_file(path, size, code);
    if (code) failure = code.message();
  }
  const auto require_no = [&](const std::string& reason) {
    comm.guard(
        [&] { require(reason.empty(), [&] { return message("{}: cannot be written: {}", path.string(), reason); }); });
  };
  if (comm.max(std::int64_t{!failure.empty()}) != 0) file.abandon();
  require_no(failure);
  require_no(file.reset() ? "" : hdf5::reason());
}

void put_lists(const VtkHdfLists& lists, const fs::path& path) {
  const Comm alone(MPI_COMM_SELF);
  Handle file = open_file(alone, path, H5F_ACC_RDWR);
  std::string failure = file.is_there() && lists.put(file) ? "" : hdf5::reason();
  close_file(alone, std::move(file), path, failure);
  file = open_file(alone, path, H5F_ACC_RDWR);
  failure = file.is_there() && VtkHdfLists::turn(file) && set_unfinished(alone, file, false) ? "" : hdf5::reason();
  close_file(alone, std::move(file), path, failure);
}

namespace {

/// Copies the first `rows` of an array.
bool copy_rows(hid_t from, hid_t to, std::int64_t rows) {
  const Handle type(H5Dget_type(from), H5Tclose);
  constexpr std::int64_t at_once = 1 << 18;
  std::vector<char> some(H5Tget_size(type) * static_cast<std::size_t>(hdf5::count_rows(from).components) * at_once);
  bool done = hdf5::set_rows(to, rows);
  for (std::int64_t first = 0; done && first < rows; first += at_once) {
    const std::int64_t count = std::min(at_once, rows - first);
    done = hdf5::move_rows(from, type, first, count, nullptr, some.data()) &&
           hdf5::move_rows(to, type, first, count, some.data(), nullptr);
  }
  return done;
}

/// Copies the array of that name.
bool copy_array(hid_t from, hid_t to, const std::string& name, std::int64_t rows) {
  const Handle source(H5Dopen2(from, name.c_str(), H5P_DEFAULT), H5Dclose), type(H5Dget_type(source), H5Tclose),
      settings(H5Dget_create_plist(source), H5Pclose);
  hsize_t piece[2]{1, 1};
  if (!source.is_there() || H5Pget_chunk(settings, 2, piece) < 0) return false;
  const Handle target =
      hdf5::make_rows(to, name, type, hdf5::count_rows(source).components, static_cast<std::int64_t>(piece[0]));
  return target.is_there() && copy_rows(source, target, rows) &&
         (!name.ends_with("global_id") || mark_global_ids(target));
}

bool copy_outputs(hid_t from, hid_t to, const VtkHdfLists& lists) {
  const std::int64_t points = lists.points_end(), cells = lists.cells_end();
  bool done = copy_array(from, to, "/VTKHDF/Points", points) && copy_array(from, to, "/VTKHDF/Types", cells) &&
              copy_array(from, to, "/VTKHDF/Connectivity", lists.corners_end()) &&
              copy_array(from, to, "/VTKHDF/Offsets", cells + lists.parts_end());
  for (const bool of_points : {true, false}) {
    const std::string place = of_points ? "/VTKHDF/PointData" : "/VTKHDF/CellData";
    const std::vector<std::string> known = VtkHdfLists::arrays(from, of_points);
    const Handle group(H5Gopen2(from, place.c_str(), H5P_DEFAULT), H5Gclose);
    for (const std::string& name : hdf5::links_of(group)) {
      const bool is_of_outputs = std::find(known.begin(), known.end(), name) != known.end();
      if (is_of_outputs) done = done && VtkHdfLists::name_array(to, of_points, name);
      const std::int64_t of_mesh = of_points ? points : cells,
                         of_outputs = of_points ? lists.point_rows_end() : lists.cell_rows_end();
      done = done && copy_array(from, to, place + "/" + name, is_of_outputs ? of_outputs : of_mesh);
    }
  }
  return done;
}

}  // namespace

void replace_by_copy(const fs::path& path, const VtkHdfLists& lists) {
  const Comm alone(MPI_COMM_SELF);
  FreshFile fresh(path);
  {
    const Handle from = open_file(alone, path, H5F_ACC_RDONLY);
    Handle to = make_file(alone, fresh.path());
    const bool done = from.is_there() && to.is_there() && copy_outputs(from, to, lists);
    close_file(alone, std::move(to), fresh.path(), done ? "" : hdf5::reason());
  }
  put_lists(lists, fresh.path());
  fresh.replace_file();
}

}  // namespace solenoid::vtkhdf
