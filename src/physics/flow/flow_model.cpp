#include "physics/flow/flow_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "model/frame.hpp"
#include "model/point_sampler.hpp"
#include "physics/flow/boundary/flux_surfaces.hpp"
#include "physics/flow/flow_fields.hpp"
#include "physics/flow/flow_quantities.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_method.hpp"

namespace solenoid {

namespace {

/// Adds the points of a rule on a face that is exact for velocities of third (2D) and second degree (3D): two Gauss
/// points, or the midpoints of the edges.
void add_places(const MeshPart& part, int face, std::vector<Vec3>& places) {
  const std::span<const int> corners = part.face_points_of(face);
  const Vec3 a = part.points[corners[0]], b = part.points[corners[1]], c = part.points[corners.back()];
  if (part.dimension == 2) {
    const real near = real{0.5} - real{0.5} / std::sqrt(real{3});
    places.insert(places.end(), {a + near * (b - a), b - near * (b - a)});
  } else {
    places.insert(places.end(), {(a + b) / 2, (b + c) / 2, (c + a) / 2});
  }
}

/// Face fluxes [m^3/s] of the initial velocity; nullopt if the fluid is at rest. Collective.
std::optional<Field<Face>> initial_flux(const FlowSetup& setup, const LocalMesh& mesh) {
  if (setup.random) return random_flux(*setup.random, mesh);
  const Coefficient<Vec3>& velocity = setup.initial_velocity;
  if (velocity.constant() && norm(*velocity.constant()) == 0) return std::nullopt;
  Field<Face> flux(mesh);
  mesh.comm().guard([&] {
    std::vector<Vec3> places;
    for (int f = 0; f < mesh.owned<Face>(); ++f) add_places(mesh.part(), f, places);
    const std::vector<Vec3> u = velocity.at(places, 0);
    const int per_face = mesh.dimension();
    std::vector<real> values;
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      Vec3 mean;
      for (int k = per_face * f; k < per_face * (f + 1); ++k) {
        require_input(per_face == 3 || u[k].z == 0, [&] {
          return message("{}: [initial] velocity: its z-component is {} at {}; a 2D flow has none", setup.file, u[k].z,
                         text_of_place(places[k], 2));
        });
        mean += u[k] / static_cast<real>(per_face);
      }
      values.push_back(mesh.geometry().face_area[f] * dot(mean, mesh.geometry().face_normal[f]));
    }
    flux.from_host(values);
  });
  return flux;
}

}  // namespace

/// The fit at the nodes around some points, computed once per step for all quantities.
struct FlowModel::VelocityAtPoints {
  NodeFit fit;
  std::vector<NodeVelocity> nodes;
  int step = -1;
  VelocityAtPoints(VelocityReconstruction& all, const PointSampler& points) : fit(all, points.nodes()) {}
};

std::vector<QuantityInfo> flow_quantities() { return flow_quantity::all(); }

FlowModel::FlowModel(const FlowSetup& setup, const LocalMesh& mesh, MeshPart wide, const MemoryOf& /*scope*/)
    : setup_(setup),
      mesh_(mesh),
      wide_(mesh, std::move(wide)),
      flow_(make_flow_step(mesh, setup.settings, setup.boundaries(mesh), setup.time->begin, &wide_)),
      fit_(mesh, wide_, flow_->boundaries()),
      initial_flux_(initial_flux(setup, mesh)),
      areas_of_pairs_(FluxSurfaces::of_pairs(mesh).areas()),
      openings_(mesh, flow_->boundaries()),
      through_openings_(openings_.patches().size()),
      backflow_(openings_.patches().size()),
      largest_backflow_(openings_.patches().size()),
      nodes_(mesh),
      velocity_(mesh),
      vorticity_(mesh),
      vorticity_in_space_(mesh),
      at_nodes_(mesh),
      divergence_(mesh),
      wall_shear_(mesh),
      y_plus_(mesh),
      is_wall_(walls_of(mesh, flow_->boundaries())) {
  PartialSum volume;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) volume += mesh.geometry().cell_volume[c];
  volume_ = total(mesh.comm(), volume);
  if (!setup.settings.zones.empty()) zone_numbers_ = zones_of_cells(mesh, setup.settings.zones);
  if (setup.settings.eddies) viscosity_ratio_.emplace(mesh);
  const auto& force = setup.body_force.constant();
  if (!force || norm(*force) > 0) flow_->set_body_force(setup.body_force);
}

