/// Schedules of outputs: times that steps land on, or every so many steps.
#pragma once

#include "case/case_settings.hpp"

namespace solenoid {

/// The outputs of the settings, except those at the start and the end of the run.
class OutputTimes {
 public:
  /// `end`: of the run [s].
  OutputTimes(OutputSettings output, double end);

  /// The same schedule for a run that ends at `end` [s].
  OutputTimes until(double end) const { return {output_, end}; }

  /// The next time after `time` that a step must end at [s]: an output or the end.
  real next(real time) const;

  /// Whether an output is due after `step`, which ended at `time` [s].
  bool is_due(int step, real time) const;

 private:
  OutputSettings output_;
  real end_, slack_;
};

}  // namespace solenoid
