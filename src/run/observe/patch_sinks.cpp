#include "run/observe/patch_sinks.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

std::vector<int> places_of_patches(const LocalMesh& mesh, const std::vector<std::string>& names) {
  const std::vector<std::string>& patches = mesh.part().patches;
  std::vector<int> places;
  for (const std::string& name : names) {
    const auto found = std::find(patches.begin(), patches.end(), name);
    require(found != patches.end(), [&] { return message("the mesh has no boundary group `{}`", name); });
    places.push_back(static_cast<int>(found - patches.begin()));
  }
  return places;
}

IntegralSink::IntegralSink(const IntegralSettings& integral, const LocalMesh& mesh,
                           const std::vector<Quantity>& quantities)
    : mesh_(mesh), name_(integral.name), integral_(mesh, places_of_patches(mesh, integral.patches)) {
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
    if (info.has_maximum) columns.push_back(message("{}_max [{}]", info.name, info.unit));
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
    const Evaluated values = quantity.evaluate();
    for (const real value : integral_.of(values)) row.push_back(value);
    if (quantity.info.has_maximum) row.push_back(integral_.largest(*std::get<BoundaryField<real>*>(values)));
  }
  mesh_.comm().guard([&] {
    if (csv_) csv_->row(row);
  });
}

ForceSink::ForceSink(const ForceSettings& force, const LocalMesh& mesh, Model& model)
    : mesh_(mesh),
      model_(model),
      settings_(force),
      integral_(mesh, places_of_patches(mesh, force.patches)),
      weight_(mesh, places_of_patches(mesh, force.patches)) {}

std::optional<GrowingTable> ForceSink::table() const {
  const bool planar = mesh_.dimension() == 2;
  std::vector<std::string> columns{"time [s]"};
  for (const char* part : {"", "pressure_", "viscous_", "balance_"}) {
    for (const char* axis : {"x", "y", "z"}) columns.push_back(message("{}f{} [{}]", part, axis, planar ? "N/m" : "N"));
  }
  if (settings_.moment_about) {
    for (const char* axis : {"x", "y", "z"}) columns.push_back(message("m{} [{}]", axis, planar ? "N m/m" : "N m"));
  }
  if (settings_.reference) columns.insert(columns.end(), {"cd [-]", "cl [-]"});
  return GrowingTable{"forces/" + settings_.name + ".csv", std::move(columns)};
}

void ForceSink::open(const OutputFolder& folder) {
  mesh_.comm().guard([&] {
    if (mesh_.comm().is_root()) csv_.emplace(file_of(*table(), folder));
  });
}

ForceSink::Values ForceSink::values() const {
  Tractions& tractions = *model_.tractions();
  const real density = static_cast<real>(settings_.density);
  const auto total = [&](BoundaryField<Vec3>& of_faces) {
    const std::vector<real> sum = integral_.of(&of_faces);
    return density * Vec3{sum[0], sum[1], sum[2]};
  };
  Values found{total(tractions.pressure), total(tractions.friction), {}, {}};
  if (const auto in_fluid = model_.force_in_fluid(weight_)) found.in_fluid = density * *in_fluid;
  if (settings_.moment_about) {
    found.moment = density * (integral_.moment_of(tractions.pressure, *settings_.moment_about) +
                              integral_.moment_of(tractions.friction, *settings_.moment_about));
  }
  return found;
}

double ForceSink::coefficient(const Vec3& force, const Vec3& direction) const {
  const double along = dot(force, direction);
  if (!settings_.reference) return along;
  const auto [velocity, area] = *settings_.reference;
  return along / (settings_.density * velocity * velocity * area / 2);
}

void ForceSink::write(int, real time) {
  last_ = values();
  const double drag = coefficient(last_.force(), settings_.drag), lift = coefficient(last_.force(), settings_.lift);
  const Vec3 by_density = last_.force() / static_cast<real>(settings_.density);
  const std::array components{by_density.x, by_density.y, by_density.z};
  for (std::size_t k = 0; k < 3; ++k) by_density_[k].add(time, components[k]);
  std::vector<CsvValue> row{time};
  const auto add = [&](const Vec3& v) { row.insert(row.end(), {v.x, v.y, v.z}); };
  add(last_.force()), add(last_.pressure), add(last_.friction), add(last_.in_fluid);
  if (settings_.moment_about) add(last_.moment);
  if (settings_.reference) row.insert(row.end(), {drag, lift});
  mesh_.comm().guard([&] {
    if (csv_) csv_->row(row);
  });
}