FlowModel::~FlowModel() = default;

void FlowModel::start() {
  if (initial_flux_) {
    flow_->project(*initial_flux_);
  } else {
    flow_->start_from_rest();
  }
  initial_flux_.reset();
  for (std::size_t k = 0; k < areas_of_pairs_.size(); ++k) {
    const Vec3 way = mesh_.part().pairs[k].translation, along = way / norm(way);
    rates_of_pairs_.push_back(courant_rate_of_force(mesh_, along / std::abs(dot(areas_of_pairs_[k], along)), 0, 0, 1));
  }
  energy_.begin(kinetic_energy(flow_->state().velocity));
  compute_first_rate();
}

/// Courant rate of a flow that begins.
void FlowModel::compute_first_rate() {
  const real now = flow_->time();
  rate_of_flow_ = rate_of_fluxes();
  rate_ = std::max(rate_of_flow_, courant_rate_of_boundary(mesh_, flow_->boundaries(), now, now, 1));
  if (rate_ == 0 || flow_->outlets().largest_stored() > 0) {
    rate_ = std::max(rate_, courant_rate_of_outlets(mesh_, flow_->boundaries(), now, setup_.time->end, 64));
  }
  rate_ = std::max(rate_, courant_rate_of_pairs(now, now, 1));
  // In a step from rest the force causes the speed that determines the step's Courant number.
  real of_force = courant_rate_of_force(mesh_, driving_force(), now, setup_.time->end, 64);
  if (buoyancy_) of_force = std::max(of_force, buoyancy_->courant_rate_from_rest());
  rate_ = std::max({rate_, std::sqrt(setup_.time->step.cfl * of_force), rate_of_walls(), rate_of_frame()});
}

/// Courant rate of the fluxes prescribed through pairs between `begin` and `end`, spread over their patches.
real FlowModel::courant_rate_of_pairs(real begin, real end, int moments) const {
  real largest = 0;
  for (std::size_t k = 0; k < setup_.periodic.size(); ++k) {
    const auto& flux = setup_.periodic[k].drive.flux;
    for (int m = 0; flux && m < moments; ++m) {
      const real through = flux->at(Vec3{}, begin + (end - begin) * uneven_place(m));
      largest = std::max(largest, std::abs(through) * rates_of_pairs_[k]);
    }
  }
  return largest;
}

real FlowModel::next_step(real target) const {
  constexpr real round_off = 1e-9;
  const StepControl& control = setup_.time->step;
  const real time = flow_->time();
  const real reference = growth_.reference(flow_->history_span());
  real dt = solenoid::next_step(control, rate_, reference, time, target);
  if (control.cfl <= 0 || !flow_->boundaries().depends_on_time() || std::isinf(dt)) return dt;
  const bool first = flow_->last_dt() == 0;
  const int moments = first ? 64 : 4;
  for (bool shorter = true; shorter;) {  // a shorter step may avoid the boundary's fastest moments
    const real until = std::min(time + dt, setup_.time->end);  // what is given may end there
    const real rate = std::max({rate_, courant_rate_of_pairs(time, until, moments),
                                courant_rate_of_boundary(mesh_, flow_->boundaries(), time, until, moments)});
    const real safe = solenoid::next_step(control, rate, reference, time, target);
    shorter = safe < dt * (1 - round_off);
    dt = std::min(dt, safe);
  }
  return dt;
}

