/// Friction and convection of the rebuilt velocity in a fractional step: explicit, but for a part of the friction or
/// all of it.
#pragma once

#include <optional>
#include <span>

#include "model/state_visitor.hpp"
#include "model/time_scheme.hpp"
#include "physics/flow/momentum/eddy_stabiliser.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"

namespace solenoid {

/// nu K U and c(U) of RebuiltMomentum with a step's settings, both extrapolated; the friction is corrected implicitly
/// by nu kappa K_0 (U' - U*), U* the expected value of U' and K_0 of FaceAverageFriction, which is close to K on cells
/// of any shape. BDF2 with that is stable for any step if 0 <= K <= 4/3 kappa K_0 with linear extrapolation, and up to
/// 6/5 with damping_extrapolation(), which c(U) takes (the roots of each eigenvector's polynomial stay within the unit
/// circle): kappa is computed for it. An error of the expected value decays in a dozen steps or two, however long they
/// are: in steps that are long relative to the friction of more than a few cells all of K is implicit, and only c(U) is
/// extrapolated. So it always is where the viscosity varies, with that of the expected flow.
///
/// The stress of modelled eddies is extrapolated with these, and never is all of K implicit beside it. Where its
/// viscosity is too large for the step, the implicit correction has more viscosity than nu: stabiliser().
class RebuiltForces {
 public:
  /// Whether these settings use a rebuilt velocity.
  static bool is_asked_for(const FlowStepSettings& settings) {
    return settings.diffusion == DiffusionForm::stress || settings.convection == ConvectionForm::skew;
  }

  /// Refers to the mesh. Collective.
  RebuiltForces(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                const FlowStepSettings& settings);

  real implicit_factor() const { return implicit_ ? implicit_->factor : 1; }  ///< kappa
  /// 2 D:D of the rebuilt velocity, see RebuiltMomentum. Collective.
  void compute_squared_shear_rates(Exchanged<Face> flux, Field<Cell>& squares) {
    momentum_.compute_squared_shear_rates(flux, squares);
  }
  /// Sets the viscosity of cells relative to that of the settings, and its mean. Collective.
  void set_viscosity(Exchanged<Cell> relative, real mean) {
    momentum_.set_viscosity(relative);
    implicit_->mean = mean;
  }
  /// Null without friction.
  const ImplicitFriction* implicit_friction() const { return implicit_ ? &*implicit_ : nullptr; }
  bool is_friction_implicit() const { return implicit_ && implicit_->whole; }  ///< all of it
  /// Viscosity of kappa K_0 (U' - U*) beyond nu in a step of choose_stabiliser() [m^2/s].
  real stabiliser() const { return stabiliser_; }
  /// For a step of dt [s] from the last update(). Collective.
  void choose_stabiliser(real dt);
  /// Of modelled eddies [m^2/s], after the last update(); null without.
  Field<Cell>* eddy_viscosity() { return terms_.eddies ? &momentum_.eddy_viscosity() : nullptr; }

  /// Chooses for a step of dt [s] from the last update(), which had these fluxes. Returns whether the implicit part
  /// changes. Collective.
  bool choose_implicit(real dt, Exchanged<Face> flux);
  /// Whether forces() and those before show how explicit friction changes; otherwise it is extrapolated as constant.
  bool knows_older_friction() const { return knows_older_friction_; }
  /// Whether convection is there and the extrapolation is damping_extrapolation(): not where fluid enters by a total
  /// pressure, which damps, but is stable in shorter steps with it.
  bool takes_three() const { return forces_older_.has_value(); }
  /// Whether the forces a step before those are known, too.
  bool knows_oldest() const { return knows_oldest_; }

  /// Sets the velocity of the boundary, at places_on_boundary().
  void set(std::span<const Vec3> velocity) { momentum_.set(velocity); }

  /// Sets the current fluxes; with `keeps_older` they replace the last ones, else those become the older ones.
  /// Collective.
  void update(Exchanged<Face> flux, bool keeps_older);
  /// The same for a restored state: its forces with other terms than these are discarded, and the next step
  /// extrapolates the forces of this flow as constant.
  void restart_from(Exchanged<Face> flux);
  /// nu K U, unless that is implicit, plus c(U), from the last update(), along the duals [m^4/s^2 per m].
  const Field<Face>& forces() const { return forces_; }
  /// Adds the extrapolated forces.
  void add_expected(const Extrapolation& expected, Field<Face>& along_faces) const;

  /// Sets K U, at viscosity 1. Collective.
  void compute_friction(Exchanged<Face> flux, Field<Face>& along_faces);
  /// For nu K U and c(U) of this flow, see RebuiltMomentum: the force on the boundary, and the momentum that they
  /// remove in a weighted velocity. Collective.
  void add_tractions(Exchanged<Face> flux, BoundaryField<Vec3>& tractions);
  Vec3 weighted(Exchanged<Face> flux, const ForceTestFunction& weight);
  /// Adds the traction on outlets of the viscous stress there that RebuiltMomentum::Terms::open is. Collective.
  void add_open_tractions(Exchanged<Face> flux, BoundaryField<Vec3>& tractions);
  /// For nu K U: the loss of energy inside, and the gain from a moving boundary [m^5/s^3]. Collective.
  struct Powers {
    real dissipation, boundary;
    real eddies = 0;  ///< loss inside by their stress, whose gain from the boundary is in `boundary`
  };
  Powers powers(Field<Face>& flux);
  /// Loss by friction inside after the last update(), as in powers(), at viscosity 1 [m^3/s^2]. Collective.
  real dissipation() { return momentum_.dissipation(); }
  /// Loss by the stress of modelled eddies [m^5/s^3]. Collective.
  real dissipation_by_eddies() { return momentum_.dissipation_by_eddies(); }
  /// For c(U): the energy lost at the boundary, and by jumps inside [m^5/s^3]. Collective.
  struct ConvectionPowers {
    real boundary, jumps = 0;
  };
  ConvectionPowers convection_powers(Field<Face>& flux);
  bool has_friction() const { return has_friction_; }
  bool has_convection() const { return terms_.convection > 0; }

  void visit_state(StateVisitor& visitor);

 private:
  void set_implicit(bool whole);
  int kind_of_model() const { return model_ ? 1 + static_cast<int>(model_->kind) : 0; }

  bool has_friction_, viscosity_varies_;
  std::optional<bool> is_implicit_given_;
  const std::optional<EddyViscosity> model_;
  RebuiltMomentum momentum_;
  std::optional<FaceAverageFriction> differences_;
  std::optional<ImplicitFriction> implicit_;
  real fast_rate_ = 0;  // rate of friction per viscosity that few cells exceed [1/m^2]
  bool knows_older_friction_ = true, knows_oldest_ = false;
  std::optional<EddyStabiliser> eddies_;
  real stabiliser_ = 0;
  int kind_of_older_ = 0;                               // of the model whose stress is in forces_old_; 0: none
  real constant_of_older_ = 0;                          // of it
  RebuiltMomentum::Terms terms_, explicit_, of_older_;  // of_older_: those in forces_old_
  Field<Face> forces_, forces_old_, along_;
  std::optional<Field<Face>> forces_older_;
};

}  // namespace solenoid
