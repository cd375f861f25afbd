/// Arrays in an HDF5 file that grow by rows, each rank writing a stretch of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid::hdf5 {

/// Makes an array without rows in `group`, with `components` values a row; 1: without a second dimension. It lies in
/// the file in pieces of `rows_at_once`. With `rows_before` it has so many rows, of NaN. Collective.
Handle make_rows(hid_t group, const std::string& name, hid_t type, int components, std::int64_t rows_at_once,
                 std::int64_t rows_before = 0);

/// The rows of `array`, and the values in each.
struct RowCount {
  std::int64_t rows = 0;
  int components = 1;
};
RowCount count_rows(hid_t array);

/// Moves `count` rows from `first` on to the file, or from it where `from` is null. False where HDF5 cannot.
bool move_rows(hid_t array, hid_t type, std::int64_t first, std::int64_t count, const void* from, void* to);

// Make `array` so many rows long, or at least so many. Collective; false where HDF5 cannot.
bool set_rows(hid_t array, std::int64_t rows);
bool grow_to(hid_t array, std::int64_t rows);

/// Writes `values`, whole rows, from row `first` on.
template <class T>
bool write_rows(hid_t array, std::int64_t first, const std::vector<T>& values) {
  const std::int64_t count = static_cast<std::int64_t>(values.size()) / count_rows(array).components;
  return move_rows(array, type_of<T>(), first, count, values.data(), nullptr);
}

/// All rows; false where HDF5 cannot.
template <class T>
bool read_rows(hid_t array, std::vector<T>& values) {
  const RowCount all = count_rows(array);
  values.resize(static_cast<std::size_t>(all.rows) * all.components);
  return move_rows(array, type_of<T>(), 0, all.rows, nullptr, values.data());
}

}  // namespace solenoid::hdf5
