/// Friction and convection of the velocity rebuilt from fluxes, linear on each simplex.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/tractions.hpp"
#include "parallel/pending.hpp"
#include "physics/flow/momentum/eddy_viscosity.hpp"
#include "physics/flow/momentum/rebuilt_tables.hpp"
#include "physics/flow/reconstruct/linear_reconstruction.hpp"

namespace solenoid {

/// Forces along the duals from the velocity
///   w = v + RT0(U - Pi v), v linear between the nodes' velocities N U, Pi v its fluxes:
/// w is linear on each cell, divergence-free, and has the fluxes U.
///
/// Friction is the derivative of half of
///   a(w, w) = sum_c nu_c V_c T:T - 2 theta sum_f nu_f A_f ({T} n).j + sum_f gamma_f nu_f (A_f / L_f) j.j,
/// a symmetric interior penalty method (Arnold 1982; weighted as Ern, Stephansen & Zunino 2009): T = grad w, j the jump
/// of w at a face's centre, on walls and inlets to the prescribed velocity, nu_f the harmonic mean. Symmetric and, with
/// these constants, positive on all meshes and viscosities tried; exact for linear velocities. With Stress::symmetric T
/// is grad w + (grad w)^T, and T:T/2 takes the place of T:T: the stress of a viscosity that varies, which takes nothing
/// of a rotation. On outlets the normal derivative is free of stress all the same: Terms::open is the part of T n there
/// that acts beside it, not symmetric.
///
/// Convection is c(w, w') = (A(w, w') - A(w', w)) / 2 with
///   A(w, w') = sum_c V_c (grad w u_c).<w'>_c - sum_f U_f j.{w'(x_f)}, u_c = I U,
/// and momentum fluxes through the boundary: with w where fluid leaves, the prescribed velocity where it enters, and
/// nothing on outlets where it comes back, but for directed inflow u_n entering_momentum() and its drift instead of
/// w/2. It conserves momentum, and energy up to that boundary part.
class RebuiltMomentum {
 public:
  static constexpr real theta = 0.9, gamma_inside = 0.7, gamma_at_walls = 1;
  enum class Stress { gradient, symmetric };

  /// Begins with a boundary at rest and uniform nu; in the plane the stress is always the symmetric one. Refers to
  /// `mesh`, which must outlive it. Collective; throws a collective Error.
  RebuiltMomentum(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                  Stress stress = Stress::gradient, const MemoryOf& = MemoryOf("rebuilt velocity"));

  /// Sets the velocity of the boundary, at places_on_boundary().
  void set(std::span<const Vec3> velocity);
  /// Sets nu of each local cell, relative to the one viscosity. Collective.
  void set_viscosity(Exchanged<Cell> viscosity);
  /// Sets 2 D:D [1/s^2] of each owned cell, D the symmetric part of grad w. Collective.
  void compute_squared_shear_rates(Exchanged<Face> flux, Field<Cell>& squares);

  /// The stress of `Terms::eddies`: the derivative of half of a(w, w) with Stress::symmetric and the viscosity of this
  /// model at T, held fast; as friction, but that outlets are free of it. In space, with uniform nu.
  void set_eddies(const EddyViscosity& model);
  /// Its viscosity [m^2/s] from the last compute() with it.
  Field<Cell>& eddy_viscosity() { return eddies_->viscosity; }

  struct Terms {
    real viscosity = 0;       ///< [m^2/s]
    real convection = 0;      ///< 1: included
    real upwind = 0;          ///< 1: with the dissipative jump terms |U_f| j.j'/2
    real open = 0;            ///< of Stress::symmetric on outlets: the viscosity of (grad w)^T n there [m^2/s]
    bool eddies = false;      ///< with the stress of the model of set_eddies()
    bool at_rest = false;     ///< the boundary, whatever its velocity
    bool dissipates = false;  ///< sums dissipation()
  };
  /// Sets f [m^4/s^2 per m, as I^T V a] from these fluxes. Collective.
  void compute(Exchanged<Face> flux, const Terms& terms, Field<Face>& along_faces);

