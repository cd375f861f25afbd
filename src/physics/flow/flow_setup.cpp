#include "physics/flow/flow_setup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/boundary/inlet_profile.hpp"
#include "physics/flow/boundary/inlet_turbulence.hpp"
#include "physics/flow/boundary/outlet_inflow.hpp"
#include "physics/flow/boundary/outlet_pressures.hpp"
#include "physics/flow/boundary/recycled_inflow.hpp"
#include "physics/flow/boundary/turning_walls.hpp"
#include "physics/flow/flow_model.hpp"
#include "physics/flow/flow_quantities.hpp"
#include "physics/flow/zones/zone_findings.hpp"

namespace solenoid {

namespace {

/// The k-th of some times that spread over the run [s].
real moment(const TimeSettings& time, int k) { return time.begin + (time.end - time.begin) * uneven_place(k); }

/// Per pair the largest velocity over the run along the way between the patches: of a prescribed flux spread over them,
/// or of the acceleration by a pressure drop.
std::vector<Vec3> velocities_of_drives(const FlowSetup& setup, const GlobalMesh& mesh, const Geometry& geometry) {
  constexpr int moments = 64;
  std::vector<Vec3> areas(mesh.pairs.size());
  for (int f = 0; f < static_cast<int>(mesh.face_pair.size()); ++f) {
    if (mesh.face_pair[f] == 0) continue;
    areas[static_cast<std::size_t>(std::abs(mesh.face_pair[f]) - 1)] +=
        ((mesh.face_pair[f] > 0 ? 1 : -1) * geometry.face_area[f]) * geometry.face_normal[f];
  }
  std::vector<Vec3> velocities;
  for (std::size_t k = 0; k < areas.size(); ++k) {
    const PairDrive& drive = setup.periodic[k].drive;
    const Vec3 along = mesh.pairs[k].translation / norm(mesh.pairs[k].translation);
    real speed = 0;
    for (int m = 0; m < moments; ++m) {
      const real time = moment(*setup.time, m);
      if (drive.flux) speed = std::max(speed, std::abs(drive.flux->at(Vec3{}, time) / dot(areas[k], along)));
      if (drive.drop) speed = std::max(speed, std::sqrt(2 * std::abs(drive.drop->at(Vec3{}, time))));
    }
    velocities.push_back(speed * along);
  }
  return velocities;
}

/// Calls visit(cell, velocity) with the boundary's velocity over the run in the cells along it, and in all cells with
/// the flow's velocity at the start and that of pair drives.
template <class Visit>
void visit_velocities(const FlowSetup& setup, const std::vector<FlowBoundary>& conditions, const GlobalMesh& mesh,
                      const Geometry& geometry, const Visit& visit) {
  constexpr int moments = 64;
  const int d = mesh.dimension;
  std::vector<std::vector<int>> faces_of(mesh.patches.size());
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] >= 0) faces_of[mesh.face_patch[f]].push_back(f);
  }
  std::vector<std::vector<Vec3>> of_face(mesh.faces());
  for (std::size_t p = 0; p < faces_of.size(); ++p) {
    const Coefficient<Vec3>* const velocity = given_velocity(conditions[p]);
    if (!velocity) continue;
    std::vector<BoundaryPlace> corners;
    for (const int f : faces_of[p]) {
      for (const int point : mesh.face_points_of(f)) corners.push_back({static_cast<int>(p), mesh.points[point], f});
    }
    for (int k = 0; k < (velocity->depends_on_time() ? moments : 1); ++k) {
      const std::vector<Vec3> u =
          velocities_with_gusts_at(conditions[p], corners, velocity->depends_on_time() ? moment(*setup.time, k) : 0);
      for (std::size_t i = 0; i < u.size(); ++i) of_face[faces_of[p][i / d]].push_back(u[i]);
    }
  }
  for (std::size_t p = 0; p < faces_of.size(); ++p) {
    const OutletRate* const given = given_outlet_rate(conditions[p]);
    if (!given) continue;
    real area = 0, largest = 0;
    for (const int f : faces_of[p]) area += geometry.face_area[f];
    for (int m = 0; m < (given->rate.depends_on_time() ? moments : 1); ++m) {
      largest = std::max(largest, std::abs(given->rate.at(Vec3{}, moment(*setup.time, m))));
    }
    for (const int f : faces_of[p]) of_face[f].push_back(largest / area * geometry.face_normal[f]);
  }
  for (int f = 0; f < mesh.faces(); ++f) {
    for (const Vec3& u : of_face[f]) visit(mesh.face_cells[2 * f], u);
  }
  const std::vector<Vec3> u = setup.initial_velocity.at(geometry.cell_centre, 0);
  for (int c = 0; c < mesh.cells(); ++c) visit(c, u[c]);
  if (setup.random && is_periodic_box(mesh)) {
    const Vec3 typical{setup.random->speed(mesh), 0, 0};
    for (int c = 0; c < mesh.cells(); ++c) visit(c, typical);
  }
  for (const Vec3& driven : velocities_of_drives(setup, mesh, geometry)) {
    for (int c = 0; c < mesh.cells(); ++c) visit(c, driven);
  }
}

