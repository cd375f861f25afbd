#include "io/gmsh/mesh_files.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/error.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

constexpr const char* meshes_for_gmsh[] = {".su2", ".vtk", ".unv",  ".med", ".mesh",
                                           ".bdf", ".nas", ".cgns", ".p3d", ".inp"};
constexpr const char* geometries_for_gmsh[] = {".step", ".stp", ".iges", ".igs", ".brep"};
constexpr const char* surfaces_for_gmsh[] = {".stl", ".ply"};
constexpr const char* other_formats[] = {".vtu", ".vtp",   ".xdmf", ".foam", ".obj",
                                         ".off", ".ugrid", ".e",    ".exo",  ".neu"};

template <class Extensions>
bool has_one_of(const fs::path& file, const Extensions& extensions) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return std::find(std::begin(extensions), std::end(extensions), extension) != std::end(extensions);
}

}  // namespace

bool is_mesh_name(const fs::path& file) { return file.extension() == ".geo" || file.extension() == ".msh"; }

bool is_foreign_mesh_name(const fs::path& file) { return has_one_of(file, other_formats) || !way_to_msh(file).empty(); }

std::string way_to_msh(const fs::path& file) {
  const std::string name = file.filename().string(), stem = file.stem().string();
  if (has_one_of(file, meshes_for_gmsh)) {
    return message(". Gmsh converts it: gmsh {} -save -format msh41 -o {}.msh", name, stem);
  }
  if (has_one_of(file, geometries_for_gmsh)) {
    return message(
        ". Gmsh meshes it: make a .geo with the line Merge \"{}\"; and a Physical group for each part of the "
        "boundary",
        name);
  }
  if (has_one_of(file, surfaces_for_gmsh)) {
    return message(
        ". It has a surface and no cells: a .geo can fill it, see Gmsh's tutorial t13 (Merge \"{}\"; "
        "ClassifySurfaces; CreateGeometry; and a Volume)",
        name);
  }
  return "";
}

}  // namespace solenoid
