/// Convection of momentum as an acceleration of cells, now and before the last steps.
#pragma once

#include <optional>

#include "model/state_visitor.hpp"
#include "model/time_scheme.hpp"
#include "operators/means.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/flow/momentum/third_order_momentum.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

class RotatingZones;

/// The divergence of the momentum that faces carry out of cells, of third order (2D), central or upwind; or omega x u
/// with the vorticity of the consistent mass, in 2D M_n omega = R M U + b. Empty without convection and with the skew
/// form, which is RebuiltForces'.
class CellConvection {
 public:
  enum class Past { kept, none };  ///< for extrapolate()
  /// Refers to all, which must outlive it; `wide` for convection of third order alone. Collective; throws a collective
  /// Error without the mesh that it takes.
  CellConvection(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowBoundaries& boundaries,
                 const BoundaryFaces& faces, const WideHaloMesh* wide, Past past,
                 const MemoryOf& = MemoryOf("convection"));

  bool is_there() const { return terms_.has_value(); }
  /// In the cells of these zones, which outlive it, it is theirs.
  void set_zones(RotatingZones& zones) { zones_ = &zones; }

  /// Reads the velocity of the boundary at `time` [s]. For use inside a guard.
  void sample(real time);

  enum class Kept { no, yes };  ///< among the past solutions that first guesses are made of
  /// Of the flow as it is; `circulation` is R M U + b. Collective; throws as cg does.
  void update(FlowState& state, const Field<Edge>& circulation, Kept kept);
  /// The same without a change of its state but that acceleration. Collective; throws as cg does.
  void update_at_start(FlowState& state, const Field<Edge>& circulation);
  /// The last update() becomes that before the last step.
  void shift();
  /// Whether the extrapolation is damping_extrapolation(): of forms without a dissipation of their own, which takes
  /// shorter steps with it, as fluid does that enters by a total pressure.
  bool takes_three() const { return terms_ && terms_->older; }
  /// That at the end of the step from the last update() and those before, or 0 without convection [m/s^2].
  void extrapolate(const TimeCoefficients& scheme, const LastSteps& steps, Field<Cell, Vec3>& forcing) const;
  const Field<Cell, Vec3>& now() const { return terms_->now; }

  /// Means over cells of values at edges.
  const EdgeMeans& cell_means();

  void build_systems();
  /// `is_left_out`: see StepHistory.
  void visit_state(StateVisitor& visitor, bool is_left_out);
  /// After a step that is not left out, what takes_three() reads besides. Returns whether the state has it.
  bool visit_older(StateVisitor& visitor) { return visitor.field("convection_older", *terms_->old); }
  void visit_guesses(StateVisitor& visitor) { visitor.past("past_vorticity", past_vorticities_); }
  /// A state was laid over this one, before its flow is there.
  void state_restored();
  /// The same with its flow: where it is of another form, or zones turn otherwise, nothing is known of the step before.
  /// Collective.
  void renew(FlowState& state, const Field<Edge>& circulation);

 private:
  void compute(FlowState& state, const Field<Edge>& circulation, Kept kept);

  const LocalMesh& mesh_;
  const FlowStepSettings& settings_;
  const BoundaryFaces& faces_;
  RotatingZones* zones_ = nullptr;
  int form_;              // that terms_ has
  bool is_known_ = true;  // to the state laid over this one: it, too, had zones that turn, or had none
  struct Terms {
    Field<Cell, Vec3> now;
    std::optional<Field<Cell, Vec3>> old, older;
  };
  std::optional<Terms> terms_;
  std::optional<Field<Face, Vec3>> momentum_;  // that faces carry
  std::optional<ThirdOrderMomentum> third_order_;
  Space<Edge> all_edges_;
  std::optional<LinearSystem<Edge>> vorticity_system_;  // the consistent mass M_n, in 2D
  SolutionHistory<Edge> past_vorticities_;
  Field<Edge> vorticity_;                // M_n^-1 (R M U + b)
  std::optional<EdgeMeans> cell_means_;  // once they are asked for
};

}  // namespace solenoid
