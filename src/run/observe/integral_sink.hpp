/// Integrals of quantities over patches, in tables.
#pragma once

#include <optional>

#include "case/case_settings.hpp"
#include "io/tables/csv.hpp"
#include "model/patch_integral.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// integrals/NAME.csv
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

}  // namespace solenoid
