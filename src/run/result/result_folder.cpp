#include "run/result/result_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "io/paraview/pvd_file.hpp"
#include "io/paraview/vtkhdf_series.hpp"
#include "io/tables/csv.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

/// The start of a file, long enough to identify its writer.
std::string start_of(const fs::path& file) {
  std::string start(4096, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start;
}

/// The pictures by tools/plot, which puts the name Solenoid into them.
std::vector<fs::path> pictures_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_symlink() && entry.is_regular_file() && entry.path().extension() == ".png" &&
        start_of(entry.path()).find("Solenoid") != std::string::npos) {
      found.push_back(entry.path());
    }
  }
  return found;
}

/// Origin of the results in `folder`: a check, or a run with its title and end time.
std::string earlier_work(const fs::path& folder) {
  if (fs::exists(folder / "check.json")) return "a check";
  struct stat status {};
  std::ifstream in(folder / "summary.json");
  const auto summary = nlohmann::json::parse(in, nullptr, false);
  const auto title = nlohmann::json::json_pointer("/case/title");
  if (summary.is_discarded() || !summary.contains(title) || !summary[title].is_string() ||
      stat((folder / "summary.json").c_str(), &status) != 0) {
    return "a run that did not finish";
  }
  std::array<char, 32> when{};
  std::tm local{};
  localtime_r(&status.st_mtime, &local);
  std::strftime(when.data(), when.size(), "%Y-%m-%d %H:%M", &local);
  return message("\"{}\", finished {}", summary[title].get<std::string>(), when.data());
}

bool has_list(const fs::path& folder) {
  std::error_code code;
  return fs::exists(fs::symlink_status(folder / OutputList::file_name, code));
}

/// Whether `name` is that of a result file.
bool is_name_of_result(const std::string& name) {
  static const std::regex names(
      R"(history\.csv|run\.log|summary\.json|report\.html|fields\.pvd|fields\.vtkhdf|fields_\d+(\.pvtu|/.+\.vtu)|)"
      R"(patches\.vtm|patches/.+\.vtp|(forces|integrals|probes|profiles|sections)/.+\.csv|lines/.+_\d+\.csv|)"
      R"(averages/.+(\.pvd|\.vtkhdf|\.vtm|_\d+\.pvtu|/.+\.vtp|_\d+/.+\.vtu)|)"
      R"((tracers|planes|isosurfaces)/.+(\.pvd|_\d+\.vtp)|checkpoint_\d+\.(h5|next))");
  return std::regex_match(name, names);
}

/// The reason why `folder` cannot be created; empty if it can.
std::string obstacle(const fs::path& folder) {
  std::error_code code;
  for (fs::path above = fs::absolute(folder).lexically_normal();; above = above.parent_path()) {
    const fs::file_status status = fs::status(above, code);
    if (fs::is_directory(status))
      return access(above.c_str(), W_OK | X_OK) == 0 ? "" : message("{}: {}", above.string(), std::strerror(errno));
    if (fs::exists(status)) return message("{} is a file", above.string());
    if (status.type() != fs::file_type::not_found) return message("{}: {}", above.string(), code.message());
    if (fs::is_symlink(fs::symlink_status(above, code))) return message("{} is a link to nothing", above.string());
  }
}

}  // namespace

void require_writable(const fs::path& folder) {
  std::error_code code;
  const fs::file_status status = fs::status(folder, code);
  require_input(!fs::exists(status) || fs::is_directory(status),
                [&] { return message("--output {}: this is a file; name a folder", folder.string()); });
  const std::string reason = obstacle(folder);
  require_input(reason.empty(), [&] {
    return message("--output {}: cannot be a result folder: {}; name another", folder.string(), reason);
  });
}

void require_replaceable(const fs::path& folder) {
  require_writable(folder);
  if (!fs::exists(folder)) return;
  std::size_t others = 0, like_results = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != OutputList::file_name) ++others;
    like_results += is_name_of_result(entry.path().filename().string());
  }
  require_input(has_list(folder) || others == 0, [&] {
    if (like_results == 0) {
      return message("--output {}: the folder holds files that Solenoid did not make; name another folder, or empty it",
                     folder.string());
    }
    return message(
        "--output {}: the folder holds results, and no list of them, {}, as where they were copied without it: what is "
        "yours cannot be told; go on from a checkpoint there (--restart), name another folder, or empty it",
        folder.string(), OutputList::file_name);
  });
  require_input(!OutputList::is_older_than_lists(folder) || others == 0, [&] {
    return message(
        "--output {}: the folder is of an early version of Solenoid, which kept no list of its files, so results "
        "cannot be told from what is yours; remove the folder, or name another",
        folder.string());
  });
}

