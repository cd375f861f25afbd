/// Matrices of a scalar's step, pair by pair, and their products with nodal values.
#pragma once

#include <optional>

#include "field/field.hpp"
#include "operators/node_pairs.hpp"
#include "physics/nodal/diffusion_data.hpp"

namespace solenoid {

/// mass M + stiffness (K + H); M: the consistent mass, or W if lumped. Rows act on differences: constants stay constant
/// bitwise.
struct ScalarRows {
  real mass, stiffness;
  IncidenceView<Node, NodePair> pairs;
  const int* other;
  View<NodePair, const real> mass_of, conductance_of;
  View<Node, const real> lumped, exchange;

  SOLENOID_HD real operator()(View<Node, const real> x, Index<Node> a) const {
    const real here = x[a];
    real sum = (mass * lumped[a] + stiffness * exchange[a]) * here;
    for (const auto [pair, sign, slot] : pairs[a]) {
      sum += (mass * mass_of[pair] - stiffness * conductance_of[pair]) * (x[Index<Node>{other[slot]}] - here);
    }
    return sum;
  }
};

class ScalarMatrices {
 public:
  /// Consistent mass; lumped mass; lumped mass without negative conductances, as obtuse angles produce: a matrix whose
  /// inverse has no negative entry.
  enum class Form { consistent, lumped, monotone };
  /// `lumped_regions`: by volume group, whether its mass is lumped in any form; empty: none. Collective. Refers to
  /// `pairs`.
  ScalarMatrices(const NodePairs& pairs, const DiffusionData& data, Form form,
                 const std::vector<char>& lumped_regions = {});

  void set_exchange(const DiffusionData& data);  ///< from the present data

  ScalarRows rows(real mass, real stiffness) const;
  /// y = (mass M + stiffness (K + H)) x at all owned nodes.
  void apply(real mass, real stiffness, Field<Node>& x, Field<Node>& y) const;
  void compute_diagonal(real mass, real stiffness, Field<Node>& diagonal) const;

  const Field<Node>& lumped() const { return lumped_; }                 ///< W [m^d]
  Exchanged<NodePair> mass() const { return *mass_of_; }                ///< M_ab [m^d], without lumped mass
  Exchanged<NodePair> conductance() const { return *conductance_of_; }  ///< -K_ab [m^d / s]

 private:
  const NodePairs& pairs_;
  Field<NodePair> mass_, conductance_;
  std::optional<Exchanged<NodePair>> mass_of_, conductance_of_;
  Field<Node> lumped_, exchange_;
};

}  // namespace solenoid
