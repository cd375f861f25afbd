#include "support/geometries.hpp"

#include <map>
#include <utility>

#include "base/comm.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "support/files.hpp"

namespace solenoid::test {

const MeshSource& read_geometry(const std::string& name, real size) {
  static std::map<std::pair<std::string, real>, MeshSource> made;
  const auto found = made.find({name, size});
  if (found != made.end()) return found->second;
  MeshSource mesh;
  Comm().guard([&] {
    const std::string file = (source_folder() / "meshes" / name).string();
    mesh = read_mesh({file, size, 1}, [](const std::string&) {});
  });
  return made.emplace(std::pair(name, size), std::move(mesh)).first->second;
}

}  // namespace solenoid::test
