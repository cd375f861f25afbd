/// The setup of waves: all that a case says of them.
#pragma once

#include <map>

#include "model/model_setup.hpp"
#include "physics/wave/wave_equation.hpp"

namespace solenoid {

class WaveSetup : public ModelSetup {
 public:
  MaterialProperty speed;                         ///< [m/s]
  MaterialProperty source;                        ///< [m/s^2]
  std::map<std::string, NodalBoundary> boundary;  ///< by patch
  Coefficient<real> displacement, rate;           ///< initial [m], [m/s]
  SolveControl wave = wave_solver();

  std::string unknowns() const override { return "displacements"; }
  std::vector<std::string> patches() const override { return names_of(boundary); }
  std::string condition_on(const std::string& patch) const override;
  std::vector<QuantityInfo> quantities() const override;
  std::vector<std::string> faults(const GlobalMesh& mesh, const Domain&) const override;
  std::string needs_whole_mesh() const override { return ""; }
  std::string between_parts() const override { return "no wave goes from one to the other"; }
  /// From the speed in the cells; nullopt if the case does not prescribe it for all of them.
  std::optional<StepForecast> forecast(const GlobalMesh& mesh) const override;
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;
  std::unique_ptr<ModelSetup> transformed(const Frame& frame, int dimension) const override;

  /// On a mesh with these volume groups and patches.
  WaveProblem problem(const std::vector<std::string>& regions, const std::vector<std::string>& patches) const;
};

}  // namespace solenoid
