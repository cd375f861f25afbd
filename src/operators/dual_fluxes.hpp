/// Fluxes between the median duals of nodes, and convection of nodal values by them.
#pragma once

#include <optional>
#include <vector>

#include "field/field.hpp"
#include "operators/node_pairs.hpp"

namespace solenoid {

/// The value between two nodes: their mean, or the one that the flow comes from.
enum class PairValue { central, upwind };

/// What comes in with the fluid where it enters, by corner of the boundary's faces, d of each of mesh.boundary(): the
/// value [unit of T], and 1 where there is one. Elsewhere what comes in has the value of the node.
struct InflowValues {
  const real* value;
  const real* is_given;
};

/// Fluxes q_ab between median duals: D of them is that of the faces, zero in bits where that is. A boundary face gives
/// each of its d corners 1/d of its flux.
class DualFluxes {
 public:
  explicit DualFluxes(const NodePairs& pairs);

  /// Takes face fluxes [m^3/s]. Collective.
  void set(const Field<Face>& flux);

  /// d (d + 1) q of each pair [m^3/s]; the sum around a node and what leaves it through the boundary is 0 in bits where
  /// the face fluxes have no divergence in bits.
  Exchanged<NodePair> scaled() const { return *exchanged_; }

  /// (N T)_a = sum_b q_ab (T_ab - T_a) + sum over the boundary where fluid enters B (T_in - T_a) [unit of T m^3/s]:
  /// zero in bits for what is constant. The central form is that of linear elements with the velocity of the cells, so
  /// it has F / (2 d (d + 1)) (T_b - T_a) besides between the corners of a boundary face that F leaves through; and
  /// T.N T is half the integral of T^2 over what leaves, but for round-off where nothing is given of what enters.
  void convect(PairValue form, Exchanged<Node> values, const InflowValues& inflow, Field<Node>& convection) const;

  /// Adds `factor` times what the central form has between the corners of boundary faces to what goes from the first
  /// node of each owned pair to the other.
  void add_along_boundary(real factor, Exchanged<Node> values, Field<NodePair>& flow) const;

  /// The largest of what leaves a dual in a second over its volume `mass` [m^3]: 1/s. An explicit upwind step of no
  /// more than its inverse keeps to the range of the values around. Collective.
  real largest_rate(const Field<Node>& mass) const;

  /// How fast the central form may grow in extrapolated steps of BDF2, by node the least of two, the largest of all
  /// [1/s]: a mode that swings with the frequency w, here sqrt(3) times the rate r of largest_rate() as the consistent
  /// mass has it, grows by .8 (w dt)^4 in a step of dt, which the diffusion `spread` [m^3/s], K_aa at each node, takes
  /// away where dt <= (spread / (7.2 mass r^4))^(1/3); and next to nothing where dt <= 1 / (5 r). Its inverse bounds a
  /// step. Collective.
  real largest_growth(const Field<Node>& mass, const Field<Node>& spread) const;

  /// sum over the owned faces of each patch of B T where fluid leaves and B T_in where it enters, B its flux out at
  /// each corner [unit of T m^3/s]: what is carried out. Collective.
  std::vector<real> carried_out(Exchanged<Node> values, const InflowValues& inflow) const;

 private:
  struct PatchFaces {
    DeviceArray<int> face, corner;  // of owned ones; of each their first corner in mesh.boundary()
    DeviceArray<int> node;          // d of each
    DeviceArray<real> outward;      // +1 where the face's normal leaves the domain, else -1
  };
  const NodePairs& pairs_;
  /// The boundary faces around each owned node, most have none: + where the normal leaves the domain.
  IncidenceView<Node, Face> at_boundary() const { return {offset_.data(), code_.data()}; }
  DeviceArray<int> offset_, code_, corner_;            // by slot which corner of mesh.boundary() the node is
  DeviceArray<int> node_of_corner_;                    // of all of mesh.boundary()
  DeviceArray<int> rim_pair_, rim_offset_, rim_code_;  // owned pairs on the boundary, and the faces there of each
  std::vector<PatchFaces> patches_;
  Field<NodePair> scaled_;
  std::optional<Exchanged<NodePair>> exchanged_;
  Field<Face> flux_;  // halo included
  std::optional<Exchanged<Face>> faces_;
};

}  // namespace solenoid
