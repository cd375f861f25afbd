#include "io/gmsh/msh_file.hpp"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "io/gmsh/geo_source.hpp"
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_process.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/meshing.hpp"
#include "io/gmsh/part_mesh.hpp"
#include "io/gmsh/part_unit.hpp"

namespace fs = std::filesystem;

namespace solenoid {

bool is_geometry(const fs::path& file) { return file.extension() == ".geo"; }

std::string text_of_size(const MeshRequest& request) { return request.size ? message("{}", *request.size) : "none"; }

namespace {

using Say = std::function<void(const std::string&)>;

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

/// The mesh that `make` writes: from the cache, or made. `unknown`: why it must not be kept, or empty.
MshFile made_mesh(const MeshRequest& request, std::uint64_t sources, const std::string& unknown,
                  void (*make)(const MeshRequest&, const fs::path&, const GmshReports&), const Say& say) {
  MshFile msh;
  const std::string name = request.file.stem().string();
  msh.cache.emplace(name, cache_key(request, sources, say));
  if (unknown.empty()) {
    if (const auto cached = msh.cache->find(say)) {
      msh.path = *cached;
      return msh;
    }
  }
  const std::string obstacle = unknown.empty() ? msh.cache->obstacle() : unknown;
  if (!obstacle.empty()) say(message("the mesh is not kept in the cache: {}", obstacle));
  msh.is_kept = obstacle.empty();
  msh.path = msh.is_kept ? msh.cache->fresh() : fs::temp_directory_path() / unique_name(name);
  msh.fresh = std::make_unique<TemporaryFile>(msh.path);
  in_gmsh_process(request, say, [&](const GmshReports& reports) {
    make(request, msh.path, reports);
    return std::string();
  });
  return msh;
}

MshFile made_of_geo(const MeshRequest& request, const Say& say) {
  const std::string file = request.file.string();
  const GeoSource source = read_geo_source(request.file);
  refuse_deeds(request, source);
  require_input(!request.size || source.declares_size, [&] {
    return message(
        "{}: `size` in [mesh] sets the constant `lc`, which this file does not declare; add at its top "
        "DefineConstant[ lc = {} ]; and use lc as the edge length, or remove `size`",
        file, *request.size);
  });
  return made_mesh(request, source.hash, source.deeds.empty() ? source.unknown : source.deeds.front(), mesh_geo, say);
}

}  // namespace

std::uint64_t hash_of_part(const MeshRequest& request) {
  return fnv1a(request.part.text(), hash_of_file(request.file));
}

bool has_msh(const MeshRequest& request) {
  return is_geometry(request.file) || is_part(request.file) || request.file.extension() == ".msh";
}

MshFile msh_of(const MeshRequest& request, const Say& say) {
  if (is_geometry(request.file)) return made_of_geo(request, say);
  if (is_part(request.file)) return made_mesh(request, hash_of_part(request), "", mesh_part, say);
  return {request.file};
}

void keep(const MshFile& msh, const Box& box, int dimension, const MeshRequest& request, const Say& say) {
  if (msh.is_kept) msh.cache->keep(msh.path, say);
  if (!msh.cache || msh.fresh) return;
  say(message("mesh taken from the cache {}", msh.path.string()));
  if (!is_part(request.file)) return;
  const LengthUnits& scale = request.scale;
  const Vec3 size{box.size().x / scale.x, box.size().y / scale.y, box.size().z / scale.z};
  say(message("{}: {} m", request.file.string(), text_of_extents(size, dimension, scale)));
  const auto line = text_of_part_unit(unit_of_lengths(request.file), size, dimension, request);
  if (line) say(*line);
}

}  // namespace solenoid
