#include "run/history.hpp"

#include "base/error.hpp"

namespace solenoid {

namespace {

std::vector<std::string> header(const std::vector<HistoryColumn>& columns) {
  std::vector<std::string> names{"step [-]", "time [s]", "dt [s]"};
  for (const HistoryColumn& column : columns) names.push_back(message("{} [{}]", column.name, column.unit));
  names.push_back("wall_seconds [s]");
  return names;
}

}  // namespace

History::History(const OutputFolder& folder, Model& model)
    : columns_(model.history()), file_(table_in(folder, "history.csv", header(columns_))) {}

void History::write(int step, real time, real dt, double wall_seconds) {
  std::vector<CsvValue> row{std::int64_t{step}, time, dt};
  for (const HistoryColumn& column : columns_) row.push_back(column.value());
  row.push_back(wall_seconds);
  file_.row(row);
}

}  // namespace solenoid
