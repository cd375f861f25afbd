/// From a geometry to a .msh of it, made by Gmsh once and kept in the cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/vec3.hpp"
#include "io/gmsh/mesh_cache.hpp"
#include "io/gmsh/mesh_request.hpp"

namespace solenoid {

bool is_geometry(const std::filesystem::path& file);

/// The size of a request in words.
std::string text_of_size(const MeshRequest& request);

/// The hash of a part and of its settings.
std::uint64_t hash_of_part(const MeshRequest& request);

/// A .msh with the mesh of a request: the file itself, or one that was made of it.
struct MshFile {
  std::filesystem::path path;
  std::optional<MeshCache> cache = {};             ///< of meshes that are made
  std::unique_ptr<TemporaryFile> fresh = nullptr;  ///< made now
  bool is_kept = false;                            ///< made now, for the cache
};

/// Whether msh_of() has the mesh of a request: of a .msh, a .geo or a part.
bool has_msh(const MeshRequest& request);

/// The .msh of a request, made if it has to be. Serial; throws as read_mesh() does.
MshFile msh_of(const MeshRequest& request, const std::function<void(const std::string&)>& say);

/// Keeps a mesh that was made and read, and says where one was that was not made. `box`: around its points [m].
void keep(const MshFile& msh, const Box& box, int dimension, const MeshRequest& request,
          const std::function<void(const std::string&)>& say);

}  // namespace solenoid
