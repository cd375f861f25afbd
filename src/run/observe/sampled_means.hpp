/// Means over time of several quantities, from samples in a run: of [[average]] and [[profile]].
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/output_folder.hpp"
#include "model/model.hpp"
#include "model/time_average.hpp"

namespace solenoid {

/// Samples quantities from a time on, each `every_steps`. All functions are collective unless noted.
class SampledMeans {
 public:
  struct Settings {
    std::string kind, name;  ///< "average" of [[average]]; of the entry
    double from = 0;         ///< time of the first sample [s]
    int every_steps = 1;     ///< between samples
  };
  explicit SampledMeans(Settings settings) : settings_(std::move(settings)) {}
  virtual ~SampledMeans() = default;
  SampledMeans(const SampledMeans&) = delete;
  SampledMeans& operator=(const SampledMeans&) = delete;

  /// Adds the state after `step` (0: the start) at `time` [s], if a sample is due; the first is due at `from`.
  void sample(int step, real time);
  bool has_begun() const;
  /// Calls `work` with means up to the current `time` [s]; later samples are unaffected.
  void look(real time, const std::function<void()>& work);
  void visit_state(StateVisitor& visitor);
  /// Call after a restart at `time` [s]. Means that began before `from`, are faulty by SampledQuantity::fault(), or are
  /// missing from the restored state begin anew. Reports that to `say`.
  void go_on(real time, const OutputList::Say& say);
  /// Adds its times to the summary. Not collective.
  void conclude(ModelOutcome& outcome) const;
  /// The next time after `time` that a step must end at [s]: that of the first sample, or `end`. Not collective.
  real next(real time, real end) const;

 protected:
  static constexpr real round_off = 1e-9;  // of times
  struct Part {
    SampledQuantity* sampled;
    std::int64_t samples = 0;
    real first = 0, last = 0;  // times of samples [s]
    void sample(real time);
  };
  bool is_begun_by(real time) const;
  void add(SampledQuantity& quantity) { parts_.push_back({&quantity}); }
  std::vector<Part>& parts() { return parts_; }

 private:
  Settings settings_;
  std::vector<Part> parts_;
  real shown_ = 0;  // time of the last look() [s]
};

}  // namespace solenoid
