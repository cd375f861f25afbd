#include "run/observe/section_sink.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/frame.hpp"
#include "run/observe/patch_sinks.hpp"

namespace solenoid {

namespace {

/// The quantity that holds. Throws Error if there is none.
template <class Holds>
const Quantity& first_of(const std::vector<Quantity>& quantities, const std::string& field, const Holds& holds) {
  const auto is_it = [&](const Quantity& quantity) { return quantity.info.field == field && holds(quantity.info); };
  const auto found = std::find_if(quantities.begin(), quantities.end(), is_it);
  require(found != quantities.end(), [&] { return message("a section finds no values of `{}`", field); });
  return *found;
}

}  // namespace

CrossSection find_section(const std::string& file, const SectionSettings& section, const LocalMesh& mesh,
                          const std::vector<std::string>& solids) {
  const std::string what = message("{}: [[section]] `{}`", file, section.name);
  if (section.plane) return {mesh, *section.plane, section.within, solids, what};
  return {mesh, places_of_patches(mesh, section.patches), solids, what};
}

SectionSink::SectionSink(const std::string& file, const SectionSettings& section, const LocalMesh& mesh,
                         const std::vector<std::string>& solids, const std::vector<Quantity>& quantities)
    : mesh_(mesh),
      name_(section.name),
      section_(find_section(file, section, mesh, solids)),
      velocity_(first_of(quantities, "velocity", [](const QuantityInfo& info) { return info.at == ValuesAt::cells; })) {
  for (const std::string& field : section.fields) {
    quantities_.push_back(first_of(quantities, field, [&](const QuantityInfo& info) {
      return section.plane ? has_section_mean(info) : info.components == 1 && info.is_shown_on_patches();
    }));
  }
}

std::optional<GrowingTable> SectionSink::table() const {
  const bool planar = mesh_.dimension() == 2;
  std::vector<std::string> columns{"time [s]", planar ? "length [m]" : "area [m^2]",
                                   message("flux [{}]", unit_of_flux(mesh_.dimension())), "speed [m/s]",
                                   "backflow [-]"};
  for (const Quantity& quantity : quantities_) {
    const auto& [name, unit] = std::pair(quantity.info.name, quantity.info.unit);
    columns.push_back(message("{} [{}]", name, unit));
    columns.push_back(message("{}_by_flux [{}]", name, unit));
  }
  return GrowingTable{"sections/" + name_ + ".csv", std::move(columns)};
}

void SectionSink::open(const OutputFolder& folder) {
  mesh_.comm().guard([&] {
    if (mesh_.comm().is_root()) csv_.emplace(file_of(*table(), folder));
  });
}

void SectionSink::write(int, real time) {
  const SectionFigures figures = section_.figures(*std::get<Field<Cell, Vec3>*>(velocity_.evaluate()), quantities_);
  std::vector<CsvValue> row{time, section_.area(), figures.flux, figures.speed, figures.backflow};
  for (const auto& [by_area, by_flux] : figures.means) row.insert(row.end(), {by_area, by_flux});
  mesh_.comm().guard([&] {
    if (csv_) csv_->row(row);
  });
}

}  // namespace solenoid