/// Warnings for inlets through a part of which fluid leaves, with the largest share of outflow in all that passes.
std::vector<std::string> inlets_that_let_out(const FlowSetup& setup, const std::vector<FlowBoundary>& conditions,
                                             const GlobalMesh& mesh, const Geometry& geometry) {
  constexpr int moments = 64;
  const int d = mesh.dimension;
  std::vector<std::string> found;
  for (int p = 0; p < static_cast<int>(mesh.patches.size()); ++p) {
    if (!std::holds_alternative<Inlet>(conditions[p])) continue;
    const Coefficient<Vec3>& velocity = *given_velocity(conditions[p]);
    std::vector<int> faces;
    std::vector<BoundaryPlace> corners;
    for (int f = 0; f < mesh.faces(); ++f) {
      if (mesh.face_patch[f] != p) continue;
      faces.push_back(f);
      for (const int point : mesh.face_points_of(f)) corners.push_back({p, mesh.points[point], f});
    }
    real largest = 0;
    for (int m = 0; m < (velocity.depends_on_time() ? moments : 1); ++m) {
      const std::vector<Vec3> u =
          mean_velocities_at(conditions[p], corners, velocity.depends_on_time() ? moment(*setup.time, m) : 0);
      real leaving = 0, all = 0;
      for (std::size_t i = 0; i < faces.size(); ++i) {
        Vec3 mean;
        for (int k = 0; k < d; ++k) mean += u[d * i + k] / static_cast<real>(d);
        const Vec3 outward = geometry.face_centre[faces[i]] - geometry.cell_centre[mesh.face_cells[2 * faces[i]]];
        const Vec3& normal = geometry.face_normal[faces[i]];
        const real out = (dot(normal, outward) > 0 ? 1 : -1) * dot(mean, normal) * geometry.face_area[faces[i]];
        leaving += std::max(out, real{0});
        all += std::abs(out);
      }
      if (all > 0) largest = std::max(largest, leaving / all);
    }
    constexpr real round_off = 1e-6;
    if (largest <= round_off) continue;
    found.push_back(message(
        "fluid leaves through the inlet `{}`, up to {:.3g} % of all that passes it: what is given for a temperature or "
        "a scalar there holds only where fluid enters",
        mesh.patches[p], 100 * largest));
  }
  return found;
}

real longest_edge(const GlobalMesh& mesh) {
  real longest = 0;
  for (int c = 0; c < mesh.cells(); ++c) {
    const std::span<const int> v = mesh.cell_points_of(c);
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, norm(mesh.points[v[i]] - mesh.points[v[j]]));
    }
  }
  return longest;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> FlowSetup::pairs() const {
  std::vector<std::pair<std::string, std::string>> names;
  for (const PeriodicPatches& pair : periodic) names.emplace_back(pair.first, pair.second);
  return names;
}

std::string FlowSetup::drive_of_pair(std::size_t pair) const {
  const PairDrive& drive = periodic[pair].drive;
  if (drive.flux) return message("a flux of {} through it", drive.flux->text());
  return drive.drop ? message("the pressure drops by {} m^2/s^2", drive.drop->text()) : "no drop of the pressure";
}

std::vector<QuantityInfo> FlowSetup::quantities() const {
  std::vector<QuantityInfo> all = flow_quantities();
  std::erase_if(all, [&](const QuantityInfo& info) {
    return (info.name == flow_quantity::viscosity.name && !settings.viscosity_varies()) ||
           (info.name == flow_quantity::viscosity_ratio.name && !settings.eddies) ||
           (info.name == flow_quantity::zone.name && settings.zones.empty());
  });
  return all;
}

