/// What a flow is made from: all that a case says of it.
#pragma once

#include <map>
#include <variant>

#include "physics/boundary_velocity.hpp"
#include "physics/flow_state.hpp"
#include "physics/model_setup.hpp"

namespace solenoid {

/// The fluid moves with it; the velocity [m/s] is along the wall.
struct Wall {
  Given<Vec3> velocity;
};
using FlowBoundary = std::variant<Wall>;

class FlowSetup : public ModelSetup {
 public:
  ExactStepSettings settings;
  std::map<std::string, FlowBoundary> boundary;  ///< by patch
  Given<Vec3> initial_velocity;                  ///< [m/s]

  std::string unknowns() const override { return "velocities"; }
  std::vector<std::string> patches() const override { return names_of(boundary); }
  std::string condition_on(const std::string& patch) const override;
  std::vector<QuantityInfo> quantities() const override;
  std::string refusal(const MeshSource& mesh) const override;
  std::string between_parts() const override { return "only differences of pressure within a part mean something"; }
  /// From the speeds of the walls over the run and of the fluid at the start, where [time] is there.
  std::optional<StepForecast> forecast(const GlobalMesh& mesh) const override;
  int wide_layers() const override;
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;

  /// Of walls with these names, in their order.
  WallMotion wall_motion(const std::vector<std::string>& patches) const;
};

}  // namespace solenoid
