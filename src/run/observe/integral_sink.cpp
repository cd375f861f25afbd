#include "run/observe/integral_sink.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "run/observe/patches_by_name.hpp"

namespace solenoid {

IntegralSink::IntegralSink(const IntegralSettings& integral, const LocalMesh& mesh,
                           const std::vector<Quantity>& quantities)
    : mesh_(mesh), name_(integral.name), integral_(mesh, places_of(integral.patches, mesh.part().patches)) {
  for (const Quantity& quantity : quantities) {
    const bool is_asked_for =
        std::find(integral.fields.begin(), integral.fields.end(), quantity.info.name) != integral.fields.end();
    if (is_asked_for && quantity.info.is_shown_on_patches()) quantities_.push_back(quantity);
  }
}

std::optional<GrowingTable> IntegralSink::table() const {
  const bool planar = mesh_.dimension() == 2;
  const char* const unit = planar ? "m" : "m^2";
  std::vector<std::string> columns{"time [s]", message("{} [{}]", planar ? "length" : "area", unit)};
  for (const Quantity& quantity : quantities_) {
    const QuantityInfo& info = quantity.info;
    const std::vector<std::string> ends =
        info.components == 1 ? std::vector<std::string>{""} : std::vector<std::string>{"_x", "_y", "_z"};
    for (const std::string& end : ends) columns.push_back(message("{}{} [{} {}]", info.name, end, info.unit, unit));
  }
  return GrowingTable{"integrals/" + name_ + ".csv", std::move(columns)};
}

void IntegralSink::open(const OutputFolder& folder) {
  mesh_.comm().guard([&] {
    if (mesh_.comm().is_root()) csv_.emplace(file_of(*table(), folder));
  });
}

void IntegralSink::write(int, real time) {
  std::vector<CsvValue> row{time, integral_.area()};
  for (const Quantity& quantity : quantities_) {
    for (const real value : integral_.of(quantity.evaluate())) row.push_back(value);
  }
  mesh_.comm().guard([&] {
    if (csv_) csv_->row(row);
  });
}

}  // namespace solenoid
