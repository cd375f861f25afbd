#include "run/report/report.hpp"

#include <fstream>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "base/phases.hpp"
#include "run/observe/surface_sink.hpp"
#include "run/report/field_pictures.hpp"
#include "run/report/page.hpp"
#include "run/report/sections.hpp"

namespace solenoid {

namespace {

using namespace report;

/// Outcome lines and warnings of the log.
std::string outcome_of(const RunReport& ended, const std::filesystem::path& folder) {
  const std::string item = ended.stopped_by == "failure" ? "<li class=\"warning\">error: " : "<li>";
  std::string html = "<ul>\n";
  for (const std::string& line : ended.outcome) html += item + typeset(line) + "</li>\n";
  html += "</ul>\n";
  std::ifstream log(folder / "run.log");
  for (std::string line; std::getline(log, line);) {
    if (line.starts_with("warning: ")) html += "<p class=\"warning\">" + escaped(line) + "</p>\n";
  }
  return html;
}

std::string time_tables(const RunReport& ended, const nlohmann::ordered_json& summary) {
  const std::string since =
      message("<p class=\"soft\">Since step {}, from where this run went on.</p>\n", ended.began_at);
  return (ended.began_at > 0 ? since : "") + "<h3>By phase</h3>\n" + phase_table(summary) + "<h3>By solver</h3>\n" +
         solver_table(summary);
}

/// The [[plane]]s of a body with pictures of their fields at present. Collective.
std::string plane_figures(const Case& wanted, const CaseRun& run) {
  std::string html;
  if (run.mesh().dimension() == 2) return html;
  for (const PlaneSettings& plane : wanted.planes) {
    const std::vector<CutPiece> cut = find_plane(*wanted.setup, plane, run.mesh());
    const std::string pictures = html_of(plane_pictures(run.mesh(), run.fields(plane.fields), plane.plane, cut));
    if (!pictures.empty()) html += "<h3>plane " + escaped(plane.name) + "</h3>\n" + pictures;
  }
  return html;
}

std::string page_of_run(const std::filesystem::path& folder, const Case& wanted, const RunReport& ended,
                        const nlohmann::ordered_json& summary, const std::vector<FieldPicture>& pictures,
                        const std::string& planes, const std::vector<QualityFigure>& quality) {
  const auto& run = summary["run"];
  const bool is_planar = summary["mesh"]["dimension"] == 2;
  const std::string subtitle =
      message("case {}, {} on {}; Solenoid {}, commit {}", wanted.name, run["started"].get<std::string>(),
              run["host"].get<std::string>(), summary["program"]["version"].get<std::string>(),
              summary["program"]["commit"].get<std::string>());
  return page_of(wanted.title, subtitle,
                 {{"outcome", "Outcome", key_figures(summary) + outcome_of(ended, folder)},
                  {"case", "Case", case_listing(summary)},
                  {"fields", "Fields at the end", html_of(pictures)},
                  {"planes", "Planes at the end", planes},
                  {"convergence", "Convergence", convergence_charts(folder)},
                  {"history", "Course of the run", history_charts(folder)},
                  {"forces", "Forces", force_charts(folder, wanted.forces, is_planar)},
                  {"lines", "Profiles", line_charts(folder, wanted.lines, is_planar)},
                  {"probes", "Probes", probe_charts(folder, wanted.probes)},
                  {"integrals", "Integrals", integral_charts(folder, wanted.integrals)},
                  {"sections", "Sections", section_charts(folder, wanted.sections)},
                  {"figures", "Budgets and figures", model_figures(summary)},
                  {"mesh", "Mesh and partition", mesh_tables(summary, quality)},
                  {"time", "Time and memory bandwidth", time_tables(ended, summary)},
                  {"versions", "Versions", version_table(summary)}});
}

}  // namespace

void write_report(const Comm& comm, const OutputFolder& folder, const Case& wanted, CaseRun& run,
                  const RunReport& ended, const nlohmann::ordered_json& summary, Log& log) {
  const Stopwatch watch;
  try {
    const Activity shown(log, "making the report");
    const std::vector<FieldPicture> pictures = field_pictures(run.mesh(), run.fields(wanted.output.fields));
    const std::string planes = plane_figures(wanted, run);
    const std::vector<QualityFigure> quality = quality_of(run.mesh());
    comm.guard([&] {
      if (!comm.is_root()) return;
      write_text_file(folder.file("report.html"),
                      page_of_run(folder.path(), wanted, ended, summary, pictures, planes, quality));
    });
  } catch (const Error& error) {  // the results exist without it
    if (!error.collective()) throw;
    return log.line(message("warning: there is no report.html: {}", error.what()));
  }
  log.line(message("  report   {}: the run on one page, for a browser, made in {}",
                   (folder.path() / "report.html").string(), duration_text(watch.seconds())));
}

}  // namespace solenoid
