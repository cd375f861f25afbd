/// Friction and convection of the rebuilt velocity in a fractional step: explicit, but for a part of the friction or
/// all of it.
#pragma once

#include <optional>
#include <span>

#include "model/state_visitor.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"

namespace solenoid {

/// Of RebuiltMomentum nu K U and c(U) by a step's settings, which are extrapolated; friction by nu kappa K_0 (U' - U),
/// K_0 of FaceAverageFriction, from what is expected of U' to what it is: K has much in common with it on cells of any
/// shape. BDF2 with that is stable for any step while 0 <= K <= 4/3 kappa K_0 (the roots of each eigenvector's
/// polynomial stay within the unit circle): kappa is found for it. What is expected goes in a dozen steps, however long
/// they are: in steps that are long beside the friction of more than a few cells all of K is implicit, and only c(U) is
/// extrapolated.
class RebuiltForces {
 public:
  /// Whether these settings take it.
  static bool is_asked_for(const FlowStepSettings& settings) {
    return settings.diffusion == DiffusionForm::stress || settings.convection == ConvectionForm::skew;
  }

  /// Refers to the mesh. Collective.
  RebuiltForces(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                const FlowStepSettings& settings);

  real implicit_factor() const { return implicit_ ? implicit_->factor : 1; }  ///< kappa
  /// None where there is no friction.
  const ImplicitFriction* implicit_friction() const { return implicit_ ? &*implicit_ : nullptr; }
  bool is_friction_implicit() const { return implicit_ && implicit_->whole; }  ///< all of it

  /// Chooses for a step of dt [s] from the last update(), which had these fluxes. Returns whether the implicit part is
  /// another one than before. Collective.
  bool choose_implicit(real dt, Exchanged<Face> flux);
  /// Whether forces() and those before tell how explicit friction changes; else it is expected to stay as it is.
  bool knows_older_friction() const { return knows_older_friction_; }

  /// Takes the velocity of the boundary, see sample_boundary.
  void set(std::span<const Vec3> velocity) { momentum_.set(velocity); }

  /// The flow is at these fluxes now; where `keeps_older`, in the place of the last ones. Collective.
  void update(Exchanged<Face> flux, bool keeps_older);
  /// The same where a state was laid over this one; what it has of other terms than these counts for nothing, and its
  /// next step expects the forces of this flow.
  void restart_from(Exchanged<Face> flux);
  /// nu K U, unless that is implicit, and c(U) of the last update() along the duals [m^4/s^2 per m].
  const Field<Face>& forces() const { return forces_; }
  /// Adds what a step expects of them, with this share of the fluxes before the last.
  void add_expected(real older, Field<Face>& along_faces) const;

  /// Sets K U, at viscosity 1. Collective.
  void compute_friction(Exchanged<Face> flux, Field<Face>& along_faces);
  /// Of nu K U and c(U) of this flow, see RebuiltMomentum: the force on the boundary, and what they take of a weighted
  /// velocity. Collective.
  void add_tractions(Exchanged<Face> flux, BoundaryField<Vec3>& tractions);
  Vec3 weighted(Exchanged<Face> flux, const ForceTestFunction& weight);
  /// Of nu K U: what it takes of the energy inside, and what a boundary that moves gives [m^5/s^3]. Collective.
  struct Powers {
    real dissipation, boundary;
  };
  Powers powers(Field<Face>& flux);
  /// What friction takes inside after the last update(), as powers() has it; at viscosity 1 [m^3/s^2]. Collective.
  real dissipation() const { return momentum_.dissipation(); }
  /// Of c(U): what the boundary takes, and jumps inside [m^5/s^3]. Collective.
  struct ConvectionPowers {
    real boundary, jumps = 0;
  };
  ConvectionPowers convection_powers(Field<Face>& flux);
  bool has_friction() const { return has_friction_; }
  bool has_convection() const { return terms_.convection > 0; }

  void visit_state(StateVisitor& visitor);

 private:
  void set_implicit(bool whole);

  bool has_friction_;
  std::optional<bool> is_implicit_given_;
  RebuiltMomentum momentum_;
  std::optional<FaceAverageFriction> differences_;
  std::optional<ImplicitFriction> implicit_;
  real fast_rate_ = 0;  // of friction by viscosity, which few cells exceed [1/m^2]
  bool knows_older_friction_ = true;
  RebuiltMomentum::Terms terms_, explicit_, of_older_;  // of_older_: those that forces_old_ has
  Field<Face> forces_, forces_old_, along_;
};

}  // namespace solenoid
