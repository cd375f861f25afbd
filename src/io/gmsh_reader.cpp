#include "io/gmsh_reader.hpp"

#include <gmsh.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/nearest_name.hpp"
#include "io/geo_source.hpp"
#include "io/gmsh_model.hpp"
#include "io/msh_check.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

using Say = std::function<void(const std::string&)>;

/// Gmsh between its initialisation and its end, silent, untouched by the user's configuration. Restores the number of
/// OpenMP threads, which Gmsh sets to 1 for the whole program.
class GmshSession {
 public:
  /// `size`: the value of the constant `lc` of the .geo files that are opened.
  explicit GmshSession(const std::optional<double>& size = {}) {
    std::vector<std::string> arguments{"solenoid"};
    if (size) arguments.insert(arguments.end(), {"-setnumber", "lc", message("{}", *size)});
    std::vector<char*> pointers;
    pointers.reserve(arguments.size());
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    gmsh::initialize(static_cast<int>(pointers.size()), pointers.data(), false);
    gmsh::option::setNumber("General.Terminal", 0);
    for (const char* threads :
         {"General.NumThreads", "Mesh.MaxNumThreads1D", "Mesh.MaxNumThreads2D", "Mesh.MaxNumThreads3D"}) {
      gmsh::option::setNumber(threads, 1);  // threads mesh differently from run to run
    }
    gmsh::logger::start();
  }
  ~GmshSession() {
    gmsh::logger::stop();
    gmsh::finalize();
#ifdef _OPENMP
    omp_set_num_threads(threads_);
#endif
  }
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

 private:
#ifdef _OPENMP
  int threads_ = omp_get_max_threads();
#endif
};

