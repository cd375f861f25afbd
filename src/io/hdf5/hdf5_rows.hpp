/// Arrays in an HDF5 file that grow by rows, each rank writing a stretch of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid::hdf5 {

/// Creates an empty array in `group` with `components` values per row (1: one-dimensional), in chunks of `rows_at_once`
/// rows. `rows_before`: initial rows, filled with NaN. Collective.
Handle make_rows(hid_t group, const std::string& name, hid_t type, int components, std::int64_t rows_at_once,
                 std::int64_t rows_before = 0);

/// The number of rows of `array`, and of values in each.
struct RowCount {
  std::int64_t rows = 0;
  int components = 1;
};
RowCount count_rows(hid_t array);

/// Writes `count` rows of the file from `first` on, or reads them if `from` is null. False if HDF5 fails.
bool move_rows(hid_t array, hid_t type, std::int64_t first, std::int64_t count, const void* from, void* to);

// Set the number of rows of `array`, exactly or as a minimum. Collective; false if HDF5 fails.
bool set_rows(hid_t array, std::int64_t rows);
bool grow_to(hid_t array, std::int64_t rows);

/// Writes `values`, whole rows, starting at row `first`.
template <class T>
bool write_rows(hid_t array, std::int64_t first, const std::vector<T>& values) {
  const std::int64_t count = static_cast<std::int64_t>(values.size()) / count_rows(array).components;
  return move_rows(array, type_of<T>(), first, count, values.data(), nullptr);
}

/// Reads all rows; false if HDF5 fails.
template <class T>
bool read_rows(hid_t array, std::vector<T>& values) {
  const RowCount all = count_rows(array);
  values.resize(static_cast<std::size_t>(all.rows) * all.components);
  return move_rows(array, type_of<T>(), 0, all.rows, nullptr, values.data());
}

}  // namespace solenoid::hdf5
