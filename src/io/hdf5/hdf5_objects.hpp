/// HDF5 for the files of io/: objects that close themselves, attributes, files that all ranks write, and failures with
/// their reason.
#pragma once

#include <hdf5.h>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/comm.hpp"

namespace solenoid::hdf5 {

/// An HDF5 object, closed by the destructor.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
  }
  /// False if HDF5 failed to close it.
  bool reset() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  /// Leaves the object open for good: HDF5 never writes its pending data to the disk.
  void abandon() { id_ = -1; }
  bool is_there() const { return id_ >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// HDF5's innermost message about its last failure.
std::string reason();

/// Turns off HDF5's own error messages: the caller reports failures.
void be_silent();

/// Access properties for files that all ranks of `comm` open together.
Handle access_by(const Comm& comm);

/// Names in `group`, ascending.
std::vector<std::string> links_of(hid_t group);

template <class T>
hid_t type_of() {
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, int>) return H5T_NATIVE_INT;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
  return sizeof(T) == sizeof(double) ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}

/// String type of `size` bytes.
Handle text_type(std::size_t size);

// A dataset of one string in `group`. False if HDF5 fails; nullopt if it is something else, or longer than `most`.
bool write_text(hid_t group, const std::string& name, const std::string& text);
std::optional<std::string> read_text(hid_t group, const std::string& name, std::size_t most);

template <class T>
bool write_attribute(hid_t object, const std::string& name, T value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  Handle attribute(H5Acreate2(object, name.c_str(), type_of<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.is_there() && H5Awrite(attribute, type_of<T>(), &value) >= 0;
}

/// Whether the attribute is a single number: reading a list would write beyond the variable.
bool is_one_number(hid_t attribute);

template <class T>
std::optional<T> read_attribute(hid_t object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  T value{};
  if (!attribute.is_there() || !is_one_number(attribute) || H5Aread(attribute, type_of<T>(), &value) < 0)
    return std::nullopt;
  return value;
}

/// Throws Error (exit code 1) that names `file` and the reason unless `done`.
void require_written(bool done, const std::filesystem::path& file);

/// work() calls HDF5 on every rank and returns false on failure. Collective.
template <class Work>
void require_written(const Comm& comm, const std::filesystem::path& file, const Work& work) {
  comm.guard([&] { require_written(work(), file); });
}

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
