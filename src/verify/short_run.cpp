#include "verify/short_run.hpp"

namespace solenoid {

namespace {

CaseMesh mesh_seen_in(const Comm& comm, const ModelSetup& setup, std::optional<MeshSource> source, const Frame& frame) {
  Log quiet(comm, true);
  Phases phases;
  if (source) {
    for (Vec3& point : source->points) point = frame.place(point);
  }
  return share_mesh(comm, setup, std::move(source), quiet, phases);
}

/// The averages from the start: a few steps would not reach their own start.
std::vector<AverageSettings> from_the_start(std::vector<AverageSettings> averages) {
  for (AverageSettings& average : averages) {
    average.from = 0;
    average.every_steps = 1;
  }
  return averages;
}

/// The dimension of `source`, which is on rank 0; the same on every rank. Collective.
int dimension_of_mesh(const Comm& comm, const std::optional<MeshSource>& source) {
  return static_cast<int>(comm.max(std::int64_t{source ? source->dimension : 0}));
}

}  // namespace

ShortRun::ShortRun(const Comm& comm, const Case& wanted, const std::optional<MeshSource>& source, const Frame& frame)
    : frame_(frame),
      setup_(wanted.setup->transformed(frame, dimension_of_mesh(comm, source))),
      mesh_(mesh_seen_in(comm, *setup_, source, frame)),
      model_(setup_->model(*mesh_.local, std::move(mesh_.wide))),
      averages_(*mesh_.local, from_the_start(wanted.averages), model_->quantities()) {
  model_->start();
  if (setup_->time) averages_.sample(0, model_->time());
}

std::vector<Quantity> ShortRun::quantities() const {
  std::vector<Quantity> all = model_->quantities();
  for (Quantity& quantity : averages_.quantities()) all.push_back(std::move(quantity));
  return all;
}

void ShortRun::advance(int steps) {
  if (!setup_->time) {
    model_->solve_steady();
    return model_->diagnose();
  }
  for (int k = 0; k < steps && !setup_->time->is_over(model_->time()); ++k) advance(1, next_step());
}

void ShortRun::advance(int steps, real dt) {
  for (int k = 0; k < steps; ++k) {
    model_->advance(dt);
    model_->diagnose();
    averages_.sample(++steps_, model_->time());
  }
}

}  // namespace solenoid
