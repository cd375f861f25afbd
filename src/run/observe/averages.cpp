#include "run/observe/averages.hpp"

#include <algorithm>
#include <iterator>

#include "case/case_file.hpp"
#include "run/observe/earlier_average.hpp"
#include "run/observe/field_sink.hpp"
#include "run/observe/patch_sinks.hpp"

namespace solenoid {

namespace {

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
  AverageSink(const LocalMesh& mesh, Average& average, FieldSeries where)
      : mesh_(mesh), average_(average), on_boundary_(chosen(average.quantities(), true)) {
    const std::vector<Quantity> on_mesh = chosen(average.quantities(), false);
    where.folder = "averages", where.name = average.settings().name;
    if (!on_mesh.empty()) fields_.emplace(mesh, on_mesh, std::move(where));
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
    : SampledMeans({"average", settings.name, settings.from, settings.every_steps}), settings_(settings) {
  if (!settings.patches.empty()) faces_.emplace(mesh, places_of_patches(mesh, settings.patches));
  for (const Quantity& quantity : for_fields(all, settings.fields)) {
    if (AveragedQuantity::takes(quantity.info)) {
      quantities_.push_back(AveragedQuantity::of(mesh, quantity, settings.variance));
    } else if (faces_) {
      quantities_.push_back(averaged_on_patches(*faces_, quantity, settings.variance));
    }
  }
  for (const auto& quantity : quantities_) add(*quantity);
}

std::vector<Quantity> Average::quantities() const {
  std::vector<Quantity> all;
  for (const auto& averaged : quantities_) {
    for (Quantity& quantity : averaged->quantities()) all.push_back(std::move(quantity));
  }
  return all;
}

void Average::go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say) {
  if (!is_begun_by(time)) return;
  for (Part& part : parts()) {
    const std::string fault = take_over(mesh, earlier, time, part);
    const std::string& name = part.sampled->name();
    say(fault.empty() ? message("  average  {}: {} goes on from {}, which has it from t = {:.6g} s on", settings_.name,
                                name, earlier.name(), part.first)
                      : message("  average  {}: {} begins at t = {:.6g} s: {}", settings_.name, name, time, fault));
  }
}

/// Returns why there is nothing to go on from; empty: the part goes on.
std::string Average::take_over(const LocalMesh& mesh, const EarlierFields& earlier, real time, Part& part) {
  const std::string& quantity = part.sampled->name();
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
  part.sampled->visit_state("", state);
  fault = part.sampled->fault();
  if (!state.has_mean()) fault = message("{} has none at nodes or in cells", earlier.name());
  if (!is_of_now && !state.has_last()) fault = message("that of {} ends at t = {:.6g} s", earlier.name(), past->last);
  if (!fault.empty()) {
    part.sampled->begin_anew();
    return fault;
  }
  part.samples = past->samples - (is_of_now ? 1 : 0);  // the first sample of this run is of the same time
  part.first = static_cast<real>(past->first);
  part.last = is_of_now ? time : static_cast<real>(past->last);
  return "";
}

Averages::Averages(const LocalMesh& mesh, const std::vector<AverageSettings>& settings,
                   const std::vector<Quantity>& all, const MemoryOf& /*scope*/) {
  for (const AverageSettings& one : settings) averages_.push_back(std::make_unique<Average>(mesh, one, all));
}

Averages::Averages(const LocalMesh& mesh, const Case& wanted, const std::vector<Quantity>& all, const MemoryOf& scope)
    : Averages(mesh, wanted.averages, all, scope) {
  for (const ProfileSettings& one : wanted.profiles) {
    profiles_.push_back(std::make_unique<Profile>(mesh, *wanted.setup, one, all));
  }
}

std::vector<SampledMeans*> Averages::all() const {
  std::vector<SampledMeans*> all;
  for (const auto& average : averages_) all.push_back(average.get());
  for (const auto& profile : profiles_) all.push_back(profile.get());
  return all;
}

void Averages::sample(int step, real time) {
  for (SampledMeans* const means : all()) means->sample(step, time);
}

void Averages::visit_state(StateVisitor& visitor) {
  for (SampledMeans* const means : all()) means->visit_state(visitor);
}

void Averages::go_on(real time, const OutputList::Say& say) {
  for (SampledMeans* const means : all()) means->go_on(time, say);
}

void Averages::go_on_from(const LocalMesh& mesh, const EarlierFields& earlier, real time, const OutputList::Say& say) {
  for (const auto& average : averages_) average->go_on_from(mesh, earlier, time, say);
}

real Averages::next(real time, real end) const {
  for (const SampledMeans* const means : all()) end = means->next(time, end);
  return end;
}

std::vector<Quantity> Averages::quantities() const {
  std::vector<Quantity> all;
  for (const auto& average : averages_) {
    for (Quantity& quantity : average->quantities()) all.push_back(std::move(quantity));
  }
  return all;
}

std::vector<std::unique_ptr<Sink>> Averages::sinks(const LocalMesh& mesh, const FieldSeries& fields) const {
  std::vector<std::unique_ptr<Sink>> all;
  for (const auto& average : averages_) all.push_back(std::make_unique<AverageSink>(mesh, *average, fields));
  for (const auto& profile : profiles_) all.push_back(profile->sink(mesh));
  return all;
}

}  // namespace solenoid
