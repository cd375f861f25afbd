/// Forces of a fluid on its boundary, in tables and in the summary.
#pragma once

#include <array>
#include <optional>

#include "case/case_settings.hpp"
#include "io/tables/csv.hpp"
#include "model/force_test_function.hpp"
#include "model/patch_integral.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/periods.hpp"

namespace solenoid {

/// forces/NAME.csv
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
