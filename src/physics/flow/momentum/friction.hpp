/// Friction of a flow in any of its forms, and the vorticity that the rotational one has.
#pragma once

#include <optional>
#include <span>

#include "model/time_scheme.hpp"
#include "model/tractions.hpp"
#include "operators/boundary_circulation.hpp"
#include "operators/means.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"
#include "physics/flow/momentum/edge_vorticity.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/flow/momentum/rebuilt_forces.hpp"
#include "physics/flow/momentum/surface_gradient.hpp"
#include "physics/flow/momentum/variable_viscosity.hpp"

namespace solenoid {

/// nu M C omega with the vorticity of EdgeVorticity, FaceAverageFriction, or that of RebuiltForces, which have skew
/// convection, too. In a step it is partly implicit; the rest is extrapolated.
class Friction {
 public:
  /// Walls are at rest. Refers to all, which must outlive it; `wide` for RebuiltForces alone. Collective; throws a
  /// collective Error where the forms of `settings` do not go together.
  Friction(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowBoundaries& boundaries,
           const BoundaryFaces& faces, const WideHaloMesh* wide, FlowState& state,
           const MemoryOf& = MemoryOf("friction"));

  bool has_vorticity() const { return settings_.diffusion != DiffusionForm::stress; }
  bool is_of_face_averages() const { return face_average_.has_value(); }
  /// Whether the last step took all of its friction implicitly, with DiffusionForm::stress.
  bool is_whole_implicit() const { return rebuilt_ && rebuilt_->is_friction_implicit(); }
  /// kappa of RebuiltForces; none with other friction.
  std::optional<real> implicit_factor() const;
  /// The implicit part, where it is not that of EdgeVorticity.
  const ImplicitFriction* implicit() const;
  /// B of EdgeVorticity.
  Field<Edge>& lumped_inverse_mass() { return edge_vorticity_.lumped_inverse_mass(); }

  /// Velocity of the boundary, at places_on_boundary(). For use inside a guard.
  void set(std::span<const Vec3> velocity);

  /// R M U of the fluid inside, to be set before update(); R M U + b after it, with a vorticity.
  Field<Edge>& circulation() { return circulation_; }
  /// b, see BoundaryCirculation, and what add_circulation() added.
  const Field<Edge>& boundary_circulation() const { return added_ ? added_->with_boundary : of_boundary_.field(); }
  /// Adds this to every circulation, see RotatingZones::missing_circulation(). Collective.
  void add_circulation(const Field<Edge>& circulation);
  /// Where it varies, else null.
  VariableViscosity* viscosity() { return viscosity_ ? &*viscosity_ : nullptr; }
  /// Its values over that of the settings; null where it does not vary.
  const Field<Cell>* relative_viscosity() { return viscosity_ ? &viscosity_->relative() : nullptr; }
  /// See VariableViscosity, if there is one. Collective; throws as that does.
  void set_temperature(const Field<Node>& temperature);
  /// At nodes with this velocity, until the next call. Collective; throws as VariableViscosity.
  NodeViscosity viscosity_at_nodes(Exchanged<Node, NodeVelocity> velocities) {
    return viscosity_ ? viscosity_->at_nodes(velocities) : NodeViscosity{settings_.viscosity};
  }
  /// In the friction of a step the viscosity is that of the flow expected after it, by extrapolate(), from the state's
  /// fluxes and those where the history begins. Returns whether it varies. Collective; throws as VariableViscosity.
  bool expect_viscosity(const Field<Face>& flux_old);
  /// Restores the viscosity before that, of a step that failed. Collective.
  void revert_viscosity();

  enum class Vorticity { anew, after_first_step, after_step, kept };
  /// The flow is that of the state now; where `keeps_older`, in the place of the last one. Collective.
  void update(Vorticity vorticity, bool keeps_older);

  /// Chooses the implicit part of a step of dt [s]. Returns whether it is another one than before. Collective.
  bool choose_implicit(real dt);
  /// For the stress of modelled eddies in that step. Collective.
  void choose_stabiliser(real dt);
  /// Viscosity of the implicit part of that step [m^2/s]: more than nu where the stress of modelled eddies takes that.
  real implicit_viscosity() const { return settings_.viscosity + (rebuilt_ ? rebuilt_->stabiliser() : 0); }
  /// Adds the extrapolated forces of RebuiltForces to `along_duals`, and extrapolates the vorticity's rest.
  /// `keeps_older`: see StepHistory.
  void extrapolate(const TimeCoefficients& scheme, const LastSteps& steps, bool keeps_older, Field<Face>& along_duals);
  /// Extrapolates the velocity of outlets. `velocity_old`: before the last step. Collective.
  void extrapolate_openings(const TimeCoefficients& scheme, const Field<Cell, Vec3>& velocity_old);
  /// Of the flow that the implicit part expects.
  const Extrapolation& expected() const { return expected_; }
  /// Whether that takes the flow of a step before the last one, see RebuiltForces.
  bool takes_three() const { return rebuilt_ && rebuilt_->takes_three(); }
  /// Whether the implicit part counts a boundary velocity that is not as expected.
  bool needs_unexpected_boundary() const {
    return rebuilt_ && rebuilt_->implicit_friction() && !rebuilt_->is_friction_implicit();
  }
  /// That velocity less the expected one, at places_on_boundary(). For use inside a guard.
  void set_unexpected(std::span<const Vec3> velocity) { rebuilt_->implicit_friction()->differences.set(velocity); }
  /// Expects the flow to stay as it is.
  void expect_steady();
  /// Forgets the lengths of the last steps.
  void forget_steps() { grew_ = 0; }

