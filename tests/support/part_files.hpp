/// Parts for tests, and sums over their meshes.
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "support/mesh_files.hpp"

namespace solenoid::test {

class PartFiles : public MeshFiles {
 protected:
  /// A file that Gmsh writes of the shapes of OpenCASCADE in `geo`.
  std::filesystem::path part(const std::string& name, const std::string& geo) const {
    const std::filesystem::path source = put("shapes.geo", "SetFactory(\"OpenCASCADE\");\n" + geo);
    const GmshSession session;
    gmsh::merge(source.string());
    gmsh::write((folder / name).string());
    return folder / name;
  }
  static MeshRequest request(const std::filesystem::path& file, double size = 0.5) { return {file, size, 1}; }
};

/// Of the cells.
inline double measure(const MeshSource& mesh) {
  double sum = 0;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    const auto points = mesh.points_of_cell(c);
    const auto x = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(points[k])]; };
    const Vec3 normal = cross(x(1) - x(0), x(2) - x(0));
    sum += mesh.dimension == 2 ? norm(normal) / 2 : std::abs(dot(normal, x(3) - x(0))) / 6;
  }
  return sum;
}

inline double sum_of(const std::map<std::string, double>& areas) {
  double sum = 0;
  for (const auto& area : areas) sum += area.second;
  return sum;
}

}  // namespace solenoid::test
