/// The implicit wave equation with P1 values: it conserves the energy of waves to the solver's tolerance, whatever the
/// steps.
#pragma once

#include <optional>

#include "model/model.hpp"
#include "physics/nodal/nodal_boundary.hpp"
#include "physics/nodal/nodal_loads.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// u = value [m].
inline NodalBoundary given_displacement(const Coefficient<real>& value = {}) {
  return {BoundaryKind::value, "displacement {} m", {{"value", "m", value, 0.0}}};
}
/// du/dn = 0: waves reflect unchanged.
inline NodalBoundary free_side() { return {BoundaryKind::natural, "free", {}}; }
inline NodalBoundary absorbing_side() { return {BoundaryKind::absorbing, "absorbing", {}}; }

/// u_tt = div(c^2 grad u) + f in a membrane, a room or a bar, with its boundary conditions.
struct WaveProblem {
  OnRegions speed;                       ///< c [m/s], > 0; does not depend on time
  OnRegions source;                      ///< f [m/s^2]
  std::vector<NodalBoundary> boundary;   ///< by patch
  Coefficient<real> displacement, rate;  ///< initial u [m] and u_t [m/s]
};

/// The [solver.wave] table.
inline SolveControl wave_solver() {
  SolveControl control{"wave", 1e-10, 10000};
  control.min_iterations = 1;
  control.advice = {", or take a smaller time step (`step` or `cfl` in [time])",
                    "check that none of the speed, source, displacements and rates is extremely large or small",
                    "speed"};
  return control;
}

/// Edge length of the regular triangle or tetrahedron of this area or volume: the length scale of the waves' Courant
/// number [m].
real size_of_cell(real volume, int dimension);

/// P1 elements in space, average acceleration in time (Newmark 1959, beta = 1/4, gamma = 1/2), in one-step form for
/// steps of any length: with v the rate, d = u' - u and v' = 2 d/dt - v,
///   (M/dt^2 + C/(2 dt) + K/4) d = M v/dt - K u/2 + (F + F')/4.
/// K: stiffness with c^2 of the cells. M = (1 - th) W + th M_n, between the lumped and the consistent mass, whose
/// dispersion errors cancel: th = 1/2 on triangles, 0.35 on tetrahedra (NUMERICS: Waves). C: c on absorbing sides,
/// lumped. Without sources, absorption and boundary motion, v'Mv/2 + u'Ku/2 is conserved.
class WaveEquation {
 public:
  /// At `time` [s], from the problem's initial displacement and rate. Refers to `mesh`, which must outlive it.
  /// Collective; throws a collective Error if a coefficient of the problem does.
  WaveEquation(const LocalMesh& mesh, WaveProblem problem, const SolveControl& control, real time);

  /// The matrix of steps of dt [s], rebuilt if the length changes. Collective.
  void build_system(real dt);

  /// Advances by dt [s]. Collective. Throws a collective Error (exit code 1) if the solver fails, and then keeps the
  /// state of the last step.
  void advance(real dt);

  Field<Node>& displacement() { return displacement_; }  ///< u [m]
  Field<Node>& rate() { return rate_; }                  ///< v [m/s]
  /// v'Mv/2 + u'Ku/2 [m^5/s^2]; in 2D per metre of depth. Collective.
  real energy();
  /// The largest c / size_of_cell [1/s].
  real rate_of_cells() const { return coefficients_.rate; }

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  bool depends_on_time() const;
  real time() const { return time_; }   ///< [s]
  real last_dt() const { return dt_; }  ///< [s], 0 before the first step
  const SolveLog& solves() const { return solves_; }

 private:
  void sample(real time, bool all = false);
  void update_products();
  void start_given(real dt);
  std::vector<real> given_at(real time) const;
  bool boundary_moves() const;

  const LocalMesh& mesh_;
  WaveProblem problem_;
  SolveControl control_;
  real time_, dt_ = 0;

  struct Coefficients {            // derived from the speed in the cells
    MatrixRows stiffness;          // K
    std::vector<real> absorption;  // C at owned nodes
    real rate = 0;
    Coefficients(const LocalMesh& mesh, const WaveProblem& problem, const std::vector<PatchNodes>& patches);
  };
  std::vector<PatchNodes> patch_nodes_;
  MatrixRows mass_rows_;  // M
  Coefficients coefficients_;
  Space<Node> unknowns_;
  SparseMatrix<Node> mass_, stiffness_;
  std::optional<LinearSystem<Node>> system_;
  std::optional<SparseMatrix<Node>> around_given_;  // the system's rows and columns of prescribed nodes
  real dt_of_system_ = 0;

  Field<Node> displacement_, rate_, rate_old_;
  Field<Node> load_, load_old_;     // F
  Field<Node> given_, is_given_;    // 0 at unknowns: the displacement, and 1
  Field<Node> momentum_, tension_;  // M v and K u: for the energy and the next step
  bool products_are_of_now_ = false;
  Field<Node> change_, right_side_, work_;
  SolveLog solves_;
};

}  // namespace solenoid