/// Runs calls to Gmsh; whatever they throw (a string, in 4.8) becomes an input error: "<file>: <what failed>: <why>".
template <class Calls>
void ask_gmsh(const std::string& file, const std::string& failure, Calls&& calls) {
  std::string reason;
  try {
    calls();
    return;
  } catch (const Error&) {
    throw;
  } catch (const std::string& text) {
    reason = text;
  } catch (const std::bad_alloc&) {
    reason = "out of memory, or the file is damaged";
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (int code) {
    reason = message("error {}", code);
  }
  throw Error(ExitCode::bad_input, message("{}: {}: {}", file, failure, reason));
}

void say_warnings(const Say& say) {
  constexpr int most = 3;
  std::vector<std::string> log;
  gmsh::logger::get(log);
  int count = 0;
  for (const std::string& line : log) {
    if (line.starts_with("Warning") && ++count <= most) say("Gmsh: " + line);
  }
  if (count > most) say(message("Gmsh: {} more warnings", count - most));
}

/// A file that is removed at the end of its scope unless it was moved elsewhere.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The folder of the meshes made so far; empty if the environment names none.
fs::path cache_folder() {
  if (const std::string own = environment("SOLENOID_CACHE"); !own.empty()) return own;
  if (const std::string caches = environment("XDG_CACHE_HOME"); !caches.empty())
    return fs::path(caches) / "solenoid/meshes";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache/solenoid/meshes";
  return {};
}

/// Creates the folder if need be and tries to write into it; returns why that fails, or nothing.
std::string why_unwritable(const fs::path& folder, const std::string& trial_name) {
  if (folder.empty()) return "SOLENOID_CACHE, XDG_CACHE_HOME and HOME are not set";
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return message("{}: {}", folder.string(), code.message());
  const TemporaryFile trial(folder / trial_name);
  if (!std::ofstream(trial.path())) return message("{}: {}", folder.string(), std::strerror(errno));
  return "";
}

/// Where the mesh of a .geo is kept: the name tells its content, its size and the version of Gmsh.
std::string cache_name(const MeshRequest& request, const GeoSource& source) {
  std::string gmsh_version;
  {
    const GmshSession session;
    gmsh::option::getString("General.Version", gmsh_version);
  }
  const std::string size = request.size ? message("{}", *request.size) : "none";
  const std::uint64_t key = fnv1a(message("size {}, Gmsh {}", size, gmsh_version), source.hash);
  return message("{}-{:08x}{:08x}.msh", request.file.stem().string(), key >> 32, key & 0xffffffff);
}

/// `name` with a part before its extension that no other process uses.
std::string unique_name(const std::string& name) {
  std::random_device random;
  return message("{}.{}-{:08x}.msh", name, ::getpid(), random());
}

/// Meshes the .geo and writes the mesh to `result`: as Gmsh does the elements in physical groups, or all of them if no
/// group is of the highest dimension.
void make_mesh(const MeshRequest& request, const fs::path& result, const Say& say) {
  const std::string file = request.file.string();
  say(message("meshing {}{}", file, request.size ? message(" (size {})", *request.size) : ""));
  const GmshSession session(request.size);
  int dimension = -1;
  gmsh::vectorpair groups;
  ask_gmsh(file, "Gmsh cannot mesh it", [&] {
    gmsh::merge(file);
    dimension = gmsh::model::getDimension();
    require_input(dimension >= 2,
                  [&] { return message("{}: has no surface to mesh, expected one or a volume", file); });
    gmsh::model::mesh::generate(dimension);
    gmsh::model::getPhysicalGroups(groups, dimension);
    gmsh::option::setNumber("Mesh.MshFileVersion", 4.1);
    gmsh::option::setNumber("Mesh.Binary", 1);
    gmsh::option::setNumber("Mesh.SaveAll", groups.empty() ? 1 : 0);
    gmsh::option::setNumber("Mesh.SaveParametric", 0);
  });
  say_warnings(say);
  try {
    gmsh::write(result.string());
  } catch (const std::string& reason) {
    throw Error(ExitCode::failure, message("{}: the mesh of {} cannot be written: {}", result.string(), file, reason));
  }
}

/// Reads a .msh file; `name` is what messages call it. Gmsh sees nothing of it that was not checked.
MeshSource read_msh(const fs::path& file, double scale, const std::string& name) {
  const MshSummary summary = check_msh(file, name);
  std::optional<TemporaryFile> checked;
  if (!summary.extras.empty()) {
    checked.emplace(fs::temp_directory_path() / unique_name(file.stem().string()));
    copy_without(file, summary.extras, checked->path());
  }
  const GmshSession session;
  MeshSource mesh;
  ask_gmsh(name, "Gmsh cannot read it", [&] {
    gmsh::option::setNumber("Mesh.SwitchElementTags", summary.version == MshVersion::v2_2 ? 1 : 0);
    gmsh::merge((checked ? checked->path() : file).string());
    mesh = mesh_of_current_model(summary, scale, name);
  });
  return mesh;
}

/// The mesh of a .geo: from the cache, or made and put there.
MeshSource read_geo(const MeshRequest& request, const Say& say) {
  const std::string file = request.file.string();
  const GeoSource source = read_geo_source(request.file);
  require_input(!request.size || source.declares_size, [&] {
    return message(
        "{}: `size` in [mesh] sets the constant `lc`, which this file does not declare; add at its top "
        "DefineConstant[ lc = {} ]; and use lc as the edge length, or remove `size`",
        file, *request.size);
  });
  const std::string name = cache_name(request, source);
  const fs::path folder = cache_folder(), cached = folder / name;
  std::error_code ignored;
  if (source.complete && fs::exists(cached, ignored)) {
    try {
      MeshSource mesh = read_msh(cached, request.scale, file);
      say(message("mesh taken from the cache {}", cached.string()));
      return mesh;
    } catch (const Error& error) {
      say(message("the cached mesh {} is damaged and is made again ({})", cached.string(), error.what()));
    }
  }

  const std::string fresh_name = unique_name(name);
  const std::string obstacle =
      source.complete ? why_unwritable(folder, fresh_name) : "the .geo computes the name of a file it includes";
  if (!obstacle.empty()) say(message("the mesh is not kept in the cache: {}", obstacle));
  const TemporaryFile fresh((obstacle.empty() ? folder : fs::temp_directory_path()) / fresh_name);
  make_mesh(request, fresh.path(), say);
  MeshSource mesh = read_msh(fresh.path(), request.scale, file);
  if (obstacle.empty()) {
    std::error_code code;
    fs::rename(fresh.path(), cached, code);
    if (code) say(message("the mesh is not kept in the cache: {}: {}", cached.string(), code.message()));
  }
  return mesh;
}

bool is_mesh_name(const fs::path& file) { return file.extension() == ".geo" || file.extension() == ".msh"; }

/// The mesh file beside `file` whose name is most like it, as ": did you mean `...`?"; empty if none is similar.
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

}  // namespace

MeshSource read_mesh(const MeshRequest& request, const Say& say) {
  const std::string file = request.file.string(), extension = request.file.extension().string();
  require_input(is_mesh_name(request.file), [&] {
    return message("{}: `file` in [mesh] has the extension `{}`, expected .geo (meshed by Gmsh) or .msh (2.2 or 4.1)",
                   file, extension);
  });
  std::error_code code;
  const auto status = fs::status(request.file, code);
  require_input(fs::exists(status),
                [&] { return message("{}: the mesh file does not exist{}", file, suggestion(request.file)); });
  require_input(fs::is_regular_file(status),
                [&] { return message("{}: is a folder or device, expected a mesh file", file); });
  require_input(std::isfinite(request.scale) && request.scale > 0, [&] {
    return message("{}: `scale` in [mesh] is {}, expected a length unit in metres, above 0", file, request.scale);
  });
  require_input(!request.size || (std::isfinite(*request.size) && *request.size > 0), [&] {
    return message("{}: `size` in [mesh] is {}, expected an edge length above 0", file, *request.size);
  });
  require_input(!request.size || extension == ".geo", [&] {
    return message("{}: `size` in [mesh] is {}, but a .msh file is meshed already; remove `size`, or name the .geo",
                   file, *request.size);
  });

  MeshSource mesh = extension == ".geo" ? read_geo(request, say) : read_msh(request.file, request.scale, file);
  say(message("read {} nodes, {} {} from {}", mesh.points.size(), mesh.cell_count(),
              mesh.dimension == 2 ? "triangles" : "tetrahedra", file));
  return mesh;
}

}  // namespace solenoid
