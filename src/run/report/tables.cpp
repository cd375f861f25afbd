#include "run/report/sections.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/phases.hpp"
#include "run/report/page.hpp"

namespace solenoid::report {

namespace {

/// A value as plain text.
std::string value_text(const Json& value) {
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "-";
  if (!value.is_array()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::vector<std::string> parts;
  for (const Json& part : value) parts.push_back(value_text(part));
  return joined(parts, ", ");
}

/// Adds a row per value; nested values have the path of names.
void add_rows(const Json& values, const std::string& before, std::vector<std::vector<std::string>>& rows) {
  for (const auto& [name, value] : values.items()) {
    if (value.is_object()) {
      add_rows(value, before + name + ", ", rows);
    } else {
      rows.push_back({escaped(before + words_of(name)), escaped(value_text(value))});
    }
  }
}

std::string values_table(const Json& values) {
  std::vector<std::vector<std::string>> rows;
  add_rows(values, "", rows);
  return table_of({}, rows);
}

/// The tables of the case in TOML, with every default.
std::string toml_of(const Json& table, const std::string& path) {
  const auto is_tables = [](const Json& value) {
    return value.is_array() && !value.empty() &&
           std::all_of(value.begin(), value.end(), [](const Json& entry) { return entry.is_object(); });
  };
  std::string own, inner;
  for (const auto& [key, value] : table.items()) {
    const std::string name = path.empty() ? key : path + "." + key;
    if (value.is_object()) {
      inner += toml_of(value, name);
    } else if (is_tables(value)) {
      for (const Json& entry : value) inner += "\n[[" + name + "]]\n" + toml_of(entry, "");
    } else if (!value.is_null() && !(value.is_array() && value.empty())) {
      own += key + " = " + value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
  }
  return (own.empty() || path.empty() ? own : "\n[" + path + "]\n" + own) + inner;
}

/// The fraction of the total memory bandwidth, with a bar.
std::string share_text(const Json& entry) {
  if (!entry.contains("bandwidth_fraction")) return "-";
  const double share = entry["bandwidth_fraction"].get<double>(), shown = std::clamp(share, 0.0, 1.0);
  return message("{}{:.0f} %<span class=\"of\"><span class=\"bar\" style=\"width:{:.0f}px\"></span></span>",
                 std::string(share > 1 ? "&gt; " : ""), 100 * shown, 70 * shown);
}

/// Bytes, their rate, and the fraction of the bandwidth of an entry of `traffic`.
std::vector<std::string> traffic_cells(const Json& entry, double seconds) {
  const double bytes = entry["bytes"].get<double>();
  if (bytes == 0) return {"-", "-", "-"};
  return {bytes_text(bytes), message("{:.3g}", seconds > 0 ? 1e-9 * bytes / seconds : 0), share_text(entry)};
}

}  // namespace

std::string key_figures(const Json& summary) {
  const Json &run = summary["run"], &mesh = summary["mesh"];
  std::vector<Figure> figures;
  if (run["steps"].get<int>() > 0) {
    figures = {{"steps", value_text(run["steps"])},
               {"simulated time", message("{:.4g} s", run["time"].get<double>())},
               {"a step", message("{:.4g} ms", 1e3 * run["wall_seconds_per_step"].get<double>())}};
  }
  figures.push_back({"wall time", duration_text(run["wall_seconds"].get<double>())});
  figures.push_back({"ended by", value_text(run["stopped_by"])});
  figures.push_back({"cells", value_text(mesh["cells"])});
  figures.push_back({"ranks", value_text(run["ranks"])});
  if (summary.contains("divergence"))
    figures.push_back({"largest divergence", value_text(summary["divergence"]["max"])});
  figures.push_back({"memory a rank", bytes_text(summary["memory"]["host_bytes_max_rank"].get<double>())});
  return figures_of(figures);
}

std::string case_listing(const Json& summary) {
  const Json& run = summary["run"];
  std::string html = "<p><code>" + escaped(value_text(run["command"])) + "</code></p>\n";
  if (run["overrides"].empty()) {
    html += "<p>Nothing of the case file was overridden.</p>\n";
  } else {
    html += "<p>Overridden on the command line:</p>\n<pre>";
    for (const Json& override : run["overrides"]) html += escaped(value_text(override)) + "\n";
    html += "</pre>\n";
  }
  return html + "<details><summary>Every key with the value in effect</summary>\n<pre>" +
         escaped(toml_of(summary["case"], "")) + "</pre></details>\n";
}

std::string mesh_tables(const Json& summary, const std::vector<QualityFigure>& quality) {
  std::string html = "<div class=\"tables\"><div>\n<h3>Counts</h3>\n" + values_table(summary["mesh"]) +
                     "</div><div>\n<h3>Partition</h3>\n" + values_table(summary["partition"]) + "</div></div>\n";
  std::vector<std::vector<std::string>> rows;
  for (const QualityFigure& figure : quality) {
    const std::string unit = figure.measure.unit == "-" ? "" : " [" + figure.measure.unit + "]";
    rows.push_back({escaped(words_of(figure.measure.name) + unit), message("{:.4g}", figure.measure.ideal),
                    message("{:.4g}", figure.mean), message("{:.4g}", figure.worst),
                    message("{:.4g}", figure.measure.limit), message("{}", figure.beyond)});
  }
  return html + "<h3>Quality of the cells</h3>\n" +
         table_of({"", "ideal", "mean", "worst", "limit", "cells beyond"}, rows);
}

std::string model_figures(const Json& summary) {
  constexpr std::array elsewhere{"program", "run",     "mesh",   "partition", "solvers",
                                 "phases",  "traffic", "memory", "case"};
  std::string html;
  for (const auto& [group, values] : summary.items()) {
    if (std::find(elsewhere.begin(), elsewhere.end(), group) != elsewhere.end() || !values.is_object()) continue;
    html += "<div><h3>" + escaped(words_of(group)) + "</h3>\n" + values_table(values) + "</div>\n";
  }
  return html.empty() ? "" : "<div class=\"tables\">" + html + "</div>\n";
}

std::string solver_table(const Json& summary) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, solver] : summary["solvers"].items()) {
    const Json& traffic = summary["traffic"]["solvers"][name];
    const double seconds = solver["seconds"].get<double>();
    rows.push_back({escaped(name), escaped(value_text(solver["preconditioner"])), value_text(solver["calls"]),
                    message("{:.4g}", solver["iterations_mean"].get<double>()), value_text(solver["iterations_max"]),
                    message("{:.1e}", solver["tolerance"].get<double>()),
                    message("{:.1e}", solver["residual_max"].get<double>()), message("{:.3f}", seconds)});
    const std::vector<std::string> cells = traffic_cells(traffic, seconds);
    rows.back().insert(rows.back().end(), cells.begin() + 1, cells.end());
  }
  if (rows.empty()) return "";
  return table_of({"solver", "preconditioner", "solves", "iterations, mean", "most", "tolerance", "largest residual",
                   "time [s]", "GB/s", "of bandwidth"},
                  rows);
}

