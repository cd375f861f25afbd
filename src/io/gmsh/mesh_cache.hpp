/// The folder of meshes made from .geo files, each under a name from its sources and content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace solenoid {

/// A file that the destructor removes, unless it was moved.
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

/// `name` with an ending unique to this process, for a temporary .msh.
std::string unique_name(const std::string& name);

/// The cache entry of one mesh: NAME-KEY-SUM.msh. The key identifies the sources of the mesh; the sum is the hash of
/// the file's content, so that a truncated or replaced entry is detected.
class MeshCache {
 public:
  using Say = std::function<void(const std::string&)>;

  MeshCache(const std::string& name, std::uint64_t key);

  /// The entry, if its content is intact; damaged entries of this name are removed, with a message to `say`.
  std::optional<std::filesystem::path> find(const Say& say) const;
  /// Why the cache cannot store a mesh; empty: it can.
  std::string obstacle() const;
  /// Path for writing a new mesh that is to be kept.
  std::filesystem::path fresh() const { return folder_ / fresh_name_; }
  /// Moves the mesh at `made` into the cache; reports a failure to `say`.
  void keep(const std::filesystem::path& made, const Say& say) const;

 private:
  std::filesystem::path folder_;  // empty if the environment names none
  std::string beginning_, fresh_name_;
};

}  // namespace solenoid