void FlowModel::advance(real dt) {
  require_on_all_ranks(dt > 1e-12 * setup_.time->end, [&] {
    return message(
        "at t = {:.6g} s the step fell to {:.2e} s: the flow has diverged; take smaller steps (cfl or step in "
        "[time]){}",
        flow_->time(), dt, fastest());
  });
  constexpr real no_target = std::numeric_limits<real>::infinity();
  real allowed =
      solenoid::next_step(setup_.time->step, rate_, growth_.reference(flow_->history_span()), flow_->time(), no_target);
  if (was_cut(dt, allowed)) allowed = next_step(no_target);  // with the boundary's motion, which takes samples
  try {
    flow_->advance(dt);
  } catch (const Error& error) {
    if (!error.collective() || error.code() != ExitCode::failure) throw;
    throw Error(error.code(), error.what() + fastest(), true);
  }
  growth_.add(setup_.time->step, rate_, dt, allowed);
  ++step_;
}

void FlowModel::diagnose() {
  PendingSums<1> energy = begin_kinetic_energy(flow_->state().velocity);
  Pending<Sums<3>> figures = begin_figures(flow_->state().flux);
  dissipation_ = flow_->dissipation();  // the host waits once for all three
  by_eddies_ = flow_->dissipation_by_eddies();
  kinetic_energy_ = total(mesh_.comm(), energy.parts()[0]);
  if (!std::isfinite(kinetic_energy_)) stop_diverged("the velocity is not finite");
  const auto [of_absolute, divergence] = figures_of(mesh_.comm(), figures.get());
  const real rate = flow_->rotating_zones() ? rate_of_fluxes() : of_absolute;
  rate_ = std::max(rate, 2 * rate - rate_of_flow_);  // a flow that accelerates is expected to continue
  rate_of_flow_ = rate;
  cfl_ = flow_->last_dt() * rate;
  note_courant();
  note_walls();
  note_frame();
  note_zones();
  max_divergence_ = divergence;
  largest_divergence_ = std::max(largest_divergence_, max_divergence_);
  pressures_ = flow_->balance().pressures_at_openings();
  diagnose_openings();
  through_pairs_ = flow_->through_pairs();
  if (!through_pairs_.empty()) pressure_drops_ = flow_->balance().pressure_drops();
  const auto fault = energy_.fault(kinetic_energy_, energy_sources(), flow_->last_dt());
  if (fault) stop_diverged(*fault);
}

/// Per opening, the share of inflow in all that passes it; for inlets that of outflow.
void FlowModel::diagnose_openings() {
  through_openings_ = openings_.through(flow_->state().flux);
  real whole = 0;
  for (const PatchFlow& flow : through_openings_) whole += flow.leaving;
  for (std::size_t k = 0; k < backflow_.size(); ++k) {
    PatchFlow flow = through_openings_[k];
    if (setup_.is_inlet(mesh_.part().patches[openings_.patches()[k]])) std::swap(flow.leaving, flow.entering);
    backflow_[k] = share_entering(flow, whole);
    largest_backflow_[k] = std::max(largest_backflow_[k], backflow_[k]);
  }
}

std::vector<std::string> FlowModel::names_of_openings() const {
  std::vector<std::string> names;
  for (const int patch : openings_.patches()) names.push_back(mesh_.part().patches[patch]);
  return names;
}

bool FlowModel::is_outlet(std::size_t opening) const {
  return flow_->boundaries().outlet(openings_.patches()[opening]) != nullptr;
}

std::string FlowModel::progress() const {
  const char* const solver = setup_.settings.method == FlowMethod::exact ? "potential" : "pressure";
  return message("CFL {:.2f}  {} it  max|div U| {:.1g}", cfl_, solves().last(solver).iterations, max_divergence_);
}

