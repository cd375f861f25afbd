#include "io/gmsh/meshing.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/host_memory.hpp"
#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/gmsh_session.hpp"
#include "io/gmsh/mesh_cache.hpp"
#include "io/gmsh/mesh_forecast.hpp"
#include "io/gmsh/part_model.hpp"

namespace fs = std::filesystem;

namespace solenoid {

namespace {

/// Rounds `size` up to two digits.
double rounded_up(double size) {
  const double unit = std::pow(10, std::floor(std::log10(size)) - 1);
  return std::ceil(size / unit) * unit;
}

/// The way out of a mesh of edges that should be `ratio` times as long.
std::string longer_edges(const MeshRequest& request, double ratio) {
  if (request.size && request.part.sizes.empty())
    return message("`size` in [mesh] is {}: {:.2g} would do", *request.size, rounded_up(ratio * *request.size));
  if (!is_part(request.file)) return message("Make the edge lengths in it {:.2g} times as long", ratio);
  return message("Make `size` in [mesh]{}{} {:.2g} times as long",
                 request.size ? "" : ", without which it is a twentieth of the part,",
                 request.part.sizes.empty() ? "" : " and those in [[mesh.sizes]]", ratio);
}

/// Refuses a mesh that does not fit into the available memory; `more`: cells that the forecast does not see.
void refuse_more_than_fits(const MeshRequest& request, int dimension, double more) {
  const double left = host_bytes_left(), extent = extent_of_model();
  require_input(!request.size || *request.size > 1e-12 * extent, [&] {
    return message("{}: `size` in [mesh] is {}, and the geometry is {:.3g} across: no mesh has cells so small",
                   request.file.string(), *request.size, extent);
  });
  MeshForecast forecast = forecast_mesh(dimension, left);
  forecast.cells += more;
  forecast.bytes += more * bytes_per_cell(dimension);
  require_input(forecast.bytes <= left, [&] {
    const double ratio = std::pow(2 * forecast.bytes / left, 1.0 / dimension);
    return message(
        "{}: would become {:.2g} {} or more, for which {:.2g} GB of memory are needed; {:.2g} GB are left here. {}",
        request.file.string(), forecast.cells, dimension == 2 ? "triangles" : "tetrahedra", 1e-9 * forecast.bytes,
        1e-9 * left, longer_edges(request, ratio));
  });
}

/// Writes the mesh of the session to `result`. `all`: the elements in no physical group, too.
void write_mesh(const std::string& file, const fs::path& result, bool all) {
  ask_gmsh(file, "Gmsh cannot convert it", [&] {
    gmsh::set_option("Mesh.MshFileVersion", 4.1);
    gmsh::set_option("Mesh.Binary", 1);
    gmsh::set_option("Mesh.SaveAll", all ? 1 : 0);
    gmsh::set_option("Mesh.SaveParametric", 0);
  });
  try {
    gmsh::write(result.string());
  } catch (const gmsh::Failure& reason) {
    throw Error(ExitCode::failure,
                message("{}: the mesh of {} cannot be written: {}", result.string(), file, reason.what()));
  }
}

}  // namespace

void generate_mesh(const MeshRequest& request, int dimension, const fs::path& result, const GmshReports& reports,
                   double more) {
  const std::string file = request.file.string();
  ask_gmsh(file, "Gmsh cannot mesh it", [&] {
    say_warnings(reports);
    refuse_more_than_fits(request, dimension, more);
    forget_warnings();  // of the coarse trial meshes
    reports.begin("Gmsh's meshing of " + file);
    gmsh::generate_mesh(dimension);
  });
  say_warnings(reports);
  write_mesh(file, result, gmsh::physical_groups(dimension).empty());
}

void mesh_geo(const MeshRequest& request, const fs::path& result, const GmshReports& reports) {
  const std::string file = request.file.string();
  const GmshSession session(request.size);
  reports.say(message("meshing {}{}", file, request.size ? message(" (size {})", *request.size) : ""));
  int dimension = -1;
  ask_gmsh(file, "Gmsh cannot mesh it", [&] {
    reports.begin("the program in " + file, "; if it never ends, it loops");
    gmsh::merge(file);
    dimension = gmsh::dimension_of_model();
    require_input(dimension >= 2,
                  [&] { return message("{}: has no surface to mesh, expected one or a volume", file); });
  });
  generate_mesh(request, dimension, result, reports);
}

void convert_mesh(const MeshRequest& request, const fs::path& result, const GmshReports& reports) {
  const std::string file = request.file.string();
  const TemporaryFile link(result.string() + extension_of(request.file));
  fs::create_symlink(fs::absolute(request.file), link.path());
  const GmshSession session;
  ask_gmsh(file, "Gmsh cannot read it", [&] {
    reports.begin("Gmsh's reading of " + file);
    gmsh::merge(link.path().string());
  });
  say_warnings(reports);
  write_mesh(file, result, true);
}

}  // namespace solenoid