std::vector<std::string> FlowSetup::faults(const GlobalMesh& mesh, const Domain&) const {
  std::vector<std::string> faults = faults_of_directions(conditions_on(mesh), mesh, Geometry(mesh), file);
  for (std::string& fault : faults_of_drifts(conditions_on(mesh), mesh, Geometry(mesh), file)) {
    faults.push_back(std::move(fault));
  }
  const std::string of_fluxes = fault_of_given_fluxes(mesh.patches, conditions_on(mesh));
  if (!of_fluxes.empty()) faults.push_back(file + ": " + of_fluxes);
  if (random && !is_periodic_box(mesh)) {
    faults.push_back(
        message("{}: `spectrum` in [initial]: it takes a box of tetrahedra that is periodic along three axes "
                "at right angles, and no other boundary",
                file));
  }
  if (settings.eddies && mesh.dimension == 2) {
    faults.push_back(
        message("{}: `model` in [turbulence]: eddies of a plane flow do not break up, and the models are made for "
                "space: take a mesh of tetrahedra, or \"none\"",
                file));
  }
  if (const auto& frame = settings.frame; frame && mesh.dimension == 2 && (frame->rate.x != 0 || frame->rate.y != 0)) {
    faults.push_back(message("{}: `axis` of `frame` in [flow]: a flow in the plane turns about z alone", file));
  }
  for (const auto& [patch, condition] : boundary) {
    const auto* const inlet = std::get_if<Inlet>(&condition);
    if (inlet && inlet->turbulence && mesh.dimension == 2) {
      faults.push_back(message("{}: `turbulence` in [boundary.{}]: its eddies are in space: take a mesh of tetrahedra",
                               file, patch));
    }
  }
  for (std::string& fault : zone_faults(settings.zones, {}, mesh, file)) faults.push_back(std::move(fault));
  if (settings.has_rotating_zone()) {
    for (std::string& fault :
         faults_of_rotating_zones(conditions_on(mesh), settings.zones, mesh, Geometry(mesh), file)) {
      faults.push_back(std::move(fault));
    }
    for (std::string& fault : faults_of_overlaps(settings.zones, mesh, file)) faults.push_back(std::move(fault));
  }
  if (settings.method == FlowMethod::classical) {
    for (std::string& fault : faults_of_uneven_zones(settings.zones, mesh.dimension, file))
      faults.push_back(std::move(fault));
  }
  if (earlier && mesh.dimension == 2 && earlier->fields->dimension() == 3) {
    faults.push_back(
        message("{}: `result` in [initial]: {} is a flow in space, and the mesh has triangles: a flow in the plane "
                "starts from one in the plane",
                file, earlier->fields->name()));
  }
  return faults;
}

std::string FlowSetup::needs_whole_mesh() const {
  if (!pairs().empty()) return "[[periodic]]";
  if (!settings.zones.empty()) return "[zone]";
  return random ? "`spectrum` in [initial]" : "";
}

std::vector<ZoneReport> FlowSetup::zones(const GlobalMesh& mesh) const {
  std::vector<ZoneReport> reports = report_zones(settings.zones, mesh);
  if (!settings.has_rotating_zone()) return reports;
  const Geometry geometry(mesh);
  const std::vector<FlowBoundary> conditions = conditions_on(mesh);
  for (std::size_t k = 0; k < reports.size(); ++k) {
    const FlowZone& zone = settings.zones[k];
    if (zone.rotating) reports[k].contents += "; " + text_of_rotating_zone(conditions, zone, mesh, geometry);
  }
  return reports;
}

/// On patches without a condition, which periodic pairs and solids have, that of a plane of symmetry.
std::vector<FlowBoundary> FlowSetup::conditions_on(const GlobalMesh& mesh) const {
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : mesh.patches) {
    const auto condition = boundary.find(patch);
    of_patch.push_back(condition == boundary.end() ? FlowBoundary(Symmetry{}) : condition->second);
  }
  return of_patch;
}

