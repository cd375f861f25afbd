#include "io/paraview/vtkhdf_series.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/output_file.hpp"
#include "io/hdf5/hdf5_objects.hpp"
#include "io/paraview/vtkhdf_file.hpp"

namespace solenoid {

namespace fs = std::filesystem;
using hdf5::Handle;

namespace {

constexpr const char* ghosts = "vtkGhostType";

/// Row counts of a distributed list: before this rank, on it, in total; in rank order.
struct Share {
  std::int64_t before = 0, own = 0, all = 0;
  std::vector<std::int64_t> of_ranks;

  /// Collective.
  Share(const Comm& comm, std::size_t count) : own(static_cast<std::int64_t>(count)), of_ranks(comm.gather(own)) {
    before = std::accumulate(of_ranks.begin(), of_ranks.begin() + comm.rank(), std::int64_t{0});
    all = std::accumulate(of_ranks.begin(), of_ranks.end(), std::int64_t{0});
  }
};

/// Fingerprint of all mesh data of a piece.
std::int64_t fingerprint_of(const VtkPiece& piece) {
  Fingerprint fingerprint;
  std::uint64_t place = 0;
  const auto add = [&](const auto& values) {
    for (const auto& value : values) fingerprint.add(place++, static_cast<std::int64_t>(value));
    ++place;
  };
  for (const Vec3& x : piece.points) {
    for (const real value : {x.x, x.y, x.z}) fingerprint.add(place++, value);
  }
  add(piece.point_ids), add(piece.point_ranks), add(piece.cells), add(piece.cell_ids), add(piece.cell_ranks);
  add(piece.cell_region);
  return fingerprint.of_this_rank();
}

void require_sizes(const std::vector<VtkArray>& arrays, std::size_t rows, const char* where) {
  for (const VtkArray& array : arrays) {
    const std::size_t expected = rows * static_cast<std::size_t>(array.components);
    require(array.values.size() == expected, [&] {
      return message("output array `{}`: {} values, expected {} ({} {} of {} components)", array.name,
                     array.values.size(), expected, rows, where, array.components);
    });
  }
}

/// Writes arrays of an open file: rows of all ranks, from a given row on.
class ArrayWriter {
 public:
  /// `failure`: reason of the first failure.
  ArrayWriter(hid_t file, const char* group, std::string& failure)
      : group_(H5Gopen2(file, group, H5P_DEFAULT), H5Gclose), failure_(failure) {}

  /// Writes whole rows of `components`; creates a missing array.
  template <class T>
  void write(const std::string& name, int components, std::int64_t first, const Share& share,
             const std::vector<T>& values) {
    Handle array = has(name) ? Handle(H5Dopen2(group_, name.c_str(), H5P_DEFAULT), H5Dclose)
                             : hdf5::make_rows(group_, name, hdf5::type_of<T>(), components, share.all, first);
    note(array.is_there() && hdf5::grow_to(array, first + share.all));
    note(hdf5::write_rows(array, first + share.before, values));
  }
  bool has(const std::string& name) const { return H5Lexists(group_, name.c_str(), H5P_DEFAULT) > 0; }
  int components(const std::string& name) const {
    return hdf5::count_rows(Handle(H5Dopen2(group_, name.c_str(), H5P_DEFAULT), H5Dclose)).components;
  }
  void mark_global_ids() {
    note(vtkhdf::mark_global_ids(Handle(H5Dopen2(group_, "global_id", H5P_DEFAULT), H5Dclose)));
  }
  /// Continues after a failure: the other ranks do, and the next calls are collective.
  void note(bool done) {
    if (!done && failure_.empty()) failure_ = hdf5::reason();
  }

