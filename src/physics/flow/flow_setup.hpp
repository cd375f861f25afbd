/// The setup of a flow: all that a case says of it.
#pragma once

#include <map>

#include "model/earlier_fields.hpp"
#include "model/model_setup.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/flow/random_start.hpp"

namespace solenoid {

/// Two patches a translation apart, and the drive of the flow from the first to the second.
struct PeriodicPatches {
  std::string first, second;
  PairDrive drive;
};

class FlowSetup : public ModelSetup {
 public:
  FlowStepSettings settings;
  std::map<std::string, FlowBoundary> boundary;  ///< by patch
  std::vector<PeriodicPatches> periodic;
  Coefficient<Vec3> initial_velocity;   ///< [m/s]
  std::optional<EarlierStart> earlier;  ///< the origin of the initial velocity
  std::optional<RandomStart> random;    ///< in the place of that velocity
  Coefficient<Vec3> body_force;         ///< [m/s^2]

  std::string unknowns() const override { return "velocities"; }
  std::vector<std::string> patches() const override { return names_of(boundary); }
  std::string condition_on(const std::string& patch) const override;
  std::vector<std::pair<std::string, std::string>> pairs() const override;
  std::string drive_of_pair(std::size_t pair) const override;
  std::vector<ZoneReport> zones(const GlobalMesh& mesh) const override;
  std::vector<QuantityInfo> quantities() const override;
  /// A random start in no periodic box; directions of inflow out of the domain; given fluxes through all outlets, or
  /// shares of more than there is; zones without cells; an earlier run in space as the start of a flow in the plane.
  std::vector<std::string> faults(const GlobalMesh& mesh, const Domain& domain) const override;
  std::string needs_whole_mesh() const override;
  std::string between_parts() const override { return "only differences of pressure within a part mean something"; }
  /// From the speeds at the boundary and of pair drives over the run, and of the fluid at the start. Requires [time].
  std::optional<StepForecast> forecast(const GlobalMesh& mesh) const override;
  int layers(int dimension) const override;
  int wide_layers() const override;
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;
  const EarlierFields* run_that_goes_on() const override {
    return earlier && earlier->goes_on ? earlier->fields.get() : nullptr;
  }
  void forget_beginning() override { initial_velocity = Vec3{}, earlier.reset(), random.reset(); }
  void ignore_numbering() override;
  void fix_time_scheme() override;
  std::unique_ptr<ModelSetup> transformed(const Frame& frame, int dimension) const override;

  /// Courant number per second of the steps that the Coriolis force of `settings.frame` allows [1/s]; 0 without, and
  /// between walls of the plane, where it is a pressure.
  real rate_of_frame(int dimension) const;
  bool is_inlet(const std::string& patch) const;
  /// For the patches of `mesh`, with the profiles of inlets of given flow rates. Collective; throws a collective Error
  /// (exit code 2) where there is no such profile.
  FlowBoundaries boundaries(const LocalMesh& mesh) const;
  /// The same with uniform profiles instead of developed ones, for the directions of the flow: a mesh with solids lacks
  /// the walls between fluid and solids.
  FlowBoundaries directions(const LocalMesh& mesh) const;

 private:
  std::vector<FlowBoundary> conditions(const std::vector<std::string>& patches) const;
  std::vector<FlowBoundary> conditions_on(const GlobalMesh& mesh) const;
  std::vector<PairDrive> drives() const;
};

}  // namespace solenoid
