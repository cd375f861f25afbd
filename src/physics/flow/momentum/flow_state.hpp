/// The state of a flow and the settings of its step.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "field/field.hpp"
#include "model/coefficient.hpp"
#include "model/solver_advice.hpp"
#include "model/time_scheme.hpp"
#include "physics/flow/momentum/eddy_viscosity.hpp"
#include "physics/flow/momentum/viscosity_law.hpp"
#include "physics/flow/zones/flow_zone.hpp"
#include "physics/flow/zones/rotating_frame.hpp"

namespace solenoid {

/// The fluxes of a flow and quantities derived from them at one time. In 2D everything is per metre of depth.
struct FlowState {
  Field<Face> flux;            ///< U_f = integral of u.n over the face    [m^3/s]
  Field<Cell, Vec3> velocity;  ///< u_c = I U                              [m/s]
  Field<Edge> vorticity;  ///< see EdgeVorticity; in 3D line integrals [1/s, in 3D m/s], unused with a rebuilt velocity
  explicit FlowState(const LocalMesh& mesh) : flux(mesh), velocity(mesh), vorticity(mesh) {}
};

/// Form of convection: none; omega x u between walls; or momentum fluxes through faces: of third order (in 2D), with
/// the mean of two cells' velocities, with a rebuilt velocity (see RebuiltMomentum), or with the velocity upstream.
/// `automatic`: rotational between walls in 2D, skew with friction of a rebuilt velocity, else divergence.
enum class ConvectionForm { automatic, none, rotational, divergence, central, skew, upwind };

/// Friction: the curl of the vorticity; the thesis's differences of cell velocities, see FaceAverageFriction; or in 3D
/// that of a rebuilt velocity, see RebuiltMomentum, of a viscosity that varies in 2D, too. `automatic`: the last in 3D,
/// unless convection is rotational, and where the viscosity varies, else rotational. States store these numbers.
enum class DiffusionForm { rotational = 0, face_average = 2, stress = 3, automatic };

/// The fractional step: ExactStep or ClassicalStep.
enum class FlowMethod { exact, classical };

struct FlowStepSettings {
  FlowMethod method = FlowMethod::exact;
  real viscosity = 0;               ///< kinematic [m^2/s]; of one that varies some value, the unit of numbers
  std::optional<ViscosityLaw> law;  ///< of the shear rate, or
  std::optional<Coefficient<real>> of_temperature;  ///< the viscosity [m^2/s] at the "point" (T [K], 0, 0)
  real temperature = 0;                             ///< where that is `viscosity` [K]
  std::optional<EddyViscosity> eddies;              ///< model of those that the mesh does not resolve
  ConvectionForm convection = ConvectionForm::rotational;
  DiffusionForm diffusion = DiffusionForm::rotational;
  std::vector<FlowZone> zones;         ///< distinct names
  std::optional<RotatingFrame> frame;  ///< whose forces act; boundaries are told as seen from it
  real upwind = 0;             ///< share of the dissipative jump terms of RebuiltMomentum in skew convection, 0 to 1
  bool scales_inlets = false;  ///< so that inflow equals outflow, see BoundaryFaces::balanced
  TimeScheme scheme = TimeScheme::second_order;
  int passes = 1;                               ///< pressure corrections per step of the classical method
  int vorticity_iterations = 4;                 ///< at the end of a step, see EdgeVorticity
  std::optional<real> projection_scaling = {};  ///< on tetrahedra, overrides the computed one
  std::optional<real> implicit_factor = {};     ///< overrides the one computed by RebuiltForces
  std::optional<bool> all_implicit = {};        ///< of its friction, overrides its choice for each step
  SolveControl potential{"potential", 1e-8, 10000, PreconditionerKind::automatic, 0, potential_advice()};
  SolveControl momentum{"momentum", 1e-8, 10000, PreconditionerKind::automatic, 0, momentum_advice()};
  SolveControl vorticity{"vorticity", 1e-10, 10000, PreconditionerKind::automatic, 0, vorticity_advice()};
  SolveControl pressure{"pressure", 1e-8, 10000, PreconditionerKind::automatic, 0, pressure_advice()};

  bool viscosity_varies() const { return law || of_temperature; }
  bool has_porous_zone() const {
    return std::any_of(zones.begin(), zones.end(), [](const FlowZone& zone) { return zone.porous.has_value(); });
  }
  bool has_rotating_zone() const {
    return std::any_of(zones.begin(), zones.end(), [](const FlowZone& zone) { return zone.rotating.has_value(); });
  }
};

}  // namespace solenoid
