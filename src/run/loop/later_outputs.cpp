#include "run/loop/later_outputs.hpp"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "base/error.hpp"
#include "io/paraview/pvd_file.hpp"
#include "io/paraview/vtkhdf_series.hpp"
#include "io/tables/csv.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

/// The listed series with files that end in `end`, without it.
std::vector<std::string> names_that_end(const OutputFolder& folder, const std::string& end) {
  std::vector<std::string> found;
  for (const std::string& name : folder.list()->names()) {
    const bool is_series = name == "fields" + end || name.starts_with("averages/") || name.starts_with("tracers/");
    if (is_series && name.ends_with(end)) found.push_back(name.substr(0, name.size() - end.size()));
  }
  return found;
}

/// Cuts the tables of observers that this run lacks; its own were cut when they were opened.
void cut_tables(const OutputFolder& folder, double time) {
  for (const std::string& name : folder.list()->names()) {
    const bool is_over_time =
        name.starts_with("probes/") || name.starts_with("integrals/") || name.starts_with("forces/");
    if (!is_over_time || !name.ends_with(".csv")) continue;
    std::ifstream in(folder.path() / name);
    std::string header;
    std::getline(in, header);
    bool is_longer = false;
    for (std::string row; std::getline(in, row);) is_longer = is_longer || std::strtod(row.c_str(), nullptr) > time;
    if (is_longer) CsvFile(folder.path() / name, {header}, time);
  }
}

}  // namespace

void remove_later_outputs(const OutputFolder& folder, const OutputList::Say& say) {
  const std::optional<RunMoment>& moment = folder.goes_on_from();
  if (!moment || !folder.list()) return;
  cut_tables(folder, moment->time);
  std::set<std::int64_t> steps;
  std::set<std::pair<std::string, std::int64_t>> left_behind;  // of a series; their step may be smaller
  for (const std::string& name : names_that_end(folder, ".pvd")) {
    const std::size_t slash = name.rfind('/') + 1;  // 0: none
    const PvdFile series(folder.in(name.substr(0, slash > 0 ? slash - 1 : 0)), name.substr(slash),
                         name.starts_with("tracers/") ? "vtp" : "pvtu");
    for (const int step : series.left_behind()) left_behind.emplace(name, step);
    if (!series.left_behind().empty()) series.write();
  }
  bool is_of_fields = false;
  for (const std::string& name : names_that_end(folder, ".vtkhdf")) {
    const std::vector<std::int64_t> later = cut_vtkhdf_series(folder.path() / (name + ".vtkhdf"), *moment);
    steps.insert(later.begin(), later.end());
    is_of_fields = is_of_fields || (name == "fields" && !later.empty());
  }
  static const std::regex of_a_step(R"((fields|(?:averages|tracers|lines)/.*)_(\d{6,17})(?:\.pvtu|\.vtp|\.csv|/.*))");
  std::set<std::string> chosen;
  for (const std::string& name : folder.list()->names()) {
    std::smatch match;
    if (!std::regex_match(name, match, of_a_step)) continue;
    const std::int64_t step = std::stoll(match[2]);
    if (step <= moment->step && !left_behind.contains({match[1].str(), step})) continue;
    chosen.insert(name);
    if (!fs::is_regular_file(folder.path() / name)) continue;  // a folder, or already removed
    steps.insert(step);
    is_of_fields = is_of_fields || match[1] == "fields";
  }
  folder.list()->remove([&](const std::string& name) {
    return chosen.contains(name) || (is_of_fields && (name == "patches.vtm" || name.starts_with("patches/")));
  });
  if (steps.empty()) return;
  say(message(
      "  removed  outputs beyond step {}, t = {:.6g} s: those of step{} {}", moment->step, moment->time,
      steps.size() == 1 ? "" : "s",
      steps.size() == 1 ? message("{}", *steps.begin()) : message("{} to {}", *steps.begin(), *steps.rbegin())));
}

}  // namespace solenoid
