#include "run/report/sections.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/error.hpp"
#include "io/tables/csv.hpp"
#include "run/report/chart.hpp"
#include "run/report/page.hpp"

namespace solenoid::report {

namespace fs = std::filesystem;

namespace {

using Table = std::vector<TableColumn>;

constexpr std::size_t fewest_rows = 2;  // of a curve

/// Out-of-plane components of vectors and in-plane moments, which are 0 in 2D.
bool is_out_of_plane(const TableColumn& column) {
  constexpr std::array names{"w", "fz", "mx", "my"};
  return column.name.ends_with("_z") || std::find(names.begin(), names.end(), column.name) != names.end();
}

std::string in_grid(const std::string& charts) {
  return charts.empty() ? "" : "<div class=\"grid\">\n" + charts + "</div>\n";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "-" ? name : name + " [" + unit + "]";
}

/// The table `name` of the folder; empty if it is absent or too short.
Table table_in(const fs::path& folder, const std::string& name) {
  if (!fs::exists(folder / name)) return {};
  Table table = read_table(folder / name, true);
  return table.front().values.size() < fewest_rows ? Table{} : table;
}

/// One chart per unit, with its columns over the first column; `keep(column)` selects the columns.
template <class Keep>
std::string charts_by_unit(const Table& table, const std::string& title, const Keep& keep) {
  if (table.empty()) return "";
  std::vector<std::string> units;
  std::map<std::string, std::vector<Curve>> curves;
  for (std::size_t k = 1; k < table.size(); ++k) {
    const TableColumn& column = table[k];
    if (!keep(column)) continue;
    if (curves[column.unit].empty()) units.push_back(column.unit);
    curves[column.unit].push_back({words_of(column.name), table.front().values, column.values});
  }
  std::string html;
  for (const std::string& unit : units) {
    const std::vector<Curve>& of_unit = curves[unit];
    std::vector<std::string> names;
    for (const Curve& curve : of_unit) names.push_back(curve.name);
    html += chart_of(
        {title + (title.empty() ? "" : ": ") + joined(names, ", "), with_unit(table.front().name, table.front().unit),
         with_unit(names.size() == 1 ? names.front() : "", unit)},
        of_unit);
  }
  return html;
}

/// The columns with names that begin with `prefix`, which is removed.
std::vector<Curve> columns_that_begin(const Table& table, const std::string& prefix) {
  std::vector<Curve> curves;
  for (const TableColumn& column : table) {
    if (column.name.starts_with(prefix)) {
      curves.push_back({column.name.substr(prefix.size()), table.front().values, column.values});
    }
  }
  return curves;
}

}  // namespace

std::string convergence_charts(const fs::path& folder) {
  const Table table = table_in(folder, "history.csv");
  if (table.empty()) return "";
  return in_grid(
      chart_of({"Residuals of the solvers", "step", "||r|| / ||b||"}, columns_that_begin(table, "residual_"),
               Scale::logarithmic) +
      chart_of({"Iterations of the solvers", "step", "iterations"}, columns_that_begin(table, "iterations_")));
}

std::string history_charts(const fs::path& folder) {
  Table table = table_in(folder, "history.csv");
  if (table.empty()) return "";
  const auto is_shown_elsewhere = [](const TableColumn& column) {
    constexpr std::array names{"step", "max_divergence", "wall_seconds"};
    return column.name.starts_with("residual_") || column.name.starts_with("iterations_") ||
           std::find(names.begin(), names.end(), column.name) != names.end();
  };
  std::erase_if(table, is_shown_elsewhere);  // leaves time as the first column
  return in_grid(charts_by_unit(table, "", [](const TableColumn&) { return true; }));
}

std::string force_charts(const fs::path& folder, const std::vector<ForceSettings>& forces, bool is_planar) {
  std::string html;
  for (const ForceSettings& force : forces) {
    const auto is_total = [&](const TableColumn& column) {
      return !(is_planar && is_out_of_plane(column)) && !column.name.starts_with("pressure_") &&
             !column.name.starts_with("viscous_") && !column.name.starts_with("balance_");
    };
    html += charts_by_unit(table_in(folder, "forces/" + force.name + ".csv"), "force " + force.name, is_total);
  }
  return in_grid(html);
}

std::string integral_charts(const fs::path& folder, const std::vector<IntegralSettings>& integrals) {
  std::string html;
  for (const IntegralSettings& integral : integrals) {
    html += charts_by_unit(table_in(folder, "integrals/" + integral.name + ".csv"), "integral " + integral.name,
                           [](const TableColumn&) { return true; });
  }
  return in_grid(html);
}

std::string section_charts(const fs::path& folder, const std::vector<SectionSettings>& sections) {
  std::string html;
  for (const SectionSettings& section : sections) {
    html += charts_by_unit(table_in(folder, "sections/" + section.name + ".csv"), "section " + section.name,
                           [](const TableColumn&) { return true; });
  }
  return in_grid(html);
}

std::string probe_charts(const fs::path& folder, const std::vector<ProbeSettings>& probes) {
  constexpr std::size_t most_points = 7, first_value = 4;  // behind time, x, y, z
  std::string html;
  for (const ProbeSettings& probe : probes) {
    const Table table = table_in(folder, "probes/" + probe.name + ".csv");
    const std::size_t points = probe.points.size();
    if (table.size() <= first_value || table.front().values.size() < fewest_rows * points) continue;
    for (std::size_t c = first_value; c < table.size(); ++c) {
      std::vector<Curve> curves(std::min(points, most_points));
      for (std::size_t row = 0; row < table.front().values.size(); ++row) {
        const std::size_t point = row % points;
        if (point >= curves.size()) continue;
        Curve& curve = curves[point];
        curve.name =
            message("({:.4g}, {:.4g}, {:.4g})", table[1].values[row], table[2].values[row], table[3].values[row]);
        curve.x.push_back(table.front().values[row]);
        curve.y.push_back(table[c].values[row]);
      }
      const std::string of_points = points > most_points ? message(", {} of {} points", most_points, points) : "";
      html += chart_of({message("probe {}: {}{}", probe.name, table[c].name, of_points), "time [s]",
                        with_unit(table[c].name, table[c].unit)},
                       curves);
    }
  }
  return in_grid(html);
}

namespace {

/// The newest lines/NAME_<step>.csv; empty if there is none.
fs::path newest_line(const fs::path& folder, const std::string& name) {
  fs::path newest;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "lines", ignored)) {
    const std::string file = entry.path().filename().string(), beginning = name + "_";
    if (!file.starts_with(beginning) || entry.path().extension() != ".csv") continue;
    const std::string number = file.substr(beginning.size(), file.size() - beginning.size() - 4);
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
    const auto longer = [](const fs::path& a, const fs::path& b) {
      const std::string x = a.filename().string(), y = b.filename().string();
      return x.size() != y.size() ? x.size() > y.size() : x > y;
    };
    if (is_number && (newest.empty() || longer(entry.path(), newest))) newest = entry.path();
  }
  return newest;
}