  /// Sets the implicit part of these fluxes' friction, by viscosity, beyond what extrapolate() added. The velocities
  /// are those before the last step, and before the one before. Collective.
  void compute_implicit(Field<Face>& flux, const Field<Cell, Vec3>& velocity_old,
                        const Field<Cell, Vec3>& velocity_older, Field<Face>& along_duals);
  /// From a circulation to B times it + its extrapolated rest, see EdgeVorticity.
  void add_extrapolated_rest(Field<Edge>& circulation) const { edge_vorticity_.add_extrapolated_rest(circulation); }

  /// Sets the friction of the flow along the duals, by viscosity. Collective.
  void compute(Field<Face>& along_duals);
  /// Adds the forces of the last step that RebuiltForces has along the duals, and the other friction's.
  void add_forces(Field<Face>& along_duals, Field<Face>& work);
  /// Adds RebuiltForces' forces alone.
  void add_rebuilt(Field<Face>& along_duals) const;

  /// The fluid's pull on its boundary, without pressure [m^2/s^2]. Collective.
  void compute_tractions(BoundaryField<Vec3>& tractions);
  /// Adds the part of it without vorticity and RebuiltForces [m^2/s^2]; with face averages sets it. Collective.
  void compute_surface_tractions(BoundaryField<Vec3>& tractions);
  /// RebuiltForces' part of a force in the fluid, see RebuiltForces::weighted; else 0. Collective.
  Vec3 weighted(const ForceTestFunction& weight);
  /// FaceAverageFriction's acceleration of cells by viscosity, if it is that.
  const Field<Cell, Vec3>* in_cells();
  /// The viscosity that the vorticity's friction has: 0 in other forms.
  real viscosity_of_vorticity() const;

  /// Power that friction takes of the kinetic energy [m^5/s^3, in 2D m^4/s^3]. Collective.
  real dissipation();
  /// The same of the stress of modelled eddies. Collective.
  real dissipation_by_eddies() { return settings_.eddies ? rebuilt_->dissipation_by_eddies() : 0; }
  /// Of modelled eddies, see RebuiltForces; null without.
  Field<Cell>* eddy_viscosity() { return settings_.eddies ? rebuilt_->eddy_viscosity() : nullptr; }
  struct Powers {
    real dissipation, boundary;  ///< taken inside; supplied by a moving boundary [m^5/s^3, in 2D m^4/s^3]
    real eddies = 0;             ///< taken inside by modelled eddies
  };
  Powers powers();  ///< Collective.
  /// Powers of skew convection, 0 without: of the boundary and of jumps [m^5/s^3]. Collective.
  RebuiltForces::ConvectionPowers convection_powers();

  void visit_steps(StateVisitor& visitor) { visitor.number("grew", grew_); }
  void visit_state(StateVisitor& visitor);
  /// A state was laid over this one that had no vorticity.
  bool lacks_vorticity() const { return lacks_vorticity_; }

 private:
  void boundary_changed();
  void update_openings(Field<Cell, Vec3>& velocity);
  void find_viscosity(Field<Face>& flux);
  real power_of_surface_gradient();
  SurfaceGradient& surface_gradient();

  const LocalMesh& mesh_;
  const FlowStepSettings& settings_;
  FlowState& state_;
  EdgeVorticity edge_vorticity_;
  BoundaryCirculation of_boundary_;
  struct Added {
    Field<Edge> circulation, with_boundary;
  };
  std::optional<Added> added_;
  OpenVelocity open_velocity_;
  std::optional<Field<Node, Vec3>> behind_outlets_;  // velocity there, see OpenVelocity
  Field<Edge> circulation_;
  std::optional<FaceAverageFriction> face_average_;
  std::optional<ImplicitFriction> of_face_averages_;
  std::optional<RebuiltForces> rebuilt_;
  std::optional<VariableViscosity> viscosity_;
  std::optional<Field<Cell>> viscosity_before_;     // the present step
  std::optional<Field<Cell>> squared_shear_rates_;  // with the next, scratch
  std::optional<Field<Face>> expected_flux_;
  SurfaceGradient surface_gradient_;
  std::optional<EdgeMeans> boundary_means_;  // once tractions are asked for
  Field<Cell, Vec3> cells_;                  // scratch
  real grew_ = 0;                            // 1: the last step was longer than the one before
  real older_ = 0;                           // weight of the flow before the last step in a linear extrapolation
  Extrapolation expected_;
  bool lacks_vorticity_ = false, has_viscosity_ = false;  // of a restored state
};

}  // namespace solenoid
