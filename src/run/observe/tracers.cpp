#include "run/observe/tracers.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "io/paraview/pvd_file.hpp"
#include "io/paraview/vtk_writer.hpp"
#include "model/seed_points.hpp"

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

/// tracers/NAME.pvd, and tracers/NAME_000123.vtp for step 123.
class TracerSink : public Sink {
 public:
  /// Current velocities of the set's tracers on this rank [m/s]. Collective.
  using Velocities = std::function<std::vector<Vec3>()>;

  /// Keeps references to both, which must outlive it.
  TracerSink(const LocalMesh& mesh, const TracerSet& tracers, Velocities velocities)
      : mesh_(mesh), tracers_(tracers), velocities_(std::move(velocities)) {}

  void open(const OutputFolder& folder) override;
  void write(int step, real time) override;
  std::vector<std::string> write_without_solves(int step, real time) override {
    write(step, time);
    return {};
  }
  void conclude(ModelOutcome& outcome) const override;

 private:
  const LocalMesh& mesh_;
  const TracerSet& tracers_;
  Velocities velocities_;
  std::optional<PvdFile> series_;  // on rank 0
};

void TracerSink::open(const OutputFolder& folder) {
  mesh_.comm().guard([&] {
    if (mesh_.comm().is_root()) series_.emplace(folder.in("tracers"), tracers_.name(), "vtp");
  });
}

void TracerSink::write(int step, real time) {
  const Comm& comm = mesh_.comm();
  const std::vector<Vec3> velocities = velocities_();
  std::vector<std::int64_t> own_ids;
  std::vector<real> own;  // position, velocity and age of each
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    const Tracer& tracer = tracers_.tracers()[i];
    const Vec3 &x = tracer.place, &u = velocities[i];
    own_ids.push_back(tracer.id);
    own.insert(own.end(), {x.x, x.y, x.z, u.x, u.y, u.z, time - tracer.born});
  }
  const std::vector<std::int64_t> ids = comm.gather_on_root(own_ids);
  const std::vector<real> all = comm.gather_on_root(own);
  comm.guard([&] {
    if (!comm.is_root()) return;
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    std::vector<Vec3> points;
    std::vector<std::int64_t> sorted;
    VtkArray velocity{"velocity", 3, {}}, age{"age", 1, {}};
    for (const std::size_t i : order) {
      const real* const row = all.data() + 7 * i;
      points.push_back({row[0], row[1], row[2]});
      sorted.push_back(ids[i]);
      velocity.values.insert(velocity.values.end(), row + 3, row + 6);
      age.values.push_back(row[6]);
    }
    series_->write_step(step, time, [&](const std::filesystem::path& file) {
      write_vtk_points(file, time, points, sorted, {velocity, age});
    });
  });
}

void TracerSink::conclude(ModelOutcome& outcome) const {
  const TracerCounts& counts = tracers_.counts();
  const std::vector<std::string>& patches = mesh_.part().patches;
  const std::vector<std::string> columns = names_of_patch_columns("left", patches);
  std::vector<std::pair<std::string, double>> figures{{"released", static_cast<double>(counts.released)},
                                                      {"alive", static_cast<double>(counts.alive)}};
  std::string left;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    if (counts.left[p] == 0) continue;
    figures.emplace_back(columns[p], static_cast<double>(counts.left[p]));
    left += message(", {} left through {}", counts.left[p], patches[p]);
  }
  figures.emplace_back("lost", static_cast<double>(counts.lost));
  outcome.figures.push_back({"tracers", tracers_.name(), figures});
  outcome.lines.push_back(message("  tracers  {}: {} released, {} are in the flow{}", tracers_.name(), counts.released,
                                  counts.alive, left));
  if (counts.released == 0) {
    outcome.warnings.push_back(message("[[tracer]] {}: the run ended before any was released", tracers_.name()));
  }
  if (counts.lost > 0) {
    outcome.warnings.push_back(
        message("[[tracer]] {}: {} of {} were given up: they could not be followed from cell to cell", tracers_.name(),
                counts.lost, counts.released));
  }
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