 private:
  Handle group_;
  std::string& failure_;
};

/// The lists of an output, and the counts of each rank.
struct Place {
  const Comm& comm;
  const VtkHdfLists& lists;  ///< with this output
  Share points, cells, corners;
};

/// The arrays of the mesh's points or cells with these `ids` and owners `ranks`.
void write_ids(const Comm& comm, ArrayWriter& arrays, std::int64_t first, const Share& share,
               const std::vector<std::int64_t>& ids, const std::vector<int>& ranks) {
  const bool is_new = !arrays.has("global_id");
  arrays.write("global_id", 1, first, share, ids);
  if (is_new) arrays.mark_global_ids();
  std::vector<std::uint8_t> ghost;
  for (const int rank : ranks) ghost.push_back(rank == comm.rank() ? 0 : 1);
  arrays.write(ghosts, 1, first, share, ghost);
}

void write_mesh(hid_t file, const Place& place, const VtkPiece& piece, std::string& failure) {
  const VtkHdfLists& lists = place.lists;
  const std::int64_t first_point = lists.first_point.back(), first_cell = lists.first_cell.back();
  ArrayWriter root(file, "/VTKHDF", failure), at_points(file, "/VTKHDF/PointData", failure),
      in_cells(file, "/VTKHDF/CellData", failure);
  std::vector<real> positions;
  for (const Vec3& x : piece.points) positions.insert(positions.end(), {x.x, x.y, x.z});
  root.write("Points", 3, first_point, place.points, positions);
  root.write("Connectivity", 1, lists.first_corner.back(), place.corners,
             std::vector<std::int64_t>(piece.cells.begin(), piece.cells.end()));
  constexpr std::uint8_t triangle = 5, tetrahedron = 10;  // to VTK
  root.write("Types", 1, first_cell, place.cells,
             std::vector<std::uint8_t>(piece.cell_ids.size(), piece.dimension == 2 ? triangle : tetrahedron));
  std::vector<std::int64_t> offsets(piece.cell_ids.size() + 1);
  for (std::size_t c = 0; c < offsets.size(); ++c) offsets[c] = static_cast<std::int64_t>(c) * (piece.dimension + 1);
  Share with_ends = place.cells;  // each part has one entry more than cells
  with_ends.before += place.comm.rank();
  with_ends.all += place.comm.size();
  root.write("Offsets", 1, first_cell + lists.first_part.back(), with_ends, offsets);

  write_ids(place.comm, at_points, first_point, place.points, piece.point_ids, piece.point_ranks);
  write_ids(place.comm, in_cells, first_cell, place.cells, piece.cell_ids, piece.cell_ranks);
  in_cells.write("rank", 1, first_cell, place.cells, piece.cell_ranks);
  if (piece.has_regions) in_cells.write("region", 1, first_cell, place.cells, piece.cell_region);
}

/// Writes the values of one output, at points or in cells.
void write_values(hid_t file, bool of_points, std::int64_t first, const Share& share,
                  const std::vector<VtkArray>& arrays, std::string& failure) {
  ArrayWriter writer(file, of_points ? "/VTKHDF/PointData" : "/VTKHDF/CellData", failure);
  for (const VtkArray& array : arrays) {
    if (!writer.has(array.name)) writer.note(VtkHdfLists::name_array(file, of_points, array.name));
    writer.write(array.name, array.components, first, share, array.values);
  }
  for (const std::string& name : VtkHdfLists::arrays(file, of_points)) {
    const auto has_name = [&](const VtkArray& array) { return array.name == name; };
    if (std::any_of(arrays.begin(), arrays.end(), has_name)) continue;
    const int components = writer.components(name);
    const auto count = static_cast<std::size_t>(share.own * components);
    writer.write(name, components, first, share, std::vector<real>(count, std::numeric_limits<real>::quiet_NaN()));
  }
}

/// Keeps the outputs before the first one beyond `moment`; returns the steps of the others.
std::vector<std::int64_t> cut_behind(const RunMoment& moment, VtkHdfLists& lists) {
  std::size_t kept = 0;
  while (kept < lists.size() && !moment.is_before(lists.steps[kept], lists.times[kept])) ++kept;
  std::vector<std::int64_t> later(lists.steps.begin() + static_cast<std::ptrdiff_t>(kept), lists.steps.end());
  lists.cut(kept);
  return later;
}

}  // namespace

std::vector<std::int64_t> cut_vtkhdf_series(const fs::path& path, const RunMoment& moment) {
  hdf5::be_silent();
  const Comm alone(MPI_COMM_SELF);
  VtkHdfLists lists;
  Handle file = vtkhdf::open_file(alone, path, H5F_ACC_RDONLY);
  if (!file.is_there() || !lists.read(file)) return {};  // no file that a series can continue
  const bool is_unfinished = vtkhdf::is_unfinished(file);
  file.reset();
  std::vector<std::int64_t> later = cut_behind(moment, lists);
  if (later.empty()) return later;
  if (lists.size() == 0) {
    fs::remove(path);
  } else if (is_unfinished) {
    vtkhdf::replace_by_copy(path, lists);
  } else {
    vtkhdf::put_lists(lists, path);
  }
  return later;
}

VtkHdfSeries::VtkHdfSeries(const Comm& comm, OutputFolder folder, const std::string& name)
    : comm_(comm), folder_(std::move(folder)), file_name_(name + ".vtkhdf"), lists_(new VtkHdfLists) {
  hdf5::be_silent();
  const fs::path file = folder_.path() / file_name_;
  const bool is_there = comm_.is_root() && folder_.lists(file_name_) && fs::is_regular_file(fs::symlink_status(file));
  if (comm_.max(std::int64_t{is_there}) != 0) take_up(file);
}

VtkHdfSeries::~VtkHdfSeries() = default;

void VtkHdfSeries::take_up(const fs::path& path) {
  Handle file = vtkhdf::open_file(comm_, path, H5F_ACC_RDONLY);
  const bool done = file.is_there() && lists_->read(file);
  const bool is_unfinished = done && vtkhdf::is_unfinished(file);
  file.reset();
  comm_.guard([&] {
    require(done, [&] {
      return message("{}: cannot be read, so the series cannot go on in it: {}; move it away", path.string(),
                     hdf5::reason());
    });
  });
  if (const auto& moment = folder_.goes_on_from()) cut_behind(*moment, *lists_);
  comm_.guard([&] {
    if (is_unfinished && lists_->size() > 0 && comm_.is_root()) vtkhdf::replace_by_copy(path, *lists_);
  });
}

void VtkHdfSeries::write(int step, double time, const VtkPiece& piece, const std::vector<VtkArray>& point_data,
                         const std::vector<VtkArray>& cell_data) {
  comm_.guard([&] {
    require_sizes(point_data, piece.points.size(), "points");
    require_sizes(cell_data, piece.cell_ids.size(), "cells");
  });
  VtkHdfLists lists = *lists_;
  lists.cut(
      static_cast<std::size_t>(std::lower_bound(lists.steps.begin(), lists.steps.end(), step) - lists.steps.begin()));
  const Place place{
      comm_, lists, {comm_, piece.points.size()}, {comm_, piece.cell_ids.size()}, {comm_, piece.cells.size()}};
  const bool is_new = lists.size() == 0;
  const bool has_new_mesh = lists.add({step, time, piece.cells_of_mesh, place.points.of_ranks, place.cells.of_ranks,
                                       place.corners.of_ranks, comm_.gather(fingerprint_of(piece))});

  std::optional<FreshFile> fresh;
  comm_.guard([&] {
    if (is_new && comm_.is_root()) fresh.emplace(folder_.file(file_name_));
  });
  const fs::path path = comm_.broadcast(fresh ? fresh->path().string() : (folder_.path() / file_name_).string());
  // 1. Data that the lists do not name yet.
  Handle file = is_new ? vtkhdf::make_file(comm_, path) : vtkhdf::open_file(comm_, path, H5F_ACC_RDWR);
  std::string failure = file.is_there() ? "" : hdf5::reason();
  if (file.is_there()) {
    if (!vtkhdf::set_unfinished(comm_, file, true)) failure = hdf5::reason();
    if (has_new_mesh) write_mesh(file, place, piece, failure);
    write_values(file, true, lists.first_point_row.back(), place.points, point_data, failure);
    write_values(file, false, lists.first_cell_row.back(), place.cells, cell_data, failure);
  }
  vtkhdf::close_file(comm_, std::move(file), path, failure);
  comm_.guard([&] {  // 2. The lists.
    if (!comm_.is_root()) return;
    vtkhdf::put_lists(lists, path);
    if (fresh) fresh->replace_file();
  });
  *lists_ = std::move(lists);
}

}  // namespace solenoid
