#include "io/gmsh/gmsh_reader.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "io/foreign/poly_mesh.hpp"
#include "io/foreign/su2_mesh.hpp"
#include "io/foreign/vtk_mesh.hpp"
#include "io/gmsh/geo_source.hpp"
#include "io/gmsh/gmsh_process.hpp"
#include "io/gmsh/meshing.hpp"
#include "io/gmsh/msh_file.hpp"
#include "io/gmsh/part_model.hpp"
#include "io/msh/msh_check.hpp"
#include "io/msh/msh_mesh.hpp"
#include "io/msh/msh_rows.hpp"
#include "mesh/mesh_rows.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

constexpr const char* read_by_gmsh[] = {".unv", ".mesh", ".bdf", ".nas"};
constexpr const char* read_by_vtk[] = {".vtu", ".vtk"};
constexpr const char* meshes_for_gmsh[] = {".med", ".cgns", ".p3d", ".inp"};
constexpr const char* other_formats[] = {".ply", ".vtp", ".xdmf", ".obj", ".off", ".ugrid", ".e", ".exo", ".neu"};
constexpr const char* readable =
    ".geo (meshed by Gmsh, as are .step, .iges, .brep and .stl), .msh (2.2 or 4.1), .su2, .vtu, .vtk, .unv, .mesh, "
    ".bdf, .nas, or the folder polyMesh of an OpenFOAM case";

bool has_one_of(const fs::path& file, std::span<const char* const> extensions) {
  const std::string extension = extension_of(file);
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

/// Also with a / at its end.
bool is_poly_mesh(const fs::path& file) {
  return (file.has_filename() ? file : file.parent_path()).filename() == "polyMesh";
}

bool is_su2(const fs::path& file) { return extension_of(file) == ".su2"; }

}  // namespace

