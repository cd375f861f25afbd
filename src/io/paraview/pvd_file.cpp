#include "io/paraview/pvd_file.hpp"

#include <bit>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

/// The text between `before` and the next `after` in `line`, if both are there.
std::optional<std::string> between(const std::string& line, const std::string& before, const std::string& after) {
  const std::size_t at = line.find(before);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + before.size(), end = line.find(after, begin);
  if (end == std::string::npos) return std::nullopt;
  return line.substr(begin, end - begin);
}

}  // namespace

std::string vtk_file_header(const std::string& type) {
  return message(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n", type,
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
}

PvdFile::PvdFile(OutputFolder folder, std::string name, std::string extension)
    : folder_(std::move(folder)), name_(std::move(name)), extension_(std::move(extension)) {
  if (!folder_.lists(name_ + ".pvd")) return;
  const std::optional<RunMoment>& moment = folder_.goes_on_from();
  std::ifstream in(folder_.path() / (name_ + ".pvd"));
  for (std::string line; std::getline(in, line);) {
    const auto time = between(line, "timestep=\"", "\""),
               step = between(line, "file=\"" + escaped(name_) + "_", "." + extension_ + "\"");
    if (!time || !step || step->find_first_not_of("0123456789") != std::string::npos) continue;
    const int number = std::atoi(step->c_str());
    if (moment && moment->is_before(number, std::strtod(time->c_str(), nullptr))) {
      left_behind_.push_back(number);
    } else {
      entries_.push_back({number, *time});
    }
  }
}

std::string PvdFile::step_name(int step) const { return message("{}_{:06}", name_, step); }

void PvdFile::drop_from(int step) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.step >= step; });
}

void PvdFile::add(int step, double time) { entries_.push_back({step, message("{}", time)}); }

void PvdFile::write_step(int step, double time, const std::function<void(const std::filesystem::path&)>& make_file) {
  drop_from(step);
  FreshFile fresh(folder_.file(step_name(step) + "." + extension_));
  make_file(fresh.path());
  fresh.replace_file();
  add(step, time);
  write();
}

void PvdFile::write() const {
  std::string text = vtk_file_header("Collection") + "  <Collection>\n";
  for (const Entry& entry : entries_) {
    text += message("    <DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}.{}\"/>\n", entry.time,
                    escaped(step_name(entry.step)), extension_);
  }
  write_text_file(folder_.file(name_ + ".pvd"), text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace solenoid
