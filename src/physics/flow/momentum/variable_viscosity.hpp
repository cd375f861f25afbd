/// The viscosity of each cell, by a law of the shear rate or by the temperature.
#pragma once

#include <optional>
#include <vector>

#include "model/node_velocity.hpp"
#include "physics/flow/momentum/flow_state.hpp"

namespace solenoid {

/// For kernels: nu at node n is factor of_nodes[n], or `factor` where there is one viscosity and no `of_nodes` [m^2/s].
struct NodeViscosity {
  real factor;
  const real* of_nodes;
  NodeViscosity(real one, const real* relative = nullptr) : factor(one), of_nodes(relative) {}
  SOLENOID_HD real relative(int n) const { return of_nodes ? of_nodes[n] : 1; }
};

class VariableViscosity {
 public:
  /// Refers to both, which must outlive it.
  VariableViscosity(const LocalMesh& mesh, const FlowStepSettings& settings, const MemoryOf& = MemoryOf("viscosity"));

  /// The temperature [K] at nodes, halo included, which the viscosity follows; until then it is that of the settings.
  /// Outlives this.
  void set_temperature(const Field<Node>& temperature) { temperature_ = &temperature; }
  bool follows_shear() const { return settings_.law.has_value(); }

  /// Sets it from 2 D:D of each owned cell [1/s^2], which a function of the temperature has no need of. Collective;
  /// throws a collective Error (exit code 2) where that function is not positive.
  void update(const Field<Cell>& squared_shear_rates);
  /// From values that a state has, if `is_there`. Returns that. Collective.
  bool restore(bool is_there);

  Field<Cell>& in_cells() { return in_cells_; }  ///< nu [m^2/s]
  Field<Cell>& relative() { return relative_; }  ///< over the one viscosity of the settings
  real mean() const { return mean_; }            ///< geometric mean of relative() over the volume
  /// At nodes with this velocity, halo included, until the next call. Collective; throws as update().
  NodeViscosity at_nodes(Exchanged<Node, NodeVelocity> velocities);

 private:
  std::vector<real> of_temperature(const std::vector<real>& temperature) const;
  void set_relative();

  const LocalMesh& mesh_;
  const FlowStepSettings& settings_;
  const Field<Node>* temperature_ = nullptr;
  Field<Cell> in_cells_, relative_;
  real mean_ = 1, volume_ = 0;
  std::optional<Field<Node>> at_nodes_;  // once it is asked for
};

}  // namespace solenoid
