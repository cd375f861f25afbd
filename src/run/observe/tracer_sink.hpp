/// Tracers for ParaView: position, age, and speed.
#pragma once

#include <functional>
#include <optional>

#include "io/paraview/pvd_file.hpp"
#include "physics/tracer/tracer_set.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

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
  OutputFolder folder_;
  std::optional<PvdFile> series_;  // on rank 0
};

}  // namespace solenoid
