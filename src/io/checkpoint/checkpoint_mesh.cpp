#include "io/checkpoint/checkpoint_mesh.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "io/hdf5/hdf5_objects.hpp"

namespace solenoid {

namespace {

using hdf5::Handle;

constexpr const char* group_name = "mesh";

/// Calls visit() for each array, with its name, its type in the file, the numbers per row, and the values.
template <class Mesh, class Visit>
void visit_arrays(Mesh& mesh, int dimension, const Visit& visit) {
  visit("points", hdf5::type_of<real>(), 3, mesh.points);
  visit("cells", hdf5::type_of<int>(), dimension + 1, mesh.cells);
  visit("cell_region", hdf5::type_of<int>(), 1, mesh.cell_region);
  visit("boundary_faces", hdf5::type_of<int>(), dimension, mesh.boundary_faces);
  visit("boundary_patch", hdf5::type_of<int>(), 1, mesh.boundary_patch);
}

std::string as_lines(const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) lines += name + "\n";
  return lines;
}

std::vector<std::string> from_lines(const std::string& lines) {
  std::vector<std::string> names;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) names.push_back(line);
  return names;
}

bool are_between(int lowest, std::size_t end, const std::vector<int>& values) {
  return std::all_of(values.begin(), values.end(), [&](int value) {
    return value >= lowest && static_cast<std::int64_t>(value) < static_cast<std::int64_t>(end);
  });
}

/// Whether every index refers to an existing point, group or cell.
bool hangs_together(const MeshSource& mesh) {
  const auto cells = static_cast<std::size_t>(mesh.cell_count());
  const auto faces = static_cast<std::size_t>(mesh.boundary_face_count());
  return cells > 0 && mesh.cell_region.size() == cells &&
         mesh.boundary_faces.size() == faces * static_cast<std::size_t>(mesh.dimension) &&
         are_between(0, mesh.points.size(), mesh.cells) && are_between(0, mesh.points.size(), mesh.boundary_faces) &&
         are_between(-1, mesh.regions.size(), mesh.cell_region) &&
         are_between(0, mesh.patches.size(), mesh.boundary_patch);
}

std::vector<std::int64_t> numbers_to(std::size_t last) {
  std::vector<std::int64_t> numbers(last);
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

}  // namespace

void write_mesh_group(const Comm& comm, hid_t file, const std::filesystem::path& path,
                      const std::optional<MeshSource>& mesh) {
  const MeshSource nothing;
  const MeshSource& known = mesh ? *mesh : nothing;
  const auto dimension = static_cast<int>(comm.max(std::int64_t{mesh ? mesh->dimension : 0}));
  const auto origin = comm.sum(static_cast<std::int64_t>(comm.is_root() ? known.origin : 0));
  const std::string regions = comm.broadcast(as_lines(known.regions)),
                    patches = comm.broadcast(as_lines(known.patches));
  struct Rows {
    std::int64_t before = 0, own = 0, all = 0;
  };
  std::map<std::string, Rows> rows;
  visit_arrays(known, dimension, [&](const std::string& name, hid_t type, int columns, const auto& values) {
    const std::size_t row_bytes = static_cast<std::size_t>(columns) * H5Tget_size(type);
    Rows& of = rows[name];
    of.own = static_cast<std::int64_t>(values.size() * sizeof(values[0]) / row_bytes);
    const std::vector<std::int64_t> of_ranks = comm.gather(of.own);
    of.before = std::accumulate(of_ranks.begin(), of_ranks.begin() + comm.rank(), std::int64_t{0});
    of.all = std::accumulate(of_ranks.begin(), of_ranks.end(), std::int64_t{0});
  });
  hdf5::require_written(comm, path, [&] {
    const Handle group(H5Gcreate2(file, group_name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    bool done = hdf5::write_attribute(group, "dimension", std::int64_t{dimension}) &&
                hdf5::write_attribute(group, "origin", origin) && hdf5::write_text(group, "regions", regions) &&
                hdf5::write_text(group, "patches", patches);
    visit_arrays(known, dimension, [&](const std::string& name, hid_t type, int columns, const auto& values) {
      const Rows& of = rows[name];
      const Handle array = hdf5::make_rows(group, name, type, columns, of.all);
      done = hdf5::set_rows(array, of.all) && done;  // collective calls before those of a single rank
      done = hdf5::move_rows(array, type, of.before, of.own, values.data(), nullptr) && done;
    });
    return done;
  });
}

std::optional<MeshSource> read_mesh_group(const Comm& comm, hid_t file, std::size_t bytes) {
  if (H5Lexists(file, group_name, H5P_DEFAULT) <= 0) return std::nullopt;
  const Handle group(H5Gopen2(file, group_name, H5P_DEFAULT), H5Gclose);
  if (!group.is_there()) return std::nullopt;
  const auto dimension = hdf5::read_attribute<std::int64_t>(group, "dimension");
  const auto origin = hdf5::read_attribute<std::int64_t>(group, "origin");
  const auto regions = hdf5::read_text(group, "regions", bytes), patches = hdf5::read_text(group, "patches", bytes);
  if ((dimension != 2 && dimension != 3) || !origin || !regions || !patches) return std::nullopt;
  MeshSource mesh;
  mesh.dimension = static_cast<int>(*dimension);
  mesh.origin = static_cast<std::uint64_t>(*origin);
  mesh.regions = from_lines(*regions);
  mesh.patches = from_lines(*patches);
  bool is_read = true;
  visit_arrays(mesh, mesh.dimension, [&](const std::string& name, hid_t type, int columns, auto& values) {
    const bool is_there = H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0;
    const Handle array = is_there ? Handle(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose) : Handle();
    const hdf5::RowCount found = hdf5::count_rows(array);
    if (!comm.is_root()) return;
    const std::size_t row_bytes = static_cast<std::size_t>(columns) * H5Tget_size(type);
    is_read = is_read && found.components == columns && static_cast<std::size_t>(found.rows) <= bytes / row_bytes;
    if (is_read) values.resize(static_cast<std::size_t>(found.rows) * row_bytes / sizeof(values[0]));
    is_read = is_read && hdf5::move_rows(array, type, 0, found.rows, nullptr, values.data());
  });
  if (!comm.is_root() || !is_read) return std::nullopt;
  mesh.point_ids = numbers_to(mesh.points.size());
  mesh.cell_ids = numbers_to(static_cast<std::size_t>(mesh.cell_count()));
  return hangs_together(mesh) ? std::optional(std::move(mesh)) : std::nullopt;
}

}  // namespace solenoid