std::optional<StepForecast> FlowSetup::forecast(const GlobalMesh& mesh) const {
  constexpr real stable_cfl = 1.2;  // of explicit convection, measured (docs/numerics.md)
  const Geometry geometry(mesh);
  StepForecast forecast;
  real rate = 0;
  const std::vector<FlowBoundary> of_patch = with_turbulence(
      with_profiles(with_turning_walls(conditions_on(mesh), settings.zones, mesh, geometry), mesh, geometry, file),
      mesh, geometry, file);
  const std::vector<const RotatingFrame*> frames = frames_of_cells(settings.zones, mesh, geometry);
  visit_velocities(*this, of_patch, mesh, geometry, [&](int c, const Vec3& seen_from_rest) {
    const Vec3 u = frames[c] ? seen_from_rest - frames[c]->velocity(geometry.cell_centre[c]) : seen_from_rest;
    const std::span faces(&mesh.cell_faces[c * mesh.corners()], mesh.corners());
    const real here = courant_rate_in_cell(geometry, c, faces, u);
    if (here > rate) rate = here, forecast.cell = c;
    forecast.speed = std::max(forecast.speed, norm(u));
  });
  const StepControl& step = time->step;
  const real of_all = std::max(rate, rate_of_frame(mesh.dimension));
  forecast.step = step.step > 0 ? step.step : (of_all > 0 ? step.cfl / of_all : time->end - time->begin);
  if (step.step_max > 0) forecast.step = std::min(forecast.step, step.step_max);
  forecast.step = std::min(forecast.step, time->end - time->begin);
  forecast.cfl = forecast.step * rate;
  forecast.count = std::ceil((time->end - time->begin) / forecast.step);

  Box box;
  for (const Vec3& p : mesh.points) box.include(p);
  const Vec3 size = box.size();
  const real longest_side = std::max({size.x, size.y, size.z}), rate_there = forecast.speed / longest_side;
  const real viscosity = settings.law ? (*settings.law)(rate_there * rate_there) : settings.viscosity;
  const real reynolds = forecast.speed * longest_side / viscosity;
  const real cell_reynolds = forecast.speed * longest_edge(mesh) / viscosity;
  forecast.meaning =
      message("Reynolds number {:.4g} with {:.4g} m/s and the longest side of the mesh, {:.3g} with its longest edge",
              reynolds, forecast.speed, cell_reynolds);
  forecast.figures = {{"step", "reynolds", reynolds}, {"step", "cell_reynolds", cell_reynolds}};
  std::vector<std::string> warnings = inlets_that_let_out(*this, of_patch, mesh, geometry);
  for (std::size_t p = 0; p < of_patch.size(); ++p) {
    const InletTurbulence* const turbulence = entering_turbulence(of_patch[p]);
    if (!turbulence || 2 * turbulence->edge_length() <= turbulence->length()) continue;
    warnings.push_back(
        message("the mesh does not carry the turbulence of the inlet `{}`: its edges there are {:.3g} m long, at most "
                "half of the integral length of {:.3g} m would be",
                mesh.patches[p], turbulence->edge_length(), turbulence->length()));
  }
  if (forecast.cfl > stable_cfl) {
    warnings.push_back(
        message("the step leads to a CFL number of {:.3g}; the explicit convection is stable up to about {}: take a "
                "step of {:.2g} s, or `cfl = 0.9` instead of `step`",
                forecast.cfl, stable_cfl, forecast.step * 0.9 / forecast.cfl));
  }
  if (const real turn = forecast.step * rate_of_frame(mesh.dimension); turn > 1 + 1e-9) {
    warnings.push_back(
        message("the step is {:.3g} times as long as the Coriolis force of the {} allows: take one of {:.2g} s, or {}",
                turn, settings.frame ? "frame" : "zones", forecast.step / turn,
                time->step.cfl > 0 ? "a smaller `cfl`" : "`cfl` instead of `step`"));
  }
  forecast.warning = joined(warnings, "; ");
  return forecast;
}

/// On triangles LinearReconstruction takes a second ring of cells.
int FlowSetup::layers(int dimension) const { return settings.viscosity_varies() && dimension == 2 ? 2 : 1; }

int FlowSetup::wide_layers() const { return WideHaloMesh::layers + layers(2) - 1; }

bool FlowSetup::is_inlet(const std::string& patch) const {
  const auto condition = boundary.find(patch);
  return condition != boundary.end() && std::holds_alternative<Inlet>(condition->second);
}

std::vector<FlowBoundary> FlowSetup::conditions(const std::vector<std::string>& patches) const {
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : patches) of_patch.push_back(boundary.at(patch));
  return of_patch;
}

std::vector<PairDrive> FlowSetup::drives() const {
  std::vector<PairDrive> of_pair;
  for (const PeriodicPatches& pair : periodic) of_pair.push_back(pair.drive);
  return of_pair;
}

FlowBoundaries FlowSetup::boundaries(const LocalMesh& mesh) const {
  const std::vector<FlowBoundary> of_patch =
      with_profiles(with_turning_walls(conditions(mesh.part().patches), settings.zones, mesh), mesh, file);
  return {with_turbulence(with_recycling(of_patch, mesh, file), mesh, file), drives()};
}

FlowBoundaries FlowSetup::directions(const LocalMesh& mesh) const {
  std::vector<FlowBoundary> of_patch = conditions(mesh.part().patches);
  for (FlowBoundary& condition : of_patch) {
    auto* const inlet = std::get_if<Inlet>(&condition);
    if (inlet && inlet->rate && inlet->rate->shape == ProfileShape::developed) {
      inlet->rate->shape = ProfileShape::uniform;
    }
  }
  return {with_profiles(std::move(of_patch), mesh, file), drives()};
}

std::unique_ptr<Model> FlowSetup::model(const LocalMesh& mesh, std::optional<MeshPart> wide) const {
  return std::make_unique<FlowModel>(*this, mesh, std::move(*wide));
}

void FlowSetup::ignore_numbering() {
  settings.vorticity_iterations = 80;  // each halves the error or so
  settings.projection_scaling = 4;     // more than computed on useful meshes: the step is stable
  settings.implicit_factor = 4;        // likewise
  settings.all_implicit = false;
}

void FlowSetup::fix_time_scheme() { settings.all_implicit = true; }

}  // namespace solenoid
