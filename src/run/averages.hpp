/// The averages over time that a case asks for: [[average]].
#pragma once

#include <memory>
#include <vector>

#include "case/case_settings.hpp"
#include "physics/averaged_quantity.hpp"
#include "run/observer.hpp"

namespace solenoid {

/// One of them: what it averages, since when, up to which sample. Everything is collective.
class Average {
 public:
  /// `all`: what the model can show; outlives this.
  Average(const LocalMesh& mesh, const AverageSettings& settings, const std::vector<Quantity>& all);

  /// Adds the state after `step` (0: the start) at `time` [s], where one is due.
  void sample(int step, real time);
  bool has_begun() const { return samples_ > 0; }
  std::vector<Quantity> quantities() const;
  void visit_state(StateVisitor& visitor);
  /// Adds its times to the summary. Not collective.
  void conclude(ModelOutcome& outcome) const;

  const AverageSettings& settings() const { return settings_; }

 private:
  AverageSettings settings_;
  std::vector<std::unique_ptr<AveragedQuantity>> averaged_;
  std::int64_t samples_ = 0;
  real first_ = 0, last_ = 0;  // times of samples [s]
};

/// All of them.
class Averages {
 public:
  Averages(const LocalMesh& mesh, const std::vector<AverageSettings>& settings, const std::vector<Quantity>& all);

  void sample(int step, real time);
  void visit_state(StateVisitor& visitor);
  /// The next time after `time` for a step to land on [s]: one where an average begins, or `end`.
  real next(real time, real end) const;
  std::vector<Quantity> quantities() const;  ///< of all of them
  /// Sinks that write each as a series, averages/NAME.pvd or .vtkhdf; this outlives them.
  std::vector<std::unique_ptr<Sink>> sinks(const LocalMesh& mesh, FieldFormat format) const;

 private:
  std::vector<std::unique_ptr<Average>> averages_;
};

}  // namespace solenoid
