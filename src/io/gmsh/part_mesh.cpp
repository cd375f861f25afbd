#include "io/gmsh/part_mesh.hpp"

#include <string>

#include "base/error.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/meshing.hpp"
#include "io/gmsh/part_sizes.hpp"
#include "io/gmsh/part_unit.hpp"

namespace solenoid {

namespace {

NamedPart loaded_part(const MeshRequest& request) {
  NamedPart named;
  named.part = load_part(request.file, request.part);
  named.names = name_part(named.part, request.part.groups, request.file.string());
  return named;
}

}  // namespace

std::vector<std::string> text_of_part_size(const PartModel& part, const MeshRequest& request) {
  const std::string file = request.file.string();
  const Vec3 size = part.box.size();
  const std::string extents = text_of_extents(size, part.dimension, request.scale);
  std::vector<std::string> lines{message("{}: {} {}{}, {} {}{}, {} m", file, part.volumes.size(),
                                         part.dimension == 2 ? "face" : "volume", part.volumes.size() == 1 ? "" : "s",
                                         part.surfaces.size(), part.dimension == 2 ? "curve" : "surface",
                                         part.surfaces.size() == 1 ? "" : "s", extents)};
  lines.insert(lines.end(), part.remarks.begin(), part.remarks.end());
  if (const auto line = text_of_part_unit(part.unit, size, part.dimension, request)) lines.push_back(*line);
  return lines;
}

NamedPart examine_part(const MeshRequest& request) {
  const GmshSession session;
  NamedPart named{load_part(request.file, request.part), {}};
  try {
    named.names = name_part(named.part, request.part.groups, request.file.string());
  } catch (const Error&) {  // that of the mesh tells
  }
  return named;
}

void mesh_part(const MeshRequest& request, const std::filesystem::path& result, const GmshReports& reports) {
  const GmshSession session;
  const NamedPart named = loaded_part(request);
  for (const std::string& line : text_of_part_size(named.part, request)) reports.say(line);
  forget_warnings();  // of the coarse mesh
  ask_gmsh(request.file.string(), "Gmsh refuses its groups or sizes", [&] {
    make_physical_groups(named.part, named.names);
    set_sizes(named.part, named.names, request.size, request.part, request.file.string());
  });
  reports.say(
      message("meshing {} (size {:.4g})", request.file.string(), request.size.value_or(usual_size(named.part))));
  generate_mesh(request, named.part.dimension, result, reports, cells_in_places(named.part, request.part.sizes));
}

}  // namespace solenoid
