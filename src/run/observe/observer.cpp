#include "run/observe/observer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "case/case_file.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/field_sink.hpp"
#include "run/observe/patch_sinks.hpp"
#include "run/observe/point_sinks.hpp"
#include "run/observe/section_sink.hpp"
#include "run/observe/surface_sink.hpp"
#include "run/observe/tracers.hpp"

namespace solenoid {

OutputTimes::OutputTimes(OutputSettings output, double end)
    : output_(std::move(output)), end_(static_cast<real>(end)), slack_(1e-9 * end_) {}

real OutputTimes::next(real time) const {
  real target = end_;
  if (output_.every) {
    const real every = static_cast<real>(*output_.every);
    target = std::min(target, every * (std::floor((time + slack_) / every) + 1));
  }
  for (double chosen : output_.times) {
    if (chosen > time + slack_) return std::min(target, static_cast<real>(chosen));
  }
  return target;
}

bool OutputTimes::is_due(int step, real time) const {
  if (output_.every_steps && step % *output_.every_steps == 0) return true;
  if (output_.every) {
    const real every = static_cast<real>(*output_.every);
    if (std::abs(time - every * std::round(time / every)) <= slack_) return true;
  }
  return std::any_of(output_.times.begin(), output_.times.end(),
                     [&](double chosen) { return std::abs(time - chosen) <= slack_; });
}

namespace {

template <class Unasked>
std::vector<Quantity> chosen(const std::vector<Quantity>& quantities, const std::vector<std::string>& words,
                             const Unasked& unasked) {
  std::vector<Quantity> result;
  for (const Quantity& quantity : quantities) {
    const bool is_asked_for = std::find(words.begin(), words.end(), quantity.info.field) != words.end();
    if (is_asked_for || unasked(quantity.info)) result.push_back(quantity);
  }
  return result;
}

}  // namespace

std::vector<Quantity> for_fields(const std::vector<Quantity>& quantities, const std::vector<std::string>& words) {
  return chosen(quantities, words, [](const QuantityInfo& info) { return info.field.empty(); });
}

std::vector<Quantity> for_lines(const std::vector<Quantity>& quantities, const std::vector<std::string>& words) {
  return chosen(quantities, words, [](const QuantityInfo& info) { return info.on_every_line; });
}

std::vector<std::string> remove_solves(std::vector<Quantity>& quantities) {
  std::vector<std::string> fields;
  for (const Quantity& quantity : quantities) {
    const bool is_new = std::find(fields.begin(), fields.end(), quantity.info.field) == fields.end();
    if (quantity.takes_a_solve && is_new) fields.push_back(quantity.info.field);
  }
  std::erase_if(quantities, [](const Quantity& quantity) { return quantity.takes_a_solve; });
  return fields;
}

std::vector<Observer> observers_of(const Case& wanted, const LocalMesh& mesh, Model& model, const Averages& averages,
                                   Tracers& tracers) {
  const std::string file = wanted.file.string();
  const double end = wanted.setup->time ? wanted.setup->time->end : 0;
  const std::vector<Quantity> all = model.quantities();
  std::vector<Observer> observers;
  const auto every = [end](int steps) {
    OutputSettings schedule;
    schedule.every_steps = steps;
    return OutputTimes(schedule, end);
  };
  for (const ProbeSettings& probe : wanted.probes) {
    observers.push_back({every(probe.every_steps), false, false,
                         std::make_unique<ProbeSink>(file, probe, mesh, for_fields(all, probe.fields))});
  }
  for (const IntegralSettings& integral : wanted.integrals) {
    observers.push_back(
        {every(integral.every_steps), false, false, std::make_unique<IntegralSink>(integral, mesh, all)});
  }
  for (const ForceSettings& force : wanted.forces) {
    observers.push_back(
        {every(force.every_steps), true, false, std::make_unique<ForceSink>(force, model.fluid_mesh(mesh), model)});
  }
  for (const SectionSettings& section : wanted.sections) {
    observers.push_back({every(section.every_steps), false, false,
                         std::make_unique<SectionSink>(file, section, mesh, wanted.setup->solids(), all)});
  }
  const OutputTimes times(wanted.output, end);
  FieldSeries fields{wanted.output.format};
  fields.name = "fields";
  if (!wanted.output.shown.are_all()) fields.cells = find_shown_cells(mesh, wanted.output.shown, file + ": [output]");
  observers.push_back(
      {times, true, true, std::make_unique<FieldSink>(mesh, for_fields(all, wanted.output.fields), fields)});
  for (const LineSettings& line : wanted.lines) {
    observers.push_back(
        {times, true, true, std::make_unique<LineSink>(file, line, mesh, for_lines(all, wanted.output.fields))});
  }
  for (auto& sink : averages.sinks(mesh, fields)) observers.push_back({times, true, true, std::move(sink)});
  const auto add = [&](const std::optional<int>& steps, std::unique_ptr<Sink> sink) {
    observers.push_back({steps ? every(*steps) : times, true, !steps, std::move(sink)});
  };
  const auto add_surface = [&](const auto& settings) {
    add(settings.every_steps, std::make_unique<SurfaceSink>(*wanted.setup, settings, mesh, all));
  };
  for (const PlaneSettings& plane : wanted.planes) add_surface(plane);
  for (const IsosurfaceSettings& isosurface : wanted.isosurfaces) add_surface(isosurface);
  std::vector<std::unique_ptr<Sink>> sinks = tracers.sinks();
  for (std::size_t k = 0; k < sinks.size(); ++k) add(wanted.tracers[k].every_steps, std::move(sinks[k]));
  return observers;
}

}  // namespace solenoid
