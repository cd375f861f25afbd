/// Time series and their periods.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/state_visitor.hpp"

namespace solenoid {

struct Range {
  double low = 0, high = 0;
};

class TimeSeries {
 public:
  void add(double time, double value);
  void visit_state(const std::string& name, StateVisitor& visitor) {
    visitor.list(name + "_times", time_);
    visitor.list(name, value_);
  }
  double last() const { return value_.empty() ? 0 : value_.back(); }
  const std::vector<double>& times() const { return time_; }
  const std::vector<double>& values() const { return value_; }

  // Between two times [s]: the extremes of the parabolas through three neighbouring values, and the mean by the
  // trapezoidal rule.
  Range range(double begin, double end) const;
  double mean(double begin, double end) const;

 private:
  std::size_t first_from(double time) const;
  std::vector<double> time_, value_;
};

/// Whole periods of a series between two upward crossings of its mean [s].
struct Periods {
  double begin = 0, end = 0;
  int count = 0;
  double frequency() const { return count / (end - begin); }  ///< [1/s]
};

/// The periods in the last half of a series; nullopt if there are fewer than two, or if the amplitudes of their two
/// halves differ by more than 2 %.
std::optional<Periods> last_periods(const TimeSeries& series);

}  // namespace solenoid
