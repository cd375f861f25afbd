/// The folder of meshes made from .geo files, each under a name from its sources and content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace solenoid {

/// A file that is removed at the end of its scope unless it was moved elsewhere.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// `name` with an end that no other process uses, for a .msh on its way.
std::string unique_name(const std::string& name);

/// The entry of the cache for one mesh: NAME-KEY-SUM.msh, where the key tells what the mesh was made from and the sum
/// is the hash of the file's content, so that an entry that was cut off or replaced shows.
class MeshCache {
 public:
  using Say = std::function<void(const std::string&)>;

  MeshCache(const std::string& name, std::uint64_t key);

  /// The entry, if there is one that holds what was put there; others of its name are removed, and `say` told.
  std::optional<std::filesystem::path> find(const Say& say) const;
  /// Why nothing can be put into the cache; empty: it can.
  std::string obstacle() const;
  /// Where a mesh is to be written that will be kept.
  std::filesystem::path fresh() const { return folder_ / fresh_name_; }
  /// Moves the mesh at `made` into the cache; tells `say` where that fails.
  void keep(const std::filesystem::path& made, const Say& say) const;

 private:
  std::filesystem::path folder_;  // empty: the environment names none
  std::string beginning_, fresh_name_;
};

}  // namespace solenoid