std::string extension_of(const fs::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_mesh_name(const fs::path& file) {
  return file.extension() == ".geo" || file.extension() == ".msh" || has_one_of(file, read_by_gmsh) ||
         has_one_of(file, read_by_vtk) || is_su2(file) || is_poly_mesh(file) || is_part(file);
}

bool is_foreign_mesh_name(const fs::path& file) { return has_one_of(file, other_formats) || !way_to_msh(file).empty(); }

std::string way_to_msh(const fs::path& file) {
  const std::string name = file.filename().string(), stem = file.stem().string();
  if (has_one_of(file, meshes_for_gmsh)) {
    return message(". Gmsh converts it: gmsh {} -save -format msh41 -o {}.msh", name, stem);
  }
  return "";
}

namespace {

using Say = std::function<void(const std::string&)>;

/// Makes names valid UTF-8 without control characters: Latin-1 names of older programs are converted.
void make_legible(std::vector<std::string>& names, const std::string& file, const Say& say) {
  for (std::string& name : names) {
    if (!is_utf8(name)) {
      const auto converted = utf8_of_windows_1252(name);
      require_input(converted.has_value(), [&] {
        return message("{}: the name `{}` of a group is neither in UTF-8 nor in Latin-1; rename it", file,
                       printable(name));
      });
      say(message("{}: the name `{}` of a group is not in UTF-8; read as Latin-1 it is `{}`", file, printable(name),
                  *converted));
      require_input(std::find(names.begin(), names.end(), *converted) == names.end(), [&] {
        return message("{}: two groups are called `{}`, one of them in Latin-1; give them different names", file,
                       *converted);
      });
      name = *converted;
    }
    require_input(!has_control_character(name), [&] {
      return message("{}: the name `{}` of a group has a control character in it; rename it", file, printable(name));
    });
  }
}

/// The mesh of a file.
MeshSource legible_mesh(FileMesh found, const MeshRequest& request, const Say& say) {
  const std::string name = request.file.string();
  MeshSource mesh = mesh_of_file(std::move(found), request.scale, request.pairs, name, say);
  make_legible(mesh.patches, name, say);
  make_legible(mesh.regions, name, say);
  return mesh;
}

/// Where no group of this dimension is named, the file's own numbers of entities are groups.
void take_entities_as_groups(MshRecords& records, int dimension) {
  auto& groups = records.groups[static_cast<std::size_t>(dimension)];
  const bool has_group =
      std::any_of(groups.begin(), groups.end(), [](const auto& entity) { return !entity.second.empty(); });
  if (has_group) return;
  for (const MshElements::Run& run : records.elements[static_cast<std::size_t>(dimension)].runs) {
    groups[run.entity] = {run.entity};
  }
}

/// The mesh of another program.
FileMesh read_foreign_mesh(const MeshRequest& request, const Say& say) {
  const std::string file = request.file.string();
  if (is_poly_mesh(request.file)) return read_poly_mesh(request.file, file);
  if (is_su2(request.file)) return read_su2_mesh(request.file, file);
  if (has_one_of(request.file, read_by_vtk)) return read_vtk_mesh(request.file, file);
  const TemporaryFile converted(fs::temp_directory_path() / unique_name(request.file.stem().string()));
  in_gmsh_process(request, say, [&](const GmshReports& reports) {
    convert_mesh(request, converted.path(), reports);
    return std::string();
  });
  FileMesh mesh = check_msh(converted.path(), file);
  for (const int dimension : {mesh.dimension - 1, mesh.dimension}) take_entities_as_groups(mesh.records, dimension);
  return mesh;
}

/// The mesh file in the folder of `file` with the most similar name, as ": did you mean `...`?"; empty if none is
/// similar.
std::string suggestion(const fs::path& file) {
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  std::error_code code;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (is_mesh_name(entry.path())) names.push_back(entry.path().filename().string());
  }
  if (code) return message(": the folder {} cannot be read ({})", folder.string(), code.message());
  std::sort(names.begin(), names.end());
  const auto nearest = nearest_name(file.filename().string(), names);
  return nearest ? message(": did you mean `{}`?", (file.parent_path() / *nearest).string()) : "";
}

void add_layers(MeshSource& mesh, const MeshRequest& request, const Say& say) {
  const LengthUnits& unit = request.scale;
  require_input(unit.x == unit.y && unit.y == unit.z, [&] {
    return message("{}: [mesh.layers] takes one `scale` for all axes, found {}", request.file.string(), unit.text());
  });
  LayerSettings layers = request.layers;
  layers.first *= unit.x;
  add_wall_layers(mesh, layers, request.pairs, say);
}

void require_request(const MeshRequest& request) {
  const std::string file = request.file.string(), extension = request.file.extension().string();
  require_input(is_mesh_name(request.file), [&] {
    return message("{}: not a mesh I read: expected {}; found `{}`{}", file, readable, extension,
                   way_to_msh(request.file));
  });
  std::error_code code;
  const auto status = fs::status(request.file, code);
  require_input(fs::exists(status),
                [&] { return message("{}: the mesh file does not exist{}", file, suggestion(request.file)); });
  require_input(is_poly_mesh(request.file) ? fs::is_directory(status) : fs::is_regular_file(status), [&] {
    return is_poly_mesh(request.file) ? message("{}: is a file, expected the folder of a polyMesh", file)
                                      : message("{}: is a folder or device, expected a mesh file", file);
  });
  require_input(request.scale.is_valid(), [&] {
    return message("{}: `scale` in [mesh] is {}, expected a length unit in metres, above 0", file,
                   request.scale.text());
  });
  require_input(!request.size || (std::isfinite(*request.size) && *request.size > 0), [&] {
    return message("{}: `size` in [mesh] is {}, expected an edge length above 0", file, *request.size);
  });
  require_input(!request.size || is_geometry(request.file) || is_part(request.file), [&] {
    return message("{}: `size` in [mesh] is {}, but this file is meshed already; remove `size`, or name a .geo", file,
                   *request.size);
  });
  require_input(request.part.given.empty() || is_part(request.file), [&] {
    return message("{}: `{}` in [mesh] is for parts, .step, .iges, .brep or .stl; {}", file, request.part.given,
                   is_geometry(request.file) ? "a .geo says so itself" : "this file is meshed already");
  });
}

void tell_counts(std::int64_t points, std::int64_t cells, int dimension, const MeshRequest& request, const Say& say) {
  say(message("read {} nodes, {} {} from {}", points, cells, dimension == 2 ? "triangles" : "tetrahedra",
              request.file.string()));
}

Box box_around(const std::vector<Vec3>& points) {
  Box box;
  for (const Vec3& p : points) box.include(p);
  return box;
}

std::vector<fs::path> files_of(const fs::path& mesh) {
  return is_poly_mesh(mesh) ? files_of_poly_mesh(mesh) : std::vector<fs::path>{mesh};
}

/// The whole mesh; `msh`: of the request, if it has one.
MeshSource whole_mesh(const MeshRequest& request, const std::optional<MshFile>& msh, const Say& say) {
  const std::string file = request.file.string();
  MeshSource mesh;
  if (msh) {
    mesh = legible_mesh(check_msh(msh->path, file), request, say);
    keep(*msh, box_around(mesh.points), mesh.dimension, request, say);
  } else {
    mesh = legible_mesh(read_foreign_mesh(request, say), request, say);
  }
  if (request.layers.count > 0) add_layers(mesh, request, say);
  tell_counts(std::ssize(mesh.points), mesh.cell_count(), mesh.dimension, request, say);
  return mesh;
}

}  // namespace

