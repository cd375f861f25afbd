/// A VTKHDF file of Solenoid: created, opened, marked while it grows, and copied where a run died meanwhile.
#pragma once

#include <filesystem>
#include <string>

#include "base/comm.hpp"
#include "io/hdf5/hdf5_objects.hpp"
#include "io/paraview/vtkhdf_lists.hpp"

namespace solenoid::vtkhdf {

/// A file without outputs for all ranks of `comm`, in the place of what is there. Nothing where HDF5 cannot.
hdf5::Handle make_file(const Comm& comm, const std::filesystem::path& path);
hdf5::Handle open_file(const Comm& comm, const std::filesystem::path& path, unsigned how);

/// Closes a file that is `done` so far. Where it is not, on whatever rank, or the disk does not take all of it, it
/// stays as it was on the disk: half brought there it could not be opened any more. Collective; throws a collective
/// Error (exit code 1).
void close_file(const Comm& comm, hdf5::Handle file, const std::filesystem::path& path, std::string failure);

// A mark in the file, written at once: what is in it beyond its lists may be half there. Setting it is collective.
bool set_unfinished(const Comm& comm, hid_t file, bool yes);
bool is_unfinished(hid_t file);

/// Tells readers that this array is what tells points or cells apart.
bool mark_global_ids(hid_t array);

/// Makes `lists` those of the file, in which all that they name is by now. Serial; throws Error (exit code 1).
void put_lists(const VtkHdfLists& lists, const std::filesystem::path& path);

/// Replaces a file that is marked by a copy of what `lists` name: what lies beyond could be written over by what is to
/// come, and that by it. Serial; throws Error (exit code 1).
void replace_by_copy(const std::filesystem::path& path, const VtkHdfLists& lists);

}  // namespace solenoid::vtkhdf
