/// The setup of water waves: all that a case says of them.
#pragma once

#include <map>

#include "model/model_setup.hpp"
#include "physics/waves/water_waves.hpp"
#include "physics/waves/wave_height.hpp"

namespace solenoid {

/// A strip along patches, by their names.
struct ZoneOfCase {
  std::vector<std::string> patches;
  real width = 0;  ///< [m]
};

class WaterWavesSetup : public ModelSetup {
 public:
  Sea sea;
  Coefficient<real> depth;                 ///< [m]
  std::map<std::string, WaterSide> sides;  ///< by patch
  Coefficient<real> elevation, potential;  ///< initial [m], [m^2/s]
  std::vector<ZoneOfCase> zones;
  std::vector<Ship> ships;
  HeightMeaning height = HeightMeaning::regular;
  real height_from = 0;  ///< beginning of the span of wave heights [s]
  SolveControl elliptic = elliptic_solver();

  std::string unknowns() const override { return "elevations"; }
  std::vector<std::string> patches() const override { return names_of(sides); }
  std::string condition_on(const std::string& patch) const override;
  std::vector<QuantityInfo> quantities() const override;
  std::vector<std::string> faults(const GlobalMesh& mesh, const Domain&) const override;
  std::string between_parts() const override { return "no wave goes from one to the other"; }
  /// With the longest stable step by WaterWaves, whose arrays exist meanwhile; nullopt if mesh or
  /// depth are at fault.
  std::optional<StepForecast> forecast(const GlobalMesh& mesh) const override;
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;
  std::unique_ptr<ModelSetup> transformed(const Frame& frame, int dimension) const override;

  /// On a mesh with these patches.
  WaterProblem problem(const std::vector<std::string>& patches) const;
};

}  // namespace solenoid
