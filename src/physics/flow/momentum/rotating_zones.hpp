/// Zones whose fluid is steady in a frame that turns (multiple reference frames).
#pragma once

#include <iterator>
#include <list>
#include <vector>

#include "model/tractions.hpp"
#include "physics/flow/momentum/cell_convection.hpp"
#include "physics/flow/momentum/frame_potential.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// Multiple reference frames with a steady interface (Luo, Issa & Gosman 1994, I. Chem. E. Symp. Ser. 136). The fluxes
/// U are absolute everywhere; in the cells of a zone convection is that of the relative flow, U - W, with 2 Omega x (u
/// - w). W, the fluxes of w = Omega x r, are the curl of a potential on edges, on a grid: D W = 0 in bits. The
/// centrifugal force is a gradient: steps know the pressure less |w|^2 / 2 in a zone, and the jump of that at its
/// surface. Where a zone is the whole domain, the steps are those of a frame that turns, of the fluxes U - W.
class RotatingZones {
 public:
  /// Of the zones of `settings` that turn. Refers to all, which must outlive it; `boundaries` have walls that turn
  /// (with_turning_walls()), `closed`: where the volume mean of pressures is zero. Collective; throws as
  /// CellConvection.
  RotatingZones(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowBoundaries& boundaries,
                const ClosedParts& closed, const WideHaloMesh* wide, const MemoryOf& = MemoryOf("rotating zones"));

  /// Reads the velocity of the boundary at `time` [s]. For use inside a guard.
  void sample(real time);
  /// Sets in the cells of zones the convection of the relative flow and the Coriolis force [m/s^2]. Collective.
  void set_convection(FlowState& state, Field<Cell, Vec3>& convection);

  /// Adds what the pressure jumps by at the surfaces of zones to its line integrals along the duals [m^2/s^2].
  void add_jumps(Field<Face>& along_duals) const;
  /// sum_f U_f times these jumps [m^5/s^3, in 2D m^4/s^3]. Collective.
  real power_of_jumps(const Field<Face>& flux) const;
  /// The force by these jumps, weighted [m^4/s^2]. Collective.
  Vec3 force_of_jumps(const ForceTestFunction& weight) const;
  FramePotential& potential() { return potential_; }  ///< of the centrifugal forces

  /// Around edges, what the circulation of the mesh's solid rotation lacks to a uniform vorticity, 2 Omega, inside of
  /// zones. `lumped_inverse_mass`: B of EdgeVorticity. Collective.
  Field<Edge> missing_circulation(const Field<Edge>& lumped_inverse_mass) const;

  void visit_state(StateVisitor& visitor);
  /// Whether a state was laid over this one that other rotations had led to; once.
  bool have_changed();

  /// courant_rate() where the flux in the cells of zones is the relative one [1/s]. Collective.
  real courant_rate(Field<Face>& flux);
  /// fastest_place() of the same fluxes. Collective.
  Vec3 fastest_place(Field<Face>& flux);
  /// W of each zone, in their order [m^3/s].
  const Field<Face>& solid_flux(std::size_t zone) const {
    return std::next(parts_.begin(), static_cast<std::ptrdiff_t>(zone))->flux;
  }

  /// I W in the cells of zones, 0 elsewhere [m/s].
  Field<Cell, Vec3> solid_velocity() const;

 private:
  /// Of the centrifugal potential on a face of a zone's surface.
  struct Pull {
    int cell;          // owned, in the zone
    Vec3 outward;      // the potential times A n [m^4/s^2]
    Vec3 from_centre;  // of the cell to that of the face [m]
  };
  struct Part {
    RotatingFrame frame;
    std::vector<char> marks;     // per local cell
    DeviceArray<int> cells;      // owned ones
    Field<Face> flux;            // W
    Field<Cell, Vec3> velocity;  // I W
    FlowBoundaries boundaries;   // as the frame sees them
    BoundaryFaces faces;
    CellConvection convection;
    Part(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowZone& zone,
         const FlowBoundaries& seen_from_rest, const WideHaloMesh* wide);
  };
  std::list<Part> parts_of(const FlowStepSettings& settings, const FlowBoundaries& boundaries,
                           const WideHaloMesh* wide) const;
  real potential_at(int cell, const Vec3& place) const;
  std::vector<double> rotations() const;

  const LocalMesh& mesh_;
  std::list<Part> parts_;  // stay where they are
  FramePotential potential_;
  Field<Face> jumps_;
  FlowState relative_;
  std::vector<Pull> pulls_;
  DeviceArray<int> outside_;  // owned cells of no zone
  std::vector<double> of_state_ = rotations();
};

}  // namespace solenoid