  /// Adds the force on the boundary by area from the last compute() [m^2/s^2]: on faces with prescribed velocity that
  /// of the stress next to them, nu T n, plus the rest of -psi at their nodes over the area of such faces around; on
  /// planes of symmetry the defect of N there for constant velocities. Over the whole boundary this and the pressure
  /// balance the fluid's momentum.
  void add_tractions(BoundaryField<Vec3>& tractions);
  /// Adds the part on outlets alone, of Stress::symmetric.
  void add_open_tractions(BoundaryField<Vec3>& tractions) const;
  /// a(w, w) of the last compute() with Terms::dissipates, at viscosity 1 [m^3/s^2]. Collective.
  real dissipation();
  /// The same of the model's stress, with its viscosity [m^5/s^3]. Collective.
  real dissipation_by_eddies();
  /// Power of the last compute() in the motion of the boundary [m^5/s^3]. Collective.
  real boundary_power() const;
  /// Momentum that the last compute() removes in a velocity e by this weight, per direction of e [m^4/s^2]. Collective.
  Vec3 weighted(const ForceTestFunction& weight) const;

  // For kernels.
  struct Rebuilt {
    Vec3 a;          // w at the centroid less v there
    real d;          // w - v - a = d (x - x_c)
    Vec3 change[3];  // dw/dx, dw/dy, dw/dz
  };
  struct FaceTerms {
    Vec3 jump;  // j
    Vec3 push;  // q, on j'
  };
  /// Values at a cell's faces, by slot of D, and at the corners opposite to them; in 2D three.
  struct OnFaces {
    real of[4];
  };
  struct OnCorners {
    Vec3 of[4];
  };
  // Steps of compute(), in this order; public because nvcc does not accept kernels in private functions.
  void compute_at_nodes(Exchanged<Face> flux, real moves);
  template <int d, bool has_eddies>
  void rebuild_in_cells(Exchanged<Face> flux, const Terms& terms);
  template <int d, Stress T, bool has_eddies>
  void compute_face_terms(Exchanged<Face> flux, const Terms& terms);
  template <int d, Stress T>
  void compute_boundary_terms(Exchanged<Face> flux, const Terms& terms, real moves);
  template <int d, Stress T, bool carries_any, bool has_eddies>
  void compute_cell_terms(Exchanged<Face> flux, const Terms& terms);
  template <int d>
  void sum_at_nodes();
  void sum_on_faces(Field<Face>& along_faces);

 private:
  void compute_terms(Exchanged<Face> flux, const Terms& terms, real moves);
  template <int d, Stress T, bool has_eddies>
  void compute_terms(Exchanged<Face> flux, const Terms& terms, real moves);
  std::vector<Vec3> constants_lack();
  std::vector<Vec3> entering_by_area(const FlowBoundaries& boundaries) const;  // of boundary_face
  std::vector<Vec3> drift_of_entering(const FlowBoundaries& boundaries) const;
  void set_penalties();
  template <class Kernel>
  void sum_where_asked(const Terms& terms, int count, const Kernel& kernel);

  const LocalMesh& mesh_;
  RebuiltTables tables_;
  LinearReconstruction fit_;
  DeviceArray<Vec3> entering_;                            // entering_momentum() over the area, of boundary_face
  DeviceArray<Vec3> drift_;                               // entering_drift(), likewise
  DeviceArray<Vec3> given_velocity_, boundary_velocity_;  // of given nodes; means of owned boundary faces
  Field<Node> inverse_area_;                              // of reacting_area; negative at sliding nodes; or 0
  DeviceArray<int> sliding_node_;
  DeviceArray<Vec3> lacks_;  // 1 - N of three constant velocities, at sliding nodes
  Stress stress_;
  Field<Cell> viscosity_;
  real last_viscosity_ = 0, last_open_ = 0;  // of the last compute()
  bool last_has_eddies_ = false;
  Field<Face> penalty_by_viscosity_, average_by_viscosity_;  // gamma A / L; theta of each cell's T
  Field<Face> penalty_, average_;                            // these times nu_f
  Field<Node, Vec3> at_nodes_, psi_;
  Field<Cell, Rebuilt> rebuilt_;
  Field<Face, FaceTerms> face_terms_;
  DeviceArray<Vec3> carried_;                // on w'(x_f) of boundary faces; inside of both cells -U j / 4
  std::vector<PendingSums<1>> dissipation_;  // of the last compute(), pass by pass
  std::vector<PendingSums<2>> with_eddies_;  // the same with eddies: of friction and of their stress
  struct Eddies {
    EddyViscosity model;
    DeviceArray<real> squared_length;  // of owned cells
    Field<Cell> viscosity;
    Field<Face> average;  // theta of each cell's T times the face's viscosity
  };
  std::optional<Eddies> eddies_;
  Field<Cell, OnFaces> on_faces_;
  Field<Cell, OnCorners> on_corners_;
};

}  // namespace solenoid
