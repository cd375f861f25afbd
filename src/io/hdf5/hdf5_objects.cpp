#include "io/hdf5/hdf5_objects.hpp"

#include <algorithm>

#include "base/error.hpp"

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

}  // namespace solenoid::hdf5
