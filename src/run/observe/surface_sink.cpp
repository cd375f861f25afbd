#include "run/observe/surface_sink.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "io/paraview/vtk_writer.hpp"
#include "mesh/submesh.hpp"

namespace solenoid {

namespace {

/// Those of the fields that have values inside the mesh.
std::vector<Quantity> with_values_inside(const std::vector<Quantity>& quantities,
                                         const std::vector<std::string>& fields) {
  std::vector<Quantity> chosen;
  for (const Quantity& quantity : quantities) {
    const bool is_asked_for = std::find(fields.begin(), fields.end(), quantity.info.field) != fields.end();
    if (is_asked_for && quantity.info.at != ValuesAt::boundary_faces) chosen.push_back(quantity);
  }
  return chosen;
}

/// By local node; of a vector its magnitude. Collective.
std::vector<real> levels_of(const Quantity& quantity) {
  std::vector<real> values = to_host(quantity.evaluate());
  const std::size_t components = quantity.info.components;
  if (components == 1) return values;
  std::vector<real> magnitudes;
  for (std::size_t i = 0; i < values.size(); i += components) {
    real squares = 0;
    for (std::size_t k = i; k < i + components; ++k) squares += values[k] * values[k];
    magnitudes.push_back(std::sqrt(squares));
  }
  return magnitudes;
}

/// The surfaces as one, on rank 0.
VtkPolygons as_one(const std::vector<CutSurface>& surfaces, int dimension) {
  VtkPolygons all;
  all.dimension = dimension;
  for (const CutSurface& surface : surfaces) {
    const int points = static_cast<int>(all.points.size()), corners = static_cast<int>(all.corners.size());
    all.points.insert(all.points.end(), surface.points().begin(), surface.points().end());
    for (const int corner : surface.corners()) all.corners.push_back(points + corner);
    for (std::size_t k = 1; k < surface.begin().size(); ++k) all.begin.push_back(corners + surface.begin()[k]);
    all.cell_ids.insert(all.cell_ids.end(), surface.cells().begin(), surface.cells().end());
  }
  return all;
}

}  // namespace

std::vector<CutPiece> find_plane(const ModelSetup& setup, const PlaneSettings& plane, const LocalMesh& mesh) {
  const std::string what = message("{}: [[plane]] `{}`", setup.file, plane.name);
  const std::vector<std::string> solids = setup.solids();
  return cut_within(mesh, plane.plane, plane.within, cells_in(mesh.part(), solids), what,
                    solids.empty() ? "mesh" : "fluid");
}

Quantity find_level_quantity(const ModelSetup& setup, const IsosurfaceSettings& isosurface,
                             const std::vector<Quantity>& quantities) {
  const auto found = std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& quantity) {
    return quantity.info.field == isosurface.field && quantity.info.at == ValuesAt::nodes;
  });
  require_on_all_ranks(
      found != quantities.end(),
      [&] {
        return message("{}: [[isosurface]] `{}`: `field`: there is no `{}` on meshes of this dimension; name another",
                       setup.file, isosurface.name, isosurface.field);
      },
      ExitCode::bad_input);
  return *found;
}

SurfaceSink::SurfaceSink(const ModelSetup& setup, const PlaneSettings& plane, const LocalMesh& mesh,
                         const std::vector<Quantity>& quantities)
    : mesh_(mesh), folder_("planes"), name_(plane.name), quantities_(with_values_inside(quantities, plane.fields)) {
  plane_.emplace_back(mesh, find_plane(setup, plane, mesh));
}

SurfaceSink::SurfaceSink(const ModelSetup& setup, const IsosurfaceSettings& isosurface, const LocalMesh& mesh,
                         const std::vector<Quantity>& quantities)
    : mesh_(mesh),
      folder_("isosurfaces"),
      name_(isosurface.name),
      is_left_out_(cells_in(mesh.part(), setup.solids())),
      level_(find_level_quantity(setup, isosurface, quantities)),
      values_(isosurface.values),
      quantities_(with_values_inside(quantities, isosurface.fields)) {}

void SurfaceSink::open(const OutputFolder& folder) {
  mesh_.comm().guard([&] {
    if (mesh_.comm().is_root()) series_.emplace(folder.in(folder_), name_, "vtp");
  });
}

std::vector<CutSurface> SurfaceSink::isosurfaces() const {
  std::vector<CutSurface> all;
  if (!level_) return all;
  const std::vector<real> levels = levels_of(*level_);
  for (const double value : values_) {
    all.emplace_back(mesh_, cut_at(mesh_, levels, static_cast<real>(value), is_left_out_));
  }
  return all;
}

void SurfaceSink::write(int step, real time, const std::vector<Quantity>& quantities) {
  const std::vector<CutSurface> found = isosurfaces(), &parts = level_ ? found : plane_;
  std::vector<VtkArray> at_points, in_cells;
  if (level_) {
    VtkArray& array = in_cells.emplace_back(VtkArray{"level", 1, {}});
    for (std::size_t k = 0; k < parts.size(); ++k) {
      array.values.insert(array.values.end(), parts[k].cells().size(), static_cast<real>(values_[k]));
    }
  }
  for (const Quantity& quantity : quantities) {
    const std::vector<real> values = to_host(quantity.evaluate());
    const int components = quantity.info.components;
    const bool is_at_nodes = quantity.info.at == ValuesAt::nodes;
    VtkArray& array = (is_at_nodes ? at_points : in_cells).emplace_back(VtkArray{quantity.info.name, components, {}});
    for (const CutSurface& part : parts) {
      const std::vector<real> here =
          is_at_nodes ? part.at_points(values, components) : part.in_cells(values, components);
      array.values.insert(array.values.end(), here.begin(), here.end());
    }
  }
  mesh_.comm().guard([&] {
    if (!series_) return;
    series_->write_step(step, time, [&](const std::filesystem::path& file) {
      write_vtk_polygons(file, time, as_one(parts, mesh_.dimension()), at_points, in_cells);
    });
  });
}

std::vector<std::string> SurfaceSink::write_without_solves(int step, real time) {
  if (level_ && level_->takes_a_solve) return {level_->info.field};
  std::vector<Quantity> kept = quantities_;
  std::vector<std::string> left_out = remove_solves(kept);
  write(step, time, kept);
  return left_out;
}

}  // namespace solenoid