std::string phase_table(const Json& summary) {
  const Json& traffic = summary["traffic"];
  double total = 0;
  for (const Json& seconds : summary["phases"]) total += seconds.get<double>();
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, value] : summary["phases"].items()) {
    const double seconds = value.get<double>();
    rows.push_back(
        {escaped(name), message("{:.3f}", seconds), message("{:.1f} %", total > 0 ? 100 * seconds / total : 0)});
    const std::vector<std::string> cells = traffic_cells(traffic["phases"][name], seconds);
    rows.back().insert(rows.back().end(), cells.begin(), cells.end());
  }
  std::string html = table_of({"phase", "time [s]", "of all", "moved", "GB/s", "of bandwidth"}, rows);
  if (!traffic["triad_bytes_per_second"].is_null()) {
    html += message(
        "<p class=\"soft\">100 % is the bandwidth of a = b + s c over long arrays on all ranks together "
        "when "
        "the run had ended: {}/s. Bytes are counted, not measured: each array once per kernel that reads it and once "
        "per kernel that writes it. Kernels without a count are missing, so a share is a lower bound of the "
        "memory did; what a cache holds is counted too: where a mesh fits into it there is more than 100 %.</p>\n",
        bytes_text(traffic["triad_bytes_per_second"].get<double>()));
  }
  return html;
}

std::string version_table(const Json& summary) {
  Json values = summary["program"];
  for (const char* name : {"host", "started", "device", "devices"}) values[name] = summary["run"][name];
  return values_table(values);
}

}  // namespace solenoid::report
