#include "io/gmsh/mesh_cache.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "io/gmsh/geo_source.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path cache_folder() {
  if (const std::string own = environment("SOLENOID_CACHE"); !own.empty()) return own;
  if (const std::string caches = environment("XDG_CACHE_HOME"); !caches.empty())
    return fs::path(caches) / "solenoid/meshes";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache/solenoid/meshes";
  return {};
}

std::string digits(std::uint64_t hash) { return message("{:08x}{:08x}", hash >> 32, hash & 0xffffffff); }

std::string entry_name(const std::string& beginning, const fs::path& content) {
  return beginning + digits(hash_of_file(content)) + ".msh";
}

bool holds_what_was_kept(const std::string& beginning, const fs::path& entry) {
  try {
    return entry.filename() == entry_name(beginning, entry);
  } catch (const Error&) {  // unreadable, or just removed by another run
    return false;
  }
}

}  // namespace

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

std::string unique_name(const std::string& name) {
  std::random_device random;
  return message("{}.{}-{:08x}.msh", name, ::getpid(), random());
}

MeshCache::MeshCache(const std::string& name, std::uint64_t key)
    : folder_(cache_folder()), beginning_(name + "-" + digits(key) + "-"), fresh_name_(unique_name("new-" + name)) {}

std::optional<fs::path> MeshCache::find(const Say& say) const {
  std::optional<fs::path> found;
  std::vector<fs::path> damaged;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning_) || !name.ends_with(".msh") || !entry.is_regular_file(ignored)) continue;
    if (holds_what_was_kept(beginning_, entry.path())) {
      found = entry.path();
    } else {
      damaged.push_back(entry.path());
    }
  }
  for (const fs::path& entry : damaged) {
    say(message("the cached mesh {} differs from the stored content: it is removed{}", entry.string(),
                found ? "" : " and made again"));
    fs::remove(entry, ignored);
  }
  return found;
}

std::string MeshCache::obstacle() const {
  if (folder_.empty()) return "SOLENOID_CACHE, XDG_CACHE_HOME and HOME are not set";
  std::error_code code;
  fs::create_directories(folder_, code);
  if (code) return message("{}: {}", folder_.string(), code.message());
  const TemporaryFile trial(fresh());
  if (!std::ofstream(trial.path())) return message("{}: {}", folder_.string(), std::strerror(errno));
  return "";
}

void MeshCache::keep(const fs::path& made, const Say& say) const {
  const fs::path entry = folder_ / entry_name(beginning_, made);
  std::error_code code;
  fs::rename(made, entry, code);
  if (code) say(message("the mesh is not kept in the cache: {}: {}", entry.string(), code.message()));
}

}  // namespace solenoid
