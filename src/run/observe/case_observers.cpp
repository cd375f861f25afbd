#include "run/observe/case_observers.hpp"

#include "run/observe/field_sink.hpp"
#include "run/observe/force_sink.hpp"
#include "run/observe/integral_sink.hpp"
#include "run/observe/point_sinks.hpp"

namespace solenoid {

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
  const OutputTimes times(wanted.output, end);
  observers.push_back({times, true, true,
                       std::make_unique<FieldSink>(mesh, for_fields(all, wanted.output.fields),
                                                   FieldSeries{wanted.output.format, "", "fields"})});
  for (const LineSettings& line : wanted.lines) {
    observers.push_back(
        {times, true, true, std::make_unique<LineSink>(file, line, mesh, for_lines(all, wanted.output.fields))});
  }
  for (auto& sink : averages.sinks(mesh, wanted.output.format))
    observers.push_back({times, true, true, std::move(sink)});
  std::vector<std::unique_ptr<Sink>> sinks = tracers.sinks();
  for (std::size_t k = 0; k < sinks.size(); ++k) {
    const std::optional<int>& steps = wanted.tracers[k].every_steps;
    observers.push_back({steps ? every(*steps) : times, true, !steps, std::move(sinks[k])});
  }
  return observers;
}

}  // namespace solenoid