Curve reference_curve(const LineSettings& line, const LineSettings::Reference& reference) {
  const Table table = read_table(reference.file);
  const TableColumn* const values = column_of(table, reference.values);
  require_input(values, [&] { return message("{}: no column `{}`", reference.file.string(), reference.values); });
  Curve curve{reference.column + ", reference", {}, values->values, true};
  for (const double place : table.front().values) {
    curve.x.push_back(line.distance_to(table.front().name, place).value_or(place));
  }
  return curve;
}

std::string source_text(const LineSettings::Reference& reference) {
  const std::string source = source_of_table(reference.file);
  return "<p class=\"soft\">Reference of " + escaped(reference.column) + ": column " + escaped(reference.values) +
         " of " + escaped(reference.file.filename().string()) + (source.empty() ? "" : ". " + escaped(source)) +
         "</p>\n";
}

}  // namespace

std::string line_charts(const fs::path& folder, const std::vector<LineSettings>& lines, bool is_planar) {
  constexpr std::size_t first_value = 4;  // behind s, x, y, z
  std::string charts, sources;
  for (const LineSettings& line : lines) {
    const fs::path file = newest_line(folder, line.name);
    if (file.empty()) continue;
    const Table table = read_table(file);
    std::vector<std::string> units;
    std::map<std::string, std::vector<Curve>> curves;
    for (std::size_t c = first_value; c < table.size(); ++c) {
      if (is_planar && is_out_of_plane(table[c])) continue;
      std::vector<Curve>& of_unit = curves[table[c].unit];
      const int colour = static_cast<int>(of_unit.size());
      if (of_unit.empty()) units.push_back(table[c].unit);
      of_unit.push_back({table[c].name, table.front().values, table[c].values});
      for (const LineSettings::Reference& reference : line.references) {
        if (reference.column != table[c].name) continue;
        of_unit.push_back(reference_curve(line, reference));
        of_unit.back().colour = colour;
        sources += source_text(reference);
      }
    }
    for (const std::string& unit : units) {
      const std::vector<Curve>& of_unit = curves[unit];
      const std::string what = of_unit.size() == 1 ? of_unit.front().name : "";
      charts +=
          chart_of({"line " + line.name + (what.empty() ? "" : ": " + what), "s [m]", with_unit(what, unit)}, of_unit);
    }
  }
  return in_grid(charts) + sources;
}

}  // namespace solenoid::report
