#include "run/observe/averages.hpp"

#include <algorithm>
#include <iterator>

#include "run/observe/earlier_average.hpp"
#include "run/observe/field_sink.hpp"
#include "run/observe/patch_sinks.hpp"

namespace solenoid {

namespace {

constexpr real round_off = 1e-9;

/// Those on the mesh, or those on its boundary.
std::vector<Quantity> chosen(const std::vector<Quantity>& all, bool on_boundary) {
  std::vector<Quantity> result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result), [on_boundary](const Quantity& quantity) {
    return on_boundary ? quantity.info.is_shown_on_patches() : AveragedQuantity::takes(quantity.info);
  });
  return result;
}

/// Writes an average from its first sample on.
class AverageSink : public Sink {
 public:
  AverageSink(const LocalMesh& mesh, Average& average, FieldFormat format)
      : mesh_(mesh), average_(average), on_boundary_(chosen(average.quantities(), true)) {
    const std::vector<Quantity> on_mesh = chosen(average.quantities(), false);
    if (!on_mesh.empty()) fields_.emplace(mesh, on_mesh, FieldSeries{format, "averages", average.settings().name});
  }

  void open(const OutputFolder& folder) override {
    folder_ = folder;
    if (fields_) fields_->open(folder);
  }
  void write(int step, real time) override {
    if (average_.has_begun()) average_.look(time, [&] { write_mean(step, time); });
  }
  std::vector<std::string> write_without_solves(int step, real time) override {
    if (average_.has_begun()) write_mean(step, time);
    return {};
  }
  void conclude(ModelOutcome& outcome) const override { average_.conclude(outcome); }

 private:
  void write_mean(int step, real time) {
    if (fields_) fields_->write(step, time);
    if (average_.patches().empty()) return;
    PatchQuantities on_patches;
    for (const Quantity& quantity : on_boundary_) {
      const bool is_at_nodes = quantity.info.at == ValuesAt::nodes;
      (is_at_nodes ? on_patches.at_nodes : on_patches.at_faces)
          .push_back({quantity.info.name, quantity.info.components, to_host(quantity.evaluate())});
    }
    write_patches(folder_.in("averages"), average_.settings().name, mesh_, on_patches, average_.patches());
  }

  const LocalMesh& mesh_;
  Average& average_;
  std::vector<Quantity> on_boundary_;
  std::optional<FieldSink> fields_;
  OutputFolder folder_;
};

}  // namespace

Average::Average(const LocalMesh& mesh, const AverageSettings& settings, const std::vector<Quantity>& all)
    : settings_(settings) {
  if (!settings.patches.empty()) faces_.emplace(mesh, places_of_patches(mesh, settings.patches));
  for (const Quantity& quantity : for_fields(all, settings.fields)) {
    if (AveragedQuantity::takes(quantity.info)) {
      parts_.push_back({AveragedQuantity::of(mesh, quantity, settings.variance)});
    } else if (faces_) {
      parts_.push_back({averaged_on_patches(*faces_, quantity, settings.variance)});
    }
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
    const std::string fault = is_new                     ? ""
                              : !is_begun_by(part.first) ? "the samples so far began before `from`"
                                                         : part.averaged->fault();
    if (!is_new && fault.empty()) {
      if (part.first > from() * (1 + round_off))
        tell(part, message("has nothing from before t = {:.6g} s", part.first));
      continue;
    }
    if (!is_new) part.averaged->begin_anew();
    part.samples = 0;
    if (begin == time) part.sample(time);
    if (!is_new || begin == time)
      tell(part, message("begins at t = {:.6g} s{}{}", begin, fault.empty() ? "" : ": ", fault));
  }
}

void Average::go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say) {
  if (!is_begun_by(time)) return;
  for (Part& part : parts_) {
    const std::string fault = take_over(mesh, earlier, time, part);
    const std::string& name = part.averaged->name();
    say(fault.empty() ? message("  average  {}: {} goes on from {}, which has it from t = {:.6g} s on", settings_.name,
                                name, earlier.name(), part.first)
                      : message("  average  {}: {} begins at t = {:.6g} s: {}", settings_.name, name, time, fault));
  }
}

/// Returns why there is nothing to go on from; empty: the part goes on.
std::string Average::take_over(const LocalMesh& mesh, const EarlierFields& earlier, real time, Part& part) {
  const std::string& quantity = part.averaged->name();
  std::optional<EarlierAverage> past;
  std::string fault;
  mesh.comm().guard([&] {
    past = earlier.average(settings_.name, quantity);
    fault = earlier.fault_of_average(settings_.name);
  });
  if (!past) return fault.empty() ? message("{} has none at nodes or in cells", earlier.name()) : fault;
  const bool is_of_now = past->last >= time * (1 - round_off);
  if (!is_begun_by(static_cast<real>(past->first))) {
    return message("that of {} began before `from`, at t = {:.6g} s", earlier.name(), past->first);
  }
  EarlierAverageState state(mesh, earlier, settings_.name, quantity, *past);
  part.averaged->visit_state("", state);
  fault = part.averaged->fault();
  if (!state.has_mean()) fault = message("{} has none at nodes or in cells", earlier.name());
  if (!is_of_now && !state.has_last()) fault = message("that of {} ends at t = {:.6g} s", earlier.name(), past->last);
  if (!fault.empty()) {
    part.averaged->begin_anew();
    return fault;
  }
  part.samples = past->samples - (is_of_now ? 1 : 0);  // the first sample of this run is of the same time
  part.first = static_cast<real>(past->first);
  part.last = is_of_now ? time : static_cast<real>(past->last);
  return "";
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

void Averages::go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say) {
  for (const auto& average : averages_) average->go_on_from(mesh, earlier, time, say);
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
