/// history.csv: figures of the model, a row a step.
#pragma once

#include "base/output_folder.hpp"
#include "io/tables/csv.hpp"
#include "model/model.hpp"

namespace solenoid {

/// Serial: rank 0.
class History {
 public:
  /// `model` outlives it. Throws Error (exit code 1) where the file cannot be written, as write() does.
  History(const OutputFolder& folder, Model& model);
  /// What that writes.
  static GrowingTable table(Model& model);

  /// After a step of `dt` [s], `wall_seconds` after the first one began.
  void write(int step, real time, real dt, double wall_seconds);

 private:
  std::vector<HistoryColumn> columns_;
  CsvFile file_;
};

}  // namespace solenoid
