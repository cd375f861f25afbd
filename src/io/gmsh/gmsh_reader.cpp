#include "io/gmsh/gmsh_reader.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
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
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_process.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/mesh_cache.hpp"
#include "io/gmsh/meshing.hpp"
#include "io/gmsh/part_mesh.hpp"
#include "io/gmsh/part_unit.hpp"
#include "io/msh/msh_check.hpp"
#include "io/msh/msh_mesh.hpp"

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

bool is_geometry(const fs::path& file) { return file.extension() == ".geo"; }

std::string text_of_size(const MeshRequest& request) { return request.size ? message("{}", *request.size) : "none"; }

/// Key of a mesh in the cache: from the content of its sources, its size, and the version of Gmsh.
std::uint64_t cache_key(const MeshRequest& request, std::uint64_t sources, const Say& say) {
  std::string version = gmsh::library_file();
  if (version.empty()) {
    version = in_gmsh_process(request, say, [](const GmshReports&) {
      const GmshSession session;
      return gmsh::text_option("General.Version");
    });
  }
  return fnv1a(message("size {}, Gmsh {}", text_of_size(request), version), sources);
}

/// Refuses a .geo that does more than describe a geometry, or has options beside it, unless it is trusted.
void refuse_deeds(const MeshRequest& request, const GeoSource& source) {
  std::error_code ignored;
  const std::string options = request.file.string() + ".opt";
  require_input(request.trust || !fs::exists(options, ignored), [&] {
    return message(
        "{}: Gmsh would carry it out after {}: if you know and trust it, set `trust = true` in [mesh], or "
        "give --trust; otherwise move it away",
        options, request.file.string());
  });
  constexpr std::size_t most = 5;
  if (source.deeds.empty() || request.trust) return;
  std::vector<std::string> shown(
      source.deeds.begin(), source.deeds.begin() + static_cast<std::ptrdiff_t>(std::min(most, source.deeds.size())));
  if (source.deeds.size() > most) shown.push_back(message("and {} more", source.deeds.size() - most));
  throw Error(
      ExitCode::bad_input,
      message("{}: a .geo is a program, and this one does more than describe a geometry:\n  {}\nIf you know and "
              "trust it, set `trust = true` in [mesh], or give --trust; otherwise remove these statements",
              request.file.string(), joined(shown, "\n  ")));
}

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

/// The mesh of a file; `name`: the file in messages.
MeshSource legible_mesh(const FileMesh& found, const LengthUnits& unit, const std::string& name, const Say& say) {
  MeshSource mesh = mesh_of_file(found, unit, name, say);
  make_legible(mesh.patches, name, say);
  make_legible(mesh.regions, name, say);
  return mesh;
}

MeshSource read_msh(const fs::path& file, const LengthUnits& unit, const std::string& name, const Say& say) {
  return legible_mesh(check_msh(file, name), unit, name, say);
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

/// Reports size and unit of a part whose mesh is from the cache.
void tell_size(const MeshSource& mesh, const MeshRequest& request, const Say& say) {
  Box box;
  for (const Vec3& p : mesh.points) box.include(p);
  const LengthUnits& scale = request.scale;
  const Vec3 size{box.size().x / scale.x, box.size().y / scale.y, box.size().z / scale.z};
  say(message("{}: {} m", request.file.string(), text_of_extents(size, mesh.dimension, scale)));
  const auto line = text_of_part_unit(unit_of_lengths(request.file), size, mesh.dimension, request);
  if (line) say(*line);
}

/// The mesh that `make` writes: from the cache, or made and stored there. `unknown`: why it must not be kept, or empty.
MeshSource kept_mesh(const MeshRequest& request, std::uint64_t sources, const std::string& unknown,
                     void (*make)(const MeshRequest&, const fs::path&, const GmshReports&), const Say& say) {
  const std::string file = request.file.string();
  const MeshCache cache(request.file.stem().string(), cache_key(request, sources, say));
  if (unknown.empty()) {
    if (const auto cached = cache.find(say)) {
      MeshSource mesh = read_msh(*cached, request.scale, file, say);
      say(message("mesh taken from the cache {}", cached->string()));
      if (is_part(request.file)) tell_size(mesh, request, say);
      return mesh;
    }
  }
  const std::string obstacle = unknown.empty() ? cache.obstacle() : unknown;
  if (!obstacle.empty()) say(message("the mesh is not kept in the cache: {}", obstacle));
  const TemporaryFile fresh(obstacle.empty() ? cache.fresh()
                                             : fs::temp_directory_path() / unique_name(request.file.stem().string()));
  in_gmsh_process(request, say, [&](const GmshReports& reports) {
    make(request, fresh.path(), reports);
    return std::string();
  });
  MeshSource mesh = read_msh(fresh.path(), request.scale, file, say);
  if (obstacle.empty()) cache.keep(fresh.path(), say);
  return mesh;
}

MeshSource read_geo(const MeshRequest& request, const Say& say) {
  const std::string file = request.file.string();
  const GeoSource source = read_geo_source(request.file);
  refuse_deeds(request, source);
  require_input(!request.size || source.declares_size, [&] {
    return message(
        "{}: `size` in [mesh] sets the constant `lc`, which this file does not declare; add at its top "
        "DefineConstant[ lc = {} ]; and use lc as the edge length, or remove `size`",
        file, *request.size);
  });
  return kept_mesh(request, source.hash, source.deeds.empty() ? source.unknown : source.deeds.front(), mesh_geo, say);
}

/// Of a part the settings count, too.
std::uint64_t hash_of_part(const MeshRequest& request) {
  return fnv1a(request.part.text(), hash_of_file(request.file));
}

MeshSource read_part(const MeshRequest& request, const Say& say) {
  return kept_mesh(request, hash_of_part(request), "", mesh_part, say);
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
  add_wall_layers(mesh, layers, say);
}

std::vector<fs::path> files_of(const fs::path& mesh) {
  return is_poly_mesh(mesh) ? files_of_poly_mesh(mesh) : std::vector<fs::path>{mesh};
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
  content = fnv1a(request.layers.text(), content);
  return fnv1a(message("size {}, scale {}", text_of_size(request), request.scale.text()), content);
}

MeshSource read_mesh(const MeshRequest& request, const Say& say) {
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

  const std::uint64_t origin = origin_of_mesh(request);
  const auto read = [&] {
    if (is_geometry(request.file)) return read_geo(request, say);
    if (is_part(request.file)) return read_part(request, say);
    if (request.file.extension() == ".msh") return read_msh(request.file, request.scale, file, say);
    return legible_mesh(read_foreign_mesh(request, say), request.scale, file, say);
  };
  MeshSource mesh = read();
  if (request.layers.count > 0) add_layers(mesh, request, say);
  mesh.origin = origin;
  say(message("read {} nodes, {} {} from {}", mesh.points.size(), mesh.cell_count(),
              mesh.dimension == 2 ? "triangles" : "tetrahedra", file));
  return mesh;
}

}  // namespace solenoid
