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

/// The direction of waves in a table of the case: of a wave, or the mean one of a spectrum.
struct StatedDirection {
  std::string patch, table;  ///< such as [boundary.sea.spectrum]
  Vec3 direction;            ///< of travel, of length 1
};

class WaterWavesSetup : public ModelSetup {
 public:
  Sea sea;
  Coefficient<real> depth;                 ///< [m]
  std::map<std::string, WaterSide> sides;  ///< by patch
  std::vector<StatedDirection> directions;
  Coefficient<real> elevation, potential;  ///< initial [m], [m^2/s]
  std::vector<ZoneOfCase> zones;           ///< of each, the patches have the same incoming waves
  std::vector<Ship> ships;
  std::optional<Coefficient<Vec3>> current;            ///< [m/s]
  std::optional<Coefficient<real>> beyond_its_result;  ///< distance from the mesh of the result it is taken from [m]
  HeightMeaning height = HeightMeaning::regular;
  real height_from = 0;  ///< beginning of the span of wave heights [s]
  SolveControl elliptic = elliptic_solver();

  std::string unknowns() const override { return "elevations"; }
  std::vector<std::string> patches() const override { return names_of(sides); }
  std::string condition_on(const std::string& patch) const override;
  std::vector<QuantityInfo> quantities() const override;
  std::vector<std::string> faults(const GlobalMesh& mesh, const Domain&) const override;
  std::string needs_whole_mesh() const override { return "[waves]"; }
  std::string between_parts() const override { return "no wave goes from one to the other"; }
  /// With the longest stable step by WaterWaves, whose arrays exist meanwhile; nullopt if mesh or depth are at fault.
  /// Throws Error (bad input) if the steps of the case are longer.
  std::optional<StepForecast> forecast(const GlobalMesh& mesh) const override;
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;
  std::unique_ptr<ModelSetup> transformed(const Frame& frame, int dimension) const override;

  /// The message that steps of the case may be unstable where this one [s] is the longest stable one; else "".
  std::string fault_of_step(real longest) const;
  /// On a mesh with these patches.
  WaterProblem problem(const std::vector<std::string>& patches) const;
};

}  // namespace solenoid