std::vector<HistoryColumn> FlowModel::history() {
  const int d = mesh_.dimension();
  std::vector<HistoryColumn> columns{{"cfl", "-", [this] { return cfl_; }},
                                     {"max_divergence", "-", [this] { return max_divergence_; }},
                                     {"kinetic_energy", unit_of_energy(d), [this] { return kinetic_energy_; }},
                                     {"dissipation", unit_of_power(d), [this] { return dissipation_; }}};
  if (setup_.settings.eddies) columns.push_back({"model_dissipation", unit_of_power(d), [this] { return by_eddies_; }});
  if (flow_->wall_stress().is_there()) {
    columns.push_back({"wall_dissipation", unit_of_power(d), [this] { return walls_.power; }});
  }
  const std::vector<std::string> rates = names_of_patch_columns("flow_rate", names_of_openings()),
                                 pressures = names_of_patch_columns("pressure", names_of_openings()),
                                 backflows = names_of_patch_columns("backflow", names_of_openings());
  for (std::size_t k = 0; k < rates.size(); ++k) {
    columns.push_back({rates[k], unit_of_flux(d), [this, k] { return through_openings_[k].rate(); }});
    columns.push_back({pressures[k], "m^2/s^2", [this, k] { return pressures_[k]; }});
    if (is_outlet(k)) columns.push_back({backflows[k], "-", [this, k] { return backflow_[k]; }});
  }
  const std::vector<std::string> of_pairs = names_of_patch_columns("flow_rate", names_behind_pairs()),
                                 drops = names_of_patch_columns("pressure_drop", names_behind_pairs());
  for (std::size_t k = 0; k < of_pairs.size(); ++k) {
    columns.push_back({of_pairs[k], unit_of_flux(d), [this, k] { return through_pairs_[k]; }});
    columns.push_back({drops[k], "m^2/s^2", [this, k] { return pressure_drops_[k]; }});
  }
  add_zone_columns(columns);
  const bool is_exact = setup_.settings.method == FlowMethod::exact;
  std::vector<std::string> solvers =
      is_exact ? std::vector<std::string>{"potential"} : std::vector<std::string>{"momentum", "pressure"};
  if (flow_->settings().convection == ConvectionForm::rotational && d == 2) solvers.push_back("vorticity");
  for (const std::string& solver : solvers) add_solver_columns(columns, solves(), solver);
  return columns;
}

/// Fit to the present flow.
Exchanged<Node, NodeVelocity> FlowModel::node_velocity() {
  if (step_of_nodes_ != step_) fitted_ = fit_.fit(flow_->state().flux, flow_->time(), nodes_);
  step_of_nodes_ = step_;
  return *fitted_;
}

Field<Cell>& FlowModel::pressure_now() {
  if (step_of_pressure_ != step_) halo(flow_->balance().pressure(node_velocity()));
  step_of_pressure_ = step_;
  return flow_->balance().last_pressure();
}

Field<Cell>& FlowModel::viscosity_now() {
  Field<Cell>& viscosity = flow_->viscosity()->in_cells();
  halo(viscosity);
  return viscosity;
}

/// Returns the viscosity at the wall.
NodeViscosity FlowModel::compute_wall_shear_now() {
  const NodeViscosity viscosity = flow_->viscosity_at_nodes(node_velocity());
  compute_wall_shear(node_velocity(), viscosity, wall_shear_);
  flow_->wall_stress().compute(flow_->state().velocity, wall_shear_);
  return viscosity;
}

const std::vector<NodeVelocity>& FlowModel::velocity_around(const PointSampler& points) {
  VelocityAtPoints& there = at_points_.at(&points);
  if (there.step != step_) there.nodes = there.fit.fit(flow_->state().flux, flow_->time());
  there.step = step_;
  return there.nodes;
}

/// `sample(velocities at points.nodes())` for the present flow.
AtPoints FlowModel::from_fit(const PointSampler& points, const Sample& sample) {
  at_points_.try_emplace(&points, fit_, points);
  return [this, &points, sample] { return sample(points, velocity_around(points)); };
}

