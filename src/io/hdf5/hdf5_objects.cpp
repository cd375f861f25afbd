#include "io/hdf5/hdf5_objects.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/real.hpp"

namespace solenoid::hdf5 {

namespace {

/// Initialises HDF5 before MPI, without clean-up at exit. Otherwise HDF5 would clean up in MPI_Finalize, and crash
/// there after a file that could not be written.
[[maybe_unused]] const bool is_begun = H5dont_atexit() >= 0 && H5open() >= 0;

}  // namespace

std::string reason() {
  std::string text = "HDF5 does not say why; the disk may be full";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* into) -> herr_t {
        if (depth == 0 && error->desc) *static_cast<std::string*>(into) = error->desc;
        return 0;
      },
      &text);
  return text;
}

void be_silent() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

Handle access_by(const Comm& comm) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_mpio(access, comm.handle(), MPI_INFO_NULL);
  H5Pset_coll_metadata_write(access, true);
  H5Pset_all_coll_metadata_ops(access, true);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);  // metadata with checksums
  return access;
}

std::vector<std::string> links_of(hid_t group) {
  std::vector<std::string> names;
  H5Literate(
      group, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
        static_cast<std::vector<std::string>*>(into)->emplace_back(name);
        return 0;
      },
      &names);
  return names;
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(size, 1));
  return type;
}

bool is_one_number(hid_t attribute) {
  const Handle space(H5Aget_space(attribute), H5Sclose), type(H5Aget_type(attribute), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  return H5Sget_simple_extent_npoints(space) == 1 && (kind == H5T_INTEGER || kind == H5T_FLOAT);
}

bool write_text(hid_t group, const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size());
  const hsize_t one = 1;
  const Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose), transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  const Handle array(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  return array.is_there() && H5Dwrite(array, type, H5S_ALL, H5S_ALL, transfer, text.c_str()) >= 0;
}

std::optional<std::string> read_text(hid_t group, const std::string& name, std::size_t most) {
  if (H5Lexists(group, name.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
  const Handle array(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle type(H5Dget_type(array), H5Tclose), space(H5Dget_space(array), H5Sclose);
  const bool is_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  if (!is_text || H5Sget_simple_extent_npoints(space) != 1 || H5Tget_size(type) > most) return std::nullopt;
  std::string text(H5Tget_size(type), '\0');
  if (H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return std::nullopt;
  return text.substr(0, text.find('\0'));
}

void require_written(bool done, const std::filesystem::path& file) {
  require(done, [&] { return message("{}: cannot be written: {}", file.string(), reason()); });
}

Handle make_rows(hid_t group, const std::string& name, hid_t type, int components, std::int64_t rows_at_once,
                 std::int64_t rows_before) {
  const int dimensions = components == 1 ? 1 : 2;
  const auto columns = static_cast<hsize_t>(components);
  constexpr hsize_t most_bytes = hsize_t{1} << 28;  // of a chunk; HDF5 requires less than 4 GB
  const hsize_t most_rows = std::max<hsize_t>(most_bytes / (columns * H5Tget_size(type)), 1);
  const hsize_t size[2]{static_cast<hsize_t>(rows_before), columns}, most[2]{H5S_UNLIMITED, columns},
      piece[2]{std::clamp<hsize_t>(static_cast<hsize_t>(rows_at_once), 1, most_rows), columns};
  const Handle space(H5Screate_simple(dimensions, size, most), H5Sclose);
  const Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(settings, dimensions, piece);
  H5Pset_obj_track_times(settings, false);
  if (rows_before > 0) {
    const real nothing = std::numeric_limits<real>::quiet_NaN();
    H5Pset_fill_value(settings, type_of<real>(), &nothing);
    H5Pset_fill_time(settings, H5D_FILL_TIME_ALLOC);
  } else {
    H5Pset_fill_time(settings, H5D_FILL_TIME_NEVER);  // every row is written once, by its rank
  }
  return Handle(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, settings, H5P_DEFAULT), H5Dclose);
}

RowCount count_rows(hid_t array) {
  const Handle space(H5Dget_space(array), H5Sclose);
  hsize_t size[2]{0, 1};
  const int dimensions = space.is_there() ? H5Sget_simple_extent_ndims(space) : 0;
  if (dimensions < 1 || dimensions > 2 || H5Sget_simple_extent_dims(space, size, nullptr) < 0) return {};
  return {static_cast<std::int64_t>(size[0]), static_cast<int>(size[1])};
}

bool set_rows(hid_t array, std::int64_t rows) {
  const hsize_t size[2]{static_cast<hsize_t>(rows), static_cast<hsize_t>(count_rows(array).components)};
  return H5Dset_extent(array, size) >= 0;
}

bool grow_to(hid_t array, std::int64_t rows) { return count_rows(array).rows >= rows || set_rows(array, rows); }

bool move_rows(hid_t array, hid_t type, std::int64_t first, std::int64_t count, const void* from, void* to) {
  const hsize_t start[2]{static_cast<hsize_t>(first), 0},
      size[2]{static_cast<hsize_t>(count), static_cast<hsize_t>(count_rows(array).components)};
  const Handle rows(H5Dget_space(array), H5Sclose);
  if (count == 0) return true;
  // As many dimensions as the array: otherwise HDF5 moves the numbers one by one, each in a call of its own.
  const int dimensions = rows.is_there() ? H5Sget_simple_extent_ndims(rows) : 2;
  const Handle memory(H5Screate_simple(dimensions, size, nullptr), H5Sclose);
  if (!rows.is_there() || H5Sselect_hyperslab(rows, H5S_SELECT_SET, start, nullptr, size, nullptr) < 0) return false;
  // Independent transfer: each rank's rows are contiguous, and collecting them on few ranks would move them once more.
  return from ? H5Dwrite(array, type, memory, rows, H5P_DEFAULT, from) >= 0
              : H5Dread(array, type, memory, rows, H5P_DEFAULT, to) >= 0;
}

}  // namespace solenoid::hdf5
