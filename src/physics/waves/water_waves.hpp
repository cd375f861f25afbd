/// Water waves by the linear variational Boussinesq model: dispersive waves over a bottom of mild slope.
#pragma once

#include <optional>
#include <vector>

#include "model/coefficient.hpp"
#include "model/state_visitor.hpp"
#include "physics/nodal/nodal_loads.hpp"
#include "physics/waves/current.hpp"
#include "physics/waves/relaxation_zone.hpp"
#include "physics/waves/ship.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// A side of the water: it reflects this part of a wave's amplitude at normal incidence, and waves come in through it.
/// Their phases have the number over the mean depth and current of all sides with the same list of them.
struct WaterSide {
  real reflection = 1;   ///< 0 to 1
  bool is_open = false;  ///< or else a quay
  std::vector<IncomingWave> incoming = {};
};

/// The waves that enter, by node of the sides: waves[begin[i]] to waves[begin[i + 1] - 1] at node[i].
struct IncomingFluxes {
  DeviceArray<int> node, begin;
  DeviceArray<real> frequency, phase;  ///< at t = 0
  DeviceArray<real> flux, vertical;    ///< amplitudes of -F and -G
};

struct WaterProblem {
  Sea sea;
  Coefficient<real> depth;                 ///< h > 0 [m]; does not depend on time
  std::vector<WaterSide> sides;            ///< by patch
  Coefficient<real> elevation, potential;  ///< initial [m], [m^2/s]
  std::vector<ZoneSettings> zones = {};    ///< the incoming waves of each, if any, are those of its patches' sides
  std::vector<Ship> ships = {};
  std::optional<Coefficient<Vec3>> current = {};  ///< U [m/s], slower than long waves; does not depend on time
};

/// Largest share of the longest step: beyond it, an error of 1 % in w_max and rounding may make steps unstable.
inline constexpr real stable_share = 0.95;

/// The [solver.elliptic] table.
inline SolveControl elliptic_solver() {
  SolveControl control{"elliptic", 1e-6, 10000};
  control.advice = {", or take a smaller time step (`step` or `cfl` in [time])",
                    "check that none of the depth, elevation and potential is extremely large or small", "depth"};
  return control;
}

/// Elevation zeta, potential phi at the still surface and vertical velocity psi there, P1 values on triangles:
///   M zeta_t = K(h) phi - K(hD) psi - F,   (K(N) + M(M)) psi = K(hD) phi - G,   phi_t = -g zeta - P
/// K(c), M(c): stiffness and mean mass with the cells' c; F, G: fluxes through the sides; P: pressure of ships. In time
/// Stoermer and Verlet's scheme with phi at half steps; zeta = M~ q, q the water above the still surface at each node
/// [m^3], M~ = W^-1 (2 W - M) W^-1 close to the inverse of M. Between walls g zeta.q/2 + phi_{n-1/2}.B phi_{n+1/2}/2 is
/// conserved, B phi = K(h) phi - K(hD) psi, and the sum of q at any sides but for what passes. Half a step of the zones
/// comes before each step and after it.
/// With a current U the first and the last equation have the terms Q zeta and -M^-1 Q' phi more, see Current, and steps
/// are Runge and Kutta's of fourth order: phi.B phi/2 + g zeta.q/2 + phi.Q zeta is conserved but for their error. Zones
/// are terms of the equations then. Source: Klopman et al. 2010; de Jong et al., (1a) to (1c).
class WaterWaves {
 public:
  /// At `time` [s]. Refers to `mesh`, which must outlive it. Collective; throws a collective Error (exit code 2) if the
  /// depth is not above 0 or the current too fast for the waves.
  WaterWaves(const LocalMesh& mesh, WaterProblem problem, const SolveControl& control, real time);

  /// 2 / w_max, with a current 2.8 / w_max [s]: longer steps are unstable. w_max, the largest frequency of the mesh, is
  /// a lower bound from power iterations that come within 1 %: take at most `stable_share` of it. The first call
  /// computes it. Collective.
  real longest_step();

  /// Advances by dt [s]. Collective. Throws a collective Error if the solver fails (exit code 1) or the place of a ship
  /// is undefined (2), and then keeps the state of the last step.
  void advance(real dt);
  /// Back to the state before the last step, for output only: no step can follow. Collective.
  void revert_step();

  Field<Node>& elevation() { return elevation_; }  ///< zeta [m]
  Field<Cell>& depth() { return depth_; }          ///< h [m]
  Field<Node>& potential() { return potential_; }  ///< phi [m^2/s]
  const Fleet& fleet() const { return fleet_; }    ///< at time()
  bool has_current() const { return current_.has_value(); }
  Field<Cell, Vec3>& current() { return current_->velocity; }  ///< U [m/s], if there is one
  /// Whether nothing adds or takes energy: no open side, quay that absorbs, zone, or ship.
  bool keeps_energy() const { return !has_open_sides_ && zones_.empty() && problem_.ships.empty(); }
  /// Over the density [m^5/s^2], between walls conserved for steps of one length, with a current to fourth order.
  /// Collective.
  real energy();
  real volume() const;  ///< of the water [m^3]. Collective.

  void visit_state(StateVisitor& visitor);  ///< see Model
  /// Throws a collective Error (exit code 2) if the current is not that of the restored state.
  void state_restored();
  real time() const { return time_; }  ///< [s]
  const SolveLog& solves() const { return solves_; }

 private:
  WaterWaves(const LocalMesh& mesh, WaterProblem problem, const SolveControl& control, real time,
             const struct WaterWavesData& data);

  void compute_elevation();
  void sample_sides(real time);
  void compute_flow(Field<Node>& potential);
  void sample_zones(real time);
  void relax(real dt);
  std::vector<real> scattered_values() const;
  real largest_frequency();
  void sample_forcing(real time);
  void compute_rates();
  void carry(real dt);
  void restore_current();
  real kinetic_energy_on_current();
  real largest_rate();

  const LocalMesh& mesh_;
  WaterProblem problem_;
  SolveControl control_;
  real time_, time_before_;
  Space<Node> unknowns_;
  SparseMatrix<Node> mass_, depth_stiffness_, profile_stiffness_;  // M, K(h), K(hD)
  LinearSystem<Node> system_;
  SolutionHistory<Node> past_{unknowns_};
  std::optional<real> longest_step_;
  Field<Cell> depth_;
  Field<Node> area_;                          // W
  Field<Node> leaving_, leaving_vertical_;    // F and G per elevation
  Field<Node> entering_, entering_vertical_;  // -F and -G of the incoming waves
  IncomingFluxes incoming_;
  RelaxationZones zones_;
  Fleet fleet_;
  Field<Node> pressure_;                                      // of ships, over the density [m^2/s^2]
  Field<Node> zone_elevation_, zone_water_, zone_potential_;  // zeta_in, M zeta_in, phi_in; 0 outside
  Field<Node> water_, elevation_;
  Field<Node> mean_;  // elevation of a closed basin: left out of phi_t, in which a constant has no effect
  Field<Node> potential_, vertical_, flow_, work_, right_side_;
  Field<Node> water_before_, potential_before_;  // the step
  std::optional<Current> current_;
  bool has_open_sides_ = false;
  real kinetic_energy_ = 0, still_volume_ = 0;
  SolveLog solves_;
};

}  // namespace solenoid
