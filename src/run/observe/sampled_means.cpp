#include "run/observe/sampled_means.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

void SampledMeans::Part::sample(real time) {
  sampled->sample(samples > 0 ? time - last : 0);
  if (samples == 0) first = time;
  last = time;
  ++samples;
}

bool SampledMeans::is_begun_by(real time) const { return time >= static_cast<real>(settings_.from) * (1 - round_off); }

void SampledMeans::sample(int step, real time) {
  if (!is_begun_by(time)) return;
  for (Part& part : parts_) {
    if (part.samples == 0 || step % settings_.every_steps == 0) part.sample(time);
  }
}

bool SampledMeans::has_begun() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.samples > 0; });
}

void SampledMeans::look(real time, const std::function<void()>& work) {
  std::vector<SampledQuantity*> ahead;
  for (const Part& part : parts_) {
    if (part.samples == 0 || part.last >= time) continue;
    part.sampled->sample_for_output(time - part.last);
    ahead.push_back(part.sampled);
  }
  work();
  for (SampledQuantity* const sampled : ahead) sampled->restore();
  shown_ = time;
}

void SampledMeans::visit_state(StateVisitor& visitor) {
  for (Part& part : parts_) {
    const std::string name = message("{}_{}_{}", settings_.kind, settings_.name, part.sampled->name());
    visitor.number(name + "_samples", part.samples);
    visitor.number(name + "_first_time", part.first);
    visitor.number(name + "_last_time", part.last);
    part.sampled->visit_state(name, visitor);
  }
}

void SampledMeans::go_on(real time, const OutputList::Say& say) {
  const auto tell = [&](const Part& part, const std::string& what) {
    say(message("  {:<7}  {}: {} {}", settings_.kind, settings_.name, part.sampled->name(), what));
  };
  const real from = static_cast<real>(settings_.from), begin = is_begun_by(time) ? time : from;
  for (Part& part : parts_) {
    const bool is_new = part.samples == 0;
    const std::string fault = is_new                     ? ""
                              : !is_begun_by(part.first) ? "the samples so far began before `from`"
                                                         : part.sampled->fault();
    if (!is_new && fault.empty()) {
      if (part.first > from * (1 + round_off)) tell(part, message("has nothing from before t = {:.6g} s", part.first));
      continue;
    }
    if (!is_new) part.sampled->begin_anew();
    part.samples = 0;
    if (begin == time) part.sample(time);
    if (!is_new || begin == time)
      tell(part, message("begins at t = {:.6g} s{}{}", begin, fault.empty() ? "" : ": ", fault));
  }
}

real SampledMeans::next(real time, real end) const {
  const real from = static_cast<real>(settings_.from);
  return from > time + round_off * end ? std::min(end, from) : end;
}

void SampledMeans::conclude(ModelOutcome& outcome) const {
  std::vector<std::pair<std::string, double>> times;
  const auto begun_earlier = [](const Part& a, const Part& b) {
    return a.samples > 0 && (b.samples == 0 || a.first < b.first);
  };
  const auto earliest = std::min_element(parts_.begin(), parts_.end(), begun_earlier);
  if (!has_begun()) {
    times = {{"samples", 0}};
    outcome.warnings.push_back(message("[[{}]] {}: the run ended before it began, at {:.6g} s: there is none",
                                       settings_.kind, settings_.name, settings_.from));
  } else {
    const real to = std::max(earliest->last, shown_);
    times = {{"samples", static_cast<double>(earliest->samples + (to > earliest->last ? 1 : 0))},
             {"from", earliest->first},
             {"to", to}};
    for (const Part& part : parts_) {
      if (part.first > earliest->first) times.emplace_back("from_" + part.sampled->name(), part.first);
    }
  }
  outcome.figures.push_back({settings_.kind + "s", settings_.name, times});
}

}  // namespace solenoid
