#include "run/observe/averages.hpp"

#include <algorithm>

#include "run/observe/field_sink.hpp"

namespace solenoid {

namespace {

constexpr real round_off = 1e-9;

/// Writes an average from its first sample on.
class AverageSink : public FieldSink {
 public:
  AverageSink(const LocalMesh& mesh, Average& average, FieldFormat format)
      : FieldSink(mesh, average.quantities(), FieldSeries{format, "averages", average.settings().name}),
        average_(average) {}

  void write(int step, real time) override {
    if (average_.has_begun()) average_.look(time, [&] { FieldSink::write(step, time); });
  }
  std::vector<std::string> write_without_solves(int step, real time) override {
    if (average_.has_begun()) FieldSink::write(step, time);
    return {};
  }
  void conclude(ModelOutcome& outcome) const override { average_.conclude(outcome); }

 private:
  Average& average_;
};

}  // namespace

Average::Average(const LocalMesh& mesh, const AverageSettings& settings, const std::vector<Quantity>& all)
    : settings_(settings) {
  for (const Quantity& quantity : for_fields(all, settings.fields)) {
    if (AveragedQuantity::takes(quantity.info))
      parts_.push_back({AveragedQuantity::of(mesh, quantity, settings.variance)});
  }
}

void Average::Part::sample(real time) {
  averaged->sample(samples > 0 ? time - last : 0);
  if (samples == 0) first = time;
  last = time;
  ++samples;
}

bool Average::is_begun_by(real time) const { return time >= from() * (1 - round_off); }

void Average::sample(int step, real time) {
  if (!is_begun_by(time)) return;
  for (Part& part : parts_) {
    if (part.samples == 0 || step % settings_.every_steps == 0) part.sample(time);
  }
}

bool Average::has_begun() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.samples > 0; });
}

void Average::look(real time, const std::function<void()>& work) {
  std::vector<AveragedQuantity*> ahead;
  for (const Part& part : parts_) {
    if (part.samples == 0 || part.last >= time) continue;
    part.averaged->sample_for_output(time - part.last);
    ahead.push_back(part.averaged.get());
  }
  work();
  for (AveragedQuantity* const averaged : ahead) averaged->restore();
  shown_ = time;
}

std::vector<Quantity> Average::quantities() const {
  std::vector<Quantity> all;
  for (const Part& part : parts_) {
    for (Quantity& quantity : part.averaged->quantities()) all.push_back(std::move(quantity));
  }
  return all;
}

void Average::visit_state(StateVisitor& visitor) {
  for (Part& part : parts_) {
    const std::string name = "average_" + settings_.name + "_" + part.averaged->name();
    visitor.number(name + "_samples", part.samples);
    visitor.number(name + "_first_time", part.first);
    visitor.number(name + "_last_time", part.last);
    part.averaged->visit_state(name, visitor);
  }
}

void Average::go_on(real time, const OutputList::Say& say) {
  const auto tell = [&](const Part& part, const std::string& what) {
    say(message("  average  {}: {} {}", settings_.name, part.averaged->name(), what));
  };
  const real begin = is_begun_by(time) ? time : from();
  for (Part& part : parts_) {
    const bool is_new = part.samples == 0;
    const char* const reason = is_new                            ? ""
                               : !is_begun_by(part.first)        ? ": the samples so far began before `from`"
                               : !part.averaged->is_consistent() ? ": the samples so far have no variance"
                                                                 : nullptr;
    if (!reason) {
      if (part.first > from() * (1 + round_off))
        tell(part, message("has nothing from before t = {:.6g} s", part.first));
      continue;
    }
    if (!is_new) part.averaged->begin_anew();
    part.samples = 0;
    if (begin == time) part.sample(time);
    if (!is_new || begin == time) tell(part, message("begins at t = {:.6g} s{}", begin, reason));
  }
}

void Average::conclude(ModelOutcome& outcome) const {
  std::vector<std::pair<std::string, double>> times;
  const auto begun_earlier = [](const Part& a, const Part& b) {
    return a.samples > 0 && (b.samples == 0 || a.first < b.first);
  };
  const auto earliest = std::min_element(parts_.begin(), parts_.end(), begun_earlier);
  if (!has_begun()) {
    times = {{"samples", 0}};
    outcome.warnings.push_back(message("[[average]] {}: the run ended before it began, at {:.6g} s: there is none",
                                       settings_.name, settings_.from));
  } else {
    const real to = std::max(earliest->last, shown_);
    times = {{"samples", static_cast<double>(earliest->samples + (to > earliest->last ? 1 : 0))},
             {"from", earliest->first},
             {"to", to}};
    for (const Part& part : parts_) {
      if (part.first > earliest->first) times.emplace_back("from_" + part.averaged->name(), part.first);
    }
  }
  outcome.figures.push_back({"averages", settings_.name, times});
}

Averages::Averages(const LocalMesh& mesh, const std::vector<AverageSettings>& settings,
                   const std::vector<Quantity>& all, const MemoryOf& /*scope*/) {
  for (const AverageSettings& one : settings) averages_.push_back(std::make_unique<Average>(mesh, one, all));
}

void Averages::sample(int step, real time) {
  for (const auto& average : averages_) average->sample(step, time);
}

void Averages::visit_state(StateVisitor& visitor) {
  for (const auto& average : averages_) average->visit_state(visitor);
}

void Averages::go_on(real time, const OutputList::Say& say) {
  for (const auto& average : averages_) average->go_on(time, say);
}

real Averages::next(real time, real end) const {
  for (const auto& average : averages_) {
    const real from = static_cast<real>(average->settings().from);
    if (from > time + round_off * end) end = std::min(end, from);
  }
  return end;
}

std::vector<Quantity> Averages::quantities() const {
  std::vector<Quantity> all;
  for (const auto& average : averages_) {
    for (Quantity& quantity : average->quantities()) all.push_back(std::move(quantity));
  }
  return all;
}

std::vector<std::unique_ptr<Sink>> Averages::sinks(const LocalMesh& mesh, FieldFormat format) const {
  std::vector<std::unique_ptr<Sink>> all;
  for (const auto& average : averages_) all.push_back(std::make_unique<AverageSink>(mesh, *average, format));
  return all;
}

}  // namespace solenoid
