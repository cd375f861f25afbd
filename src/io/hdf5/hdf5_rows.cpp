#include "io/hdf5/hdf5_rows.hpp"

#include <algorithm>
#include <limits>

#include "base/real.hpp"

namespace solenoid::hdf5 {

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
