#include "io/gmsh/part_mesh.hpp"

#include <cmath>
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

std::string text_of_extents(const Vec3& size, int dimension, const LengthUnits& unit) {
  const double x = unit.x * size.x, y = unit.y * size.y, z = unit.z * size.z;
  return dimension == 2 ? message("{:.4g} x {:.4g}", x, y) : message("{:.4g} x {:.4g} x {:.4g}", x, y, z);
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
  constexpr double same = 1e-6;
  const auto is = [&](double metres) {
    const LengthUnits& scale = request.scale;
    return std::abs(scale.x - metres) + std::abs(scale.y - metres) + std::abs(scale.z - metres) < same * metres;
  };
  lines.insert(lines.end(), part.remarks.begin(), part.remarks.end());
  if (part.is_converted) {
    const std::string unit = text_of_unit(*part.unit);
    lines.push_back(
        message("warning: {} states no length unit, or one that is not known here: its lengths are "
                "converted to {} as if it were known, and it is {} {} across: compare with the part{}",
                file, unit, text_of_extents(size, part.dimension, 1), unit,
                is(*part.unit) ? "" : message("; `scale` in [mesh] is that of {}, {}", unit, *part.unit)));
  } else if (part.unit && !is(*part.unit)) {
    lines.push_back(message(
        "warning: {} is in {}, as it says, and {}: if it is {} {} across, {} `scale = {}` in [mesh]", file,
        text_of_unit(*part.unit),
        request.has_scale ? message("`scale` is {}", request.scale.text()) : "without `scale` it is taken as in metres",
        text_of_extents(size, part.dimension, 1), text_of_unit(*part.unit), request.has_scale ? "take" : "add",
        *part.unit));
  } else if (!part.unit && !request.has_scale) {
    lines.push_back(
        message("{} states no unit, and is taken as in metres: if it is in mm, add `scale = 0.001` in [mesh]", file));
  }
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