namespace {

std::shared_ptr<OutputList> list_in(const fs::path& folder, const OutputList::Say& say) {
  std::error_code code;
  fs::create_directories(folder, code);
  require(!code, [&] { return message("{}: cannot be created: {}", folder.string(), code.message()); });
  return std::make_shared<OutputList>(folder, say);
}

}  // namespace

OutputFolder claim_result_folder(const fs::path& folder, const OutputList::Say& say) {
  require_replaceable(folder);
  const std::shared_ptr<OutputList> list = list_in(folder, say);
  const std::string earlier = earlier_work(folder);
  bool had_results = list->remove();
  for (const fs::path& picture : pictures_in(folder)) had_results = fs::remove(picture) || had_results;
  list->begin();
  if (had_results) say(message("{}: its results are replaced; they were of {}", folder.string(), earlier));
  return {folder, list};
}

OutputFolder reopen_result_folder(const fs::path& folder, const RunMoment& moment, const OutputList::Say& say) {
  require_writable(folder);
  const bool is_listed = has_list(folder) && !OutputList::is_older_than_lists(folder);
  const std::shared_ptr<OutputList> list = list_in(folder, say);
  if (is_listed) {
    list->go_on();
  } else {
    list->begin();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = fs::relative(entry.path(), folder).string();
      if (entry.is_regular_file() && !entry.is_symlink() && is_name_of_result(name)) list->adopt(name);
    }
    say(message("{}: has no list of results: files with their names count as results", folder.string()));
  }
  OutputFolder results(folder, list);
  results.go_on_from(moment);
  return results;
}

namespace fs = std::filesystem;

namespace {

bool is_series_of_vtp(const std::string& name) {
  return name.starts_with("tracers/") || name.starts_with("planes/") || name.starts_with("isosurfaces/");
}

/// The listed series with files that end in `end`, without it.
std::vector<std::string> names_that_end(const OutputFolder& folder, const std::string& end) {
  std::vector<std::string> found;
  for (const std::string& name : folder.list()->names()) {
    const bool is_series = name == "fields" + end || name.starts_with("averages/") || is_series_of_vtp(name);
    if (is_series && name.ends_with(end)) found.push_back(name.substr(0, name.size() - end.size()));
  }
  return found;
}

/// Cuts the tables of observers that this run lacks; its own were cut when they were opened.
void cut_tables(const OutputFolder& folder, double time) {
  for (const std::string& name : folder.list()->names()) {
    const bool is_over_time = name.starts_with("probes/") || name.starts_with("integrals/") ||
                              name.starts_with("forces/") || name.starts_with("sections/");
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
                         is_series_of_vtp(name) ? "vtp" : "pvtu");
    for (const int step : series.left_behind()) left_behind.emplace(name, step);
    if (!series.left_behind().empty()) series.write();
  }
  bool is_of_fields = false;
  for (const std::string& name : names_that_end(folder, ".vtkhdf")) {
    const std::vector<std::int64_t> later = cut_vtkhdf_series(folder.path() / (name + ".vtkhdf"), *moment);
    steps.insert(later.begin(), later.end());
    is_of_fields = is_of_fields || (name == "fields" && !later.empty());
  }
  static const std::regex of_a_step(
      R"((fields|(?:averages|tracers|planes|isosurfaces|lines)/.*)_(\d{6,17})(?:\.pvtu|\.vtp|\.csv|/.*))");
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
  static const std::regex of_last_output(
      R"(patches\.vtm|patches/.*|averages/.*\.vtm|averages/.*/.*\.vtp|profiles/.*\.csv)");
  folder.list()->remove([&](const std::string& name) {
    return chosen.contains(name) || (is_of_fields && std::regex_match(name, of_last_output));
  });
  if (steps.empty()) return;
  say(message(
      "  removed  outputs beyond step {}, t = {:.6g} s: those of step{} {}", moment->step, moment->time,
      steps.size() == 1 ? "" : "s",
      steps.size() == 1 ? message("{}", *steps.begin()) : message("{} to {}", *steps.begin(), *steps.rbegin())));
}

}  // namespace solenoid
