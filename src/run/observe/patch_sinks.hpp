/// Integrals over patches in tables: of quantities, and the forces of a fluid on its boundary.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "io/tables/csv.hpp"
#include "model/patch_integral.hpp"
#include "model/tractions.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/periods.hpp"

namespace solenoid {

/// The index of each name in the mesh's patches. Throws Error for an unknown name.
std::vector<int> places_of_patches(const LocalMesh& mesh, const std::vector<std::string>& names);

/// Integrals of quantities over patches, in integrals/NAME.csv.
class IntegralSink : public Sink {
 public:
  /// `quantities`: those of the model, of which it keeps the fields in the settings; every patch must be one of the
  /// mesh. Collective.
  IntegralSink(const IntegralSettings& integral, const LocalMesh& mesh, const std::vector<Quantity>& quantities);
  std::optional<GrowingTable> table() const override;
  void open(const OutputFolder& folder) override;
  void write(int step, real time) override;

 private:
  const LocalMesh& mesh_;
  std::string name_;
  PatchIntegral integral_;
  std::vector<Quantity> quantities_;
  std::optional<CsvFile> csv_;  // on rank 0
};

/// Forces of a fluid on its boundary, in forces/NAME.csv and in the summary.
class ForceSink : public Sink {
 public:
  /// `model` must have tractions; every patch must be one of the mesh. Keeps references to mesh and model. Collective.
  ForceSink(const ForceSettings& force, const LocalMesh& mesh, Model& model);
  std::optional<GrowingTable> table() const override;
  void open(const OutputFolder& folder) override;
  void write(int step, real time) override;
  void visit_state(StateVisitor& visitor) override;
  void conclude(ModelOutcome& outcome) const override;

 private:
  struct Values {
    Vec3 pressure, friction, moment, in_fluid;
    Vec3 force() const { return pressure + friction; }
  };
  Values values() const;
  double coefficient(const Vec3& force, const Vec3& direction) const;
  TimeSeries along(const Vec3& direction) const;

  const LocalMesh& mesh_;
  Model& model_;
  ForceSettings settings_;
  PatchIntegral integral_;
  ForceTestFunction weight_;
  Values last_;
  std::array<TimeSeries, 3> by_density_;  // forces divided by the density: independent of [[force]] settings
  std::optional<CsvFile> csv_;            // on rank 0
};

}  // namespace solenoid
