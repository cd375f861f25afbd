/// The flow through sections in tables: [[section]].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/case_settings.hpp"
#include "io/tables/csv.hpp"
#include "model/cross_section.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// The section of these settings in the mesh; `solids`: volume groups without fluid. Collective. Throws a collective
/// Error (exit code 2) with the case `file`, the table and the key if there is no fluid there.
CrossSection find_section(const std::string& file, const SectionSettings& section, const LocalMesh& mesh,
                          const std::vector<std::string>& solids);

/// Flux, and means of velocity and quantities, in sections/NAME.csv.
class SectionSink : public Sink {
 public:
  /// `quantities`: those of the model, of which it keeps the fields in the settings and the velocity. Collective;
  /// throws as find_section does.
  SectionSink(const std::string& file, const SectionSettings& section, const LocalMesh& mesh,
              const std::vector<std::string>& solids, const std::vector<Quantity>& quantities);
  std::optional<GrowingTable> table() const override;
  void open(const OutputFolder& folder) override;
  void write(int step, real time) override;

 private:
  const LocalMesh& mesh_;
  std::string name_;
  CrossSection section_;
  Quantity velocity_;
  std::vector<Quantity> quantities_;
  std::optional<CsvFile> csv_;  // on rank 0
};

}  // namespace solenoid
