#include "run/averages.hpp"

#include <algorithm>

#include "run/field_sink.hpp"

namespace solenoid {

namespace {

constexpr real round_off = 1e-9;

/// Writes an average from its first sample on.
class AverageSink : public FieldSink {
 public:
  AverageSink(const LocalMesh& mesh, const Average& average, FieldFormat format)
      : FieldSink(mesh, average.quantities(), FieldSeries{format, "averages", average.settings().name}),
        average_(average) {}

  void write(int step, real time) override {
    if (average_.has_begun()) FieldSink::write(step, time);
  }
  std::vector<std::string> write_without_solves(int step, real time) override {
    write(step, time);
    return {};
  }
  void conclude(ModelOutcome& outcome) const override { average_.conclude(outcome); }

 private:
  const Average& average_;
};

}  // namespace

Average::Average(const LocalMesh& mesh, const AverageSettings& settings, const std::vector<Quantity>& all)
    : settings_(settings) {
  for (const Quantity& quantity : for_fields(all, settings.fields)) {
    if (AveragedQuantity::takes(quantity.info))
      averaged_.push_back(AveragedQuantity::of(mesh, quantity, settings.variance));
  }
}

void Average::sample(int step, real time) {
  const bool is_due = time >= static_cast<real>(settings_.from) * (1 - round_off) && step % settings_.every_steps == 0;
  if (!is_due) return;
  for (const auto& averaged : averaged_) averaged->sample(has_begun() ? time - last_ : 0);
  if (!has_begun()) first_ = time;
  last_ = time;
  ++samples_;
}

std::vector<Quantity> Average::quantities() const {
  std::vector<Quantity> all;
  for (const auto& averaged : averaged_) {
    for (Quantity& quantity : averaged->quantities()) all.push_back(std::move(quantity));
  }
  return all;
}

void Average::visit_state(StateVisitor& visitor) {
  const std::string name = "average_" + settings_.name + "_";
  visitor.number(name + "samples", samples_);
  visitor.number(name + "first", first_);
  visitor.number(name + "last", last_);
  for (const auto& averaged : averaged_) averaged->visit_state(name, visitor);
}

void Average::conclude(ModelOutcome& outcome) const {
  std::vector<std::pair<std::string, double>> times{{"samples", static_cast<double>(samples_)}};
  if (has_begun()) times.insert(times.end(), {{"from", first_}, {"to", last_}});
  outcome.figures.push_back({"averages", settings_.name, times});
  if (!has_begun()) {
    outcome.warnings.push_back(message("[[average]] {}: the run ended before it began, at {:.6g} s: there is none",
                                       settings_.name, settings_.from));
  }
}

Averages::Averages(const LocalMesh& mesh, const std::vector<AverageSettings>& settings,
                   const std::vector<Quantity>& all) {
  for (const AverageSettings& one : settings) averages_.push_back(std::make_unique<Average>(mesh, one, all));
}

void Averages::sample(int step, real time) {
  for (const auto& average : averages_) average->sample(step, time);
}

void Averages::visit_state(StateVisitor& visitor) {
  for (const auto& average : averages_) average->visit_state(visitor);
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
