/// Time averages of a case: [[average]].
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "case/case_settings.hpp"
#include "model/averaged_quantity.hpp"
#include "run/observe/observer.hpp"

namespace solenoid {

/// One of them: what it averages, since when, up to which sample. Everything is collective.
class Average {
 public:
  /// `all`: what the model can show; outlives this.
  Average(const LocalMesh& mesh, const AverageSettings& settings, const std::vector<Quantity>& all);

  /// Adds the state after `step` (0: the start) at `time` [s], where one is due: `from` is the first.
  void sample(int step, real time);
  bool has_begun() const;
  /// Calls `work` with quantities() up to `time` [s], which is now. Samples come as if nobody had looked.
  void look(real time, const std::function<void()>& work);
  std::vector<Quantity> quantities() const;
  void visit_state(StateVisitor& visitor);
  /// Where a run goes on at `time` [s] from a state that was brought back: what is not of this average, since it began
  /// before `from` or lacks the variance, begins anew, as does what the state has nothing of. Tells `say`.
  void go_on(real time, const OutputList::Say& say);
  /// Adds its times to the summary. Not collective.
  void conclude(ModelOutcome& outcome) const;

  const AverageSettings& settings() const { return settings_; }

 private:
  struct Part {
    std::unique_ptr<AveragedQuantity> averaged;
    std::int64_t samples = 0;
    real first = 0, last = 0;  // times of samples [s]
    void sample(real time);
  };
  real from() const { return static_cast<real>(settings_.from); }
  bool is_begun_by(real time) const;

  AverageSettings settings_;
  std::vector<Part> parts_;
  real shown_ = 0;  // when somebody last looked [s]
};

/// All of them.
class Averages {
 public:
  Averages(const LocalMesh& mesh, const std::vector<AverageSettings>& settings, const std::vector<Quantity>& all);

  void sample(int step, real time);
  void visit_state(StateVisitor& visitor);
  void go_on(real time, const OutputList::Say& say);
  /// The next time after `time` for a step to land on [s]: one where an average begins, or `end`.
  real next(real time, real end) const;
  std::vector<Quantity> quantities() const;  ///< of all of them
  /// Sinks that write each as a series, averages/NAME.pvd or .vtkhdf; this outlives them.
  std::vector<std::unique_ptr<Sink>> sinks(const LocalMesh& mesh, FieldFormat format) const;

 private:
  std::vector<std::unique_ptr<Average>> averages_;
};

}  // namespace solenoid
