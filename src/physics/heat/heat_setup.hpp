/// The setup of heat conduction: all that a case says of it.
#pragma once

#include <map>

#include "model/model_setup.hpp"
#include "physics/heat/heat_conduction.hpp"

namespace solenoid {

class HeatSetup : public ModelSetup {
 public:
  MaterialProperty conductivity;                  ///< [W/(m K)]
  std::optional<MaterialProperty> heat_capacity;  ///< [J/(m^3 K)]; required with [time]
  MaterialProperty source;                        ///< [W/m^3]
  std::map<std::string, NodalBoundary> boundary;  ///< by patch
  Coefficient<real> initial_temperature;          ///< [K]; with [time]
  SolveControl heat = HeatSolverSettings().heat;

  std::string unknowns() const override { return "temperatures"; }
  std::vector<std::string> patches() const override { return names_of(boundary); }
  std::string condition_on(const std::string& patch) const override;
  std::vector<QuantityInfo> quantities() const override;
  /// Mismatches of volume groups and materials, and parts of the mesh with an undetermined steady temperature.
  std::vector<std::string> faults(const GlobalMesh& mesh, const Domain& domain) const override;
  std::string needs_whole_mesh() const override { return time ? "" : "a steady temperature"; }
  std::string between_parts() const override { return "no heat goes from one to the other"; }
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;
  std::unique_ptr<ModelSetup> transformed(const Frame& frame, int dimension) const override;

  /// On a mesh with these volume groups and patches.
  HeatProblem problem(const std::vector<std::string>& regions, const std::vector<std::string>& patches) const;
  HeatSolverSettings solver_settings() const;
};

}  // namespace solenoid
