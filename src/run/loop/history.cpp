#include "run/loop/history.hpp"

#include "base/error.hpp"

namespace solenoid {

namespace {

GrowingTable history_table(const std::vector<HistoryColumn>& columns) {
  GrowingTable table{"history.csv", {"step [-]", "time [s]", "dt [s]"}};
  for (const HistoryColumn& column : columns) table.columns.push_back(message("{} [{}]", column.name, column.unit));
  table.columns.push_back("wall_seconds [s]");
  return table;
}

}  // namespace

History::History(const OutputFolder& folder, Model& model)
    : columns_(model.history()), file_(file_of(history_table(columns_), folder)) {}

GrowingTable History::table(Model& model) { return history_table(model.history()); }

void History::write(int step, real time, real dt, double wall_seconds) {
  std::vector<CsvValue> row{std::int64_t{step}, time, dt};
  for (const HistoryColumn& column : columns_) row.push_back(column.value());
  row.push_back(wall_seconds);
  file_.row(row);
}

}  // namespace solenoid
