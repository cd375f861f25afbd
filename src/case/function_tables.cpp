#include "case/function_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "case/case_table.hpp"
#include "case/case_words.hpp"

namespace solenoid {

namespace {

const WordSet<Interpolation> interpolations{{{"linear", Interpolation::linear}, {"cubic", Interpolation::cubic}}, {}};
const WordSet<Outside> outsides{{{"error", Outside::error}, {"hold", Outside::hold}, {"periodic", Outside::periodic}},
                                {}};

/// An axis with the values of a column: all of them, which have to ascend, or of several arguments each once.
GridAxis axis_of(const TableColumn& column, bool is_alone, Outside outside) {
  GridAxis axis{column.name, column.values, outside};
  if (!is_alone) {
    std::sort(axis.at.begin(), axis.at.end());
    axis.at.erase(std::unique(axis.at.begin(), axis.at.end()), axis.at.end());
  }
  for (std::size_t i = 1; i < axis.at.size(); ++i) {
    require_input(axis.at[i] > axis.at[i - 1], [&] {
      return message("`{}` is {} in row {} after {}: it has to ascend", column.name, axis.at[i], i + 1, axis.at[i - 1]);
    });
  }
  return axis;
}

std::size_t place_on(const GridAxis& axis, double value) {
  return static_cast<std::size_t>(std::lower_bound(axis.at.begin(), axis.at.end(), value) - axis.at.begin());
}

/// The values of a column at the points of the grid; each point has to have one row.
std::vector<double> values_on(const std::vector<GridAxis>& axes, const std::vector<const TableColumn*>& arguments,
                              const TableColumn& column) {
  if (axes.size() == 1) return column.values;
  const std::size_t rows = axes[0].at.size(), columns = axes[1].at.size();
  const auto named = [&](std::size_t point) {
    return message("{} = {}, {} = {}", axes[0].name, axes[0].at[point / columns], axes[1].name,
                   axes[1].at[point % columns]);
  };
  std::vector<std::size_t> point;  // of each row
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    point.push_back(place_on(axes[0], arguments[0]->values[i]) * columns + place_on(axes[1], arguments[1]->values[i]));
  }
  std::vector<std::size_t> sorted = point;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  require_input(twice == sorted.end(), [&] { return message("{} has two rows", named(*twice)); });
  std::size_t missing = 0;
  while (missing < sorted.size() && sorted[missing] == missing) ++missing;
  require_input(missing == rows * columns, [&] {
    return message("{} has no row: two arguments take each value of the first beside each of the second",
                   named(missing));
  });
  std::vector<double> values(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) values[point[i]] = column.values[i];
  return values;
}

/// The first and the last value along the first axis, which is a period, have to be the same.
void require_period(const std::vector<GridAxis>& axes, const std::vector<double>& values) {
  require_input(axes[0].at.size() > 1, [] { return "a period takes two rows or more"; });
  const std::size_t columns = values.size() / axes[0].at.size(), last = values.size() - columns;
  for (std::size_t j = 0; j < columns; ++j) {
    require_input(values[j] == values[last + j], [&] {
      return message("a period ends with the value that it begins with, found {} at {} = {}, {} at its end", values[j],
                     axes[0].name, axes[0].at.front(), values[last + j]);
    });
  }
}

struct Wanted {
  std::vector<std::string> arguments;
  std::string value;
  Interpolation interpolation;
  Outside outside;
};

/// The function of a table; throws an Error without the table's place.
TabulatedFunction function_of(const std::vector<TableColumn>& table, const Wanted& wanted) {
  const auto column = [&](const std::string& name) { return &finite_column(table, name); };
  std::vector<const TableColumn*> arguments;
  std::vector<GridAxis> axes;
  for (const std::string& name : wanted.arguments) {
    const bool is_first = arguments.empty();
    arguments.push_back(column(name));
    axes.push_back(axis_of(*arguments.back(), wanted.arguments.size() == 1,
                           is_first || wanted.outside != Outside::periodic ? wanted.outside : Outside::error));
  }
  const TableColumn* const value = column(wanted.value);
  require_input(!value->values.empty(), [] { return "no rows below the header"; });
  std::vector<double> values = values_on(axes, arguments, *value);
  if (wanted.outside == Outside::periodic) require_period(axes, values);
  return {std::move(axes), std::move(values), wanted.interpolation};
}

}  // namespace

FunctionTables::FunctionTables(TomlDocument& document, TomlSection& root, const std::filesystem::path& folder) {
  FormulaFunctions functions;
  for (TomlSection& section : root.tables("table")) read(section, folder, functions);
  document.define(std::move(functions));
}

void FunctionTables::read(TomlSection& section, const std::filesystem::path& folder, FormulaFunctions& functions) {
  const std::string name = read_name(section, tables_, "table");
  const bool is_callable = can_name_function(name);
  if (!name.empty() && !is_callable) {
    section.wrong("name", "a name for formulas: letters, digits and _, no digit first, and none that they know");
  }
  const std::string file = section.text("file");
  const Wanted wanted{section.names("arguments", 1, 2), section.text("value"),
                      section.word("interpolation", interpolations, "linear").value_or(Interpolation::linear),
                      section.word("outside", outsides, "error").value_or(Outside::error)};
  tables_.push_back({name, folder / file, ""});
  if (!is_callable || file.empty() || wanted.arguments.empty() || wanted.value.empty()) return;
  try {
    const CaseTable table = read_case_table(tables_.back().file);
    tables_.back().checksum = table.checksum;
    const auto function = std::make_shared<const TabulatedFunction>(function_of(table.columns, wanted));
    functions.emplace(name, function);
    axes_.push_back({section, function});
  } catch (const Error& error) {
    section.wrong("file", std::string("a table (") + error.what() + ")");
  }
}

namespace {

/// Whether an axis has the time of the run, and no values beyond its ends.
bool limits_the_run(const GridAxis& axis) {
  return (axis.name == "time" || axis.name == "t") && axis.outside == Outside::error;
}

}  // namespace

double FunctionTables::last_time() const {
  double last = std::numeric_limits<double>::infinity();
  for (const Axes& of : axes_) {
    for (const GridAxis& axis : of.function->axes()) {
      if (limits_the_run(axis)) last = std::min(last, axis.at.back());
    }
  }
  return last;
}

void FunctionTables::require_times(double begin, double end) {
  for (auto& [section, function] : axes_) {
    for (const GridAxis& axis : function->axes()) {
      if (!limits_the_run(axis)) continue;
      if (axis.at.front() <= begin && axis.at.back() >= end) continue;
      section.wrong("file", message("`{}` {}, found {} to {} s; or `outside` = \"hold\" or \"periodic\"", axis.name,
                                    times_of_run(begin, end), axis.at.front(), axis.at.back()));
    }
  }
}

}  // namespace solenoid
