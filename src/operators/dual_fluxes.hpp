/// Fluxes between the median duals of nodes, and convection of nodal values by them.
#pragma once

#include <optional>
#include <vector>

#include "field/field.hpp"
#include "operators/node_pairs.hpp"

namespace solenoid {

/// The value between two nodes: their mean, or the upstream one.
enum class PairValue { central, upwind };

/// Values of the inflowing fluid by corner of the boundary's faces, d per face of mesh.boundary(): the value [unit of
/// T], and 1 if it is prescribed. Otherwise the inflow has the value of the node.
struct InflowValues {
  const real* value;
  const real* is_given;
};

/// Fluxes q_ab between median duals: their divergence is that of the face fluxes, and bitwise zero if the latter is. A
/// boundary face passes 1/d of its flux to each of its d corners.
class DualFluxes {
 public:
  explicit DualFluxes(const NodePairs& pairs);

  /// Sets the face fluxes [m^3/s]. Collective.
  void set(const Field<Face>& flux);

  /// d (d + 1) q of each pair [m^3/s]; the sum around a node plus its boundary outflow is bitwise 0 if the divergence
  /// of the face fluxes is bitwise 0.
  Exchanged<NodePair> scaled() const { return *exchanged_; }

  /// (N T)_a = sum_b q_ab (T_ab - T_a) + sum of B (T_in - T_a) over the boundary with inflow B [unit of T m^3/s]:
  /// bitwise zero for constant T. The central form is that of linear elements with the cell velocities; its boundary
  /// term is F / (2 d (d + 1)) (T_b - T_a) between the corners of a boundary face with outward flux F. T.N T is half
  /// the boundary integral of T^2 times the outward velocity, up to round-off, if no inflow values are prescribed.
  void convect(PairValue form, Exchanged<Node> values, const InflowValues& inflow, Field<Node>& convection) const;

  /// Adds `factor` times the boundary term of the central form to the flow from the first node of each owned pair to
  /// the second.
  void add_along_boundary(real factor, Exchanged<Node> values, Field<NodePair>& flow) const;

  /// The largest outflow of a dual over its volume `mass` [m^3]: 1/s. An explicit upwind step of at most the inverse
  /// stays within the range of the surrounding values. Collective.
  real largest_rate(const Field<Node>& mass) const;

  /// Growth bound of the central form in extrapolated BDF2 steps [1/s]: per node the lesser of two rates, then the
  /// maximum over all nodes. A mode of frequency w, here sqrt(3) r with the rate r of largest_rate() (consistent mass),
  /// grows by .8 (w dt)^4 in a step dt; the diffusion `spread` [m^3/s], K_aa at each node, damps that if dt <= (spread
  /// / (7.2 mass r^4))^(1/3). The growth is negligible if dt <= 1 / (5 r). The inverse of the result bounds the step.
  /// Collective.
  real largest_growth(const Field<Node>& mass, const Field<Node>& spread) const;

  /// Net outflow of T through each patch: sum over its owned faces of B T at outflow and B T_in at inflow, B the
  /// outward flux at each corner [unit of T m^3/s]. Collective.
  std::vector<real> carried_out(Exchanged<Node> values, const InflowValues& inflow) const;

 private:
  struct PatchFaces {
    DeviceArray<int> face, corner;  // owned faces; the first corner of each in mesh.boundary()
    DeviceArray<int> node;          // d per face
    DeviceArray<real> outward;      // +1 if the face's normal points out of the domain, else -1
  };
  const NodePairs& pairs_;
  /// The boundary faces around each owned node, mostly none: + if the normal points out of the domain.
  IncidenceView<Node, Face> at_boundary() const { return {offset_.data(), code_.data()}; }
  DeviceArray<int> offset_, code_, corner_;            // by slot: the corner of mesh.boundary() at the node
  DeviceArray<int> node_of_corner_;                    // for all corners of mesh.boundary()
  DeviceArray<int> rim_pair_, rim_offset_, rim_code_;  // owned pairs on the boundary, and the boundary faces of each
  std::vector<PatchFaces> patches_;
  Field<NodePair> scaled_;
  std::optional<Exchanged<NodePair>> exchanged_;
  Field<Face> flux_;  // halo included
  std::optional<Exchanged<Face>> faces_;
};

}  // namespace solenoid