void ForceSink::visit_state(StateVisitor& visitor) {
  for (const auto& [axis, series] : {std::pair("_x", 0), std::pair("_y", 1), std::pair("_z", 2)}) {
    by_density_[series].visit_state("force_" + settings_.name + axis, visitor);
  }
}

/// Coefficients along `direction`, or the forces themselves if the case has no reference.
TimeSeries ForceSink::along(const Vec3& direction) const {
  TimeSeries series;
  const auto& [x, y, z] = by_density_;
  const real density = static_cast<real>(settings_.density);
  for (std::size_t k = 0; k < x.times().size(); ++k) {
    const Vec3 force{static_cast<real>(x.values()[k]), static_cast<real>(y.values()[k]),
                     static_cast<real>(z.values()[k])};
    series.add(x.times()[k], coefficient(density * force, direction));
  }
  return series;
}

void ForceSink::conclude(ModelOutcome& outcome) const {
  std::vector<std::pair<std::string, double>> figures;
  const auto add = [&](const std::string& name, const Vec3& v) {
    figures.insert(figures.end(), {{name + "x", v.x}, {name + "y", v.y}, {name + "z", v.z}});
  };
  add("f", last_.force()), add("pressure_f", last_.pressure), add("viscous_f", last_.friction);
  add("balance_f", last_.in_fluid);
  if (settings_.moment_about) add("m", last_.moment);
  const Vec3 force = last_.force();
  std::string text = message("  force    {} [{}]: {:.6g}, {:.6g}", settings_.name, mesh_.dimension() == 2 ? "N/m" : "N",
                             force.x, force.y);
  if (mesh_.dimension() == 3) text += message(", {:.6g}", force.z);
  if (settings_.reference) {
    const double cd = coefficient(force, settings_.drag), cl = coefficient(force, settings_.lift);
    figures.insert(figures.end(), {{"cd", cd}, {"cl", cl}});
    text += message("; drag {:.5g}, lift {:.5g}", cd, cl);
  }
  outcome.lines.push_back(text);
  const real apart = norm(last_.in_fluid - force);
  outcome.lines.push_back(message("           by the balance of the fluid: {:.6g}, {:.6g}; {:.2g} % apart",
                                  last_.in_fluid.x, last_.in_fluid.y, norm(force) > 0 ? 100 * apart / norm(force) : 0));
  const TimeSeries drag_of_run = along(settings_.drag), lift_of_run = along(settings_.lift);
  if (const auto period = last_periods(lift_of_run)) {
    for (const auto& [name, series] : {std::pair("drag", &drag_of_run), std::pair("lift", &lift_of_run)}) {
      const Range range = series->range(period->begin, period->end);
      const std::string of = settings_.reference ? (series == &drag_of_run ? "cd" : "cl") : name;
      figures.insert(figures.end(), {{of + "_mean", series->mean(period->begin, period->end)},
                                     {of + "_min", range.low},
                                     {of + "_max", range.high}});
    }
    figures.push_back({"frequency", period->frequency()});
    std::string of_periods = message("           in {} periods of {:.5g} s: ", period->count, 1 / period->frequency());
    const Range drag = drag_of_run.range(period->begin, period->end),
                lift = lift_of_run.range(period->begin, period->end);
    of_periods += message("drag {:.5g} to {:.5g}, lift {:.5g} to {:.5g}", drag.low, drag.high, lift.low, lift.high);
    if (settings_.reference && mesh_.dimension() == 2) {
      const double strouhal = period->frequency() * settings_.reference->area / settings_.reference->velocity;
      figures.push_back({"strouhal", strouhal});
      of_periods += message(", Strouhal number {:.4g}", strouhal);
    }
    outcome.lines.push_back(of_periods);
  }
  outcome.figures.push_back({"forces", settings_.name, figures});
}

}  // namespace solenoid
