/// The tracers of a case: [[tracer]].
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "case/case_settings.hpp"
#include "model/model.hpp"
#include "physics/tracer/tracer_set.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// Where one of them begins, found in the mesh. Collective. Throws a collective Error (exit code 2) that names the case
/// in `file`, the table and the point where one lies outside the mesh.
PointSampler find_seeds(const std::string& file, const TracerSettings& tracer, const LocalMesh& mesh);

/// All of them, and the velocities that carry them. They take what the model fits to its velocity after each step in
/// which there are some. Everything is collective.
class Tracers {
 public:
  /// `model`: has a carrier where there are settings. Refers to `mesh` and `model`, which outlive this. Throws as
  /// find_seeds does.
  Tracers(const std::string& file, const LocalMesh& mesh, const std::vector<TracerSettings>& settings, Model& model);
  ~Tracers();

  bool empty() const { return sets_.empty(); }
  /// At the start of a run.
  void start();
  // Before and after each step, which is `dt` long [s].
  void begin_step(real dt);
  void end_step();

  void visit_state(StateVisitor& visitor);
  void restored();

  /// A sink for each, in the order of the settings; this outlives them.
  std::vector<std::unique_ptr<Sink>> sinks();

 private:
  struct Parts;
  Exchanged<Node, NodeVelocity> velocity_now();

  std::vector<std::unique_ptr<TracerSet>> sets_;
  std::unique_ptr<Parts> parts_;  // null: there are none
};

}  // namespace solenoid