std::uint64_t origin_of_mesh(const MeshRequest& request) {
  std::uint64_t content = fnv1a("");
  if (is_geometry(request.file)) {
    content = read_geo_source(request.file).hash;
  } else if (is_part(request.file)) {
    content = hash_of_part(request);
  } else {
    for (const fs::path& file : files_of(request.file)) content = hash_of_file(file, content);
  }
  content = fnv1a(request.layers.text(request.pairs), content);
  return fnv1a(message("size {}, scale {}", text_of_size(request), request.scale.text()), content);
}

MeshSource read_mesh(const MeshRequest& request, const Say& say) {
  require_request(request);
  const std::uint64_t origin = origin_of_mesh(request);
  MeshSource mesh = whole_mesh(request, has_msh(request) ? std::optional(msh_of(request, say)) : std::nullopt, say);
  mesh.origin = origin;
  return mesh;
}

MeshSource read_mesh_rows(const Comm& comm, const MeshRequest& request, const Say& say) {
  const std::string file = request.file.string();
  std::optional<MshFile> msh;
  std::uint64_t origin = 0;
  std::string obstacle;
  comm.guard([&] {
    if (!comm.is_root()) return;
    require_request(request);
    origin = origin_of_mesh(request);
    if (has_msh(request)) msh = msh_of(request, say);
    if (!msh) obstacle = "it is no .msh";
    if (msh && msh->fresh && !msh->is_kept) obstacle = "its mesh is not kept in the cache";
    if (request.layers.count > 0) obstacle = "its walls get layers";
  });
  const fs::path path = comm.broadcast(msh ? msh->path.string() : "");
  obstacle = comm.broadcast(obstacle);
  std::error_code not_to_be_had;
  const bool is_seen = comm.min(std::int64_t{fs::exists(path, not_to_be_had)}) != 0;
  if (obstacle.empty() && !is_seen) obstacle = message("not all ranks see {}", path.string());
  if (obstacle.empty()) obstacle = obstacle_to_rows(comm, path, file);
  MeshSource mesh;
  if (!obstacle.empty()) {
    std::optional<MeshSource> whole;
    comm.guard([&] {
      if (!comm.is_root()) return;
      say(message("{}: read by rank 0: {}", file, obstacle));
      whole = whole_mesh(request, msh, say);
    });
    mesh = shared_by_rows(comm, std::move(whole)).value();
    mesh.origin = origin;
    return mesh;
  }
  mesh = read_msh_rows(comm, path, request.scale, file);
  const Box box = box_of_ranks(comm, box_around(mesh.points));
  const std::int64_t points = comm.sum(std::int64_t{std::ssize(mesh.points)}),
                     cells = comm.sum(std::int64_t{mesh.cell_count()});
  comm.guard([&] {
    const Say of_root = [&](const std::string& line) {
      if (comm.is_root()) say(line);
    };
    make_legible(mesh.patches, file, of_root);
    make_legible(mesh.regions, file, of_root);
    if (msh) keep(*msh, box, mesh.dimension, request, say);
    tell_counts(points, cells, mesh.dimension, request, of_root);
  });
  mesh.origin = origin;
  return mesh;
}

}  // namespace solenoid
