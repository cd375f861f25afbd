/// Heat of the solids beside a flow: its figures and its check.
#pragma once

#include <string>
#include <vector>

#include "physics/scalar/scalar_setup.hpp"
#include "physics/scalar/scalar_transport.hpp"

namespace solenoid {

/// The heat from each solid into the fluid is the residual of the solid's own rows of the system, without the fluid's,
/// at the nodes of its surface: the reaction, as on a wall with prescribed temperature, and as exact. Nodes between two
/// solids and the fluid count for the first one; heat through a patch at the edge where it meets the surface counts for
/// the fluid.
class SolidHeat {
 public:
  /// On the mesh of fluid and solids. Refers to `pairs`. Collective.
  SolidHeat(const NodePairs& pairs, const ScalarSetup& setup);

  /// State of a solid after the last step.
  struct State {
    std::string name;
    real into_fluid = 0;         ///< [K m^3/s]; in 2D [K m^2/s]
    real mean = 0, highest = 0;  ///< [K]
  };
  const std::vector<State>& states() const { return states_; }
  /// Evaluates the present values and the last step. Collective.
  void diagnose(ScalarTransport& temperature);

 private:
  const LocalMesh& mesh_;
  DiffusionData data_;  // of the solids alone
  ScalarMatrices matrices_;
  Field<Node> load_, reaction_;
  std::vector<Field<Node>> surface_;  // 1 at the nodes between a solid and the fluid, else 0
  std::vector<Field<Node>> share_;    // volume of a node's dual in each solid [m^3]
  std::vector<real> volume_;
  std::vector<State> states_;
};

}  // namespace solenoid