std::vector<Quantity> FlowModel::quantities() {
  const auto velocity_there = [](const PointSampler& points, const std::vector<NodeVelocity>& nodes) {
    return flat(points.velocity(nodes));
  };
  const auto vorticity_there = [d = mesh_.dimension()](const PointSampler& points,
                                                       const std::vector<NodeVelocity>& nodes) {
    if (d == 3) return flat(points.vorticity(nodes));
    std::vector<real> across;
    for (const Vec3& omega : points.vorticity(nodes)) across.push_back(omega.z);
    return across;
  };
  const auto pressure_in_cells = [this]() -> Evaluated { return &pressure_now(); };
  const auto viscosity_in_cells = [this]() -> Evaluated { return &viscosity_now(); };
  const auto ratio_in_cells = [this]() -> Evaluated {
    compute_viscosity_ratio(*flow_->eddy_viscosity(), setup_.settings.viscosity, *viscosity_ratio_);
    return &*viscosity_ratio_;
  };
  FlowState& state = flow_->state();
  using namespace flow_quantity;
  std::vector<Quantity> all{
      {velocity, false, [this]() -> Evaluated { return compute_velocity(node_velocity(), velocity_), &velocity_; },
       [this, velocity_there](const PointSampler& points) { return from_fit(points, velocity_there); }},
      {velocity_in_cells, false, [&state]() -> Evaluated { return halo(state.velocity), &state.velocity; }},
      {pressure, true, pressure_in_cells,
       [pressure_in_cells](const PointSampler& points) { return around_the_cell(points, pressure_in_cells); }},
      {pressure_on_walls, true, [this]() -> Evaluated { return pressure_now(), &flow_->balance().wall_pressure(); }},
      {vorticity, false, [this]() -> Evaluated { return compute_vorticity(node_velocity(), vorticity_), &vorticity_; },
       [this, vorticity_there](const PointSampler& points) { return from_fit(points, vorticity_there); }},
      {vorticity_in_space, false,
       [this]() -> Evaluated { return compute_vorticity(node_velocity(), vorticity_in_space_), &vorticity_in_space_; },
       [this, vorticity_there](const PointSampler& points) { return from_fit(points, vorticity_there); }},
      {divergence, false,
       [this, &state]() -> Evaluated { return compute_divergence(state.flux, divergence_), &divergence_; }},
      {stream_function, true,
       [this]() -> Evaluated { return compute_stream_function(flow_->stream_function(), at_nodes_), &at_nodes_; }},
      {q_criterion, false,
       [this]() -> Evaluated { return compute_q_criterion(node_velocity(), at_nodes_), &at_nodes_; }},
      {viscosity, false, viscosity_in_cells,
       [viscosity_in_cells](const PointSampler& points) { return around_the_cell(points, viscosity_in_cells); }},
      {viscosity_ratio, false, ratio_in_cells,
       [ratio_in_cells](const PointSampler& points) { return around_the_cell(points, ratio_in_cells); }},
      {zone, false, [this]() -> Evaluated { return &*zone_numbers_; }},
      {wall_shear, false,
       [this]() -> Evaluated {
         compute_wall_shear_now();
         return &wall_shear_;
       }},
      {y_plus, false, [this]() -> Evaluated {
         compute_y_plus(wall_shear_, compute_wall_shear_now(), is_wall_, y_plus_);
         return &y_plus_;
       }}};
  const std::vector<QuantityInfo> there = setup_.quantities();
  std::erase_if(all, [&, d = mesh_.dimension()](const Quantity& quantity) {
    const bool is_there = std::any_of(there.begin(), there.end(), [&](const QuantityInfo& info) {
      return info.name == quantity.info.name && info.at == quantity.info.at;
    });
    return (quantity.info.dimension != 0 && quantity.info.dimension != d) || !is_there;
  });
  return all;
}

}  // namespace solenoid
