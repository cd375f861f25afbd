/// A VTKHDF file of Solenoid: created, opened, marked while it grows, and copied where a run died meanwhile.
#pragma once

#include <filesystem>
#include <string>

#include "base/comm.hpp"
#include "io/hdf5/hdf5_objects.hpp"
#include "io/paraview/vtkhdf_lists.hpp"

namespace solenoid::vtkhdf {

/// Creates or replaces a file without outputs, for all ranks of `comm`. An empty handle if HDF5 fails.
hdf5::Handle make_file(const Comm& comm, const std::filesystem::path& path);
hdf5::Handle open_file(const Comm& comm, const std::filesystem::path& path, unsigned how);

/// Closes a file; `failure`: why it is incomplete on this rank, or empty. If a rank failed, or the disk cannot take the
/// whole file, the file stays as it was on the disk: half-written it could not be opened any more. Collective; throws a
/// collective Error (exit code 1).
void close_file(const Comm& comm, hdf5::Handle file, const std::filesystem::path& path, std::string failure);

// A mark in the file, written at once: content beyond its lists may be incomplete. Setting it is collective.
bool set_unfinished(const Comm& comm, hid_t file, bool yes);
bool is_unfinished(hid_t file);

/// Tells readers that this array holds the global ids of points or cells.
bool mark_global_ids(hid_t array);

/// Makes `lists` the file's active lists; all data that they name must be in it. Serial; throws Error (exit code 1).
void put_lists(const VtkHdfLists& lists, const std::filesystem::path& path);

/// Replaces a marked file by a copy of the data that `lists` name: unnamed data and new data could overwrite each
/// other. Serial; throws Error (exit code 1).
void replace_by_copy(const std::filesystem::path& path, const VtkHdfLists& lists);

}  // namespace solenoid::vtkhdf
