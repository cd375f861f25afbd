/// The tracers of a case: [[tracer]].
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "model/model.hpp"
#include "physics/tracer/tracer_set.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// Locates the release points of a tracer in the mesh. Collective. Throws a collective Error (exit code 2) with the
/// case `file`, the table and the point if one lies outside the mesh.
PointSampler find_seeds(const std::string& file, const TracerSettings& tracer, const LocalMesh& mesh);

/// All tracers of a case, and the velocities that carry them: those of Model::advecting_velocity(), evaluated at both
/// ends of each step with tracers. All functions are collective.
class Tracers {
 public:
  /// `model` must have an advecting velocity if there are settings. Keeps references to `mesh` and `model`, which must
  /// outlive it. Throws like find_seeds.
  Tracers(const std::string& file, const LocalMesh& mesh, const std::vector<TracerSettings>& settings, Model& model);
  ~Tracers();

  bool empty() const { return sets_.empty(); }
  /// Call at the start of a run.
  void start();
  // Call before and after each step of size `dt` [s].
  void begin_step(real dt);
  void end_step();

  void visit_state(StateVisitor& visitor);
  void restored();

  /// A sink per tracer set, in the order of the settings; this outlives them.
  std::vector<std::unique_ptr<Sink>> sinks();

 private:
  struct Parts;
  Exchanged<Node, NodeVelocity> velocity_now();

  std::vector<std::unique_ptr<TracerSet>> sets_;
  std::unique_ptr<Parts> parts_;  // null: no tracers
};

}  // namespace solenoid
