#include "run/observe/tracers.hpp"

#include <algorithm>

#include "run/observe/tracer_sink.hpp"

namespace solenoid {

struct Tracers::Parts {
  const LocalMesh& mesh;
  Model& model;
  AdvectingVelocity& carrier;
  TracerAdvection paths;
  std::array<Field<Node, NodeVelocity>, 2> nodes;
  std::size_t now = 0;
  std::array<std::optional<Exchanged<Node, NodeVelocity>>, 2> velocity;  // [now]: current velocity, if known
  bool is_taken_along = false;                                           // by the current step
  real begin = 0, dt = 0;                                                // of that step [s]

  Parts(const LocalMesh& of, Model& in, AdvectingVelocity& by)
      : mesh(of),
        model(in),
        carrier(by),
        paths(of, by),
        nodes{Field<Node, NodeVelocity>(of), Field<Node, NodeVelocity>(of)} {}
};

namespace {

Releases releases_of(const TracerSettings& tracer) {
  Releases releases;
  releases.start = static_cast<real>(tracer.start);
  releases.every = static_cast<real>(tracer.every.value_or(0));
  if (tracer.last) releases.end = static_cast<real>(*tracer.last);
  return releases;
}

}  // namespace

PointSampler find_seeds(const std::string& file, const TracerSettings& tracer, const LocalMesh& mesh) {
  const std::string what = message("{}: [[tracer]] `{}`", file, tracer.name);
  PointSampler seeds(mesh, tracer.scattered ? seed_points(mesh, *tracer.scattered, tracer.count, what) : tracer.points);
  seeds.require_inside(what);
  return seeds;
}

Tracers::Tracers(const std::string& file, const LocalMesh& mesh, const std::vector<TracerSettings>& settings,
                 Model& model) {
  for (const TracerSettings& tracer : settings) {
    sets_.push_back(
        std::make_unique<TracerSet>(mesh, tracer.name, find_seeds(file, tracer, mesh), releases_of(tracer)));
  }
  if (sets_.empty()) return;
  AdvectingVelocity* const carrier = model.advecting_velocity();
  require_on_all_ranks(
      carrier != nullptr, [&] { return message("{}: [[tracer]]: nothing flows in this model", file); },
      ExitCode::bad_input);
  parts_ = std::make_unique<Parts>(mesh, model, *carrier);
}
Tracers::~Tracers() = default;

void Tracers::start() {
  for (const auto& set : sets_) set->start(parts_->model.time());
}

Exchanged<Node, NodeVelocity> Tracers::velocity_now() {
  Parts& m = *parts_;
  if (!m.velocity[m.now]) m.velocity[m.now] = m.carrier.velocity(m.nodes[m.now]);
  return *m.velocity[m.now];
}

void Tracers::begin_step(real dt) {
  if (empty()) return;
  Parts& m = *parts_;
  m.begin = m.model.time();
  m.dt = dt;
  m.is_taken_along =
      std::any_of(sets_.begin(), sets_.end(), [&](const auto& set) { return set->is_busy(m.begin + dt); });
  if (m.is_taken_along) velocity_now();
}

void Tracers::end_step() {
  if (empty()) return;
  Parts& m = *parts_;
  const auto before = m.velocity[m.now];
  m.now = 1 - m.now;
  m.velocity[m.now].reset();
  if (!m.is_taken_along) return m.velocity[1 - m.now].reset();
  const CarryingStep step{m.dt, *before, velocity_now()};
  for (const auto& set : sets_) set->advance(m.paths, step, m.begin);
}

void Tracers::visit_state(StateVisitor& visitor) {
  for (const auto& set : sets_) set->visit_state(visitor);
}

void Tracers::restored() {
  if (empty()) return;
  for (const auto& set : sets_) set->restored(parts_->model.time());
  parts_->velocity = {};
}

std::vector<std::unique_ptr<Sink>> Tracers::sinks() {
  std::vector<std::unique_ptr<Sink>> all;
  for (const auto& set : sets_) {
    all.push_back(std::make_unique<TracerSink>(parts_->mesh, *set, [this, tracers = set.get()] {
      return parts_->paths.velocities(tracers->tracers(), velocity_now());
    }));
  }
  return all;
}

}  // namespace solenoid
