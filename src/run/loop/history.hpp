/// history.csv: figures of the model, a row a step.
#pragma once

#include "base/output_folder.hpp"
#include "io/tables/csv.hpp"
#include "model/model.hpp"

namespace solenoid {

/// Serial: rank 0.
class History {
 public:
  /// Keeps a reference to `model`, which must outlive it. Throws Error (exit code 1) if the file cannot be written; so
  /// does write().
  History(const OutputFolder& folder, Model& model);
  /// Name and columns of the table.
  static GrowingTable table(Model& model);

  /// After a step of `dt` [s], `wall_seconds` after the first one began.
  void write(int step, real time, real dt, double wall_seconds);

 private:
  std::vector<HistoryColumn> columns_;
  CsvFile file_;
};

}  // namespace solenoid
